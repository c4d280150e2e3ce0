import {
  type Awaitable,
  definedOnly,
  type Host,
  isDeviceFact,
  isMethodTimes,
  isTexts,
  isTime,
  type KnownFacts,
  type RecordKind,
  type SessionFacts,
} from '../../../entries/plugin.ts'
import { cutToLife, type LifeClaims, settledUntil, type UncheckedLife } from '../lifetime.ts'
import { type Memory, note } from '../memory.ts'
import type { Observer } from '../observer.ts'
import type { Revocations } from '../revocations/revocations.ts'
import type { Settings } from '../settings.ts'
import type { Epochs } from './epoch.ts'
import type { SessionData, SessionRecord } from './session-record.ts'

/** The services for records of sessions. */
export interface Keeping {
  readonly host: Host
  readonly settings: Settings
  readonly records: RecordKind<SessionData>
  readonly epochs: Epochs
  readonly observer: Observer
  readonly settled: Memory['settled']
  revocations(): Promise<Revocations | undefined>
}

export const DAY: number = 24 * 60 * 60 * 1000

/**
 * Records outlive their sessions by a day, so a clock that is a day fast does not remove a record that is still needed.
 */
const keptUntil = (until: number): Date => new Date(until + DAY)

/** Returns the absolute end of a new session, which its token may contain already. */
export function lifeFrom(
  begun: number,
  { abs, per }: UncheckedLife,
  { settings: { absoluteMaxAge } }: Keeping,
): LifeClaims {
  const end = absoluteMaxAge === false ? undefined : Math.floor(begun / 1000) + absoluteMaxAge
  return definedOnly({
    abs: typeof abs === 'number' ? abs : end,
    per: per === 0 ? (0 as const) : undefined,
  })
}

/** Returns the end of a session that is written now, limited by its claims. */
export function cutTo(until: number, life: LifeClaims, { host, settings }: Keeping): number {
  return cutToLife(until, life, host.ports.now(), settings)
}

/** Returns the data for a session without a record. */
export function dataOf(session: SessionFacts, facts: KnownFacts, keeping: Keeping): SessionData {
  const now = keeping.host.ports.now()
  const { auth_time, second_time, amr, amr_times, epo, device } = facts
  const life = lifeFrom(now, facts, keeping)
  const until = cutTo(session.expires, life, keeping)
  return {
    begun: now,
    seen: now,
    until,
    ...life,
    ...(session.strategy === 'database' && { stored: [session.key] }),
    ...(typeof epo === 'number' && { epo }),
    ...(isTime(auth_time) && { auth_time }),
    ...(isTime(second_time) && { second_time }),
    ...(isTexts(amr) && { amr }),
    ...(isMethodTimes(amr_times) && { amr_times }),
    ...(isDeviceFact(device) && { browser: device }),
  }
}

/** Remembers that a row cannot be extended, so reads need no access to the store for it. */
export function settle(
  { strategy, key }: SessionFacts,
  end: number,
  life: LifeClaims,
  { settled, settings }: Keeping,
): void {
  if (strategy === 'database') note(settled, key, settledUntil(end, life, settings))
}

/** @returns `false` if the session has a record. */
export async function createRecord(
  session: SessionFacts,
  data: SessionData,
  { records }: Keeping,
): Promise<boolean> {
  const expires = keptUntil(data.until)
  return records.create({ key: await session.sid(), userId: session.userId, data, expires })
}

/**
 * Changes the record of a session.
 *
 * @param change `undefined` leaves it unchanged.
 * @returns the current record; `null` if there is none.
 */
export function changeRecord(
  sid: string,
  change: (data: SessionData, record: SessionRecord) => Awaitable<SessionData | undefined>,
  { records }: Keeping,
): ReturnType<typeof records.update> {
  return records.update(sid, async (before, record) => {
    const data = await change(before, record)
    if (!data) return undefined
    const lastsUntil = data.ended && data.stored?.length ? data.ended.at : data.until
    return { data, expires: keptUntil(lastsUntil) }
  })
}
