import { atomic } from '../../model/adapter.ts'
import {
  ACCOUNT_METHODS,
  type AdapterCase,
  AUTHENTICATOR_METHODS,
  SESSION_METHODS,
  TOKEN_METHODS,
  USER_METHODS,
} from './cases.ts'
import { CROWD, crowd, expectConflict } from './crowd.ts'
import { expect } from './expect.ts'
import {
  account,
  attempt,
  authenticator,
  EXPIRES,
  NOW,
  session,
  take,
  token,
  user,
} from './resources.ts'

/** Rules about two clients of one store, for example of two processes. */
export const clientCases: readonly AdapterCase[] = [
  {
    name: 'a client immediately reads what another client wrote',
    requirements: ['A-26'],
    needs: SESSION_METHODS,
    async run(adapter) {
      const other = await adapter.again()
      await adapter.createUser(user())
      await adapter.createSession(session())
      const found = await other.getSessionAndUser(session().sessionToken)
      expect(found?.session).toMatchObject(session())
      await other.deleteSession(session().sessionToken)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
    },
  },
  {
    name: 'a client does not read what another client changed or removed',
    requirements: ['A-26'],
    needs: [...USER_METHODS, ...SESSION_METHODS, 'deleteUser'],
    async run(adapter) {
      const other = await adapter.again()
      const { sessionToken } = session()
      const read = async () => [
        await other.getUser(user().id),
        await other.getUserByEmail(user().email),
        await other.getSessionAndUser(sessionToken),
      ]
      expect(await read()).toEqual([null, null, null])
      await adapter.createUser(user())
      await adapter.createSession(session())
      expect((await read()).filter((each) => each === null)).toEqual([])
      await adapter.updateUser({ id: user().id, name: 'B', email: 'b@x.example' })
      await adapter.updateSession({ sessionToken, expires: EXPIRES })
      const [byId, byAddress, found] = [
        await other.getUser(user().id),
        await other.getUserByEmail(user().email),
        await other.getSessionAndUser(sessionToken),
      ]
      expect(byId).toMatchObject({ name: 'B', email: 'b@x.example' })
      expect(byAddress).toBeNull()
      expect(found?.user).toMatchObject({ name: 'B' })
      expect(found?.session).toMatchObject({ expires: EXPIRES })
      await adapter.deleteUser(user().id)
      expect(await read()).toEqual([null, null, null])
    },
  },
  {
    name: 'a client does not find an account that another client unlinked',
    requirements: ['A-21'],
    needs: [...ACCOUNT_METHODS, 'unlinkAccount'],
    async run(adapter) {
      const other = await adapter.again()
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      expect(await other.getUserByAccount(account())).toBeNull()
      await adapter.linkAccount(account())
      expect(await other.getUserByAccount(account())).toMatchObject({ id: user().id })
      await adapter.unlinkAccount(account())
      expect(await other.getUserByAccount(account())).toBeNull()
      await other.linkAccount(account({ userId: 'other' }))
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: 'other' })
    },
  },
  {
    name: 'T-LINK-4: of two clients that create the same user exactly one succeeds',
    requirements: ['A-11', 'A-20'],
    needs: USER_METHODS,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      const { won, lost } = await crowd((index) =>
        (clients[index % 2] ?? adapter).createUser(user({ id: `user-${index}` })),
      )
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'user.email')
    },
  },
  {
    name: 'T-LINK-4: of two clients that link one account exactly one succeeds',
    requirements: ['A-11', 'A-21'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      await adapter.createUser(user())
      const { won, lost } = await crowd(async (index) => {
        await (clients[index % 2] ?? adapter).linkAccount(account())
      })
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'account')
    },
  },
  {
    name: 'T-OTV-1: of two clients that take one verification token exactly one gets it',
    requirements: ['A-10'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      for (let round = 0; round < 10; round++) {
        const mine = token({ token: `token-${round}` })
        await adapter.createVerificationToken(mine)
        const { won, lost } = await crowd((index) => take(clients[index % 2] ?? adapter, mine), 10)
        expect(lost).toEqual([])
        expect(won.filter((taken) => taken !== null)).toEqual([mine])
      }
    },
  },
  {
    name: 'T-OTV-1: of two clients that use one counter value exactly one succeeds',
    requirements: ['A-12'],
    needs: AUTHENTICATOR_METHODS,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      const { credentialID } = authenticator()
      await adapter.createUser(user())
      await adapter.createAuthenticator(authenticator())
      for (let counter = 1; counter <= 5; counter++) {
        const { won } = await crowd(
          (index) =>
            (clients[index % 2] ?? adapter).updateAuthenticatorCounter(credentialID, counter),
          10,
        )
        expect(won).toHaveLength(1)
        for (const client of clients)
          expect(await client.getAuthenticator(credentialID)).toMatchObject({ counter })
      }
    },
  },
  {
    name: 'T-OTV-5: the attempts of two clients are counted together',
    requirements: ['A-50', 'A-51'],
    needs: ['countAttempt'],
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      const { won } = await crowd((index) =>
        (clients[index % 2] ?? adapter)[atomic].countAttempt(attempt()),
      )
      expect(won).toHaveLength(CROWD)
      expect(won.filter(Boolean)).toHaveLength(5)
    },
  },
  {
    name: 'a lease that one client holds is not given to another client',
    requirements: ['A-50', 'A-51'],
    needs: ['acquireLease'],
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      const lease = { name: 'sweep', now: NOW, expires: EXPIRES }
      const { won, lost } = await crowd(
        (index) => (clients[index % 2] ?? adapter)[atomic].acquireLease(lease),
        10,
      )
      expect(lost).toEqual([])
      expect(won.filter((fence) => fence !== null)).toHaveLength(1)
    },
  },
]
