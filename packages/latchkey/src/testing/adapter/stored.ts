import type { Awaitable } from '../../base/awaitable.ts'
import type { AdapterAccount } from '../../model/account.ts'
import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import {
  ACCOUNT_METHODS,
  type AdapterCase,
  AUTHENTICATOR_METHODS,
  type CompleteAdapter,
  type OpenedAdapter,
  SESSION_METHODS,
  TOKEN_METHODS,
} from './cases.ts'
import { expect } from './expect.ts'
import { account, authenticator, session, take, token, user } from './resources.ts'

type Read<Key, Stored> = (key: Key) => Awaitable<Stored | null>

/**
 * Reads the entries of a store without the adapter, as `db` of the test suite of Auth.js does. Each method returns a
 * record of the contract, possibly with further members, or `null`.
 */
export interface StoredRecords {
  /** By the id that `createUser` returned. */
  user: Read<string, AdapterUser>
  account: Read<Pick<AdapterAccount, 'provider' | 'providerAccountId'>, AdapterAccount>
  session: Read<string, AdapterSession>
  verificationToken: Read<Pick<VerificationToken, 'identifier' | 'token'>, VerificationToken>
  authenticator?: Read<string, AdapterAuthenticator>
}

/** An adapter on an empty store that can also be read without the adapter. */
export type ReadableAdapter = OpenedAdapter & { readonly db: StoredRecords }

export interface StoredCase extends Pick<AdapterCase, 'name' | 'requirements' | 'needs'> {
  run(adapter: CompleteAdapter, db: StoredRecords): Promise<void>
}

/** Returns the id of the user in the store, which the adapter may have chosen. */
async function makeUser(adapter: OpenedAdapter): Promise<string> {
  return (await adapter.createUser?.(user()))?.id ?? ''
}

export const storedCases: readonly StoredCase[] = [
  {
    name: 'the store has a user as it was created and changed',
    needs: ['createUser', 'updateUser'],
    async run(adapter, db) {
      const id = await makeUser(adapter)
      expect(await db.user(id), 'the stored user').toMatchObject(user({ id }))
      await adapter.updateUser({ id, name: 'B' })
      expect(await db.user(id), 'the stored user').toMatchObject(user({ id, name: 'B' }))
      expect(await db.user('nobody'), 'a user that is not there').toBeNull()
    },
  },
  {
    name: 'the store has a session as it was created and changed, until it is deleted',
    needs: SESSION_METHODS,
    async run(adapter, db) {
      const userId = await makeUser(adapter)
      const { sessionToken } = session()
      await adapter.createSession(session({ userId }))
      expect(await db.session(sessionToken), 'the stored session').toMatchObject(
        session({ userId }),
      )
      const expires = new Date('2031-02-03T04:05:06.789Z')
      await adapter.updateSession({ sessionToken, expires })
      expect(await db.session(sessionToken), 'the stored session').toMatchObject({
        userId,
        expires,
      })
      await adapter.deleteSession(sessionToken)
      expect(await db.session(sessionToken), 'the deleted session').toBeNull()
    },
  },
  {
    name: 'the store has an account as it was linked, until it is unlinked',
    needs: [...ACCOUNT_METHODS, 'unlinkAccount'],
    async run(adapter, db) {
      const userId = await makeUser(adapter)
      const { provider, providerAccountId } = account()
      const key = { provider, providerAccountId }
      await adapter.linkAccount(account({ userId }))
      expect(await db.account(key), 'the stored account').toMatchObject(account({ userId }))
      await adapter.unlinkAccount(key)
      expect(await db.account(key), 'the unlinked account').toBeNull()
    },
  },
  {
    name: 'the store has a verification token until it is taken',
    needs: TOKEN_METHODS,
    async run(adapter, db) {
      await adapter.createVerificationToken(token())
      expect(await db.verificationToken(token()), 'the stored token').toMatchObject(token())
      await take(adapter, token())
      expect(await db.verificationToken(token()), 'the token that was taken').toBeNull()
    },
  },
  {
    name: 'T-LINK-8: the store has nothing of a deleted user',
    requirements: ['A-22'],
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'deleteUser'],
    async run(adapter, db) {
      const userId = await makeUser(adapter)
      const { provider, providerAccountId } = account()
      const sessions = ['one', 'two']
      await adapter.linkAccount(account({ userId }))
      for (const sessionToken of sessions)
        await adapter.createSession(session({ userId, sessionToken }))
      await adapter.deleteUser(userId)
      expect(await db.user(userId), 'the deleted user').toBeNull()
      expect(await db.account({ provider, providerAccountId }), 'their account').toBeNull()
      for (const each of sessions) expect(await db.session(each), 'their session').toBeNull()
    },
  },
  {
    name: 'the store has an authenticator as it was created, with its counter',
    needs: AUTHENTICATOR_METHODS,
    async run(adapter, db) {
      if (!db.authenticator) return
      const userId = await makeUser(adapter)
      const { credentialID } = authenticator()
      const stored = () => db.authenticator?.(credentialID)
      await adapter.createAuthenticator(authenticator({ userId }))
      expect(await stored(), 'the stored authenticator').toMatchObject(authenticator({ userId }))
      await adapter.updateAuthenticatorCounter(credentialID, 5)
      expect(await stored(), 'the stored authenticator').toMatchObject({ userId, counter: 5 })
    },
  },
]

export async function runStored(
  { run }: StoredCase,
  open: () => Promise<ReadableAdapter>,
): Promise<void> {
  const opened = await open()
  try {
    await run(opened as unknown as CompleteAdapter, opened.db)
  } finally {
    await opened[Symbol.asyncDispose]?.()
  }
}
