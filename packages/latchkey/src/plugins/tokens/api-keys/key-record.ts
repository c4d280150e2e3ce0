import { definedOnly } from '../../../encoding/defined-only.ts'
import type { Host, JsonObject, PluginRecord } from '../../../plugin-kit.ts'
import type { KeyRate } from './settings.ts'

/** Records of API keys; the key of one is its id. */
export const KIND = 'api-key'

/** What is stored of a key. Times are milliseconds since the epoch. */
export interface KeyData {
  /** A keyed hash of its secret. */
  readonly hash: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly made: number
  /** Left out: it has no end. */
  readonly until?: number
  readonly used?: number
  readonly rate?: KeyRate
  readonly networks?: readonly string[]
  readonly data?: JsonObject
  /** Was it told that the key ends soon? */
  readonly isTold?: true
}

/** A key, as its user is told of it. */
export type ApiKey = {
  /** Names the key, and lets nobody in. */
  readonly id: string
  readonly name: string
  /** How it begins, for those who compare it with what they have: `lkp_0123`. */
  readonly hint: string
  readonly scopes: readonly string[]
  /** ISO 8601, as all dates. */
  readonly created: string
  /** `null`: it has no end. */
  readonly expires: string | null
  /** Exact to the option `touch`; left out for one that was never used. */
  readonly used?: string
  /** Left out: as the options say. */
  readonly rate?: { readonly limit: number; readonly seconds: number }
  /** Only from these; left out: from everywhere. */
  readonly networks?: readonly string[]
  /** What your application noted. */
  readonly data?: JsonObject
}

export function keyData({ data }: Pick<PluginRecord, 'data'>): KeyData {
  return data as unknown as KeyData
}

export function infoOf(record: Pick<PluginRecord, 'key' | 'data'>, prefix: string): ApiKey {
  const { name, scopes, made, until, used, rate, networks, data } = keyData(record)
  return {
    id: record.key,
    name,
    hint: `${prefix}_${record.key.slice(0, 4)}`,
    scopes,
    created: isoDate(made),
    expires: until === undefined ? null : isoDate(until),
    ...(used !== undefined && { used: isoDate(used) }),
    ...definedOnly({ rate: rate && { ...rate }, networks, data }),
  }
}

/** The records of a user's keys, or of all keys. */
export async function recordsOf(
  userId: string | undefined,
  { records }: Pick<Host, 'records'>,
): Promise<PluginRecord[]> {
  const all: PluginRecord[] = []
  const whose = userId === undefined ? {} : { userId }
  let after: string | undefined
  do {
    const page = await records.list({ kind: KIND, ...whose, limit: 500, ...(after && { after }) })
    all.push(...page.records)
    after = page.next ?? undefined
  } while (after !== undefined)
  return all
}

const isoDate = (time: number): string => new Date(time).toISOString()
