import type { AdapterUser } from '../../model/user.ts'
import { type AdapterCase, SESSION_METHODS, USER_METHODS } from './cases.ts'
import { CROWD, crowd, expectConflict, expectConflictOf, failure } from './crowd.ts'
import { expect } from './expect.ts'
import { DATES, HARD_TEXTS, NEAR_TEXTS, session, user } from './resources.ts'

export const userCases: readonly AdapterCase[] = [
  {
    name: 'a user is returned as it was stored, by id and by address',
    needs: USER_METHODS,
    async run(adapter) {
      const ada = user({ emailVerified: new Date('2026-02-03T04:05:06.789Z') })
      expect(await adapter.createUser(ada)).toMatchObject(ada)
      expect(await adapter.getUser(ada.id)).toMatchObject(ada)
      expect(await adapter.getUserByEmail(ada.email)).toMatchObject(ada)
    },
  },
  {
    name: 'members that a user was created without are returned as null',
    requirements: ['A-31', 'A-32'],
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
    name: 'a lookup without a match returns null, also with an empty or malformed key',
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
    requirements: ['A-14', 'A-20'],
    needs: USER_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await expectConflictOf(() => adapter.createUser(user({ id: 'other' })), 'user.email')
      expect(await adapter.getUser('other')).toBeNull()
    },
  },
  {
    name: 'several users may have no address',
    requirements: ['A-20'],
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
    name: 'T-LINK-4: of many parallel creations of users with one address exactly one succeeds',
    requirements: ['A-11', 'A-20'],
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
    name: 'an update changes the members that it names, clears those that are null and keeps the rest',
    requirements: ['A-31'],
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
    name: 'T-DATA-3: no parallel update of a user is lost',
    needs: USER_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (let round = 0; round < 5; round++) {
        const changes = [
          { name: `name ${round}` },
          { image: `image-${round}` },
          { emailVerified: new Date(Date.UTC(2026, 1, 3, 4, 5, round)) },
          { email: `ada-${round}@x.example` },
        ]
        const { lost } = await crowd(
          (index) => adapter.updateUser({ id: user().id, ...changes[index] }),
          changes.length,
        )
        expect(lost).toEqual([])
        expect(await adapter.getUser(user().id)).toMatchObject(Object.assign({}, ...changes))
      }
    },
  },
  {
    name: 'a user with a new address is found only by the new address',
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
    name: 'an update to an address of another user is a conflict',
    requirements: ['A-14', 'A-20'],
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
    name: 'updating a user that does not exist fails and creates none',
    requirements: ['A-23'],
    needs: USER_METHODS,
    async run(adapter) {
      await failure(() => adapter.updateUser({ id: 'nobody', name: 'N', email: 'n@x.example' }))
      expect(await adapter.getUser('nobody')).toBeNull()
      expect(await adapter.getUserByEmail('n@x.example')).toBeNull()
    },
  },
  {
    name: 'T-DATA-2: addresses compare byte for byte',
    requirements: ['A-24'],
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
    name: 'T-DATA-2: ids of users compare byte for byte',
    requirements: ['A-24'],
    needs: ['createUser', 'getUser'],
    async run(adapter) {
      await adapter.createUser(user({ id: 'ada-key' }))
      for (const near of ['ADA-KEY', 'ada-key ', 'ada-k\u00e9y', 'ada-key\0', 'ada-ke']) {
        expect(await adapter.getUser(near)).toBeNull()
      }
      expect(await adapter.getUser('ada-key')).notToBeNull()
    },
  },
  {
    name: 'strings are returned character for character',
    requirements: ['A-25', 'A-27', 'A-33'],
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
    name: 'an unusual member of a profile does not stop the sign-in',
    requirements: ['A-30'],
    needs: USER_METHODS,
    async run(adapter) {
      const unusual = { ...user(), role: 'admin', 'not-a-column': { deep: [1] }, 'nul\0': 'nul\0' }
      expect(await adapter.createUser(unusual)).toMatchObject(user())
      const changes = { id: user().id, name: 'B', locale: 'de', 'nul\0': { 'nul\0': 1 } }
      expect(await adapter.updateUser(changes)).toMatchObject(user({ name: 'B' }))
      expect(await adapter.getUser(user().id)).toMatchObject(user({ name: 'B' }))
    },
  },
  {
    name: 'stores an address of 320 characters and a picture of 300 kB',
    requirements: ['A-25'],
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
    name: 'results are plain, new objects',
    requirements: ['A-39'],
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
]
