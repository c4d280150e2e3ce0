/** The names of rules in version 0.2.0, which `except` still accepts, with the current names. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  [
    'a user comes back as it was stored, by id and by address',
    'a user is returned as it was stored, by id and by address',
  ],
  [
    'what a user was created without comes back as null',
    'members that a user was created without are returned as null',
  ],
  [
    'a lookup of what is not there is null, also with an empty or malformed key',
    'a lookup without a match returns null, also with an empty or malformed key',
  ],
  ['several users may be without an address', 'several users may have no address'],
  [
    'T-LINK-4: of many parallel users with one address exactly one is created',
    'T-LINK-4: of many parallel creations of users with one address exactly one succeeds',
  ],
  [
    'an update changes what it names, clears what it sets to null, leaves alone the rest',
    'an update changes the members that it names, clears those that are null and keeps the rest',
  ],
  [
    'T-DATA-3: of parallel updates of one user none is lost',
    'T-DATA-3: no parallel update of a user is lost',
  ],
  [
    'a user with a new address is found by the new one only',
    'a user with a new address is found only by the new address',
  ],
  [
    'an update to an address that is taken is a conflict',
    'an update to an address of another user is a conflict',
  ],
  [
    'an update of a user that is not there fails and creates nobody',
    'updating a user that does not exist fails and creates none',
  ],
  ['texts come back character for character', 'strings are returned character for character'],
  [
    'an address of 320 characters and a picture of 300 kB fit',
    'stores an address of 320 characters and a picture of 300 kB',
  ],
  ['results are plain, fresh objects', 'results are plain, new objects'],
  ['an account leads to its user', 'a user is found by an account'],
  [
    'an account comes back whole, with tokens of 8 kB and an expiry after 2038',
    'an account is returned completely, with tokens of 8 kB and an expiry after 2038',
  ],
  [
    'what an account was linked without comes back as null',
    'members that a linked account did not have are returned as null',
  ],
  [
    'an account that exists is a conflict, whoever owns it, and stays where it is',
    'linking an account that exists is a conflict for every user, and its owner stays the same',
  ],
  [
    'T-LINK-4: of many parallel links of one account exactly one is made',
    'T-LINK-4: of many parallel links of one account exactly one succeeds',
  ],
  [
    'T-DATA-2: two different pairs never make one key of an account',
    'T-DATA-2: two different pairs of provider and subject are never the same key',
  ],
  [
    'an account of a user that is not there is not linked',
    'an account of a user that does not exist is not linked',
  ],
  [
    'an unlinked account is gone, and unlinking it again is no error',
    'an unlinked account is not found; unlinking it again succeeds',
  ],
  [
    'accounts and authenticators are plain, fresh objects, too',
    'accounts and authenticators are returned as plain, new objects',
  ],
  [
    'a session comes back with its user, right after it was created',
    'a session is returned with its user immediately after its creation',
  ],
  [
    'a session that is over is still found: the caller decides',
    'an expired session is still returned; the caller checks the expiry',
  ],
  [
    'an update of a session changes what it names and nothing else',
    'an update of a session changes only the members that it names',
  ],
  [
    'an update of a session that is not there is no error and creates none',
    'updating a session that does not exist succeeds and creates none',
  ],
  [
    'an update does not bring back a session that is deleted at the same time',
    'an update does not restore a session that is deleted at the same time',
  ],
  [
    'a deleted session is gone at once, and deleting it again is no error',
    'a deleted session is not found; deleting it again succeeds',
  ],
  [
    'a deleted session is handed to at most one of many parallel deletions',
    'of many parallel deletions of a session at most one returns it',
  ],
  [
    'a session of a user that is not there leads to nobody',
    'a session of a user that does not exist is not returned',
  ],
  [
    'a verification token comes back once, with exactly its three members',
    'a verification token is returned once, with exactly three members',
  ],
  [
    'taking a verification token without an address gives nothing and removes nothing',
    'taking a verification token without an address returns null and removes nothing',
  ],
  [
    'an address may have several open verification tokens, and taking one leaves the others',
    'an address may have several verification tokens; taking one keeps the others',
  ],
  [
    'a verification token that is over is taken all the same: the caller decides',
    'an expired verification token is still taken; the caller checks the expiry',
  ],
  [
    'T-DATA-2: two different pairs never make one key of a verification token',
    'T-DATA-2: two different pairs of address and token are never the same key',
  ],
  [
    'verification tokens keep texts and dates as they are',
    'verification tokens keep strings and dates unchanged',
  ],
  [
    'an authenticator comes back as it was stored, with a real boolean and null',
    'an authenticator is returned as it was stored, with a boolean and null',
  ],
  [
    'a credential id that exists is a conflict, whoever owns it',
    'a credential id that exists is a conflict for every user',
  ],
  [
    'the list of authenticators has all of the user and none of others',
    'lists all authenticators of a user, and none of other users',
  ],
  ['a signature counter moves forward only', 'a signature counter can only increase'],
  [
    'T-OTV-1: of many parallel uses of one signature counter exactly one passes',
    'T-OTV-1: of many parallel uses of one counter value exactly one succeeds',
  ],
  [
    'a counter of an authenticator that is not there fails and creates none',
    'updating the counter of an authenticator that does not exist fails and creates none',
  ],
  [
    'a user by an empty or malformed id is changed and deleted by nobody',
    'an empty or malformed id changes and deletes no user',
  ],
  [
    'an account by an empty or malformed key is none, and unlinking it no error',
    'an empty or malformed key finds no account; unlinking it succeeds',
  ],
  [
    'a session by an empty or malformed token is none, and ending it no error',
    'an empty or malformed token finds no session; deleting it succeeds',
  ],
  [
    'a verification token by an empty or malformed key is none',
    'an empty or malformed key finds no verification token',
  ],
  [
    'an authenticator by an empty or malformed id is none, and belongs to nobody',
    'an empty or malformed id finds no authenticator',
  ],
  [
    'accounts keep texts as they are, in keys and beside them',
    'accounts keep strings unchanged, in keys and in other members',
  ],
  [
    'session tokens stay what they are, whatever they look like',
    'session tokens that look like numbers, dates or ids stay unchanged',
  ],
  [
    'credential ids stay what they are, whatever they look like',
    'credential ids that look like numbers, dates or ids stay unchanged',
  ],
  [
    'a verification token of an address of 320 characters is taken',
    'a verification token of an address of 320 characters can be taken',
  ],
  [
    'T-DATA-2: an id of a user is kept whole or refused, and never cut',
    'T-DATA-2: a long user id is stored completely or refused, never truncated',
  ],
  [
    'T-DATA-2: an address of a user is kept whole or refused, and never cut',
    'T-DATA-2: a long address is stored completely or refused, never truncated',
  ],
  [
    'T-DATA-2: the key of an account is kept whole or refused, and never cut',
    'T-DATA-2: a long account key is stored completely or refused, never truncated',
  ],
  [
    'T-DATA-2: a session token is kept whole or refused, and never cut',
    'T-DATA-2: a long session token is stored completely or refused, never truncated',
  ],
  [
    'T-DATA-2: the key of a verification token is kept whole or refused, and never cut',
    'T-DATA-2: a long key of a verification token is stored completely or refused, never truncated',
  ],
  [
    'T-DATA-2: a credential id is kept whole or refused, and never cut',
    'T-DATA-2: a long credential id is stored completely or refused, never truncated',
  ],
  [
    'T-LINK-8, T-SESS-5: deleting a user removes all that is theirs and nothing else',
    'T-LINK-8, T-SESS-5: deleting a user removes everything that belongs to the user and nothing else',
  ],
  ['deleting a user that is not there is no error', 'deleting a user that does not exist succeeds'],
  [
    'no session survives when its user is deleted while it is created',
    'a session that is created while its user is deleted does not remain',
  ],
  [
    'what one client wrote, another reads at once',
    'a client immediately reads what another client wrote',
  ],
  [
    'what one client changed or removed, another does not remember',
    'a client does not read what another client changed or removed',
  ],
  [
    'an account that one client unlinked, another does not know',
    'a client does not find an account that another client unlinked',
  ],
  [
    'T-LINK-4: of two clients that create one user exactly one does',
    'T-LINK-4: of two clients that create the same user exactly one succeeds',
  ],
  [
    'T-LINK-4: of two clients that link one account exactly one does',
    'T-LINK-4: of two clients that link one account exactly one succeeds',
  ],
  [
    'T-OTV-1: of two clients that use one signature counter exactly one passes',
    'T-OTV-1: of two clients that use one counter value exactly one succeeds',
  ],
  [
    'a lease that one client has, another does not get',
    'a lease that one client holds is not given to another client',
  ],
  [
    'T-DATA-3: a transaction happens as a whole',
    'T-DATA-3: a transaction that succeeds stores all of its changes',
  ],
  [
    'T-DATA-3: a transaction that fails leaves nothing',
    'T-DATA-3: a transaction that fails stores none of its changes',
  ],
  [
    'T-DATA-3: a transaction that runs into a conflict leaves nothing',
    'T-DATA-3: a transaction with a conflict stores none of its changes',
  ],
  [
    'T-DATA-3: what is written beside a transaction that fails stays',
    'T-DATA-3: a failed transaction does not undo writes that were made outside of it',
  ],
  [
    'T-LINK-4: of many parallel transactions that make one user exactly one succeeds',
    'T-LINK-4: of many parallel transactions that create the same user exactly one succeeds',
  ],
  [
    'a session is renamed once, and keeps the rest',
    'replacing a session token succeeds once and keeps the other members of the session',
  ],
  [
    'a session is not renamed over another one',
    'replacing a session token with one that exists is a conflict',
  ],
  [
    'T-OIDC-15: an account is given fresh tokens, and keeps what is not named',
    'T-OIDC-15: an update of an account stores the new tokens and keeps the members that it does not name',
  ],
  [
    'T-OTV-5: of many parallel attempts no more than allowed are counted',
    'T-OTV-5: many parallel attempts are never counted above the limit',
  ],
  [
    'T-OTV-5: an attempt counts until it expires, and no longer',
    'T-OTV-5: an attempt counts until it expires',
  ],
  [
    'T-OTV-5: attempts are counted under keys of any length, each for itself',
    'T-OTV-5: attempts are counted per key, and keys may have any length',
  ],
  [
    'a lease that is over before it begins is refused',
    'a lease that has already expired is refused',
  ],
  [
    'a lease is given to one, and again when it is over, with a greater number',
    'a lease has one holder until it expires; the next holder gets a greater number',
  ],
  [
    'cleaning up removes what is over, in batches, and nothing else',
    'cleanup removes only expired entries, in batches',
  ],
  [
    "the sessions and accounts of a user are listed, all of them and nobody else's",
    'lists all sessions and accounts of a user, and none of other users',
  ],
  [
    'the list of sessions has all of a user, however many, and none of others',
    'lists any number of sessions of a user, and none of other users',
  ],
  [
    'T-SESS-5: all sessions of a user are ended in one step, or all but one',
    'T-SESS-5: all sessions of a user, or all but one, are deleted in one step',
  ],
  [
    'T-DATA-4: users are listed page by page, each once, whatever the cursor',
    'T-DATA-4: users are listed page by page, each once; any cursor returns users or is refused',
  ],
  [
    'a record comes back as it was created, and as it was replaced',
    'a record is returned as it was created or replaced',
  ],
  [
    'the data of a record is the JSON that it was',
    'the data of a record is returned as the same JSON',
  ],
  [
    'what is larger than a record may be is kept whole or refused, and never cut',
    'a record above the size limits is stored completely or refused, never truncated',
  ],
  ['a record by an empty or malformed key is none', 'an empty or malformed key finds no record'],
  ['records are plain, fresh objects', 'records are returned as plain, new objects'],
  [
    'a record that is taken while it is replaced comes out as it was last',
    'taking a record while it is replaced returns its last version',
  ],
  [
    'a record is replaced over the version before it, and never otherwise',
    'a record is replaced only if its version is the expected one',
  ],
  [
    'a record is in nobody’s way from the millisecond on in which it expires',
    'a record can be created again from the millisecond in which it expires',
  ],
  [
    'of many that create a record over an expired one exactly one succeeds',
    'of many parallel creations of a record that has expired exactly one succeeds',
  ],
  [
    'cleaning up removes records that have expired, in batches, and no others',
    'cleanup removes only expired records, in batches',
  ],
  [
    'a listing has each record that was there all the while, whatever others write',
    'a listing has each record that exists during the whole listing, also while others write',
  ],
  [
    'T-LINK-8: deleting a user removes their records of every kind, and nobody else’s',
    'T-LINK-8: deleting a user removes the user’s records of every kind, and none of other users',
  ],
  [
    'records may belong to a user whom the store does not know, and are deleted with them',
    'records may belong to a user that the store does not have, and deleteUser removes them',
  ],
  [
    'T-DATA-3: a key that is taken does not end a transaction',
    'T-DATA-3: a conflict of records does not end a transaction',
  ],
  [
    'T-DATA-3: a transaction that fails leaves records as they were',
    'T-DATA-3: a transaction that fails leaves records unchanged',
  ],
  [
    'T-DATA-3: of many parallel transactions that create one record exactly one does',
    'T-DATA-3: of many parallel transactions that create one record exactly one succeeds',
  ],
  [
    'what one client did with a record, another sees at once',
    'a client immediately reads what another client did with a record',
  ],
])
