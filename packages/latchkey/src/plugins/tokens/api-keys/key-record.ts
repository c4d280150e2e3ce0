import {
  definedOnly,
  type Host,
  isJsonObject,
  isTexts,
  isTime,
  type JsonObject,
  type KindRecord,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
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

/** A key as it is stored. */
export type KeyRecord = KindRecord<KeyData>

/** Returns the API keys: damaged ones are refused and not listed. */
export function apiKeyRecords(host: Host): RecordKind<KeyData> {
  return recordKind(host, KIND, {
    shape: keyData,
    onDamaged: 'the key is refused and not listed; end it by its id',
  })
}

function keyData(data: JsonObject): KeyData | undefined {
  const { hash, name, scopes, made, until, used, rate, networks, data: own } = data
  const isWhole =
    typeof hash === 'string' &&
    typeof name === 'string' &&
    isTexts(scopes) &&
    isTime(made) &&
    [until, used].every((each) => each === undefined || isTime(each)) &&
    (rate === undefined || isRate(rate)) &&
    (networks === undefined || isTexts(networks)) &&
    (own === undefined || isJsonObject(own))
  return isWhole ? (data as unknown as KeyData) : undefined
}

function isRate(value: unknown): boolean {
  return isJsonObject(value) && Number.isFinite(value['limit']) && Number.isFinite(value['seconds'])
}

export function infoOf(key: string, stored: Omit<KeyData, 'hash'>, prefix: string): ApiKey {
  const { name, scopes, made, until, used, rate, networks, data } = stored
  return {
    id: key,
    name,
    hint: `${prefix}_${key.slice(0, 4)}`,
    scopes,
    created: isoDate(made),
    expires: until === undefined ? null : isoDate(until),
    ...(used !== undefined && { used: isoDate(used) }),
    ...definedOnly({ rate: rate && { ...rate }, networks, data }),
  }
}

const isoDate = (time: number): string => new Date(time).toISOString()
