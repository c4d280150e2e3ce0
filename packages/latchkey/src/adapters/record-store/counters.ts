import type { CountedAttempt } from '../../model/adapter.ts'
import { checkLease } from '../records.ts'
import {
  createUnlessTaken,
  type Fields,
  type RecordStoreClient,
  type StoredRecord,
} from './client.ts'

/**
 * Counts attempts in a list of the times at which they expire. The list changes only if no other request changed it
 * meanwhile.
 */
export function attempts(
  client: RecordStoreClient,
  { key, limit, now, expires }: CountedAttempt,
): Promise<boolean> {
  return changeCounter(client, `attempts:${key}`, (before) => {
    const stored = before ? (JSON.parse(String(before['until'])) as number[]) : []
    const until = stored.filter((each) => each > now.getTime())
    if (until.length >= limit) return undefined
    until.push(expires.getTime())
    return { until: JSON.stringify(until), expires: new Date(Math.max(...until)) }
  }).then((counted) => counted !== null)
}

/** Acquires a lease. The fencing number outlives the lease: this record has no `expires`, so cleanup keeps it. */
export async function lease(
  client: RecordStoreClient,
  { name, now, expires }: { name: string; now: Date; expires: Date },
): Promise<number | null> {
  checkLease({ now, expires })
  const taken = await changeCounter(client, `lease:${name}`, (before) =>
    before && Number(before['until']) > now.getTime()
      ? undefined
      : { until: String(expires.getTime()) },
  )
  return taken && Number(taken['number'])
}

/**
 * Changes a counter and increases its number.
 *
 * @param change receives the stored counter, if any, and returns the changes; `undefined` for no change.
 * @returns the new counter, or `null` if there was no change.
 */
async function changeCounter(
  client: RecordStoreClient,
  key: string,
  change: (before: StoredRecord | undefined) => Fields | undefined,
): Promise<StoredRecord | null> {
  for (;;) {
    const before = (await client.query('counters', { key })).find((each) => each['key'] === key)
    const changes = change(before)
    if (!changes) return null
    const number = before ? Number(before['number']) : 0
    const fields = { ...changes, number: number + 1 }
    const after = before
      ? await client.update('counters', before.id, fields, { number })
      : await createUnlessTaken(client, 'counters', { key, ...fields })
    if (after) return after
  }
}
