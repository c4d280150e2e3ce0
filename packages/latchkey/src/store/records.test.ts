import { expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { atomic } from '../model/adapter.ts'
import { WITH_DAMAGED } from '../model/damaged-record.ts'
import type { PluginRecord, RecordAbilities } from '../model/record.ts'
import { createRecords } from './records.ts'

/** Records, one of which is damaged, by a store that returns it as an adapter does. */
async function damagedRecords() {
  const store = memoryAdapter()[atomic] as Required<RecordAbilities>
  const damaged = (record: PluginRecord | null): PluginRecord | null =>
    record?.key === 'second' && record.version === 1
      ? { ...record, data: {}, isDamaged: true }
      : record
  const records = createRecords(
    {
      ...store,
      getRecord: async (key) => damaged(await store.getRecord(key)),
      takeRecord: async (key) => damaged(await store.takeRecord(key)),
      async listRecords(query) {
        const page = await store.listRecords(query)
        return { ...page, records: page.records.flatMap((record) => damaged(record) ?? []) }
      },
    },
    { now: () => 0 },
  )
  for (const key of ['first', 'second'])
    await records.create({ kind: 'note', key, data: { text: key } })
  return records
}

const message = 'a record of kind "note" is damaged; restore or remove it'

test('a damaged record is an error without its key, which may be secret', async () => {
  const records = await damagedRecords()
  expect(await records.get('note', 'first')).toMatchObject({ data: { text: 'first' } })
  await expect(records.get('note', 'second')).rejects.toThrow(message)
  await expect(records.list({ kind: 'note', limit: 10 })).rejects.toThrow(message)
  await expect(records.take('note', 'second')).rejects.toThrow(
    'a record of kind "note" was damaged, and has been removed',
  )
  expect(await records.get('note', 'second')).toBeNull()
})

test('a damaged record is returned to callers that handle it, and can be replaced', async () => {
  const records = await damagedRecords()
  const page = await records.list({ kind: 'note', limit: 10 }, WITH_DAMAGED)
  expect(page.records.map(({ key, isDamaged }) => [key, isDamaged])).toEqual([
    ['first', undefined],
    ['second', true],
  ])
  const read = await records.get('note', 'second', WITH_DAMAGED)
  await expect(async () => read && records.replace(read, { expires: new Date(1) })).rejects.toThrow(
    'a damaged record of kind "note" can only be replaced together with its `data`',
  )
  const replaced = read && (await records.replace(read, { data: { text: 'anew' } }))
  expect(replaced).toMatchObject({ data: { text: 'anew' }, version: 2 })
  expect(replaced).not.toHaveProperty('isDamaged')
  expect(await records.get('note', 'second')).toMatchObject({ data: { text: 'anew' } })
})
