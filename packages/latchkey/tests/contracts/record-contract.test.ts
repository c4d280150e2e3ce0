import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, type AtomicAbilities, atomic } from '../../src/model/adapter.ts'
import type { PluginRecord, RecordAbilities, RecordKey } from '../../src/model/record.ts'
import { adapterCases, checkAdapter, type OpenedAdapter } from '../../src/testing/adapter/index.ts'
import { recordCases } from '../../src/testing/adapter/records.ts'

type Records = Required<RecordAbilities>
type Abilities = Partial<Required<AtomicAbilities>>
type Open = () => Promise<OpenedAdapter>

const later = () => new Promise((resolve) => setImmediate(resolve))

/** The record abilities of an adapter, changed. */
function withRecords(good: Adapter, change: (records: Records) => Abilities): Adapter {
  const abilities = good[atomic] ?? {}
  return { ...good, [atomic]: { ...abilities, ...change(abilities as Records) } }
}

/** A memory adapter whose records have a fault. */
const faulty =
  (change: (records: Records, adapter: Adapter) => Abilities): Open =>
  async () => {
    const good = memoryAdapter()
    return withRecords(good, (records) => change(records, good))
  }

/** The same fault in the records within a transaction. */
const faultyInside =
  (change: (records: Records) => Partial<Records>): Open =>
  async () => {
    const good = memoryAdapter()
    const transaction: NonNullable<NonNullable<Adapter[typeof atomic]>['transaction']> = (work) =>
      good[atomic]?.transaction?.((inside) => work(withRecords(inside, change))) as never
    return { ...good, [atomic]: { ...good[atomic], transaction } }
  }

/** Every key goes through `change`. */
const withKeys = (change: (key: string) => string) =>
  faulty((good) => {
    const changed = <Key extends RecordKey>(one: Key): Key => ({ ...one, key: change(one.key) })
    return {
      createRecord: (record, now) => good.createRecord(changed(record), now),
      getRecord: (key) => good.getRecord(changed(key)),
      replaceRecord: (record) => good.replaceRecord(changed(record)),
      takeRecord: (key) => good.takeRecord(changed(key)),
    }
  })

/** All that was created, whatever has become of it. */
function remembering(good: Records): { all: PluginRecord[]; records: Partial<Records> } {
  const all: PluginRecord[] = []
  const createRecord: Records['createRecord'] = async (record, now) => {
    const created = await good.createRecord(record, now)
    if (created) all.push(structuredClone(record))
    return created
  }
  return { all, records: { createRecord } }
}

const PAST = new Date(0)

/** The faults, each with the rules that must notice it. */
const faults: Readonly<Record<string, readonly [Open, readonly string[]]>> = {
  'forgets whose a record is when it is replaced': [
    faulty((good) => ({
      async replaceRecord(record) {
        const before = await good.getRecord(record)
        if (before?.version !== record.version - 1) return false
        await good.takeRecord(record)
        const { userId: _, ...nobodys } = record
        return good.createRecord(nobodys, PAST)
      },
    })),
    ['a record is returned as it was created or replaced'],
  ],
  'changes the order of the names in the data': [
    faulty((good) => ({
      createRecord: ({ data, ...record }, now) =>
        good.createRecord(
          { ...record, data: Object.fromEntries(Object.entries(data).toReversed()) },
          now,
        ),
    })),
    ['the data of a record is returned as the same JSON'],
  ],
  'takes `__proto__` for a prototype': [
    faulty((good) => ({
      createRecord: ({ data, ...record }, now) =>
        good.createRecord({ ...record, data: Object.assign({}, data) }, now),
    })),
    ['the data of a record is returned as the same JSON'],
  ],
  'drops the milliseconds': [
    faulty((good) => ({
      createRecord: ({ expires, ...record }, now) => {
        const seconds = expires && new Date(Math.floor(expires.getTime() / 1000) * 1000)
        return good.createRecord({ ...record, ...(seconds && { expires: seconds }) }, now)
      },
    })),
    [
      'records keep their dates to the millisecond',
      'a record can be created again from the millisecond in which it expires',
    ],
  ],
  'has room for half of what a record may be': [
    faulty((good) => ({
      async createRecord(record, now) {
        if (JSON.stringify(record.data).length > 32_768) throw new Error('too long')
        return good.createRecord(record, now)
      },
    })),
    ['a record of 64 kB fits, under a key of 190 characters and a kind of 40'],
  ],
  'cuts keys that are long': [
    withKeys((key) => key.slice(0, 190)),
    ['a record above the size limits is stored completely or refused, never truncated'],
  ],
  'folds the case of keys': [
    withKeys((key) => key.toLowerCase()),
    ['T-DATA-2: kinds and keys of records compare byte for byte'],
  ],
  'ignores blanks at the end of keys': [
    withKeys((key) => key.trimEnd()),
    ['T-DATA-2: kinds and keys of records compare byte for byte'],
  ],
  'takes accents for nothing': [
    withKeys((key) => key.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    ['T-DATA-2: kinds and keys of records compare byte for byte'],
  ],
  'takes kind and key for one text': [
    faulty((good) => {
      const joined = <Key extends RecordKey>(one: Key): Key => ({
        ...one,
        kind: 'all',
        key: `${one.kind}-${one.key}`.slice(0, 190),
      })
      return {
        createRecord: (record, now) => good.createRecord(joined(record), now),
        getRecord: (key) => good.getRecord(joined(key)),
      }
    }),
    ['T-DATA-2: kinds and keys of records compare byte for byte'],
  ],
  'fails at keys that it could not have given': [
    faulty((good) => ({
      async getRecord(key) {
        if (key.key.length > 190) throw new Error('this is no key')
        return good.getRecord(key)
      },
    })),
    ['an empty or malformed key finds no record'],
  ],
  'hands out what it keeps': [
    faulty((good) => {
      const kept = new Map<string, PluginRecord>()
      return {
        async getRecord(key) {
          const found = kept.get(key.key) ?? (await good.getRecord(key))
          if (found) kept.set(key.key, found)
          return found
        },
      }
    }),
    ['records are returned as plain, new objects'],
  ],
  'looks for a record before creating one': [
    faulty((good) => ({
      async createRecord(record, now) {
        const there = await good.getRecord(record)
        if (there) return good.createRecord(record, now)
        await later()
        await good.createRecord(record, now)
        return true
      },
    })),
    ['of many parallel creations of one record exactly one succeeds'],
  ],
  'looks at the version before replacing': [
    faulty((good) => ({
      async replaceRecord(record) {
        const before = await good.getRecord(record)
        if (before?.version !== record.version - 1) return false
        await later()
        await good.takeRecord(record)
        await good.createRecord(record, PAST)
        return true
      },
    })),
    ['of many parallel replacements of one version exactly one succeeds'],
  ],
  'finds a record and removes it afterwards': [
    faulty((good) => ({
      async takeRecord(key) {
        const found = await good.getRecord(key)
        await later()
        await good.takeRecord(key)
        return found
      },
    })),
    ['of many parallel takes of one record exactly one gets it'],
  ],
  'returns a record as it was before it was removed': [
    faulty((good) => ({
      async takeRecord(key) {
        const found = await good.getRecord(key)
        await later()
        return (await good.takeRecord(key)) && found
      },
      async replaceRecord(record) {
        await later()
        return good.replaceRecord(record)
      },
    })),
    ['taking a record while it is replaced returns its last version'],
  ],
  'replaces whatever is there': [
    faulty((good) => ({
      async replaceRecord(record) {
        const before = await good.takeRecord(record)
        return before !== null && good.createRecord(record, PAST)
      },
    })),
    ['a record is replaced only if its version is the expected one'],
  ],
  'creates what is to be replaced': [
    faulty((good) => ({
      replaceRecord: async (record) =>
        (await good.getRecord(record))
          ? good.replaceRecord(record)
          : good.createRecord(record, PAST),
    })),
    [
      'an empty or malformed key finds no record',
      'a record is replaced only if its version is the expected one',
    ],
  ],
  'keeps a record for a millisecond after its end': [
    faulty((good) => ({
      createRecord: (record, now) => good.createRecord(record, new Date(now.getTime() - 1)),
    })),
    ['a record can be created again from the millisecond in which it expires'],
  ],
  'takes a record without an end for one that has expired': [
    faulty((good) => ({
      async createRecord(record, now) {
        const there = await good.getRecord(record)
        if (there && !there.expires) await good.takeRecord(record)
        return good.createRecord(record, now)
      },
    })),
    ['a record can be created again from the millisecond in which it expires'],
  ],
  'removes an expired record before it creates one': [
    faulty((good) => ({
      async createRecord(record, now) {
        const there = await good.getRecord(record)
        await later()
        if (there?.expires && there.expires <= now) await good.takeRecord(record)
        return good.createRecord(record, now)
      },
    })),
    ['of many parallel creations of a record that has expired exactly one succeeds'],
  ],
  'cleans up records that are open': [
    faulty((good, adapter) => {
      const { all, records } = remembering(good)
      const cleanup = async (options: { now: Date; batch: number }) => {
        for (const each of all) await good.takeRecord(each)
        return (await adapter[atomic]?.cleanup?.(options)) ?? 0
      }
      return { ...records, cleanup }
    }),
    ['cleanup removes only expired records, in batches'],
  ],
  'leaves records when it cleans up': [
    faulty(() => ({ cleanup: () => 0 })),
    ['cleanup removes only expired records, in batches'],
  ],
  'gives one more than a page has': [
    faulty((good) => ({
      listRecords: (query) => good.listRecords({ ...query, limit: query.limit + 1 }),
    })),
    ['T-DATA-4: records are listed page by page, each once, by kind and by user'],
  ],
  'loses the last record of each page': [
    faulty((good) => ({
      async listRecords(query) {
        const { records, next } = await good.listRecords(query)
        return { records: next === null ? records : records.slice(0, -1), next }
      },
    })),
    ['T-DATA-4: records are listed page by page, each once, by kind and by user'],
  ],
  'lists the records of everybody': [
    faulty((good) => ({
      listRecords: ({ kind, after, limit }) => good.listRecords({ kind, after, limit }),
    })),
    ['T-DATA-4: records are listed page by page, each once, by kind and by user'],
  ],
  'counts how many records a page begins after': [
    faulty((good) => ({
      async listRecords({ after = '0', limit, ...query }) {
        const all = await good.listRecords({ ...query, limit: 1000 })
        const end = Number(after) + limit
        const records = all.records.slice(Number(after), end)
        return { records, next: end < all.records.length ? String(end) : null }
      },
    })),
    ['a listing has each record that exists during the whole listing, also while others write'],
  ],
  'leaves the records of a deleted user': [
    async () => {
      const good = memoryAdapter()
      const { all, records } = remembering(good[atomic] as Records)
      const deleteUser = async (id: string) => {
        const deleted = await good.deleteUser?.(id)
        const [first] = all.filter(({ userId }) => userId === id)
        if (first) await good[atomic]?.createRecord?.(first, PAST)
        return deleted
      }
      return { ...withRecords(good, () => records), deleteUser }
    },
    ['T-LINK-8: deleting a user removes the user’s records of every kind, and none of other users'],
  ],
  'deletes the records of users only whom it knows': [
    async () => {
      const good = memoryAdapter()
      const deleteUser = async (id: string) =>
        (await good.getUser?.(id)) ? good.deleteUser?.(id) : null
      return { ...good, deleteUser }
    },
    ['records may belong to a user that the store does not have, and deleteUser removes them'],
  ],
  'fails within a transaction at a key that is taken': [
    faultyInside((good) => ({
      async createRecord(record, now) {
        if (await good.createRecord(record, now)) return true
        throw new Error('the transaction is over')
      },
    })),
    ['T-DATA-3: a conflict of records does not end a transaction'],
  ],
  'writes records beside a transaction': [
    async () => {
      const apart = memoryAdapter()[atomic] as Records
      const beside = (): Partial<Records> => ({
        createRecord: (record, now) => apart.createRecord(record, now),
        getRecord: (key) => apart.getRecord(key),
        replaceRecord: (record) => apart.replaceRecord(record),
        takeRecord: (key) => apart.takeRecord(key),
        listRecords: (query) => apart.listRecords(query),
      })
      return withRecords(await faultyInside(beside)(), beside)
    },
    ['T-DATA-3: a transaction that fails leaves records unchanged'],
  ],
  'says within a transaction that it created what it did not': [
    faultyInside((good) => ({
      async createRecord(record, now) {
        await good.createRecord(record, now)
        return true
      },
    })),
    ['T-DATA-3: of many parallel transactions that create one record exactly one succeeds'],
  ],
  'remembers what it has read': [
    async () => {
      const good = memoryAdapter()
      const remembering = () => {
        const read = new Map<string, PluginRecord | null>()
        return withRecords(good, (records) => ({
          async getRecord({ kind, key }) {
            const name = JSON.stringify([kind, key])
            if (!read.has(name)) read.set(name, await records.getRecord({ kind, key }))
            return structuredClone(read.get(name) ?? null)
          },
        }))
      }
      return { ...remembering(), again: async () => remembering() }
    },
    ['a client immediately reads what another client did with a record'],
  ],
  'keeps to itself who is first': [
    async () => ({ ...memoryAdapter(), again: async () => memoryAdapter() }),
    [
      'of many parallel creations of one record exactly one succeeds',
      'of many parallel replacements of one version exactly one succeeds',
      'a client immediately reads what another client did with a record',
    ],
  ],
}

describe('GEN-1: the rules about records', () => {
  test('each find an adapter that breaks them', () => {
    const noticed = new Set(Object.values(faults).flatMap(([, rules]) => rules))
    expect(recordCases.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([])
  })

  test.each(Object.entries(faults))('find an adapter that %s', async (_, [open, rules]) => {
    const results = await checkAdapter(open)
    const broken = results.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name)
    expect(broken).toEqual(expect.arrayContaining([...rules]))
  })

  test('are omitted if a store has no records', async () => {
    const results = await checkAdapter(async () => {
      const { createRecord: _, ...abilities } = memoryAdapter()[atomic] ?? {}
      return { ...memoryAdapter(), [atomic]: abilities }
    })
    const names = new Set(recordCases.map(({ name }) => name))
    const outcomes = results.filter(({ name }) => names.has(name)).map(({ outcome }) => outcome)
    expect(new Set(outcomes)).toEqual(new Set(['skipped']))
    expect(results).toHaveLength(adapterCases.length)
  })
})
