import { type AdapterCase, SESSION_METHODS, TOKEN_METHODS } from './cases.ts'
import { crowd } from './crowd.ts'
import { expect } from './expect.ts'
import { session, take, token, user } from './resources.ts'

/** Two clients of one store, as two processes have. */
export const clientCases: readonly AdapterCase[] = [
  {
    name: 'what one client wrote, another reads at once',
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
    name: 'T-OTV-1: of two clients that take one verification token exactly one gets it',
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
]
