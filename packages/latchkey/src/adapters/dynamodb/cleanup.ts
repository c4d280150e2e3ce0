import type { Item } from './client.ts'
import { fromItem, seconds } from './items.ts'
import { guardKeys } from './keys.ts'
import type { Store } from './owned.ts'
import { removeExpired } from './records.ts'

const KINDS = ['SESSION', 'VT', 'ATTEMPTS', 'RECORD'] as const

/** Removes entries that DynamoDB would remove later. It reads the whole table. */
export async function cleanup(
  store: Store,
  { now, batch }: { now: Date; batch: number },
): Promise<number> {
  const { table } = store
  const removed: Record<string, number> = {}
  const filter = '#expires <= :now AND #type IN (:session, :token, :attempts, :record)'
  const [session, token, attempts, record] = KINDS
  const values = { now: seconds(now), session, token, attempts, record }
  for await (const item of table.scan(filter, ['expires', 'type'], values)) {
    const kind = String(item['type'])
    const before = removed[kind] ?? 0
    if (before >= batch || !isOver(store, item, now)) continue
    if (kind === 'RECORD') {
      if (await removeExpired(table, item, now)) removed[kind] = before + 1
      continue
    }
    if (kind === 'SESSION') {
      await table.remove(await guardKeys.session(String(item['sessionToken'])))
    }
    // Another process may clean up at the same time.
    if (await table.remove(table.keyOf(item))) removed[kind] = before + 1
  }
  return Math.max(0, ...Object.values(removed))
}

function isOver({ shape }: Store, item: Item, now: Date): boolean {
  if (item['type'] === 'RECORD') return new Date(String(item['expiresExactly'])) < now
  if (item['type'] === 'ATTEMPTS') {
    return (item['until'] as number[]).every((each) => each < now.getTime())
  }
  return fromItem('session', item, shape).expires < now
}
