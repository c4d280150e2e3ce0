import { type Adapter, atomic } from 'latchkey/adapters'
import type { Found } from './report.ts'

/** Kinds of records in the log of ended sessions. */
const KINDS = ['revocation-log', 'revocation-segment'] as const

/**
 * Entries of the log: names of sessions, and users with their epochs. The value is the end in seconds since the epoch.
 */
interface Entries {
  readonly s?: readonly (readonly [sid: string, exp: number])[]
  readonly u?: readonly (readonly [userId: string, epoch: number, exp: number])[]
}

/**
 * Looks for ended sealed sessions that are valid again because nothing reads the log of ended sessions any more.
 *
 * @param now milliseconds since the epoch.
 */
export async function checkSessionsOff(
  adapter: Adapter,
  now: number,
  found: (finding: Found) => void,
): Promise<void> {
  const { listRecords } = adapter[atomic] ?? {}
  let many = 0
  let last = 0
  for (const kind of KINDS) {
    let after: string | undefined
    do {
      const query = { kind, limit: 1000, ...(after !== undefined && { after }) }
      const page = await listRecords?.(query)
      for (const { data } of page?.records ?? []) {
        const { s = [], u = [] } = data as Entries
        for (const entry of [...s, ...u]) {
          const end = Number(entry.at(-1))
          if (end * 1000 <= now) continue
          many++
          last = Math.max(last, end)
        }
      }
      after = page?.next ?? undefined
    } while (after !== undefined)
  }
  if (many === 0) return
  const until = new Date(last * 1000).toISOString().slice(0, 10)
  found({
    seen: `sessions are sealed and the plugin sessions is off, so ${many} ended sessions or users are accepted again, the last until ${until}`,
    fix: `change the secret, or wait until ${until}; sessionsOff: 'confirmed' silences this`,
  })
}
