import { definedOnly } from '../../encoding/defined-only.ts'
import type { Host, JsonObject, PluginRecord } from '../../plugin-kit.ts'
import type { EndReason } from '../../session/end-reason.ts'
import type { SessionHolder } from '../../session/strategy.ts'
import type { DeviceFacts } from './device.ts'
import type { LifeClaims } from './lifetime.ts'
import type { BoundFact } from './settings.ts'

/** Records of sessions; the key of one is the session's public name. */
export const KIND = 'session'

/** What is stored of a session. All times are milliseconds since the epoch. */
export type SessionData = LifeClaims & {
  readonly begun: number
  readonly seen: number
  /** When it ends unless it is used. */
  readonly until: number
  /** Keys under which its row may be found, where rows are stored. */
  readonly stored?: readonly string[]
  /** The epoch of its user when it began; none is 0. */
  readonly epo?: number
  /** Seconds since the epoch. */
  readonly auth_time?: number
  readonly amr?: readonly string[]
  readonly provider?: string
  /** What holds it, if no cookie does. */
  readonly via?: SessionHolder['via']
  readonly device?: DeviceFacts
  /** The network in which it began. */
  readonly address?: string
  /** Bound facts whose change was told already. */
  readonly suspected?: readonly BoundFact[]
  /** What its user calls it. */
  readonly name?: string
  readonly ended?: {
    readonly at: number
    readonly reason: EndReason
    readonly by?: string
    /** Number of the record of the log that says so; of sealed sessions only. */
    readonly seq?: number
  }
}

/** What a session says of itself, and its token where that is sealed. */
export function claimsOf({ abs, per, epo = 0 }: SessionData): JsonObject {
  return definedOnly({ abs, per, epo })
}

/** The records of a user's sessions, of those that ended, too. */
export async function recordsOf(userId: string, records: Host['records']): Promise<PluginRecord[]> {
  const all: PluginRecord[] = []
  let after: string | undefined
  do {
    const page = await records.list({ kind: KIND, userId, limit: 500, ...(after && { after }) })
    all.push(...page.records)
    after = page.next ?? undefined
  } while (after !== undefined)
  return all
}

export function sessionData({ data }: { readonly data: JsonObject }): SessionData {
  return data as unknown as SessionData
}
