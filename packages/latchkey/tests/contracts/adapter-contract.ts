import { afterEach, describe, expect, test } from 'vitest'
import type { AdapterAccount } from '../../src/model/account.ts'
import {
  type Adapter,
  type AdapterMethod,
  type AtomicAbilities,
  atomic,
  type CountedAttempt,
  isAdapterConflict,
} from '../../src/model/adapter.ts'
import type { AdapterAuthenticator } from '../../src/model/authenticator.ts'
import type { AdapterSession } from '../../src/model/session.ts'
import type { AdapterUser } from '../../src/model/user.ts'

/** One rule that every adapter keeps. Fails by throwing. */
export interface AdapterCase {
  readonly name: string
  /** What the adapter must have for the rule to mean anything. */
  readonly needs: readonly (AdapterMethod | keyof AtomicAbilities)[]
  readonly run: (adapter: CompleteAdapter) => Promise<void>
}

/** An adapter as the cases use it: `needs` says which methods are really there. */
export type CompleteAdapter = Required<Omit<Adapter, typeof atomic>> & {
  [atomic]: Required<AtomicAbilities>
}

/** An adapter on an empty store, and how to give the store back. */
export type OpenedAdapter = Adapter & { [Symbol.asyncDispose]?(): PromiseLike<void> }

export interface DescribeAdapterOptions {
  /** Cases that this adapter cannot pass, by name, each with the reason. */
  readonly except?: Readonly<Record<string, string>>
}

/**
 * Runs the contract of adapters against one.
 *
 * A case whose methods are missing is skipped; everything else must pass.
 *
 * @param open gives an adapter on an empty store, once for each case.
 */
export function describeAdapter(
  adapterName: string,
  open: () => Promise<OpenedAdapter>,
  { except = {} }: DescribeAdapterOptions = {},
): void {
  describe(`the ${adapterName} adapter keeps the contract`, () => {
    let opened: OpenedAdapter | undefined
    afterEach(async () => {
      await opened?.[Symbol.asyncDispose]?.()
      opened = undefined
    })

    for (const { name, needs, run } of adapterCases) {
      // oxlint-disable-next-line vitest/valid-title
      test(name, async (context) => {
        const reason = except[name]
        if (reason !== undefined) context.skip(reason)
        opened = await open()
        const missing = missingAbility(opened, needs)
        if (missing !== undefined) context.skip(`the adapter has no ${missing}`)
        expect.hasAssertions()
        await run(opened as CompleteAdapter)
      })
    }

    test('the exceptions are cases of the contract', () => {
      expect(adapterCases.map(({ name }) => name)).toEqual(
        expect.arrayContaining(Object.keys(except)),
      )
    })
  })
}

/**
 * The names of the cases that an adapter does not pass.
 *
 * @param open gives an adapter on an empty store, once for each case.
 */
export async function failingCases(open: () => Promise<OpenedAdapter>): Promise<string[]> {
  const failing: string[] = []
  for (const { name, needs, run } of adapterCases) {
    const adapter = await open()
    try {
      if (missingAbility(adapter, needs) === undefined) await run(adapter as CompleteAdapter)
    } catch {
      failing.push(name)
    } finally {
      await adapter[Symbol.asyncDispose]?.()
    }
  }
  return failing
}

function missingAbility(
  adapter: Adapter,
  needs: AdapterCase['needs'],
): AdapterCase['needs'][number] | undefined {
  return needs.find((need) =>
    need === 'transaction' ||
    need === 'renameSession' ||
    need === 'updateAccount' ||
    need === 'countAttempt'
      ? typeof adapter[atomic]?.[need] !== 'function'
      : typeof adapter[need] !== 'function',
  )
}

/** How many calls a race is made of. */
const CROWD = 50

/** Texts that a store might take for something else, cut, fold or choke on. */
const HARD_TEXTS = [
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

/** Pairs of keys that somebody could take for the same. */
const NEAR_TEXTS: readonly (readonly [string, string])[] = [
  ['ada@x.example', 'Ada@x.example'],
  ['zoe@x.example', 'zoë@x.example'],
  ['no\u00ebl@x.example', 'noe\u0308l@x.example'],
  ['bob@x.example', 'bob@x.example '],
  ['cab@x.example', 'ｃab@x.example'],
  ['dan@x.example', 'dan@x.example\0'],
  ['stra\u00dfe@x.example', 'strasse@x.example'],
]

/** Pairs of pairs that are one text when they are joined with the separator in the middle. */
const SPLIT_PAIRS: readonly (readonly [readonly [string, string], readonly [string, string]])[] = [
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

const DATES: readonly Date[] = [
  '1970-01-01T00:00:00.001Z',
  '1999-12-31T23:59:59.999Z',
  '2026-03-29T01:30:00.123Z',
  '2026-10-25T01:30:00.456Z',
  '2038-01-19T03:14:08.789Z',
  '2039-06-01T12:00:00.007Z',
  '9999-12-31T23:59:59.999Z',
].map((text) => new Date(text))

const USER_METHODS = ['createUser', 'getUser', 'getUserByEmail', 'updateUser'] as const
const ACCOUNT_METHODS = ['createUser', 'linkAccount', 'getUserByAccount'] as const
const SESSION_METHODS = [
  'createUser',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
] as const
const TOKEN_METHODS = ['createVerificationToken', 'useVerificationToken'] as const
const AUTHENTICATOR_METHODS = [
  'createUser',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const

function user(changes: Partial<AdapterUser> = {}): AdapterUser {
  return {
    id: '7d1b3b5c-59c4-4d0e-9b0a-0d9f7c2a4e11',
    name: 'Ada',
    email: 'ada@x.example',
    emailVerified: null,
    image: 'https://x.example/ada.png',
    ...changes,
  }
}

function account(changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return {
    userId: user().id,
    type: 'oauth',
    provider: 'acme',
    providerAccountId: 'subject',
    ...changes,
  }
}

function session(changes: Partial<AdapterSession> = {}): AdapterSession {
  return {
    sessionToken: 'session-token',
    userId: user().id,
    expires: new Date('2030-01-01T00:00:00.123Z'),
    ...changes,
  }
}

function attempt(changes: Partial<CountedAttempt> = {}): CountedAttempt {
  const now = new Date('2030-01-01T00:00:00.123Z')
  return { key: 'guess:ada@x.example', limit: 5, now, expires: EXPIRES, ...changes }
}

/** When attempts expire. */
const EXPIRES = new Date('2030-01-02T00:00:00.123Z')

function token(changes: Partial<{ identifier: string; token: string; expires: Date }> = {}) {
  return {
    identifier: 'ada@x.example',
    token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    expires: new Date('2030-01-01T00:00:00.123Z'),
    ...changes,
  }
}

function authenticator(changes: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
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

/** What became of as many calls as make a crowd, begun before any of them is awaited. */
async function crowd<Result>(
  call: (index: number) => Result,
  size: number = CROWD,
): Promise<{ won: Awaited<Result>[]; lost: unknown[] }> {
  const calls = Array.from({ length: size }, async (_, index) => call(index))
  const settled = await Promise.allSettled(calls)
  return {
    won: settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value),
    lost: settled.filter((one) => one.status === 'rejected').map(({ reason }) => reason),
  }
}

async function failure(call: () => unknown): Promise<unknown> {
  const { lost } = await crowd(call, 1)
  expect(lost, 'the call fails').toHaveLength(1)
  return lost[0]
}

function expectConflict(error: unknown, kind: string): void {
  if (!isAdapterConflict(error)) {
    throw new Error('expected an AdapterConflict', { cause: error })
  }
  expect(error.conflict).toBe(kind)
}

async function expectConflictOf(call: () => unknown, kind: string): Promise<void> {
  expectConflict(await failure(call), kind)
}

async function take(adapter: CompleteAdapter, key: { identifier: string; token: string }) {
  return await adapter.useVerificationToken({ identifier: key.identifier, token: key.token })
}

/** The contract, one rule a case. A case begins with an empty store. */
export const adapterCases: readonly AdapterCase[] = [
  // ── users ──
  {
    name: 'a user comes back as it was stored, by id and by address',
    needs: USER_METHODS,
    async run(adapter) {
      const ada = user({ emailVerified: new Date('2026-02-03T04:05:06.789Z') })
      expect(await adapter.createUser(ada)).toMatchObject(ada)
      expect(await adapter.getUser(ada.id)).toMatchObject(ada)
      expect(await adapter.getUserByEmail(ada.email)).toMatchObject(ada)
    },
  },
  {
    name: 'what a user was created without comes back as null',
    needs: USER_METHODS,
    async run(adapter) {
      const { id, email } = user()
      const whole = { id, email, name: null, image: null, emailVerified: null }
      expect(await adapter.createUser({ id, email, emailVerified: null })).toMatchObject(whole)
      expect(await adapter.getUser(id)).toMatchObject(whole)
      const nobody = { id: 'other', name: undefined } as unknown as AdapterUser
      expect(await adapter.createUser(nobody)).toMatchObject({ email: null, emailVerified: null })
      expect(await adapter.getUser('other')).toMatchObject({ name: null, email: null })
    },
  },
  {
    name: 'a lookup of what is not there is null, also with an empty or malformed key',
    needs: [...USER_METHODS, 'getUserByAccount'],
    async run(adapter) {
      await adapter.createUser(user({ email: null as unknown as string }))
      for (const key of ['', 'nobody', ...HARD_TEXTS]) {
        expect(await adapter.getUser(key)).toBeNull()
        expect(await adapter.getUserByEmail(key)).toBeNull()
        expect(await adapter.getUserByAccount({ provider: key, providerAccountId: key })).toBeNull()
      }
    },
  },
  {
    name: 'a second user with the same address is a conflict',
    needs: USER_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await expectConflictOf(() => adapter.createUser(user({ id: 'other' })), 'user.email')
      expect(await adapter.getUser('other')).toBeNull()
    },
  },
  {
    name: 'several users may be without an address',
    needs: USER_METHODS,
    async run(adapter) {
      const email = null as unknown as string
      await adapter.createUser(user({ id: 'one', email }))
      await adapter.createUser(user({ id: 'two', email }))
      expect(await adapter.getUser('one')).toMatchObject({ id: 'one', email: null })
      expect(await adapter.getUser('two')).toMatchObject({ id: 'two', email: null })
    },
  },
  {
    name: 'T-LINK-4: of many parallel users with one address exactly one is created',
    needs: USER_METHODS,
    async run(adapter) {
      const { won, lost } = await crowd((index) =>
        adapter.createUser(user({ id: `user-${index}` })),
      )
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'user.email')
      const winner = won[0]?.id
      expect(await adapter.getUserByEmail(user().email)).toMatchObject({ id: winner })
      for (let index = 0; index < CROWD; index++) {
        const found = await adapter.getUser(`user-${index}`)
        expect(found?.id ?? null).toBe(`user-${index}` === winner ? winner : null)
      }
    },
  },
  {
    name: 'an update changes what it names, clears what it sets to null, leaves alone the rest',
    needs: USER_METHODS,
    async run(adapter) {
      const ada = user({ emailVerified: new Date('2026-02-03T04:05:06.789Z') })
      await adapter.createUser(ada)
      const changes = { id: ada.id, name: undefined, image: null } as unknown as { id: string }
      const changed = { ...ada, image: null }
      expect(await adapter.updateUser(changes)).toMatchObject(changed)
      expect(await adapter.getUser(ada.id)).toMatchObject(changed)
      expect(await adapter.updateUser({ id: ada.id })).toMatchObject(changed)
      expect(await adapter.updateUser({ id: ada.id, emailVerified: DATES[2]! })).toMatchObject({
        emailVerified: DATES[2],
      })
    },
  },
  {
    name: 'a user with a new address is found by the new one only',
    needs: USER_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.updateUser({ id: user().id, email: 'lovelace@x.example' })
      expect(await adapter.getUserByEmail('lovelace@x.example')).toMatchObject({ id: user().id })
      expect(await adapter.getUserByEmail(user().email)).toBeNull()
      await adapter.createUser(user({ id: 'other' }))
      expect(await adapter.getUserByEmail(user().email)).toMatchObject({ id: 'other' })
    },
  },
  {
    name: 'an update to an address that is taken is a conflict',
    needs: USER_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await expectConflictOf(
        () => adapter.updateUser({ id: 'other', email: user().email }),
        'user.email',
      )
      expect(await adapter.getUser('other')).toMatchObject({ email: 'bob@x.example' })
    },
  },
  {
    name: 'an update of a user that is not there fails and creates nobody',
    needs: USER_METHODS,
    async run(adapter) {
      await failure(() => adapter.updateUser({ id: 'nobody', name: 'N', email: 'n@x.example' }))
      expect(await adapter.getUser('nobody')).toBeNull()
      expect(await adapter.getUserByEmail('n@x.example')).toBeNull()
    },
  },
  {
    name: 'T-DATA-2: addresses compare byte for byte',
    needs: USER_METHODS,
    async run(adapter) {
      for (const [index, [one, other]] of NEAR_TEXTS.entries()) {
        await adapter.createUser(user({ id: `one-${index}`, email: one }))
        expect(await adapter.getUserByEmail(other)).toBeNull()
        await adapter.createUser(user({ id: `other-${index}`, email: other }))
        expect(await adapter.getUserByEmail(one)).toMatchObject({ id: `one-${index}`, email: one })
        expect(await adapter.getUserByEmail(other)).toMatchObject({ id: `other-${index}` })
      }
    },
  },
  {
    name: 'texts come back character for character',
    needs: USER_METHODS,
    async run(adapter) {
      for (const text of HARD_TEXTS) {
        const hard = user({ id: text, name: text, email: `${text}@x.example`, image: text })
        await adapter.createUser(hard)
        expect(await adapter.getUser(text)).toMatchObject(hard)
        expect(await adapter.getUserByEmail(hard.email)).toMatchObject(hard)
      }
    },
  },
  {
    name: 'an address of 320 characters and a picture of 300 kB fit',
    needs: USER_METHODS,
    async run(adapter) {
      const email = `${'l'.repeat(64)}@${'d'.repeat(247)}.example`
      expect(email).toHaveLength(320)
      const big = user({ email, image: `data:image/png;base64,${'A'.repeat(300_000)}` })
      await adapter.createUser(big)
      expect(await adapter.getUserByEmail(email)).toMatchObject(big)
    },
  },
  {
    name: 'results are plain, fresh objects',
    needs: [...USER_METHODS, ...SESSION_METHODS],
    async run(adapter) {
      const given = user({ emailVerified: new Date(5) })
      const created = await adapter.createUser(given)
      given.name = 'changed'
      given.emailVerified?.setTime(6)
      created.name = 'changed'
      const read = await adapter.getUser(user().id)
      expect(read).toMatchObject({ name: 'Ada', emailVerified: new Date(5) })
      read!.name = 'changed'
      read!.emailVerified?.setTime(6)
      expect(await adapter.getUser(user().id)).toMatchObject({
        name: 'Ada',
        emailVerified: new Date(5),
      })
      const expires = new Date(session().expires)
      await adapter.createSession(session({ expires }))
      expires.setTime(0)
      const found = await adapter.getSessionAndUser(session().sessionToken)
      expect(found?.session).toMatchObject(session())
      for (const result of [created, read, found?.session, found?.user]) {
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
        expect(structuredClone(result)).toEqual(result)
      }
    },
  },

  // ── accounts ──
  {
    name: 'an account leads to its user',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ userId: 'other', providerAccountId: 'bob' }))
      const found = await adapter.getUserByAccount({
        provider: 'acme',
        providerAccountId: 'subject',
      })
      expect(found).toMatchObject(user())
      expect(found).not.toHaveProperty('provider')
    },
  },
  {
    name: 'an account comes back whole, with tokens of 8 kB and an expiry after 2038',
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      const whole = account({
        type: 'oidc',
        access_token: 'a'.repeat(8192),
        refresh_token: 'r'.repeat(8192),
        id_token: 'i'.repeat(8192),
        expires_at: 253_402_300_799,
        token_type: 'bearer',
        scope: 'openid profile '.repeat(200),
        session_state: 'state.1',
      })
      await adapter.createUser(user())
      await adapter.linkAccount(whole)
      expect(await adapter.getAccount('subject', 'acme')).toMatchObject(whole)
    },
  },
  {
    name: 'what an account was linked without comes back as null',
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account({ scope: undefined } as unknown as AdapterAccount))
      expect(await adapter.getAccount('subject', 'acme')).toMatchObject({
        refresh_token: null,
        access_token: null,
        expires_at: null,
        token_type: null,
        scope: null,
        id_token: null,
        session_state: null,
      })
    },
  },
  {
    name: 'an unusual member of a token response does not stop the sign-in',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account({ ext_expires_in: 3599, 'not-before-policy': 0 }))
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'an account that exists is a conflict, whoever owns it, and stays where it is',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      await expectConflictOf(() => adapter.linkAccount(account()), 'account')
      await expectConflictOf(() => adapter.linkAccount(account({ userId: 'other' })), 'account')
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-LINK-4: of many parallel links of one account exactly one is made',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      for (let index = 0; index < CROWD; index++) {
        await adapter.createUser(user({ id: `user-${index}`, email: `${index}@x.example` }))
      }
      const { won, lost } = await crowd((index) =>
        Promise.resolve(adapter.linkAccount(account({ userId: `user-${index}` }))).then(
          () => `user-${index}`,
        ),
      )
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'account')
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: won[0] })
    },
  },
  {
    name: 'T-DATA-2: an account is found by provider and subject together',
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      const elsewhere = { provider: 'other', providerAccountId: 'subject' }
      const somebody = { provider: 'acme', providerAccountId: 'other' }
      expect(await adapter.getUserByAccount(elsewhere)).toBeNull()
      expect(await adapter.getUserByAccount(somebody)).toBeNull()
      expect(await adapter.getAccount('subject', 'other')).toBeNull()
      expect(await adapter.getAccount('acme', 'subject')).toBeNull()
      await adapter.linkAccount(account({ ...elsewhere, userId: 'other' }))
      expect(await adapter.getUserByAccount(elsewhere)).toMatchObject({ id: 'other' })
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-DATA-2: two different pairs never make one key of an account',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [[provider, providerAccountId], [otherProvider, otherId]] of SPLIT_PAIRS) {
        await adapter.linkAccount(account({ provider, providerAccountId }))
        const other = { provider: otherProvider, providerAccountId: otherId }
        expect(await adapter.getUserByAccount(other)).toBeNull()
      }
    },
  },
  {
    name: 'T-DATA-2: subjects compare byte for byte',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.linkAccount(account({ providerAccountId: one }))
        expect(
          await adapter.getUserByAccount({ provider: 'acme', providerAccountId: other }),
        ).toBeNull()
        await adapter.linkAccount(account({ providerAccountId: other }))
      }
    },
  },
  {
    name: 'an account of a user that is not there is not linked',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      const error = await failure(() => adapter.linkAccount(account()))
      expect(isAdapterConflict(error)).toBe(false)
      await adapter.createUser(user())
      expect(await adapter.getUserByAccount(account())).toBeNull()
    },
  },
  {
    name: 'an unlinked account is gone, and unlinking it again is no error',
    needs: [...ACCOUNT_METHODS, 'unlinkAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ provider: 'other' }))
      await adapter.unlinkAccount({ provider: 'acme', providerAccountId: 'subject' })
      await adapter.unlinkAccount({ provider: 'acme', providerAccountId: 'subject' })
      expect(await adapter.getUserByAccount(account())).toBeNull()
      expect(await adapter.getUserByAccount(account({ provider: 'other' }))).not.toBeNull()
      await adapter.linkAccount(account())
    },
  },
  {
    name: 'unlinking the account of a passkey removes the passkey',
    needs: [...ACCOUNT_METHODS, ...AUTHENTICATOR_METHODS, 'unlinkAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      for (const credentialID of ['b25l', 'b3RoZXI=']) {
        const key = { provider: 'passkey', providerAccountId: credentialID }
        await adapter.linkAccount(account({ ...key, type: 'webauthn' }))
        await adapter.createAuthenticator(
          authenticator({ credentialID, providerAccountId: credentialID }),
        )
      }
      await adapter.unlinkAccount({ provider: 'passkey', providerAccountId: 'b25l' })
      expect(await adapter.getAuthenticator('b25l')).toBeNull()
      expect(await adapter.getAuthenticator('b3RoZXI=')).not.toBeNull()
    },
  },

  // ── sessions ──
  {
    name: 'a session comes back with its user, right after it was created',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      expect(await adapter.createSession(session())).toMatchObject(session())
      await adapter.createSession(session({ sessionToken: 'b', userId: 'other' }))
      const found = await adapter.getSessionAndUser('session-token')
      expect(found?.session).toMatchObject(session())
      expect(found?.user).toMatchObject(user())
    },
  },
  {
    name: 'a session token that exists is a conflict',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createSession(session())
      await expectConflictOf(() => adapter.createSession(session({ userId: 'other' })), 'session')
      const found = await adapter.getSessionAndUser(session().sessionToken)
      expect(found?.user).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-DATA-2: session tokens compare byte for byte',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.createSession(session({ sessionToken: one }))
        expect(await adapter.getSessionAndUser(other)).toBeNull()
        expect(await adapter.updateSession({ sessionToken: other, expires: DATES[0]! })).toBeFalsy()
        await adapter.deleteSession(other)
        const found = await adapter.getSessionAndUser(one)
        expect(found?.session).toEqual(session({ sessionToken: one }))
      }
    },
  },
  {
    name: 'dates of sessions keep their milliseconds, from 1970 to 9999',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [index, expires] of DATES.entries()) {
        const sessionToken = `token-${index}`
        const created = await adapter.createSession(session({ sessionToken, expires }))
        expect(created.expires).toEqual(expires)
        const found = await adapter.getSessionAndUser(sessionToken)
        expect(found?.session.expires).toEqual(expires)
        await adapter.updateUser({ id: user().id, emailVerified: expires })
        expect((await adapter.getSessionAndUser(sessionToken))?.user.emailVerified).toEqual(expires)
      }
    },
  },
  {
    name: 'a session that is over is still found: the caller decides',
    needs: SESSION_METHODS,
    async run(adapter) {
      const over = session({ expires: new Date('2001-01-01T00:00:00.000Z') })
      await adapter.createUser(user())
      await adapter.createSession(over)
      for (const _ of ['once', 'and again']) {
        const found = await adapter.getSessionAndUser(over.sessionToken)
        expect(found?.session).toMatchObject(over)
      }
    },
  },
  {
    name: 'an update of a session changes what it names and nothing else',
    needs: SESSION_METHODS,
    async run(adapter) {
      const expires = new Date('2031-02-03T04:05:06.007Z')
      await adapter.createUser(user())
      await adapter.createSession(session())
      await adapter.createSession(session({ sessionToken: 'b' }))
      await adapter.updateSession({ sessionToken: session().sessionToken, expires })
      const found = await adapter.getSessionAndUser(session().sessionToken)
      expect(found?.session).toMatchObject(session({ expires }))
      expect((await adapter.getSessionAndUser('b'))?.session.expires).toEqual(session().expires)
    },
  },
  {
    name: 'an update of a session that is not there is no error and creates none',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      expect((await adapter.updateSession(session())) ?? null).toBeNull()
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
    },
  },
  {
    name: 'an update does not bring back a session that is deleted at the same time',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (let round = 0; round < 10; round++) {
        const sessionToken = `token-${round}`
        await adapter.createSession(session({ sessionToken }))
        await crowd(
          (index) =>
            index === 5
              ? adapter.deleteSession(sessionToken)
              : adapter.updateSession({ sessionToken, expires: DATES[index % DATES.length]! }),
          20,
        )
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
    },
  },
  {
    name: 'a deleted session is gone at once, and deleting it again is no error',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      await adapter.createSession(session({ sessionToken: 'b' }))
      await adapter.deleteSession(session().sessionToken)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
      expect((await adapter.deleteSession(session().sessionToken)) ?? null).toBeNull()
      await adapter.deleteSession('never was')
      expect(await adapter.getSessionAndUser('b')).not.toBeNull()
    },
  },
  {
    name: 'a deleted session is handed to at most one of many parallel deletions',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      const { won, lost } = await crowd(() => adapter.deleteSession(session().sessionToken))
      expect(lost).toEqual([])
      expect(won.filter(Boolean).length).toBeLessThanOrEqual(1)
    },
  },
  {
    name: 'a session of a user that is not there leads to nobody',
    needs: SESSION_METHODS,
    async run(adapter) {
      await crowd(() => adapter.createSession(session()), 1)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
    },
  },

  // ── verification tokens ──
  {
    name: 'a verification token comes back once, with exactly its three members',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      expect(await take(adapter, token())).toEqual(token())
      expect(await take(adapter, token())).toBeNull()
    },
  },
  {
    name: 'T-OTV-1: of many parallel takes of a verification token exactly one gets it',
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (let round = 0; round < 5; round++) {
        const mine = token({ token: `token-${round}` })
        await adapter.createVerificationToken(mine)
        const { won, lost } = await crowd(() => take(adapter, mine))
        expect(lost).toEqual([])
        expect(won.filter((taken) => taken !== null)).toEqual([mine])
      }
    },
  },
  {
    name: 'T-DATA-2: a verification token is found by address and token together',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      await adapter.createVerificationToken(token({ identifier: 'bob@x.example', token: 'b' }))
      expect(await take(adapter, token({ token: 'wrong' }))).toBeNull()
      expect(await take(adapter, token({ identifier: 'eve@x.example' }))).toBeNull()
      expect(await take(adapter, token({ token: 'b' }))).toBeNull()
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'taking a verification token without an address gives nothing and removes nothing',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      const identifier = undefined as unknown as string
      expect(await take(adapter, { identifier, token: token().token })).toBeNull()
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'an address may have several open verification tokens, and taking one leaves the others',
    needs: TOKEN_METHODS,
    async run(adapter) {
      const [one, other] = [token({ token: 'one' }), token({ token: 'other' })]
      await adapter.createVerificationToken(one)
      await adapter.createVerificationToken(other)
      expect(await take(adapter, one)).toEqual(one)
      expect(await take(adapter, other)).toEqual(other)
    },
  },
  {
    name: 'a verification token that exists is a conflict',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      await expectConflictOf(
        () => adapter.createVerificationToken(token({ expires: DATES[6]! })),
        'verificationToken',
      )
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'a verification token that is over is taken all the same: the caller decides',
    needs: TOKEN_METHODS,
    async run(adapter) {
      const over = token({ expires: new Date('2001-01-01T00:00:00.007Z') })
      await adapter.createVerificationToken(over)
      expect(await take(adapter, over)).toEqual(over)
      expect(await take(adapter, over)).toBeNull()
    },
  },
  {
    name: 'T-DATA-2: the address of a verification token compares byte for byte',
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.createVerificationToken(token({ identifier: one }))
        expect(await take(adapter, token({ identifier: other }))).toBeNull()
        expect(await take(adapter, token({ identifier: one }))).toEqual(token({ identifier: one }))
      }
    },
  },
  {
    name: 'T-DATA-2: two different pairs never make one key of a verification token',
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [[identifier, text], [otherIdentifier, otherText]] of SPLIT_PAIRS) {
        await adapter.createVerificationToken(token({ identifier, token: text }))
        const other = token({ identifier: otherIdentifier, token: otherText })
        expect(await take(adapter, other)).toBeNull()
      }
    },
  },
  {
    name: 'verification tokens keep texts and dates as they are',
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [index, identifier] of HARD_TEXTS.entries()) {
        const expires = DATES[index % DATES.length]!
        const hard = token({ identifier, token: identifier, expires })
        await adapter.createVerificationToken(hard)
        expect(await take(adapter, hard)).toEqual(hard)
      }
    },
  },

  // ── authenticators ──
  {
    name: 'an authenticator comes back as it was stored, with a real boolean and null',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      const { transports: _, ...bare } = authenticator({
        credentialID: 'b',
        credentialBackedUp: false,
        counter: 4_294_967_295,
        credentialPublicKey: 'K'.repeat(800),
      })
      for (const [given, stored] of [
        [authenticator(), authenticator()],
        [bare, { ...bare, transports: null }],
      ] as const) {
        expect(await adapter.createAuthenticator(given)).toMatchObject(stored)
        expect(await adapter.getAuthenticator(given.credentialID)).toMatchObject(stored)
      }
    },
  },
  {
    name: 'a credential id that exists is a conflict, whoever owns it',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createAuthenticator(authenticator())
      await expectConflictOf(
        () => adapter.createAuthenticator(authenticator({ userId: 'other' })),
        'authenticator',
      )
      expect(await adapter.getAuthenticator(authenticator().credentialID)).toMatchObject({
        userId: user().id,
      })
    },
  },
  {
    name: 'the list of authenticators has all of the user and none of others',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      const mine = Array.from({ length: 30 }, (_, index) => `credential-${index}`)
      for (const credentialID of mine) {
        await adapter.createAuthenticator(authenticator({ credentialID }))
      }
      await adapter.createAuthenticator(authenticator({ credentialID: 'z', userId: 'other' }))
      const listed = await adapter.listAuthenticatorsByUserId(user().id)
      expect(listed.map(({ credentialID }) => credentialID).sort()).toEqual(mine.toSorted())
      expect(listed[0]).toMatchObject({ credentialBackedUp: true, counter: 0 })
      expect(await adapter.listAuthenticatorsByUserId('nobody')).toEqual([])
      expect(await adapter.getAuthenticator('nobody')).toBeNull()
    },
  },
  {
    name: 'T-DATA-2: credential ids compare byte for byte',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createAuthenticator(authenticator({ credentialID: 'QUJD' }))
      expect(await adapter.getAuthenticator('qujd')).toBeNull()
      await failure(() => adapter.updateAuthenticatorCounter('qujd', 5))
      expect(await adapter.getAuthenticator('QUJD')).toMatchObject({ counter: 0 })
    },
  },
  {
    name: 'a signature counter moves forward only',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      const { credentialID } = authenticator()
      await adapter.createUser(user())
      await adapter.createAuthenticator(authenticator())
      expect(await adapter.updateAuthenticatorCounter(credentialID, 0)).toMatchObject({
        counter: 0,
      })
      expect(await adapter.updateAuthenticatorCounter(credentialID, 7)).toMatchObject({
        ...authenticator(),
        counter: 7,
      })
      for (const counter of [7, 6, 0]) {
        await failure(() => adapter.updateAuthenticatorCounter(credentialID, counter))
        expect(await adapter.getAuthenticator(credentialID)).toMatchObject({ counter: 7 })
      }
      await adapter.updateAuthenticatorCounter(credentialID, 4_294_967_295)
      expect(await adapter.getAuthenticator(credentialID)).toMatchObject({ counter: 4_294_967_295 })
    },
  },
  {
    name: 'T-OTV-1: of many parallel uses of one signature counter exactly one passes',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      const { credentialID } = authenticator()
      await adapter.createUser(user())
      await adapter.createAuthenticator(authenticator())
      const same = await crowd(() => adapter.updateAuthenticatorCounter(credentialID, 1))
      expect(same.won).toHaveLength(1)
      await crowd((index) => adapter.updateAuthenticatorCounter(credentialID, index))
      expect(await adapter.getAuthenticator(credentialID)).toMatchObject({ counter: CROWD - 1 })
    },
  },
  {
    name: 'a counter of an authenticator that is not there fails and creates none',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await failure(() => adapter.updateAuthenticatorCounter('nobody', 1))
      expect(await adapter.getAuthenticator('nobody')).toBeNull()
    },
  },

  // ── deleting a user ──
  {
    name: 'deleting a user removes all that is theirs and nothing else',
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'deleteUser'],
    async run(adapter) {
      for (const [id, email] of [
        [user().id, user().email],
        ['other', 'bob@x.example'],
      ] as const) {
        await adapter.createUser(user({ id, email }))
        for (let index = 0; index < 30; index++) {
          await adapter.linkAccount(account({ userId: id, providerAccountId: `${id}-${index}` }))
        }
        for (let index = 0; index < 200; index++) {
          await adapter.createSession(session({ userId: id, sessionToken: `${id}-${index}` }))
        }
      }
      await adapter.deleteUser(user().id)
      for (const [id, here] of [
        [user().id, false],
        ['other', true],
      ] as const) {
        expect((await adapter.getUser(id)) !== null).toBe(here)
        for (let index = 0; index < 200; index++) {
          expect((await adapter.getSessionAndUser(`${id}-${index}`)) !== null).toBe(here)
        }
        for (let index = 0; index < 30; index++) {
          const key = { provider: 'acme', providerAccountId: `${id}-${index}` }
          expect((await adapter.getUserByAccount(key)) !== null).toBe(here)
        }
      }
      // Nothing is left that a new user of that id or address would inherit or run into.
      await adapter.createUser(user())
      expect(await adapter.getSessionAndUser(`${user().id}-0`)).toBeNull()
      await adapter.linkAccount(account({ providerAccountId: `${user().id}-0` }))
    },
  },
  {
    name: 'deleting a user removes their passkeys',
    needs: [...AUTHENTICATOR_METHODS, 'deleteUser'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createAuthenticator(authenticator())
      await adapter.createAuthenticator(authenticator({ credentialID: 'z', userId: 'other' }))
      await adapter.deleteUser(user().id)
      expect(await adapter.getAuthenticator(authenticator().credentialID)).toBeNull()
      expect(await adapter.getAuthenticator('z')).not.toBeNull()
    },
  },
  {
    name: 'deleting a user removes the open verification tokens of their address',
    needs: [...TOKEN_METHODS, 'createUser', 'deleteUser'],
    async run(adapter) {
      const other = token({ identifier: 'bob@x.example' })
      await adapter.createUser(user())
      await adapter.createVerificationToken(token())
      await adapter.createVerificationToken(token({ token: 'two' }))
      await adapter.createVerificationToken(other)
      await adapter.deleteUser(user().id)
      expect(await take(adapter, token())).toBeNull()
      expect(await take(adapter, token({ token: 'two' }))).toBeNull()
      expect(await take(adapter, other)).toEqual(other)
    },
  },
  {
    name: 'deleting a user that is not there is no error',
    needs: ['createUser', 'getUser', 'deleteUser'],
    async run(adapter) {
      await adapter.deleteUser('nobody')
      await adapter.createUser(user())
      await adapter.deleteUser(user().id)
      await adapter.deleteUser(user().id)
      expect(await adapter.getUser(user().id)).toBeNull()
    },
  },
  {
    name: 'no session survives when its user is deleted while it is created',
    needs: [...SESSION_METHODS, 'deleteUser'],
    async run(adapter) {
      await adapter.createUser(user())
      await crowd((index) =>
        index === CROWD / 2
          ? adapter.deleteUser(user().id)
          : adapter.createSession(session({ sessionToken: `token-${index}` })),
      )
      await adapter.createUser(user())
      for (let index = 0; index < CROWD; index++) {
        expect(await adapter.getSessionAndUser(`token-${index}`)).toBeNull()
      }
    },
  },

  // ── what not every store can ──
  {
    name: 'T-DATA-3: a transaction happens as a whole',
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'transaction'],
    async run(adapter) {
      const result = await adapter[atomic].transaction(async (inside) => {
        await inside.createUser?.(user())
        await inside.linkAccount?.(account())
        await inside.createSession?.(session())
        expect(await inside.getUserByEmail?.(user().email)).toMatchObject(user())
        return 'result'
      })
      expect(result).toBe('result')
      expect(await adapter.getUserByAccount(account())).toMatchObject(user())
      expect(await adapter.getSessionAndUser(session().sessionToken)).not.toBeNull()
    },
  },
  {
    name: 'T-DATA-3: a transaction that fails leaves nothing',
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'updateUser', 'transaction'],
    async run(adapter) {
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createSession(session({ sessionToken: 'b', userId: 'other' }))
      const cause = new Error('in the middle')
      const thrown = await failure(() =>
        adapter[atomic].transaction(async (inside) => {
          await inside.createUser?.(user())
          await inside.linkAccount?.(account())
          await inside.createSession?.(session())
          await inside.updateUser?.({ id: 'other', email: 'changed@x.example' })
          await inside.updateUser?.({ id: 'other', email: 'again@x.example' })
          await inside.deleteSession?.('b')
          throw cause
        }),
      )
      expect(thrown).toBe(cause)
      expect(await adapter.getUser(user().id)).toBeNull()
      expect(await adapter.getUserByEmail(user().email)).toBeNull()
      expect(await adapter.getUserByAccount(account())).toBeNull()
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
      const bob = { id: 'other', email: 'bob@x.example' }
      expect(await adapter.getUserByEmail('bob@x.example')).toMatchObject(bob)
      expect(await adapter.getUserByEmail('changed@x.example')).toBeNull()
      expect(await adapter.getSessionAndUser('b')).not.toBeNull()
    },
  },
  {
    name: 'T-DATA-3: a transaction that runs into a conflict leaves nothing',
    needs: [...ACCOUNT_METHODS, 'getUser', 'transaction'],
    async run(adapter) {
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account({ userId: 'other' }))
      await expectConflictOf(
        () =>
          adapter[atomic].transaction(async (inside) => {
            await inside.createUser?.(user())
            await inside.linkAccount?.(account())
          }),
        'account',
      )
      expect(await adapter.getUser(user().id)).toBeNull()
    },
  },
  {
    name: 'T-DATA-3: what is written beside a transaction that fails stays',
    needs: [...USER_METHODS, 'transaction'],
    async run(adapter) {
      const { promise: gate, resolve: open } = Promise.withResolvers<void>()
      const running = failure(() =>
        adapter[atomic].transaction(async (inside) => {
          await inside.createUser?.(user())
          await gate
          throw new Error('in the middle')
        }),
      )
      const beside = adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      const seen = adapter.getUser(user().id)
      open()
      await running
      await beside
      expect(await seen).toBeNull()
      expect(await adapter.getUser('other')).not.toBeNull()
      expect(await adapter.getUser(user().id)).toBeNull()
    },
  },
  {
    name: 'T-LINK-4: of many parallel transactions that make one user exactly one succeeds',
    needs: [...ACCOUNT_METHODS, 'getUser', 'transaction'],
    async run(adapter) {
      const { won, lost } = await crowd((index) =>
        adapter[atomic].transaction(async (inside) => {
          const id = `user-${index}`
          await inside.createUser?.(user({ id, email: `${index}@x.example` }))
          await inside.linkAccount?.(account({ userId: id }))
          return id
        }),
      )
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'account')
      for (let index = 0; index < CROWD; index++) {
        const id = `user-${index}`
        expect((await adapter.getUser(id)) !== null).toBe(id === won[0])
      }
    },
  },
  {
    name: 'a session is renamed once, and keeps the rest',
    needs: [...SESSION_METHODS, 'renameSession'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      const { won } = await crowd((index) =>
        adapter[atomic].renameSession(session().sessionToken, `new-${index}`),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      const sessionToken = `new-${won.indexOf(true)}`
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
      const found = await adapter.getSessionAndUser(sessionToken)
      expect(found?.session).toMatchObject(session({ sessionToken }))
      expect(await adapter[atomic].renameSession('nobody', 'new')).toBe(false)
      expect(await adapter.getSessionAndUser('new')).toBeNull()
    },
  },
  {
    name: 'a session is not renamed over another one',
    needs: [...SESSION_METHODS, 'renameSession'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createSession(session())
      await adapter.createSession(session({ sessionToken: 'b', userId: 'other' }))
      await expectConflictOf(
        () => adapter[atomic].renameSession(session().sessionToken, 'b'),
        'session',
      )
      expect((await adapter.getSessionAndUser('b'))?.user).toMatchObject({ id: 'other' })
      expect(await adapter.getSessionAndUser(session().sessionToken)).not.toBeNull()
    },
  },
  {
    name: 'T-OIDC-15: an account is given fresh tokens, and keeps what is not named',
    needs: [...ACCOUNT_METHODS, 'getAccount', 'updateAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account({ access_token: 'old', refresh_token: 'kept' }))
      const { provider, providerAccountId } = account()
      const key = { provider, providerAccountId }
      expect(await adapter[atomic].updateAccount({ ...key, access_token: 'new' })).toBe(true)
      expect(await adapter.getAccount(providerAccountId, provider)).toMatchObject({
        access_token: 'new',
        refresh_token: 'kept',
        userId: user().id,
      })
      expect(await adapter[atomic].updateAccount(key)).toBe(true)
      const other = { ...key, providerAccountId: 'nobody', access_token: 'x' }
      expect(await adapter[atomic].updateAccount(other)).toBe(false)
      expect(await adapter.getAccount('nobody', provider)).toBeNull()
    },
  },
  {
    name: 'T-OTV-5: of many parallel attempts no more than allowed are counted',
    needs: ['countAttempt'],
    async run(adapter) {
      const { won } = await crowd(() => adapter[atomic].countAttempt(attempt()))
      expect(won).toHaveLength(CROWD)
      expect(won.filter(Boolean)).toHaveLength(5)
      expect(await adapter[atomic].countAttempt(attempt())).toBe(false)
      expect(await adapter[atomic].countAttempt(attempt({ key: 'other' }))).toBe(true)
    },
  },
  {
    name: 'T-OTV-5: an attempt counts until it expires, and no longer',
    needs: ['countAttempt'],
    async run(adapter) {
      const at = (milliseconds: number): Date => new Date(EXPIRES.getTime() + milliseconds)
      for (const limit of [1, 2]) {
        const expires = at(limit)
        expect(await adapter[atomic].countAttempt(attempt({ limit, expires }))).toBe(true)
        expect(await adapter[atomic].countAttempt(attempt({ limit, expires }))).toBe(false)
      }
      const late = { limit: 2, expires: at(1000) }
      expect(await adapter[atomic].countAttempt(attempt({ ...late, now: at(0) }))).toBe(false)
      const { won } = await crowd(() =>
        adapter[atomic].countAttempt(attempt({ ...late, now: at(1) })),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      const all = await crowd(() => adapter[atomic].countAttempt(attempt({ ...late, now: at(2) })))
      expect(all.won.filter(Boolean)).toHaveLength(1)
    },
  },
]
