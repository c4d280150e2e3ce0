import type { CountedAttempt } from '../../model/adapter.ts'
import { checkLease } from '../records.ts'
import { seconds } from './items.ts'
import { attemptsKey, leaseKey } from './keys.ts'
import { ABSENT, type Table } from './table.ts'

/** Counts an attempt. If another request wrote in between, it reads the entry again. */
export async function attempts(
  table: Table,
  { key: name, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  const key = await attemptsKey(name)
  for (;;) {
    const before = await table.get(key)
    const stored = (before?.['until'] ?? []) as number[]
    const until = stored.filter((each) => each > now.getTime())
    if (until.length >= limit) return false
    until.push(expires.getTime())
    const version = Number(before?.['version'] ?? 0)
    const item = {
      type: 'ATTEMPTS',
      until,
      version: version + 1,
      expires: seconds(new Date(Math.max(...until))),
    }
    const same = before ? { condition: '#version = :version', values: { version } } : ABSENT
    if (await table.put(key, item, same)) return true
  }
}

/**
 * Acquires a lease. The fencing number outlives the lease: the item has no attribute by which DynamoDB would remove it.
 */
export async function lease(
  table: Table,
  { name, now, expires }: { name: string; now: Date; expires: Date },
): Promise<number | null> {
  checkLease({ now, expires })
  const free = {
    condition: 'attribute_not_exists(#partition) OR #until <= :now',
    values: { now: now.getTime() },
  }
  const changes = { until: expires.getTime() }
  const item = await table.increment(await leaseKey(name), 'number', changes, free)
  return item && Number(item['number'])
}
