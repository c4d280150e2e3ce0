import { atomic } from '../../model/adapter.ts'
import type { JsonObject, PluginRecord, RecordAbilities, RecordQuery } from '../../model/record.ts'
import { type AdapterCase, type CompleteAdapter, RECORD_ABILITIES } from './cases.ts'
import { CROWD, crowd, failure } from './crowd.ts'
import { expect } from './expect.ts'
import {
  DATES,
  EXPIRES,
  HARD_TEXTS,
  key,
  NEAR_TEXTS,
  NOW,
  record,
  replaced,
  SPLIT_PAIRS,
  user,
} from './resources.ts'

/** Data that a store might interpret and change. */
const HARD_DATA: readonly JsonObject[] = [
  {},
  { '': '', ' ': [], empty: {}, list: [null, [], {}, false, 0, ''] },
  // In a literal, this name would set the prototype.
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}},"toString":1}'),
  { b: 1, a: 2, 2: 'two', 1: 'one' },
  {
    numbers: [0, -1, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER],
    larger: 2 ** 63,
  },
  { texts: HARD_TEXTS, ...Object.fromEntries(HARD_TEXTS.map((text) => [text, text])) },
  { half: '\ud800', other: '\udc00\ud800', separators: '\u2028\u2029', bom: '\ufeff' },
  nested(200),
]

function nested(depth: number): JsonObject {
  let inner: JsonObject = { deep: true }
  for (let level = 0; level < depth; level++) inner = { inner: level % 2 ? [inner] : inner }
  return inner
}

const at = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds)

/** The longest key, with characters of several bytes. */
const LONG_KEY = '孫'.repeat(190)

/** Exactly 64 kB as JSON, half of it in characters of two bytes. */
const LARGE: JsonObject = { text: 'ö'.repeat(16_384) + 'x'.repeat(65_536 - 2 * 16_384 - 11) }

export const recordCases: readonly AdapterCase[] = [
  {
    name: 'a record is returned as it was created or replaced',
    requirements: ['A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, replaceRecord, takeRecord } = adapter[atomic]
      const { userId: _, expires: __, ...short } = record()
      for (const [index, one] of [record(), short].entries()) {
        const mine: PluginRecord = { ...one, key: `key-${index}` }
        expect(await getRecord(key(mine))).toBeNull()
        expect(await createRecord(mine, NOW)).toBe(true)
        expect(await getRecord(key(mine))).toEqual(mine)
        const { expires: _, ...second } = replaced(mine, { second: true })
        expect(await replaceRecord(second)).toBe(true)
        expect(await getRecord(key(mine))).toEqual(second)
        const third = { ...second, version: 3, expires: EXPIRES }
        expect(await replaceRecord(third)).toBe(true)
        expect(await getRecord(key(mine))).toEqual(third)
        expect(await takeRecord(key(mine))).toEqual(third)
        expect(await getRecord(key(mine))).toBeNull()
      }
    },
  },
  {
    name: 'the data of a record is returned as the same JSON',
    requirements: ['A-25', 'A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, replaceRecord, listRecords } = adapter[atomic]
      // The order of names also stays: a signature of data depends on its text.
      const same = (found: PluginRecord | null | undefined, data: JsonObject) => {
        expect(JSON.stringify(found?.data), 'the data').toBe(JSON.stringify(data))
        expect(found?.data, 'the data').toEqual(JSON.parse(JSON.stringify(data)))
      }
      for (const [index, data] of HARD_DATA.entries()) {
        const mine = record({ key: `key-${index}`, kind: `kind-${index}`, data })
        expect(await createRecord(mine, NOW)).toBe(true)
        same(await getRecord(mine), data)
        const [listed] = (await listRecords({ kind: mine.kind, limit: 10 })).records
        same(listed, data)
        const other = HARD_DATA[(index + 1) % HARD_DATA.length] ?? {}
        expect(await replaceRecord({ ...mine, version: 2, data: other })).toBe(true)
        same(await getRecord(mine), other)
      }
    },
  },
  {
    name: 'records keep their dates to the millisecond',
    requirements: ['A-34', 'A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord } = adapter[atomic]
      for (const [index, date] of DATES.entries()) {
        const mine = record({ key: `key-${index}`, createdAt: date, expires: date })
        expect(await createRecord(mine, at(date, -1))).toBe(true)
        const found = await getRecord(mine)
        // A store may remove entries that expired long ago.
        if (found !== null || date.getTime() > Date.now()) expect(found).toEqual(mine)
      }
    },
  },
  {
    name: 'a record of 64 kB fits, under a key of 190 characters and a kind of 40',
    requirements: ['A-24', 'A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, replaceRecord, takeRecord, listRecords } = adapter[atomic]
      const kind = 'k'.repeat(40)
      const keys = [`${LONG_KEY.slice(1)}a`, `${LONG_KEY.slice(1)}b`]
      for (const key of keys)
        expect(await createRecord(record({ kind, key, data: LARGE }), NOW)).toBe(true)
      for (const key of keys) {
        expect((await getRecord({ kind, key }))?.data).toEqual(LARGE)
        expect(await replaceRecord(record({ kind, key, version: 2, data: LARGE }))).toBe(true)
      }
      const page = await listRecords({ kind, userId: user().id, limit: 10 })
      expect(page.records.map(({ key }) => key).toSorted()).toEqual(keys)
      expect((await takeRecord({ kind, key: keys[0] ?? '' }))?.data).toEqual(LARGE)
      expect((await takeRecord({ kind, key: keys[1] ?? '' }))?.data).toEqual(LARGE)
    },
  },
  {
    name: 'a record above the size limits is stored completely or refused, never truncated',
    requirements: ['A-24', 'A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord } = adapter[atomic]
      const keptOrRefused = async (mine: PluginRecord) => {
        const { won } = await crowd(() => createRecord(mine, NOW), 1)
        const found = await crowd(() => getRecord(key(mine)), 1)
        const there = found.won[0] ?? null
        if (won[0]) expect(there).toEqual(mine)
        else expect(there).toBeNull()
      }
      await keptOrRefused(record({ key: 'large', data: { text: 'x'.repeat(70_000) } }))
      for (const length of [191, 255, 1024, 3072])
        for (const end of ['a', 'b'])
          await keptOrRefused(record({ key: `${'x'.repeat(length - 1)}${end}` }))
    },
  },
  {
    name: 'T-DATA-2: kinds and keys of records compare byte for byte',
    requirements: ['A-24', 'A-54'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, replaceRecord, takeRecord } = adapter[atomic]
      const near: [string, string][][] = [
        ...NEAR_TEXTS.map((pair) => pair.map((key): [string, string] => ['near', key])),
        ...SPLIT_PAIRS.map((pair) => pair.map((parts): [string, string] => ['near', parts.join()])),
        ...['a', 'a ', ' a', 'A', 'á', 'a\u0301', 'ａ', '1', '01', '1.0', '%', '_', '*', 'a%'].map(
          (key): [string, string][] => [['alone', key]],
        ),
        [
          ['a', 'b-c'],
          ['a-b', 'c'],
        ],
        [
          ['ab', 'c'],
          ['a', 'bc'],
        ],
        ...HARD_TEXTS.map((key): [string, string][] => [
          ['one', key],
          ['two', key],
        ]),
      ]
      const kept: PluginRecord[] = []
      for (const [kind, key] of near.flat()) {
        const mine = record({ kind, key, data: { kind, key } })
        const { won } = await crowd(() => createRecord(mine, NOW), 1)
        if (won[0]) kept.push(mine)
        // A store may refuse to read with an invalid key.
        else
          expect(key.includes('\0'), `whether ${JSON.stringify([kind, key])} is taken`).toBe(true)
      }
      for (const mine of kept) expect(await getRecord(key(mine))).toEqual(mine)
      for (const mine of kept) expect(await replaceRecord({ ...mine, version: 2 })).toBe(true)
      for (const mine of kept) {
        expect(await takeRecord(key(mine))).toEqual({ ...mine, version: 2 })
        expect(await takeRecord(key(mine))).toBeNull()
      }
    },
  },
  {
    name: 'an empty or malformed key finds no record',
    requirements: ['A-13', 'A-23'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, takeRecord, replaceRecord } = adapter[atomic]
      await createRecord(record(), NOW)
      for (const nobodys of ['', 'nobody', 'x'.repeat(5000), ...HARD_TEXTS]) {
        expect(await getRecord({ kind: record().kind, key: nobodys })).toBeNull()
        expect(await takeRecord({ kind: record().kind, key: nobodys })).toBeNull()
        expect(await getRecord({ kind: nobodys, key: record().key })).toBeNull()
        expect(await takeRecord({ kind: nobodys, key: record().key })).toBeNull()
      }
      expect(await replaceRecord(record({ key: 'nobody', version: 2 }))).toBe(false)
      expect(await getRecord({ kind: record().kind, key: 'nobody' })).toBeNull()
      expect(await getRecord(record())).toEqual(record())
    },
  },
  {
    name: 'records are returned as plain, new objects',
    requirements: ['A-39'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, listRecords } = adapter[atomic]
      const mine = record({ data: { list: ['a'] } })
      const given = structuredClone(mine)
      await createRecord(given, NOW)
      const change = (one: PluginRecord | null | undefined) => {
        if (!one) return
        ;(one.data['list'] as string[]).push('b')
        one.createdAt.setTime(0)
        one.expires?.setTime(0)
      }
      change(given)
      expect(await getRecord(mine)).toEqual(mine)
      change(await getRecord(mine))
      change((await listRecords({ kind: mine.kind, limit: 5 })).records[0])
      expect(await getRecord(mine)).toEqual(mine)
    },
  },
  {
    name: 'of many parallel creations of one record exactly one succeeds',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      for (let round = 0; round < 3; round++) {
        const mine = (index: number) => record({ key: `key-${round}`, data: { index } })
        const { won, lost } = await crowd((index) =>
          abilitiesOf(clients, index).createRecord(mine(index), NOW),
        )
        expect(lost).toEqual([])
        expect(won.filter(Boolean), 'who created it').toHaveLength(1)
        const stored = mine(won.indexOf(true))
        for (const client of clients)
          expect(await client[atomic].getRecord(key(stored))).toEqual(stored)
      }
    },
  },
  {
    name: 'of many parallel replacements of one version exactly one succeeds',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      await adapter[atomic].createRecord(record(), NOW)
      for (let version = 2; version < 6; version++) {
        const mine = (index: number) => record({ version, data: { index } })
        const { won, lost } = await crowd((index) =>
          abilitiesOf(clients, index).replaceRecord(mine(index)),
        )
        expect(lost).toEqual([])
        expect(won.filter(Boolean), 'who replaced it').toHaveLength(1)
        for (const client of clients)
          expect(await client[atomic].getRecord(record())).toEqual(mine(won.indexOf(true)))
      }
    },
  },
  {
    name: 'of many parallel takes of one record exactly one gets it',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      for (let round = 0; round < 5; round++) {
        const mine = record({ key: `key-${round}` })
        await adapter[atomic].createRecord(mine, NOW)
        const { won, lost } = await crowd((index) =>
          abilitiesOf(clients, index).takeRecord(key(mine)),
        )
        expect(lost).toEqual([])
        expect(won.filter((taken) => taken !== null)).toEqual([mine])
      }
    },
  },
  {
    name: 'taking a record while it is replaced returns its last version',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      for (let round = 0; round < 10; round++) {
        const mine = record({ key: `key-${round}`, data: { version: 1 } })
        await adapter[atomic].createRecord(mine, NOW)
        const next = replaced(mine, { version: 2 })
        const changing = crowd(
          (index) => abilitiesOf(clients, index).replaceRecord(next),
          round % 2 ? 1 : 3,
        )
        const taken = await crowd(
          (index) => abilitiesOf(clients, index + 1).takeRecord(key(mine)),
          3,
        )
        const { won, lost } = await changing
        expect([...lost, ...taken.lost]).toEqual([])
        const last = won.includes(true) ? next : mine
        expect(taken.won.filter((one) => one !== null)).toEqual([last])
        expect(await adapter[atomic].getRecord(key(mine))).toBeNull()
      }
    },
  },
  {
    name: 'a record is replaced only if its version is the expected one',
    requirements: ['A-23', 'A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord, replaceRecord, takeRecord } = adapter[atomic]
      await createRecord(record(), NOW)
      for (const version of [1, 3, 4])
        expect(await replaceRecord(replaced(record(), { version }, version))).toBe(false)
      expect(await getRecord(record())).toEqual(record())
      const second = replaced(record(), { second: true })
      expect(await replaceRecord(second)).toBe(true)
      expect(await replaceRecord(second)).toBe(false)
      expect(await getRecord(record())).toEqual(second)
      await takeRecord(record())
      expect(await replaceRecord(replaced(second, {}))).toBe(false)
      expect(await getRecord(record())).toBeNull()
    },
  },
  {
    name: 'a record can be created again from the millisecond in which it expires',
    requirements: ['A-55'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, getRecord } = adapter[atomic]
      const mine = record({ expires: EXPIRES })
      expect(await createRecord(mine, NOW)).toBe(true)
      const {
        userId: _,
        expires: __,
        ...next
      } = record({ data: { next: true }, createdAt: EXPIRES })
      expect(await createRecord(next, at(EXPIRES, -1))).toBe(false)
      expect(await getRecord(mine)).toEqual(mine)
      expect(await createRecord(next, EXPIRES)).toBe(true)
      // Completely: nothing of the expired record remains.
      expect(await getRecord(mine)).toEqual(next)
      expect(await createRecord(mine, new Date('9999-12-31T23:59:59.999Z'))).toBe(false)
      expect(await getRecord(mine)).toEqual(next)
    },
  },
  {
    name: 'of many parallel creations of a record that has expired exactly one succeeds',
    requirements: ['A-53', 'A-55'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const clients = [adapter, await adapter.again()]
      for (let round = 0; round < 3; round++) {
        const expires = at(EXPIRES, round)
        const mine = (index: number) => record({ expires: at(EXPIRES, round + 1), data: { index } })
        if (round === 0) await adapter[atomic].createRecord(record({ expires }), NOW)
        const { won, lost } = await crowd((index) =>
          abilitiesOf(clients, index).createRecord(mine(index), expires),
        )
        expect(lost).toEqual([])
        expect(won.filter(Boolean), 'who created it').toHaveLength(1)
        expect(await adapter[atomic].getRecord(record())).toEqual(mine(won.indexOf(true)))
      }
    },
  },
  {
    name: 'cleanup removes only expired records, in batches',
    requirements: ['A-41', 'A-55'],
    needs: [...RECORD_ABILITIES, 'cleanup'],
    async run(adapter) {
      const { createRecord, getRecord, listRecords, cleanup } = adapter[atomic]
      const before = at(NOW, -1)
      for (let index = 0; index < 25; index++)
        await createRecord(record({ kind: 'over', key: `${index}`, expires: before }), at(NOW, -2))
      const { expires: _, ...endless } = record({ key: 'endless' })
      const staying = [record({ key: 'open', expires: EXPIRES }), endless]
      for (const each of staying) await createRecord(each, NOW)
      const left = async () => (await listRecords({ kind: 'over', limit: 100 })).records.length
      expect(await cleanup({ now: NOW, batch: 10 })).toBe(10)
      expect(await left()).toBe(15)
      const { lost } = await crowd(() => cleanup({ now: NOW, batch: 10 }), 4)
      expect(lost).toEqual([])
      expect(await cleanup({ now: NOW, batch: 10 })).toBe(0)
      expect(await left()).toBe(0)
      for (const each of staying) expect(await getRecord(key(each))).toEqual(each)
    },
  },
  {
    name: 'T-DATA-4: records are listed page by page, each once, by kind and by user',
    requirements: ['A-56'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const { createRecord, listRecords } = adapter[atomic]
      const all: PluginRecord[] = []
      for (let index = 0; index < 26; index++) {
        const owner = [user().id, 'other', undefined][index % 3]
        const { userId: _, ...nobodys } = record()
        const mine = { ...nobodys, ...(owner && { userId: owner }), key: `Key ${index}` }
        all.push(mine)
        await createRecord(mine, NOW)
        await createRecord({ ...mine, kind: `${mine.kind}-2` }, NOW)
      }
      const { kind } = record()
      expect(byKey(await listAll(adapter, { kind, limit: 5 }))).toEqual(byKey(all))
      expect(byKey(await listAll(adapter, { kind, limit: 13 }))).toEqual(byKey(all))
      for (const userId of [user().id, 'other']) {
        const theirs = all.filter((each) => each.userId === userId)
        expect(byKey(await listAll(adapter, { kind, userId, limit: 4 }))).toEqual(byKey(theirs))
      }
      const none = { records: [], next: null }
      expect(await listRecords({ kind, userId: 'nobody', limit: 5 })).toEqual(none)
      expect(await listRecords({ kind: 'no-such', limit: 5 })).toEqual(none)
      // A cursor is input: any value returns records or is refused.
      for (const after of ['', '0', '%', "' OR 1=1 --", '{"$gt":""}', 'Key 1\0', 'x'.repeat(500)]) {
        const { won } = await crowd(
          () => listRecords({ kind, userId: 'other', after, limit: 5 }),
          1,
        )
        const strangers = won[0]?.records.filter((each) => each.userId !== 'other') ?? []
        expect(strangers).toEqual([])
      }
      const noText = { $gt: '' } as unknown as string
      await failure(() => listRecords({ kind, after: noText, limit: 5 }))
    },
  },
  {
    name: 'a listing has each record that exists during the whole listing, also while others write',
    requirements: ['A-56'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const other = await adapter.again()
      const { kind } = record()
      const staying = Array.from({ length: 60 }, (_, index) => `stays-${index}`)
      for (const each of staying) await adapter[atomic].createRecord(record({ key: each }), NOW)
      const passing = (index: number) => record({ key: `stays-${index % 60}-passes-${index}` })
      let made = 0
      let gone = 0
      for (; made < 60; made++) await adapter[atomic].createRecord(passing(made), NOW)
      // More records are removed than added, before and after the position of the listing.
      const disturb = async () => {
        const [first, next] = [gone, made]
        await crowd((index) => other[atomic].takeRecord(key(passing(first + index))), 5)
        await crowd((index) => other[atomic].createRecord(passing(next + index), NOW), 2)
        gone += 5
        made += 2
        const found = await other[atomic].getRecord(record({ key: `stays-${gone % 60}` }))
        if (found) await other[atomic].replaceRecord(replaced(found, { gone }))
      }
      for (const query of [{ kind }, { kind, userId: user().id }]) {
        const found = await listAll(adapter, { ...query, limit: 7 }, disturb)
        const keys = new Set(found.map((each) => each.key))
        expect(
          staying.filter((each) => !keys.has(each)),
          'what is missing',
        ).toEqual([])
      }
    },
  },
  {
    name: 'T-LINK-8: deleting a user removes the user’s records of every kind, and none of other users',
    requirements: ['A-22'],
    needs: [...RECORD_ABILITIES, 'createUser', 'deleteUser'],
    async run(adapter) {
      const { createRecord, getRecord, listRecords } = adapter[atomic]
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      const { userId: _, ...nobodys } = record({ key: 'nobodys' })
      const staying = [record({ key: 'other', userId: 'other' }), nobodys]
      for (const each of staying) await createRecord(each, NOW)
      for (let index = 0; index < 120; index++)
        await createRecord(record({ kind: `kind-${index % 3}`, key: `key-${index}` }), NOW)
      await adapter.deleteUser(user().id)
      for (let index = 0; index < 120; index++)
        expect(await getRecord({ kind: `kind-${index % 3}`, key: `key-${index}` })).toBeNull()
      for (const each of staying) expect(await getRecord(key(each))).toEqual(each)
      // A later user with this id inherits nothing and has no conflict.
      await adapter.createUser(user())
      const none = { records: [], next: null }
      expect(await listRecords({ kind: 'kind-1', userId: user().id, limit: 5 })).toEqual(none)
      expect(await createRecord(record({ kind: 'kind-1', key: 'key-1' }), NOW)).toBe(true)
    },
  },
  {
    name: 'records may belong to a user that the store does not have, and deleteUser removes them',
    requirements: ['A-22', 'A-54'],
    needs: [...RECORD_ABILITIES, 'deleteUser'],
    async run(adapter) {
      const { createRecord, getRecord, listRecords } = adapter[atomic]
      for (const userId of ['nobody-here', 'auth0|0815', '42', 'x'.repeat(200)]) {
        const mine = record({ userId })
        expect(await createRecord(mine, NOW)).toBe(true)
        expect(await getRecord(key(mine))).toEqual(mine)
        const { kind } = mine
        expect((await listRecords({ kind, userId, limit: 5 })).records).toEqual([mine])
        await adapter.deleteUser(userId)
        expect(await getRecord(key(mine))).toBeNull()
        expect((await listRecords({ kind, userId, limit: 5 })).records).toEqual([])
      }
    },
  },
  {
    name: 'T-DATA-3: a conflict of records does not end a transaction',
    requirements: ['A-08', 'A-50', 'A-53'],
    needs: [...RECORD_ABILITIES, 'createUser', 'getUser', 'transaction'],
    async run(adapter) {
      const taken = record({ key: 'taken', data: { first: true } })
      await adapter[atomic].createRecord(taken, NOW)
      const fresh = record({ key: 'fresh' })
      await adapter[atomic].transaction(async (inside) => {
        const records = inside[atomic] as Required<RecordAbilities>
        await inside.createUser?.(user())
        expect(await records.createRecord(record({ key: 'taken' }), NOW)).toBe(false)
        expect(await records.createRecord(fresh, NOW)).toBe(true)
        expect(await records.createRecord(fresh, NOW)).toBe(false)
        expect(await records.getRecord(key(taken))).toEqual(taken)
        expect(await records.getRecord(key(fresh))).toEqual(fresh)
      })
      expect(await adapter.getUser(user().id)).notToBeNull()
      expect(await adapter[atomic].getRecord(key(fresh))).toEqual(fresh)
      expect(await adapter[atomic].getRecord(key(taken))).toEqual(taken)
    },
  },
  {
    name: 'T-DATA-3: a transaction that fails leaves records unchanged',
    requirements: ['A-08', 'A-50'],
    needs: [...RECORD_ABILITIES, 'createUser', 'getUser', 'transaction'],
    async run(adapter) {
      const { createRecord, getRecord } = adapter[atomic]
      await createRecord(record({ key: 'replaced' }), NOW)
      await createRecord(record({ key: 'taken' }), NOW)
      const cause = new Error('in the middle')
      const thrown = await failure(() =>
        adapter[atomic].transaction(async (inside) => {
          const records = inside[atomic] as Required<RecordAbilities>
          await inside.createUser?.(user())
          await records.createRecord(record({ key: 'created' }), NOW)
          await records.replaceRecord(replaced(record({ key: 'replaced' }), { new: true }))
          await records.takeRecord(record({ key: 'taken' }))
          const { kind } = record()
          expect((await records.listRecords({ kind, limit: 5 })).records).toHaveLength(2)
          throw cause
        }),
      )
      expect(thrown).toBe(cause)
      expect(await adapter.getUser(user().id)).toBeNull()
      expect(await getRecord(record({ key: 'created' }))).toBeNull()
      for (const each of ['replaced', 'taken'])
        expect(await getRecord(record({ key: each }))).toEqual(record({ key: each }))
    },
  },
  {
    name: 'T-DATA-3: of many parallel transactions that create one record exactly one succeeds',
    requirements: ['A-09', 'A-50', 'A-53'],
    needs: [...RECORD_ABILITIES, 'createUser', 'getUser', 'transaction'],
    async run(adapter) {
      const { won, lost } = await crowd((index) =>
        adapter[atomic].transaction(async (inside) => {
          const records = inside[atomic] as Required<RecordAbilities>
          const created = await records.createRecord(record({ data: { index } }), NOW)
          const id = `user-${index}`
          if (created) await inside.createUser?.(user({ id, email: `${index}@x.example` }))
          return created
        }),
      )
      expect(lost).toEqual([])
      expect(won.filter(Boolean), 'who created it').toHaveLength(1)
      const winner = won.indexOf(true)
      expect((await adapter[atomic].getRecord(record()))?.data).toEqual({ index: winner })
      for (let index = 0; index < CROWD; index++)
        expect((await adapter.getUser(`user-${index}`)) !== null).toBe(index === winner)
    },
  },
  {
    name: 'a client immediately reads what another client did with a record',
    requirements: ['A-53'],
    needs: RECORD_ABILITIES,
    async run(adapter) {
      const [one, two] = [adapter[atomic], (await adapter.again())[atomic]]
      const { kind } = record()
      const seen = async () => [
        await two.getRecord(record()),
        ...(await two.listRecords({ kind, limit: 5 })).records,
      ]
      expect(await seen()).toEqual([null])
      await one.createRecord(record(), NOW)
      expect(await seen()).toEqual([record(), record()])
      const next = replaced(record(), { second: true })
      await one.replaceRecord(next)
      expect(await seen()).toEqual([next, next])
      await one.takeRecord(record())
      expect(await seen()).toEqual([null])
      expect(await two.createRecord(record(), NOW)).toBe(true)
      expect(await one.getRecord(record())).toEqual(record())
    },
  },
]

function abilitiesOf(clients: readonly CompleteAdapter[], index: number) {
  return (clients[index % clients.length] as CompleteAdapter)[atomic]
}

/** @param between is called between two pages, and during the read of a page. */
async function listAll(
  adapter: CompleteAdapter,
  query: RecordQuery,
  between?: () => Promise<void>,
): Promise<PluginRecord[]> {
  const found: PluginRecord[] = []
  let after: string | undefined
  for (let pages = 0; ; pages++) {
    expect(pages < 500, 'whether the listing comes to an end').toBe(true)
    const [page] = await Promise.all([
      adapter[atomic].listRecords({ ...query, after }),
      pages % 2 ? between?.() : undefined,
    ])
    expect(page.records.length <= query.limit, 'a page is no longer than asked').toBe(true)
    found.push(...page.records)
    if (page.next === null) return found
    after = page.next
    await between?.()
  }
}

function byKey(records: readonly PluginRecord[]): PluginRecord[] {
  return records.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}
