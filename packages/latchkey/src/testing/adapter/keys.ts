import { isAdapterConflict } from '../../model/adapter.ts'
import {
  ACCOUNT_METHODS,
  type AdapterCase,
  AUTHENTICATOR_METHODS,
  SESSION_METHODS,
  TOKEN_METHODS,
  USER_METHODS,
} from './cases.ts'
import { crowd, failure } from './crowd.ts'
import { expect } from './expect.ts'
import {
  account,
  authenticator,
  DATES,
  HARD_TEXTS,
  session,
  take,
  token,
  user,
} from './resources.ts'

/** Keys without an entry: empty, very long, or of another format. */
const UNKNOWN_KEYS: readonly string[] = ['', 'nobody', 'x'.repeat(5000), ...HARD_TEXTS]

/** Lengths near the limits of columns, indexes and names of files. */
const LENGTHS = [255, 320, 512, 768, 1024, 2048, 3072] as const

/**
 * Checks keys that differ only in the last character, and the text before it. A store may refuse a key that is too
 * long; then there must be no entry.
 */
async function keepsOrRefuses(
  make: (key: string, index: number) => unknown,
  finds: (key: string) => Promise<boolean>,
): Promise<void> {
  for (const [index, length] of LENGTHS.entries()) {
    const start = `${index}`.padEnd(length, 'long')
    const kept: string[] = []
    for (const [end, key] of [`${start}a`, `${start}b`].entries()) {
      const { won, lost } = await crowd(() => make(key, 2 * index + end), 1)
      if (won.length > 0) kept.push(key)
      else expect(isAdapterConflict(lost[0]), 'whether a long key is another one').toBe(false)
    }
    for (const key of [start, `${start}a`, `${start}b`]) {
      const what = `whether a key of ${key.length} characters is found`
      expect(await finds(key), what).toBe(kept.includes(key))
    }
  }
}

export const keyCases: readonly AdapterCase[] = [
  {
    name: 'an empty or malformed id changes and deletes no user',
    requirements: ['A-13', 'A-23'],
    needs: [...USER_METHODS, 'deleteUser'],
    async run(adapter) {
      await adapter.createUser(user())
      for (const id of UNKNOWN_KEYS) {
        await adapter.deleteUser(id)
        await failure(() => adapter.updateUser({ id, name: 'N' }))
        expect(await adapter.getUser(id)).toBeNull()
      }
      expect(await adapter.getUser(user().id)).toMatchObject(user())
    },
  },
  {
    name: 'an empty or malformed key finds no account; unlinking it succeeds',
    requirements: ['A-13'],
    needs: [...ACCOUNT_METHODS, 'getAccount', 'unlinkAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account())
      const { provider, providerAccountId } = account()
      for (const key of UNKNOWN_KEYS) {
        for (const no of [
          { provider, providerAccountId: key },
          { provider: key, providerAccountId },
        ]) {
          expect(await adapter.getUserByAccount(no)).toBeNull()
          expect(await adapter.getAccount(no.providerAccountId, no.provider)).toBeNull()
          await adapter.unlinkAccount(no)
        }
      }
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'an empty or malformed token finds no session; deleting it succeeds',
    requirements: ['A-13', 'A-23'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      for (const sessionToken of UNKNOWN_KEYS) {
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
        const updated = await adapter.updateSession({ sessionToken, expires: DATES[0]! })
        expect(updated ?? null).toBeNull()
        expect((await adapter.deleteSession(sessionToken)) ?? null).toBeNull()
      }
      const found = await adapter.getSessionAndUser(session().sessionToken)
      expect(found?.session).toMatchObject(session())
    },
  },
  {
    name: 'an empty or malformed key finds no verification token',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      for (const key of UNKNOWN_KEYS) {
        expect(await take(adapter, token({ token: key }))).toBeNull()
        expect(await take(adapter, token({ identifier: key }))).toBeNull()
      }
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'an empty or malformed id finds no authenticator',
    requirements: ['A-23'],
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createAuthenticator(authenticator())
      for (const key of UNKNOWN_KEYS) {
        expect(await adapter.getAuthenticator(key)).toBeNull()
        expect(await adapter.listAuthenticatorsByUserId(key)).toEqual([])
        await failure(() => adapter.updateAuthenticatorCounter(key, 5))
      }
      expect(await adapter.getAuthenticator(authenticator().credentialID)).toMatchObject(
        authenticator(),
      )
    },
  },
  {
    name: 'accounts keep strings unchanged, in keys and in other members',
    requirements: ['A-25', 'A-27', 'A-33'],
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      for (const text of HARD_TEXTS) {
        const hard = account({
          provider: text,
          providerAccountId: text,
          access_token: text,
          scope: text,
          session_state: text,
        })
        await adapter.linkAccount(hard)
        expect(await adapter.getAccount(text, text)).toMatchObject(hard)
        expect(await adapter.getUserByAccount(hard)).toMatchObject({ id: user().id })
      }
    },
  },
  {
    name: 'session tokens that look like numbers, dates or ids stay unchanged',
    requirements: ['A-25', 'A-27', 'A-40'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const sessionToken of HARD_TEXTS) await adapter.createSession(session({ sessionToken }))
      for (const sessionToken of HARD_TEXTS) {
        const found = await adapter.getSessionAndUser(sessionToken)
        expect(found?.session).toMatchObject(session({ sessionToken }))
        await adapter.deleteSession(sessionToken)
        expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
      }
    },
  },
  {
    name: 'credential ids that look like numbers, dates or ids stay unchanged',
    requirements: ['A-25', 'A-27'],
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      const ids = [
        'MTIz',
        '12345678',
        '1e10',
        'true',
        'null',
        '+/+/',
        '//8=',
        '0x10',
        'AAAA',
        'aaaa',
      ]
      for (const credentialID of ids) {
        await adapter.createAuthenticator(
          authenticator({ credentialID, providerAccountId: credentialID, transports: null }),
        )
      }
      for (const credentialID of ids) {
        expect(await adapter.getAuthenticator(credentialID)).toMatchObject({
          credentialID,
          providerAccountId: credentialID,
          transports: null,
        })
      }
    },
  },
  {
    name: 'a verification token of an address of 320 characters can be taken',
    requirements: ['A-25'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      const long = token({ identifier: `${'l'.repeat(64)}@${'d'.repeat(247)}.example` })
      await adapter.createVerificationToken(long)
      expect(await take(adapter, long)).toEqual(long)
    },
  },
  {
    name: 'T-DATA-2: a long user id is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: USER_METHODS,
    run: (adapter) =>
      keepsOrRefuses(
        (id, index) => adapter.createUser(user({ id, email: `${index}@x.example` })),
        async (id) => (await adapter.getUser(id)) !== null,
      ),
  },
  {
    name: 'T-DATA-2: a long address is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: USER_METHODS,
    run: (adapter) =>
      keepsOrRefuses(
        (email, index) => adapter.createUser(user({ id: `user-${index}`, email })),
        async (email) => (await adapter.getUserByEmail(email)) !== null,
      ),
  },
  {
    name: 'T-DATA-2: a long account key is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const member of ['provider', 'providerAccountId'] as const) {
        await keepsOrRefuses(
          (key) => adapter.linkAccount(account({ [member]: key })),
          async (key) => (await adapter.getUserByAccount(account({ [member]: key }))) !== null,
        )
      }
    },
  },
  {
    name: 'T-DATA-2: a long session token is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await keepsOrRefuses(
        (sessionToken) => adapter.createSession(session({ sessionToken })),
        async (sessionToken) => (await adapter.getSessionAndUser(sessionToken)) !== null,
      )
    },
  },
  {
    name: 'T-DATA-2: a long key of a verification token is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      await keepsOrRefuses(
        (key) => adapter.createVerificationToken(token({ token: key })),
        async (key) => (await take(adapter, token({ token: key }))) !== null,
      )
      // With different tokens: in some stores, tokens are unique.
      const tokens: string[] = []
      await keepsOrRefuses(
        async (identifier, index) => {
          tokens.push(`token-${index}`)
          await adapter.createVerificationToken(token({ identifier, token: `token-${index}` }))
        },
        async (identifier) => {
          for (const each of tokens)
            if (await take(adapter, { identifier, token: each })) return true
          return false
        },
      )
    },
  },
  {
    name: 'T-DATA-2: a long credential id is stored completely or refused, never truncated',
    requirements: ['A-24'],
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await keepsOrRefuses(
        (credentialID) => adapter.createAuthenticator(authenticator({ credentialID })),
        async (credentialID) => (await adapter.getAuthenticator(credentialID)) !== null,
      )
    },
  },
]
