import { type AdapterCase, SESSION_METHODS } from './cases.ts'
import { crowd, expectConflictOf } from './crowd.ts'
import { expect } from './expect.ts'
import { DATES, NEAR_TEXTS, session, user } from './resources.ts'

export const sessionCases: readonly AdapterCase[] = [
  {
    name: 'a session is returned with its user immediately after its creation',
    requirements: ['A-26'],
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
    requirements: ['A-14', 'A-21'],
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
    requirements: ['A-24'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.createSession(session({ sessionToken: one }))
        expect(await adapter.getSessionAndUser(other)).toBeNull()
        const updated = await adapter.updateSession({ sessionToken: other, expires: DATES[0]! })
        expect(updated ?? null).toBeNull()
        await adapter.deleteSession(other)
        const found = await adapter.getSessionAndUser(one)
        expect(found?.session).toEqual(session({ sessionToken: one }))
      }
    },
  },
  {
    name: 'dates of sessions keep their milliseconds, from 1970 to 9999',
    requirements: ['A-34'],
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
    name: 'dates do not depend on the time zone of the process',
    requirements: ['A-34'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user({ emailVerified: DATES[2]! }))
      for (const [index, expires] of DATES.entries()) {
        const sessionToken = `token-${index}`
        await inTimeZone('America/New_York', () =>
          adapter.createSession(session({ sessionToken, expires })),
        )
        for (const zone of ['Asia/Kolkata', 'Pacific/Apia', 'UTC']) {
          const found = await inTimeZone(zone, () => adapter.getSessionAndUser(sessionToken))
          expect(found?.session.expires, zone).toEqual(expires)
          expect(found?.user.emailVerified, zone).toEqual(DATES[2]!)
        }
      }
    },
  },
  {
    name: 'an expired session is still returned; the caller checks the expiry',
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
    name: 'an update of a session changes only the members that it names',
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
    name: 'updating a session that does not exist succeeds and creates none',
    requirements: ['A-23'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      expect((await adapter.updateSession(session())) ?? null).toBeNull()
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
    },
  },
  {
    name: 'an update does not restore a session that is deleted at the same time',
    requirements: ['A-23'],
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
    name: 'a deleted session is not found; deleting it again succeeds',
    requirements: ['A-13', 'A-26'],
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      await adapter.createSession(session({ sessionToken: 'b' }))
      await adapter.deleteSession(session().sessionToken)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
      expect((await adapter.deleteSession(session().sessionToken)) ?? null).toBeNull()
      await adapter.deleteSession('never was')
      expect(await adapter.getSessionAndUser('b')).notToBeNull()
    },
  },
  {
    name: 'of many parallel deletions of a session at most one returns it',
    needs: SESSION_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createSession(session())
      const { won, lost } = await crowd(() => adapter.deleteSession(session().sessionToken))
      expect(lost).toEqual([])
      expect(won.filter(Boolean).length <= 1).toBe(true)
    },
  },
  {
    name: 'a session of a user that does not exist is not returned',
    needs: SESSION_METHODS,
    async run(adapter) {
      await crowd(() => adapter.createSession(session()), 1)
      expect(await adapter.getSessionAndUser(session().sessionToken)).toBeNull()
    },
  },
]

/** Only where the runtime can change the time zone: Node.js and Bun. */
async function inTimeZone<Result>(
  zone: string,
  work: () => Result | PromiseLike<Result>,
): Promise<Result> {
  const { TZ: before } = process.env
  process.env['TZ'] = zone
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}
