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

/** Records of API keys, by their ids. */
export const KIND = 'api-key'

/** The stored data of a key. Times are in milliseconds since the epoch. */
export interface KeyData {
  /** A keyed hash of its secret. */
  readonly hash: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly made: number
  /** Missing for a key without an end. */
  readonly until?: number
  readonly used?: number
  readonly rate?: KeyRate
  readonly networks?: readonly string[]
  readonly data?: JsonObject
  /** Whether the event about its end was sent. */
  readonly isTold?: true
}

/** A key, as its user sees it. */
export type ApiKey = {
  /** The id of the key. It is not a credential. */
  readonly id: string
  readonly name: string
  /** The beginning of the key, for comparison: for example `lkp_0123`. */
  readonly hint: string
  readonly scopes: readonly string[]
  /** In ISO 8601, as all dates. */
  readonly created: string
  /** `null` for a key without an end. */
  readonly expires: string | null
  /** To the precision of the option `touch`. Missing for a key that was never used. */
  readonly used?: string
  /** Missing for the limit of the options. */
  readonly rate?: { readonly limit: number; readonly seconds: number }
  /** The networks from which it is accepted. Missing for all. */
  readonly networks?: readonly string[]
  /** Data of your application. */
  readonly data?: JsonObject
}

/** The stored record of a key. */
export type KeyRecord = KindRecord<KeyData>

/** Returns the API keys. Damaged ones are refused and not listed. */
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
