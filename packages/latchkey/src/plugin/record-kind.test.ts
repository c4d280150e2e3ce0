import { describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../adapters/sql/index.ts'
import { openNodeSqlite } from '../adapters/sql/node-sqlite.ts'
import { systemPorts } from '../base/ports.ts'
import { type Adapter, atomic } from '../model/adapter.ts'
import type { JsonObject, RecordAbilities } from '../model/record.ts'
import { createRecords } from '../store/records.ts'
import { type RecordKindOptions, recordKind } from './record-kind.ts'

interface Counter {
  readonly count: number
}

const shape = ({ count }: JsonObject): Counter | undefined =>
  typeof count === 'number' ? { count } : undefined

/** Opens an empty store; each call of the result gives one process its adapter. */
const stores: Readonly<Record<string, () => Promise<() => Adapter>>> = {
  async memory() {
    const adapter = memoryAdapter()
    return () => ({ ...adapter })
  },
  async SQLite() {
    const sqlite = openNodeSqlite(':memory:')
    await migrate(sqlite, { records: true })
    return () => sqlAdapter(sqlite, { records: true })
  },
}

/** A process that uses records of the kind `counter`. */
function processOf(adapter: Adapter, options: Partial<RecordKindOptions<Counter>> = {}) {
  const abilities = adapter[atomic] as Required<RecordAbilities>
  const logged: string[] = []
  const logger = {
    error: ({ message }: Error) => void logged.push(message),
    warn() {},
    debug() {},
  }
  const ports = { ...systemPorts, now: () => 1000 }
  const records = createRecords(abilities, ports)
  const counters = recordKind({ records, ports, logger }, 'counter', { shape, ...options })
  return { counters, records, logged, abilities }
}

describe.each(Object.entries(stores))('records of one kind in a store (%s)', (_, open) => {
  test('a record is created once, read, replaced, and taken once', async () => {
    const { counters } = processOf((await open())())
    expect(await counters.get('a')).toBeNull()
    expect(await counters.create({ key: 'a', userId: 'ada', data: { count: 1 } })).toBe(true)
    expect(await counters.create({ key: 'a', data: { count: 9 } })).toBe(false)
    const first = await counters.get('a')
    expect(first).toMatchObject({ key: 'a', userId: 'ada', data: { count: 1 }, version: 1 })
    const second = first && (await counters.replace(first, { data: { count: 2 } }))
    expect(second).toMatchObject({ data: { count: 2 }, version: 2 })
    expect(first && (await counters.replace(first, { data: { count: 3 } }))).toBeNull()
    expect(await counters.take('a')).toMatchObject({ data: { count: 2 } })
    expect(await counters.take('a')).toBeNull()
    expect(await counters.delete('a')).toBe(false)
  })

  test('a replacement without data changes the expiry and keeps the data', async () => {
    const { counters } = processOf((await open())())
    await counters.create({ key: 'a', data: { count: 1 } })
    const expires = new Date(5000)
    await counters.update('a', () => ({ expires }))
    expect(await counters.get('a')).toMatchObject({ data: { count: 1 }, expires })
    await counters.update('a', () => ({ expires: new Date(1000) }))
    expect(await counters.get('a')).toBeNull()
  })

  test('of many parallel updates in two processes, none is lost', async () => {
    const adapter = await open()
    const [one, other] = [processOf(adapter()), processOf(adapter())]
    await one.counters.create({ key: 'a', data: { count: 0 } })
    const more = ({ count }: Counter) => ({ data: { count: count + 1 } })
    const updates = Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? one : other).counters.update('a', more),
    )
    const results = await Promise.all(updates)
    expect(results.map((result) => result?.isChanged)).not.toContain(false)
    expect(results.map((result) => result?.record.data.count).toSorted(ascending)).toEqual(
      updates.map((_, index) => index + 1),
    )
    expect(await other.counters.get('a')).toMatchObject({ data: { count: 40 } })
  })

  test('of many parallel upserts in two processes, one creates the record and none is lost', async () => {
    const adapter = await open()
    const [one, other] = [processOf(adapter()), processOf(adapter())]
    const upserts = Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? one : other).counters.upsert('a', (data) => ({
        data: { count: (data?.count ?? 0) + 1 },
        userId: 'ada',
      })),
    )
    expect(await Promise.all(upserts)).not.toContain(false)
    expect(await one.counters.get('a')).toMatchObject({ data: { count: 40 }, userId: 'ada' })
  })

  test('a change that returns undefined writes nothing', async () => {
    const { counters } = processOf((await open())())
    expect(await counters.update('a', () => ({ data: { count: 1 } }))).toBeNull()
    expect(await counters.upsert('a', () => undefined)).toBe(false)
    expect(await counters.get('a')).toBeNull()
    await counters.create({ key: 'a', data: { count: 1 } })
    const result = await counters.update('a', () => undefined)
    expect(result).toMatchObject({ isChanged: false, record: { data: { count: 1 }, version: 1 } })
  })

  test('an update from an earlier read reads the record once more only if another call was faster', async () => {
    const { counters, records } = processOf((await open())())
    await counters.create({ key: 'a', data: { count: 1 } })
    const before = await counters.get('a')
    if (!before) throw new Error('the record was created')
    const get = vi.spyOn(records, 'get')
    const more = ({ count }: Counter) => ({ data: { count: count + 1 } })
    await counters.update(before, more)
    expect(get).not.toHaveBeenCalled()
    const updated = await counters.update(before, more)
    expect(get).toHaveBeenCalledOnce()
    expect(updated).toMatchObject({ isChanged: true, record: { data: { count: 3 }, version: 3 } })
  })

  test('a change that loses each time ends with the problem `conflict`', async () => {
    const adapter = await open()
    const [one, other] = [processOf(adapter()), processOf(adapter())]
    await one.counters.create({ key: 'a', data: { count: 0 } })
    let attempts = 0
    const change = async ({ count = 0 }: Partial<Counter> = {}) => {
      attempts++
      const read = await other.counters.get('a')
      if (read) await other.counters.replace(read, { data: { count: count + 1 } })
      return { data: { count: -1 } }
    }
    const conflict = {
      code: 'conflict',
      message: 'too many requests change a record of kind "counter" at the same time; try again',
    }
    await expect(one.counters.update('a', change)).rejects.toMatchObject(conflict)
    expect(attempts).toBe(50)
    await expect(one.counters.upsert('a', change)).rejects.toMatchObject(conflict)
    expect(await one.counters.get('a')).toMatchObject({ data: { count: 100 } })
  })

  test('an error of a change ends the change', async () => {
    const { counters } = processOf((await open())())
    await counters.create({ key: 'a', data: { count: 1 } })
    const refuse = () => {
      throw new TypeError('no')
    }
    await expect(counters.update('a', refuse)).rejects.toThrow('no')
    await expect(counters.upsert('a', refuse)).rejects.toThrow('no')
  })

  test('all records and those of one user are read page by page', async () => {
    const { counters } = processOf((await open())())
    const keys = Array.from({ length: 1100 }, (_, index) => `key-${index}`)
    for (const [index, key] of keys.entries())
      await counters.create({ key, userId: index < 600 ? 'ada' : 'bob', data: { count: index } })
    const keysOf = async (userId?: string): Promise<string[]> => {
      const found: string[] = []
      for await (const { key } of counters.each(userId)) found.push(key)
      return found.toSorted()
    }
    expect(await keysOf()).toEqual(keys.toSorted())
    expect(await keysOf('ada')).toEqual(keys.slice(0, 600).toSorted())
    expect(await counters.some('bob', 7)).toHaveLength(7)
    expect(await counters.some('eve', 7)).toEqual([])
    // What has expired takes no place.
    for (const key of ['0', '1', '2', '3'])
      await counters.create({ key, userId: 'eve', data: { count: 1 }, expires: new Date(0) })
    await counters.create({ key: '4', userId: 'eve', data: { count: 2 } })
    expect((await counters.some('eve', 1)).map(({ key }) => key)).toEqual(['4'])
  })

  test.each<[string, JsonObject]>([
    ['with data of another shape', { count: 'many' }],
    ['whose text is not a JSON object', { toJSON: () => 'half of a rec' } as never],
  ])('a record %s counts as absent and is reported once', async (_, data) => {
    const { counters, records, logged } = processOf((await open())())
    const damage = () => records.create({ kind: 'counter', key: 'a', userId: 'ada', data })
    await damage()
    await counters.create({ key: 'b', userId: 'ada', data: { count: 2 } })
    expect(await counters.get('a')).toBeNull()
    expect(await counters.update('a', () => ({ data: { count: 1 } }))).toBeNull()
    expect((await counters.some('ada', 10)).map(({ key }) => key)).toEqual(['b'])
    expect(await counters.create({ key: 'a', data: { count: 1 } })).toBe(false)
    expect(await counters.take('a')).toBeNull()
    expect(logged).toEqual([
      'the record of kind "counter" with the key "a" is damaged; it counts as absent',
    ])
    await damage()
    expect(await counters.delete('a')).toBe(true)
    await damage()
    expect(await counters.upsert('a', (before) => ({ data: before ?? { count: 7 } }))).toBe(true)
    expect(await counters.get('a')).toMatchObject({ data: { count: 7 }, userId: 'ada' })
  })
})

test('a kind decides what a damaged record means', async () => {
  const { counters, records, logged } = processOf(memoryAdapter(), {
    onDamaged({ data }, report) {
      report('it counts from the former value')
      return { count: Number(data['former'] ?? 0) }
    },
  })
  await records.create({ kind: 'counter', key: 'a', data: { former: 3 } })
  expect(await counters.get('a')).toMatchObject({ data: { count: 3 }, version: 1 })
  await counters.update('a', ({ count }) => ({ data: { count: count + 1 } }))
  expect(await records.get('counter', 'a')).toMatchObject({ data: { count: 4 }, version: 2 })
  expect(logged).toEqual([expect.stringContaining('it counts from the former value')])
})

test('a report of a damaged record omits a secret key', async () => {
  const { counters, records, logged } = processOf(memoryAdapter(), {
    hasSecretKeys: true,
    onDamaged: 'the code is refused',
  })
  await records.create({ kind: 'counter', key: 'secret', data: {} })
  expect(await counters.take('secret')).toBeNull()
  expect(logged).toEqual(['a record of kind "counter" is damaged; the code is refused'])
})

const ascending = (one = 0, other = 0): number => one - other
