import { atomic } from '../../model/adapter.ts'
import {
  ACCOUNT_METHODS,
  type AdapterCase,
  type CompleteAdapter,
  SESSION_METHODS,
  TOKEN_METHODS,
  USER_METHODS,
} from './cases.ts'
import { CROWD, crowd, expectConflict, expectConflictOf, failure } from './crowd.ts'
import { expect } from './expect.ts'
import { account, attempt, EXPIRES, NOW, session, take, token, user } from './resources.ts'

export const abilityCases: readonly AdapterCase[] = [
  {
    name: 'T-DATA-3: a transaction that succeeds stores all of its changes',
    requirements: ['A-08', 'A-50'],
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
      expect(await adapter.getSessionAndUser(session().sessionToken)).notToBeNull()
    },
  },
  {
    name: 'T-DATA-3: a transaction that fails stores none of its changes',
    requirements: ['A-08', 'A-50'],
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
      expect(await adapter.getSessionAndUser('b')).notToBeNull()
    },
  },
  {
    name: 'T-DATA-3: a transaction with a conflict stores none of its changes',
    requirements: ['A-08', 'A-50'],
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
    name: 'T-DATA-3: a failed transaction does not undo writes that were made outside of it',
    requirements: ['A-50'],
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
      expect(await adapter.getUser('other')).notToBeNull()
      expect(await adapter.getUser(user().id)).toBeNull()
    },
  },
  {
    name: 'T-LINK-4: of many parallel transactions that create the same user exactly one succeeds',
    requirements: ['A-09', 'A-50'],
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
    name: 'replacing a session token succeeds once and keeps the other members of the session',
    requirements: ['A-40', 'A-50'],
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
    name: 'replacing a session token with one that exists is a conflict',
    requirements: ['A-40', 'A-50'],
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
      expect(await adapter.getSessionAndUser(session().sessionToken)).notToBeNull()
    },
  },
  {
    name: 'T-OIDC-15: an update of an account stores the new tokens and keeps the members that it does not name',
    requirements: ['A-50'],
    needs: [...ACCOUNT_METHODS, 'getAccount', 'updateAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account({ access_token: 'old', refresh_token: 'kept' }))
      const { provider, providerAccountId } = account()
      const key = { provider, providerAccountId }
      // Neither the same subject at another provider nor another subject is this account.
      const others = [{ provider: 'elsewhere' }, { providerAccountId: 'second' }]
      for (const each of others)
        await adapter.linkAccount(account({ ...each, access_token: 'old' }))
      expect(await adapter[atomic].updateAccount({ ...key, access_token: 'new' })).toBe(true)
      for (const each of others) {
        const { provider, providerAccountId } = account(each)
        expect(await adapter.getAccount(providerAccountId, provider)).toMatchObject({
          access_token: 'old',
        })
      }
      expect(await adapter.getAccount(providerAccountId, provider)).toMatchObject({
        access_token: 'new',
        refresh_token: 'kept',
        userId: user().id,
      })
      expect(await adapter[atomic].updateAccount(key)).toBe(true)
      // Cleared tokens are removed from the store.
      const emptied = { ...key, refresh_token: null } as unknown as typeof key
      expect(await adapter[atomic].updateAccount(emptied)).toBe(true)
      expect(
        (await adapter.getAccount(providerAccountId, provider))?.refresh_token ?? null,
      ).toBeNull()
      const other = { ...key, providerAccountId: 'nobody', access_token: 'x' }
      expect(await adapter[atomic].updateAccount(other)).toBe(false)
      expect(await adapter.getAccount('nobody', provider)).toBeNull()
      const tokens = [{ access_token: 'a' }, { refresh_token: 'r' }, { scope: 's' }]
      await crowd((index) => adapter[atomic].updateAccount({ ...key, ...tokens[index] }), 3)
      expect(await adapter.getAccount(providerAccountId, provider)).toMatchObject(
        Object.assign({}, ...tokens),
      )
    },
  },
  {
    name: 'T-OTV-5: many parallel attempts are never counted above the limit',
    requirements: ['A-50', 'A-51'],
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
    name: 'T-OTV-5: an attempt counts until it expires',
    requirements: ['A-50', 'A-51'],
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
  {
    name: 'T-OTV-5: attempts are counted per key, and keys may have any length',
    requirements: ['A-50', 'A-51'],
    needs: ['countAttempt'],
    async run(adapter) {
      const long = 'x'.repeat(500)
      for (const key of [`${long}a`, `${long}b`, `${long}B`]) {
        const one = attempt({ key, limit: 1 })
        expect(await adapter[atomic].countAttempt(one)).toBe(true)
        expect(await adapter[atomic].countAttempt(one)).toBe(false)
      }
    },
  },
  {
    name: 'a lease that has already expired is refused',
    requirements: ['A-50', 'A-51'],
    needs: ['acquireLease'],
    async run(adapter) {
      for (const expires of [NOW, new Date(NOW.getTime() - 1), new Date(Number.NaN)]) {
        const lease = { name: 'sweep', now: NOW, expires }
        await failure(async () => adapter[atomic].acquireLease(lease))
      }
      expect(
        typeof (await adapter[atomic].acquireLease({ name: 'sweep', now: NOW, expires: EXPIRES })),
      ).toBe('number')
    },
  },
  {
    name: 'a lease has one holder until it expires; the next holder gets a greater number',
    requirements: ['A-50', 'A-51'],
    needs: ['acquireLease'],
    async run(adapter) {
      const { acquireLease } = adapter[atomic]
      let before = Number.NEGATIVE_INFINITY
      for (let turn = 0; turn < 5; turn++) {
        const [now, expires] = [new Date(NOW.getTime() + turn), new Date(NOW.getTime() + turn + 1)]
        const { won, lost } = await crowd(() => acquireLease({ name: 'sweep', now, expires }))
        expect(lost).toEqual([])
        const [fence = null, ...more] = won.filter((each) => each !== null)
        expect(more, 'one has the lease').toEqual([])
        expect(typeof fence === 'number' && fence > before, 'the number grows').toBe(true)
        before = Number(fence)
      }
      const lease = { name: 'other', now: NOW, expires: EXPIRES }
      expect(typeof (await acquireLease(lease))).toBe('number')
      expect(await acquireLease(lease)).toBeNull()
    },
  },
  {
    name: 'cleanup removes only expired entries, in batches',
    requirements: ['A-41'],
    needs: [...SESSION_METHODS, ...TOKEN_METHODS, 'cleanup'],
    async run(adapter) {
      const before = new Date(NOW.getTime() - 1)
      await adapter.createUser(user())
      for (let index = 0; index < 25; index++) {
        await adapter.createSession(session({ sessionToken: `over-${index}`, expires: before }))
        await adapter.createVerificationToken(token({ token: `over-${index}`, expires: before }))
      }
      await adapter.createSession(session({ sessionToken: 'open', expires: EXPIRES }))
      await adapter.createVerificationToken(token({ token: 'open', expires: EXPIRES }))
      const removed = await adapter[atomic].cleanup({ now: NOW, batch: 10 })
      expect(removed).toBe(10)
      expect(await left(adapter)).toEqual([15, true])
      const { lost } = await crowd(() => adapter[atomic].cleanup({ now: NOW, batch: 10 }), 4)
      expect(lost).toEqual([])
      expect(await adapter[atomic].cleanup({ now: NOW, batch: 10 })).toBe(0)
      expect(await left(adapter)).toEqual([0, true])
      const open = token({ token: 'open', expires: EXPIRES })
      expect(await take(adapter, open)).toEqual(open)
      expect(await take(adapter, token({ token: 'over-3' }))).toBeNull()
    },
  },
  {
    name: 'lists all sessions and accounts of a user, and none of other users',
    requirements: ['A-52'],
    needs: [...SESSION_METHODS, ...ACCOUNT_METHODS, 'listSessionsByUserId', 'listAccountsByUserId'],
    async run(adapter) {
      await twoUsers(adapter)
      for (let index = 0; index < 30; index++) {
        await adapter.createSession(session({ sessionToken: `s-${index}` }))
        await adapter.linkAccount(account({ providerAccountId: `a-${index}` }))
      }
      const { listSessionsByUserId, listAccountsByUserId } = adapter[atomic]
      const sessions = await listSessionsByUserId(user().id)
      const accounts = await listAccountsByUserId(user().id)
      expect(sessions).toHaveLength(30)
      expect(accounts).toHaveLength(30)
      const third = sessions.find(({ sessionToken }) => sessionToken === 's-3')
      expect(third).toMatchObject(session({ sessionToken: 's-3' }))
      const fourth = accounts.find(({ providerAccountId }) => providerAccountId === 'a-4')
      expect(fourth).toMatchObject(account({ providerAccountId: 'a-4' }))
      expect(await listSessionsByUserId('other')).toHaveLength(1)
      expect(await listAccountsByUserId('nobody')).toEqual([])
      expect(await listSessionsByUserId('nobody')).toEqual([])
    },
  },
  {
    name: 'lists any number of sessions of a user, and none of other users',
    requirements: ['A-52'],
    needs: [...SESSION_METHODS, 'listSessionsByUserId'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.createSession(session({ sessionToken: 'z', userId: 'other' }))
      for (let index = 0; index < 120; index++) {
        await adapter.createSession(session({ sessionToken: `token-${index}` }))
      }
      const all = await adapter[atomic].listSessionsByUserId(user().id)
      expect(new Set(all.map(({ sessionToken }) => sessionToken)).size).toBe(120)
      expect(all.filter(({ userId }) => userId !== user().id)).toEqual([])
    },
  },
  {
    name: 'T-SESS-5: all sessions of a user, or all but one, are deleted in one step',
    requirements: ['A-52'],
    needs: [...SESSION_METHODS, 'deleteSessionsByUserId'],
    async run(adapter) {
      await twoUsers(adapter)
      for (let index = 0; index < 30; index++) {
        await adapter.createSession(session({ sessionToken: `s-${index}` }))
      }
      const { deleteSessionsByUserId } = adapter[atomic]
      expect(await deleteSessionsByUserId(user().id, 's-7')).toBe(29)
      for (let index = 0; index < 30; index++) {
        const found = await adapter.getSessionAndUser(`s-${index}`)
        expect(found !== null).toBe(index === 7)
      }
      expect(await deleteSessionsByUserId(user().id, 'not-theirs')).toBe(1)
      expect(await adapter.getSessionAndUser('s-7')).toBeNull()
      expect(await deleteSessionsByUserId(user().id)).toBe(0)
      expect(await deleteSessionsByUserId('nobody')).toBe(0)
      expect(await adapter.getSessionAndUser('theirs')).notToBeNull()
    },
  },
  {
    name: 'T-DATA-4: users are listed page by page, each once; any cursor returns users or is refused',
    requirements: ['A-52'],
    needs: [...USER_METHODS, 'listUsers'],
    async run(adapter) {
      const ids = Array.from({ length: 23 }, (_, index) => `user-${index}`)
      for (const id of ids) await adapter.createUser(user({ id, email: `${id}@x.example` }))
      const { listUsers } = adapter[atomic]
      const seen: string[] = []
      let after: string | undefined
      do {
        const { users, next } = await listUsers({ limit: 5, after })
        expect(users.length <= 5, 'a page is no longer than asked').toBe(true)
        seen.push(...users.map(({ id }) => id))
        after = next ?? undefined
      } while (after !== undefined)
      expect(seen.toSorted()).toEqual(ids.toSorted())
      // A cursor is input: any value returns users or is refused.
      for (const cursor of ['', '0', '%', "' OR 1=1 --", '{"$gt":""}', 'user-1\0']) {
        const { won } = await crowd(() => listUsers({ limit: 5, after: cursor }), 1)
        expect((won[0]?.users ?? []).every(({ id }) => ids.includes(id))).toBe(true)
      }
      const noText = { $gt: '' } as unknown as string
      await failure(() => listUsers({ limit: 5, after: noText }))
    },
  },
]

async function twoUsers(adapter: CompleteAdapter): Promise<void> {
  await adapter.createUser(user())
  await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
  await adapter.createSession(session({ sessionToken: 'theirs', userId: 'other' }))
}

/** Returns how many of the expired sessions remain, and whether the open one does. */
async function left(adapter: CompleteAdapter): Promise<[over: number, open: boolean]> {
  let over = 0
  for (let index = 0; index < 25; index++) {
    if (await adapter.getSessionAndUser(`over-${index}`)) over++
  }
  return [over, (await adapter.getSessionAndUser('open')) !== null]
}
