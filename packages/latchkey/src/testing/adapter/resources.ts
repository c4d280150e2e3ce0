import type { AdapterAccount } from '../../model/account.ts'
import type { CountedAttempt } from '../../model/adapter.ts'
import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import type { JsonObject, PluginRecord, RecordKey } from '../../model/record.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import type { CompleteAdapter } from './cases.ts'

/** Texts that stores might interpret, truncate, fold or refuse. */
export const HARD_TEXTS: readonly string[] = [
  '123',
  '1e3',
  '0x10',
  'true',
  'null',
  'NaN',
  '2026-01-01T00:00:00.000Z',
  '0123456789abcdef01234567',
  '{"a":1}',
  ' leading and trailing ',
  "it's",
  '"quoted"',
  'back\\slash',
  'per%cent_under?mark:colon;semi',
  'a/b#c?d=e&f',
  '$1 :name @at `tick`',
  'line\nfeed\ttab',
  'nul\0inside',
  '\'; drop table "user"; --',
  'Zoë Müller',
  'Zoe\u0308 Mu\u0308ller',
  '孫悟空',
  'עברית',
  '👩‍👩‍👧‍👦 𝒳',
]

/** Pairs of keys that are nearly the same. */
export const NEAR_TEXTS: readonly (readonly [string, string])[] = [
  ['ada@x.example', 'Ada@x.example'],
  ['zoe@x.example', 'zoë@x.example'],
  ['no\u00ebl@x.example', 'noe\u0308l@x.example'],
  ['bob@x.example', 'bob@x.example '],
  ['cab@x.example', 'ｃab@x.example'],
  ['dan@x.example', 'dan@x.example\0'],
  ['stra\u00dfe@x.example', 'strasse@x.example'],
]

/** Pairs of keys that are the same text when joined with a separator. */
export const SPLIT_PAIRS: readonly (readonly [
  readonly [string, string],
  readonly [string, string],
])[] = [
  [
    ['a:b', 'c'],
    ['a', 'b:c'],
  ],
  [
    ['a/b', 'c'],
    ['a', 'b/c'],
  ],
  [
    ['a#b', 'c'],
    ['a', 'b#c'],
  ],
  [
    ['ab', 'c'],
    ['a', 'bc'],
  ],
  [
    ['a\0b', 'c'],
    ['a', 'b\0c'],
  ],
  [
    ['a","b', 'c'],
    ['a', 'b","c'],
  ],
]

export const DATES: readonly Date[] = [
  '1970-01-01T00:00:00.001Z',
  '1999-12-31T23:59:59.999Z',
  '2026-03-29T01:30:00.123Z',
  '2026-10-25T01:30:00.456Z',
  '2038-01-19T03:14:08.789Z',
  '2039-06-01T12:00:00.007Z',
  '9999-12-31T23:59:59.999Z',
].map((text) => new Date(text))

export function user(changes: Partial<AdapterUser> = {}): AdapterUser {
  return {
    id: '7d1b3b5c-59c4-4d0e-9b0a-0d9f7c2a4e11',
    name: 'Ada',
    email: 'ada@x.example',
    emailVerified: null,
    image: 'https://x.example/ada.png',
    ...changes,
  }
}

export function account(changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return {
    userId: user().id,
    type: 'oauth',
    provider: 'acme',
    providerAccountId: 'subject',
    ...changes,
  }
}

export function session(changes: Partial<AdapterSession> = {}): AdapterSession {
  return {
    sessionToken: 'session-token',
    userId: user().id,
    expires: new Date('2030-01-01T00:00:00.123Z'),
    ...changes,
  }
}

export function attempt(changes: Partial<CountedAttempt> = {}): CountedAttempt {
  return { key: 'guess:ada@x.example', limit: 5, now: NOW, expires: EXPIRES, ...changes }
}

/** The time in cases that pass one. */
export const NOW: Date = new Date('2030-01-01T00:00:00.123Z')

/** One day after {@link NOW}. */
export const EXPIRES: Date = new Date('2030-01-02T00:00:00.123Z')

export function token(changes: Partial<VerificationToken> = {}): VerificationToken {
  return {
    identifier: 'ada@x.example',
    token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    expires: new Date('2030-01-01T00:00:00.123Z'),
    ...changes,
  }
}

export function authenticator(changes: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  return {
    credentialID: 'Y3JlZGVudGlhbA==',
    userId: user().id,
    providerAccountId: 'Y3JlZGVudGlhbA==',
    credentialPublicKey: 'cHVibGljIGtleQ==',
    counter: 0,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'internal,hybrid',
    ...changes,
  }
}

export function record(changes: Partial<PluginRecord> = {}): PluginRecord {
  return {
    kind: 'pending-sign-in',
    key: '9f86d081884c7d659a2feaa0c55ad015',
    userId: user().id,
    data: { step: 1 },
    version: 1,
    createdAt: new Date('2029-12-31T23:59:59.789Z'),
    expires: EXPIRES,
    ...changes,
  }
}

/** Returns the next version of a record, with other data. */
export function replaced(
  before: PluginRecord,
  data: JsonObject,
  version: number = before.version + 1,
): PluginRecord {
  return { ...before, data, version }
}

/** Returns the key of a record. */
export function key({ kind, key }: PluginRecord): RecordKey {
  return { kind, key }
}

export async function take(
  adapter: CompleteAdapter,
  key: { identifier: string; token: string },
): Promise<VerificationToken | null> {
  return await adapter.useVerificationToken({ identifier: key.identifier, token: key.token })
}
