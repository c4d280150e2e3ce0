import {
  ACCOUNT_METHODS,
  type AdapterCase,
  AUTHENTICATOR_METHODS,
  SESSION_METHODS,
  TOKEN_METHODS,
} from './cases.ts'
import { CROWD, crowd } from './crowd.ts'
import { expect } from './expect.ts'
import { account, authenticator, session, take, token, user } from './resources.ts'

export const deletionCases: readonly AdapterCase[] = [
  {
    name: 'T-LINK-8, T-SESS-5: deleting a user removes everything that belongs to the user and nothing else',
    requirements: ['A-22'],
    needs: [...ACCOUNT_METHODS, ...SESSION_METHODS, 'deleteUser'],
    async run(adapter) {
      // More than one request of a store may delete.
      const people = [
        { id: user().id, email: user().email, accounts: 30, sessions: 200, here: false },
        { id: 'other', email: 'bob@x.example', accounts: 5, sessions: 10, here: true },
      ]
      for (const { id, email, accounts, sessions } of people) {
        await adapter.createUser(user({ id, email }))
        for (let index = 0; index < accounts; index++) {
          await adapter.linkAccount(account({ userId: id, providerAccountId: `${id}-${index}` }))
        }
        for (let index = 0; index < sessions; index++) {
          await adapter.createSession(session({ userId: id, sessionToken: `${id}-${index}` }))
        }
      }
      await adapter.deleteUser(user().id)
      for (const { id, accounts, sessions, here } of people) {
        expect((await adapter.getUser(id)) !== null).toBe(here)
        for (let index = 0; index < sessions; index++) {
          expect((await adapter.getSessionAndUser(`${id}-${index}`)) !== null).toBe(here)
        }
        for (let index = 0; index < accounts; index++) {
          const key = { provider: 'acme', providerAccountId: `${id}-${index}` }
          expect((await adapter.getUserByAccount(key)) !== null).toBe(here)
        }
      }
      // A new user with this id or address inherits nothing and has no conflict.
      await adapter.createUser(user())
      expect(await adapter.getSessionAndUser(`${user().id}-0`)).toBeNull()
      await adapter.linkAccount(account({ providerAccountId: `${user().id}-0` }))
    },
  },
  {
    name: 'deleting a user removes their passkeys',
    requirements: ['A-22'],
    needs: [...AUTHENTICATOR_METHODS, 'deleteUser'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      const own = ['a', 'b', 'c', 'd', 'e']
      for (const credentialID of own) {
        await adapter.createAuthenticator(authenticator({ credentialID }))
      }
      await adapter.createAuthenticator(authenticator({ credentialID: 'z', userId: 'other' }))
      await adapter.deleteUser(user().id)
      for (const each of own) expect(await adapter.getAuthenticator(each)).toBeNull()
      expect(await adapter.getAuthenticator('z')).notToBeNull()
    },
  },
  {
    name: 'deleting a user removes the open verification tokens of their address',
    requirements: ['A-22'],
    needs: [...TOKEN_METHODS, 'createUser', 'deleteUser'],
    async run(adapter) {
      const other = token({ identifier: 'bob@x.example' })
      await adapter.createUser(user())
      await adapter.createVerificationToken(token())
      await adapter.createVerificationToken(token({ token: 'two' }))
      await adapter.createVerificationToken(token({ token: 'three' }))
      await adapter.createVerificationToken(other)
      await adapter.deleteUser(user().id)
      expect(await take(adapter, token())).toBeNull()
      expect(await take(adapter, token({ token: 'two' }))).toBeNull()
      expect(await take(adapter, token({ token: 'three' }))).toBeNull()
      expect(await take(adapter, other)).toEqual(other)
    },
  },
  {
    name: 'deleting a user that does not exist succeeds',
    requirements: ['A-13'],
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
    name: 'a session that is created while its user is deleted does not remain',
    requirements: ['A-22'],
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
]
