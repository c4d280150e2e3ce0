/**
 * What Latchkey must withstand, and the tests that prove it, found by the ids in their names. Keeps the
 * table in docs/explanation/security.md:
 *
 *     node tools/threats.ts          exit 1 when the table is not what the tests say
 *     node tools/threats.ts --write  writes it
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/explanation/security.md')
const [BEGIN, END] = ['<!-- threats -->', '<!-- end of threats -->']

/** By id: what must hold, and what of it is still open. */
const threats: Readonly<Record<string, readonly [holds: string, open?: string]>> = {
  'T-SESS-1': [
    'Session tokens are random, 256 bits unless a generator of yours makes them; one that repeats itself stops the start.',
  ],
  'T-SESS-2': [
    'Each sign-in makes a new session and a new form token, and ends the session before.',
  ],
  'T-SESS-3': [
    'A session ends when it is not used and, with the plugin `sessions`, after its longest life however much it is used.',
  ],
  'T-SESS-4': ['Nothing that the store holds is accepted from a browser.'],
  'T-SESS-5': [
    'Sign-out ends a stored session for every copy of its cookie, and with the plugin `sessions` a sealed one; all of a user can be ended at once.',
  ],
  'T-SESS-6': ['No process says "signed in" for longer than the documented bound.'],
  'T-SESS-7': ['A session that has expired counts as absent everywhere.'],
  'T-SESS-8': ['A value sealed for one purpose is none for another.'],
  'T-SESS-9': [
    'Reading a session sets nothing for a stranger, and writes at most once in its period.',
  ],
  'T-SESS-10': ['With the plugin `sessions`, users see and end their sessions.'],
  'T-SESS-11': ['With the plugin `sessions`, the number of sessions of a user can be limited.'],
  'T-SESS-12': [
    'A session that grows too large is refused before a proxy would; no old piece of a cookie is read.',
  ],
  'T-SESS-13': ['An update cannot set what makes a session whose it is.'],
  'T-WEB-1': ['Cookies are kept to https, to the site and away from scripts.'],
  'T-WEB-2': ['Another site cannot begin, finish or end a sign-in with a form or a request.'],
  'T-WEB-3': ['Pages load nothing from elsewhere, and cannot be framed.'],
  'T-WEB-4': ['Whatever is shown is encoded for where it stands.'],
  'T-WEB-5': ['GET and HEAD change nothing, but for the answer of a provider.'],
  'T-WEB-6': ['Redirects do not send a form on.'],
  'T-WEB-7': ['No other origin may read an answer.'],
  'T-WEB-8': ['Codes and tokens do not leave by the referrer.'],
  'T-REDIR-1': ['A target that a visitor had a say in passes one judgement.'],
  'T-REDIR-2': ['An unusable target leads to the default page.'],
  'T-REDIR-3': [
    'A redirect proxy hands over only what it can authenticate, and only to whom it serves.',
  ],
  'T-HOST-1': ['The public address is configured, or one of a list; no header wins over it.'],
  'T-HOST-2': ['Links in mails and redirect URIs name no other host.'],
  'T-HOST-3': ['The first request fixes nothing for later ones.'],
  'T-HOST-4': ['One path has one spelling.'],
  'T-HOST-5': [
    'Limits go by the address of the client, from configured proxies alone, and by its network.',
  ],
  'T-OIDC-1': [
    'Each sign-in is one transaction of one browser, used once; several may be open side by side.',
  ],
  'T-OIDC-2': ['No configuration leaves an answer without something that binds it.'],
  'T-OIDC-3': [
    'A server that ignores PKCE gains nothing: state, and the nonce where there is one, still bind.',
  ],
  'T-OIDC-4': ['The issuer of an answer is the one that was asked (RFC 9207).'],
  'T-OIDC-5': [
    'An ID token counts only with the right signature, issuer, audience, times, nonce and hashes.',
  ],
  'T-OIDC-6': [
    'Keys are kept; unknown key ids have them fetched once a minute at most; headers name no keys.',
  ],
  'T-OIDC-7': ['Metadata is that of the configured issuer.'],
  'T-OIDC-8': ['Userinfo is about the subject of the ID token.'],
  'T-OIDC-9': ['Callers cannot set what binds a request, or weaken what is configured.'],
  'T-OIDC-10': ['Errors of a provider are shown by code only.'],
  'T-OIDC-11': ['A token response that is none is refused.'],
  'T-OIDC-12': ['Strength and recency that were asked for are compared with the answer.'],
  'T-OIDC-13': ['Providers supplied by tenants.', 'not built'],
  'T-OIDC-14': [
    "A provider's tokens do not reach the browser.",
    'encrypting those that are stored',
  ],
  'T-OIDC-15': [
    'Stored tokens are those of the latest sign-in or renewal; however many processes ask, one renews.',
  ],
  'T-NET-1': ['Providers are asked over https; plain http only on this machine.'],
  'T-NET-2': [
    'Requests to providers follow no redirect, end after a time and a size, and are so many at once.',
  ],
  'T-NET-3': [
    'Addresses supplied by tenants lead to no private network.',
    'there are none yet; metadata is only read from configured issuers',
  ],
  'T-OUT-1': [
    'A sign-out can end the session at the provider, too; whatever fails there, the session here is over.',
  ],
  'T-OUT-2': [
    'A logout token is taken once, from its issuer, for us, fresh, and with everything that the standard wants of it.',
  ],
  'T-OUT-3': ['Back-channel logout ends the sessions that the provider means, and no others.'],
  'T-OUT-4': ['Forged logout tokens cost little.'],
  'T-ST-16': ['A sign-out at the provider leads to judged targets and over https alone.'],
  'T-ST-17': ['Nobody is signed out by another site, or by an address with made-up values.'],
  'T-ST-18': [
    'A logout token with any one thing wrong, or used again, ends nothing; so does any other token in its place.',
  ],
  'T-ST-19': [
    'Ten thousand forged logout tokens have the keys of a provider fetched once more at most.',
  ],
  'T-ST-20': ['A sign-in that completes after its session at the provider ended gets none here.'],
  'T-LINK-1': ['Somebody is a provider and its identifier, never an address.'],
  'T-LINK-2': [
    'The same address joins nobody by itself; one that its provider denies, never.',
    'by default, as in Auth.js, mail signs in who has the address from a provider that says nothing of it; `opensUnproven: false` ends that: see "An address is not always proven" above',
  ],
  'T-LINK-3': ['An account goes to who began the linking, in a session that is alive.'],
  'T-LINK-4': ['One identity belongs to one user, also when fifty sign-ins come at once.'],
  'T-LINK-5': ['A profile without a stable identifier is refused.'],
  'T-LINK-6': ['The last way to sign in cannot be removed.', 'there is no removing yet'],
  'T-LINK-7': ['Changing the address needs proof of the new one.', 'there is no changing yet'],
  'T-LINK-8': [
    'Deleting a user ends everything of theirs.',
    'the adapters do it; there is no route for it yet',
  ],
  'T-LINK-9': ['Fields that are not for browsers are refused.'],
  'T-OTV-1': ['What works once works once, also in fifty uses at the same moment.'],
  'T-OTV-2': ['A one-time value belongs to its address, purpose and browser.'],
  'T-OTV-3': ['One-time values are stored as keyed hashes.'],
  'T-OTV-4': ['A link works for ten minutes, unless you choose otherwise.'],
  'T-OTV-5': ['Guessing a code succeeds less often than once in 100,000 times.'],
  'T-OTV-6': ['Programs that only look use no link up.'],
  'T-OTV-7': ['Digits are unbiased.'],
  'T-OTV-8': ['A mail goes to the one address that was understood.'],
  'T-OTV-9': ['Asking again ends what was asked for before, or shares its budget.'],
  'T-PWD-1': ['Password hashing.', 'Latchkey keeps no passwords: `authorize` is yours'],
  'T-PWD-2': ['Rules for passwords.', 'likewise'],
  'T-PWD-3': [
    'Answers do not show whether an account exists.',
    'likewise; for passkeys see T-PK-6',
  ],
  'T-PWD-4': ['Limits on guessing.', 'likewise; for codes see T-OTV-5'],
  'T-PWD-5': ['Nobody can lock the owner out.'],
  'T-PWD-6': ['Resetting a password.', 'likewise'],
  'T-PWD-7': ['Changing a password.', 'likewise'],
  'T-MFA-1': ['Second factors.', 'not built'],
  'T-MFA-2': ['The level that an account needs.', 'not built'],
  'T-MFA-3': ['Changing factors.', 'not built'],
  'T-MFA-4': ['Recovery codes.', 'not built'],
  'T-PK-1': ['A challenge is random, for one purpose, used once.'],
  'T-PK-2': ["Every part of a passkey's answer is checked."],
  'T-PK-3': ['A credential id exists once.'],
  'T-PK-4': ['A passkey signs in who owns it.'],
  'T-PK-5': ['An attestation that is asked for is verified against your own roots.'],
  'T-PK-6': ['Options do not show whether an address has passkeys.'],
  'T-FLOW-1': ['The states of a sign-in are written down; nothing else happens.'],
  'T-FLOW-2': ['The `signIn` callback has the same power on every way in.'],
  'T-FLOW-3': ['Any failure at any point means "not signed in", and leaves nothing half-written.'],
  'T-FLOW-4': ['A session begins only with something that the visitor did in this browser.'],
  'T-FLOW-5': ['What a request can cost is bounded.'],
  'T-KEY-1': ['Production does not start without a secret, or with a weak one.'],
  'T-KEY-2': ['One purpose, one key.'],
  'T-KEY-3': ['Changing the secret breaks nothing that is under way.'],
  'T-KEY-4': ['Tokens that are not ours are refused quickly, whatever their header says.'],
  'T-KEY-5': ['Secrets are compared in constant time.', 'read in `crypto/equal.ts`, not measured'],
  'T-KEY-6': ['Tokens for other services.', 'not built'],
  'T-DATA-1': ['A feature that needs an ability of the store does not start without.'],
  'T-DATA-2': ['Records are found by all parts of their key.'],
  'T-DATA-3': ['What belongs together is written together.'],
  'T-DATA-4': ['Cursors from clients find what they should, or are refused.'],
  'T-DATA-5': [
    'What is stored under one name or prefix is not found under another.',
    'tenants of one service',
  ],
  'T-AUD-1': ['No log holds a secret.'],
  'T-AUD-2': [
    'Each result leaves one truthful event.',
    'events exist for what service and store do, not for refusals',
  ],
  'T-AUD-3': ['A log line cannot be forged.'],
  'T-AUD-4': ['Visitors are told in general, the log in detail.'],
  'T-AUD-5': ['A changed audit log shows.', 'not built'],
  'T-ST-1': ['A copy of a cookie is refused everywhere after its session was ended.'],
  'T-ST-2': ['A session that is extended outlives neither its end nor its longest life.'],
  'T-ST-3': ['Whoever signs in with the old password while it is changed has no session.'],
  'T-ST-4': [
    'A session of somebody else is ended by nobody who may not, and cannot be told from none.',
  ],
  'T-ST-6': ['A verifier believes nothing that is old, cut off or not for its question.'],
  'T-ST-9': ['Neither an update nor a callback sets what a session says of itself.'],
  'T-ST-10': ['A header of a browser costs little, and is not shown as it came.'],
  'T-ST-12': ['Sealed tokens of a provider open for their own record and user alone.'],
  'T-ST-13': [
    'However many renew a token, and whoever is stopped in between, one request is sent.',
  ],
  'T-ST-14': ['A hostile answer to a renewal changes nothing that is stored.'],
  'T-ST-15': ['A connection is finished with the same account, by the same session.'],
  'T-ST-21': [
    'A token for one purpose, one API or one site is refused by every other, whatever its header says.',
  ],
  'T-ST-22': ['No page of another origin, and nothing that shows or runs it, is given a token.'],
  'T-ST-23': [
    'Keys change without a token being refused, and a compromised key is published no more.',
  ],
  'T-ST-24': [
    'A code of an app is worth nothing without its verifier, its client and its address, and ends what it made when it comes twice.',
  ],
  'T-ST-25': [
    'What somebody else began is finished by a click of their own, on a page that says what it is.',
  ],
  'T-ST-26': [
    'Codes of devices cannot be guessed, and one session decides about one device, once.',
  ],
  'T-ST-27': [
    'API keys cannot be probed, allow what they say and no more, and open no page of an account.',
    'times are alike by construction, not measured',
  ],
  'T-ST-28': ['A token in a header is judged alone, and not taken from pages of other sites.'],
  'T-ST-29': ['No log holds a token, a code or a key.'],
}

/** Test files by the ids in the names of their tests. */
function proofs(): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const files = globSync('packages/*/{src,tests}/**/*.ts', { cwd: root })
    .filter((file) => /\.test\.ts$|\/tests\//.test(file))
    .sort()
  for (const file of files) {
    for (const [text] of readFileSync(join(root, file), 'utf8').matchAll(TEXT)) {
      for (const [id] of text.matchAll(ID)) found.set(id, (found.get(id) ?? new Set()).add(file))
    }
  }
  return new Map([...found].map(([id, names]) => [id, [...names]]))
}

/** Text in quotes that begins with an id. */
const TEXT = /(['"`])T-(?:(?!\1).)*\1/g

const ID = /\bT-[A-Z]+-\d+\b/g

function table(): string {
  const tests = proofs()
  const unknown = [...tests.keys()].filter((id) => !(id in threats))
  if (unknown.length > 0) throw new Error(`tests name ids that are none: ${unknown.join(', ')}`)
  const rows = Object.entries(threats).map(([id, [holds, open]]) => {
    const files = tests.get(id) ?? []
    const links = files.map(
      (file) => `[${label(file)}](${relative(join(page, '..'), join(root, file))})`,
    )
    const state = [
      ...links,
      ...(open || links.length === 0 ? [`**open**${open ? `: ${open}` : ''}`] : []),
    ]
    return `| ${id} | ${holds} | ${state.join(', ')} |`
  })
  return ['| id | what must hold | proved in |', '| --- | --- | --- |', ...rows].join('\n')
}

function label(file: string): string {
  return basename(file).replace(/(\.test)?\.ts$/, '')
}

const text = readFileSync(page, 'utf8')
const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
if (before < 0 || after < before) throw new Error(`${page} has no place for the table`)
const made = `${text.slice(0, before)}${BEGIN}\n\n${table()}\n\n${text.slice(after)}`
if (process.argv.includes('--write')) writeFileSync(page, made)
else if (made !== text) {
  console.log(
    'docs/explanation/security.md is not what the tests say: node tools/threats.ts --write',
  )
  process.exitCode = 1
}
