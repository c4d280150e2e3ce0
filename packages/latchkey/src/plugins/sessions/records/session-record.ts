import {
  type DeviceFact,
  definedOnly,
  type EndReason,
  type Host,
  isJsonObject,
  isTexts,
  isTime,
  type JsonObject,
  type KindRecord,
  type MethodTimes,
  type PluginRecord,
  type RecordKind,
  recordKind,
  type SessionHolder,
} from '../../../entries/plugin.ts'
import type { DeviceFacts } from '../device.ts'
import type { LifeClaims } from '../lifetime.ts'
import type { BoundFact } from '../settings.ts'

/** The stored data of a session. All times are in milliseconds since the epoch. */
export type SessionData = LifeClaims & {
  readonly begun: number
  readonly seen: number
  /** When it expires without use. */
  readonly until: number
  /** Keys of its row, if rows are stored. */
  readonly stored?: readonly string[]
  /** The epoch of its user when it began. Missing means 0. */
  readonly epo?: number
  /** In seconds since the epoch. */
  readonly auth_time?: number
  readonly second_time?: number
  readonly amr?: readonly string[]
  readonly amr_times?: MethodTimes
  /** What the browser was to its user when the session began. */
  readonly browser?: DeviceFact
  readonly provider?: string
  /** The holder of the session, if it is not a cookie. */
  readonly via?: SessionHolder['via']
  readonly device?: DeviceFacts
  /** The network in which it began. */
  readonly address?: string
  /** Bound facts whose change was already reported. */
  readonly suspected?: readonly BoundFact[]
  /** The name that its user chose. */
  readonly name?: string
  readonly ended?: {
    readonly at: number
    readonly reason: EndReason
    readonly by?: string
    /** The number of its record in the log, for sealed sessions. */
    readonly seq?: number
  }
  /** Set if the stored data cannot be used, so the session is over. Never stored. */
  readonly isDamaged?: true
}

/** Returns the claims of a session, which its token contains if it is sealed. */
export function claimsOf({ abs, per, epo = 0, browser }: SessionData): JsonObject {
  return definedOnly({ abs, per, epo, device: browser })
}

export type SessionRecord = KindRecord<SessionData>

/**
 * Returns the records of sessions, by the ids of sessions. A session with a damaged record is over, since its limits
 * are unknown.
 */
export function sessionRecords(
  host: Pick<Host, 'records' | 'ports' | 'logger'>,
): RecordKind<SessionData> {
  return recordKind(host, 'session', { shape: sessionData, onDamaged: endedData })
}

/** Returns the records of a user's sessions, including ended and damaged ones. */
export async function recordsOf(
  userId: string,
  records: Pick<RecordKind<SessionData>, 'each'>,
): Promise<SessionRecord[]> {
  const all: SessionRecord[] = []
  for await (const record of records.each(userId)) all.push(record)
  return all
}

const DAY = 24 * 60 * 60 * 1000

/** The longest lifetime of a session without use, in milliseconds. */
export const LONGEST: number = 400 * DAY

function endedData({ data, createdAt, expires }: PluginRecord): SessionData {
  const begun = timeOf(createdAt) ?? 0
  const { stored } = data
  return {
    begun,
    seen: begun,
    // Records are kept for a day longer than their sessions.
    until: (timeOf(expires) ?? begun + LONGEST + DAY) - DAY,
    ...(isTexts(stored) && { stored }),
    ended: { at: begun, reason: 'application' },
    isDamaged: true,
  }
}

function timeOf(date: Date | undefined): number | undefined {
  const time = date?.getTime()
  return isTime(time) ? time : undefined
}

/**
 * Returns the data of a record. The proof (`auth_time`, `amr`) comes from a token that an application may have sealed,
 * so `known` and `dataOf` check it.
 */
function sessionData(data: JsonObject): SessionData | undefined {
  const { begun, seen, until, abs, per, epo, ended, device, stored, suspected } = data
  const { provider, via, address, name } = data
  const isWhole =
    [begun, seen, until].every(isTime) &&
    [abs, per, epo].every((each) => each === undefined || Number.isFinite(each)) &&
    [stored, suspected].every((each) => each === undefined || isTexts(each)) &&
    [provider, via, address, name].every(isTextOrAbsent) &&
    (device === undefined || isDevice(device)) &&
    (ended === undefined || isEnding(ended))
  return isWhole ? (data as unknown as SessionData) : undefined
}

function isEnding(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { at, reason, by, seq } = value
  const isSeq = seq === undefined || Number.isSafeInteger(seq)
  return isTime(at) && typeof reason === 'string' && isTextOrAbsent(by) && isSeq
}

function isDevice(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  return typeof value['kind'] === 'string' && Object.values(value).every(isTextOrAbsent)
}

const isTextOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string'
