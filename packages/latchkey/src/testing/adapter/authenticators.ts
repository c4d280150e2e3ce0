import { type AdapterCase, AUTHENTICATOR_METHODS } from './cases.ts'
import { CROWD, crowd, expectConflictOf, failure } from './crowd.ts'
import { expect } from './expect.ts'
import { authenticator, user } from './resources.ts'

export const authenticatorCases: readonly AdapterCase[] = [
  {
    name: 'an authenticator is returned as it was stored, with a boolean and null',
    requirements: ['A-32', 'A-35', 'A-36'],
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
    name: 'a credential id that exists is a conflict for every user',
    requirements: ['A-14', 'A-21'],
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
    name: 'lists all authenticators of a user, and none of other users',
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
    requirements: ['A-24'],
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
    name: 'a signature counter can only increase',
    requirements: ['A-12'],
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
    name: 'T-OTV-1: of many parallel uses of one counter value exactly one succeeds',
    requirements: ['A-12'],
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
    name: 'updating the counter of an authenticator that does not exist fails and creates none',
    requirements: ['A-23'],
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      await failure(() => adapter.updateAuthenticatorCounter('nobody', 1))
      expect(await adapter.getAuthenticator('nobody')).toBeNull()
    },
  },
]
