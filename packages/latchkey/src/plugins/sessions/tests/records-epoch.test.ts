import { expect, test } from 'vitest'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { digestOf } from '../../../base/crypto/digest.ts'
import { atomic } from '../../../model/adapter.ts'
import type { RecordAbilities } from '../../../model/record.ts'
import { createRecords } from '../../../store/records.ts'
import { createEpochs } from '../records/epoch.ts'

test('of parallel reads of a damaged epoch one raises it, and all return the new one', async () => {
  let now = 1_900_000_000_000
  const ports = { now: () => now++ } as unknown as Parameters<typeof createEpochs>[0]['ports']
  const records = createRecords(memoryAdapter()[atomic] as Required<RecordAbilities>, ports)
  const errors: unknown[] = []
  const logger = { error: (error: unknown) => void errors.push(error) } as never
  const epochs = createEpochs({ records, ports, logger })
  await records.create({
    kind: 'user-epoch',
    key: await digestOf('user-epoch', 'ada'),
    data: { epoch: 'now' },
  })
  const read = await Promise.all(Array.from({ length: 10 }, () => epochs.read('ada')))
  expect(new Set(read).size).toBe(1)
  expect(read[0]).toBeGreaterThan(1_900_000_000_000)
  expect(errors).toHaveLength(1)
  expect(await epochs.raise('ada')).toBeGreaterThan(read[0] ?? 0)
})
