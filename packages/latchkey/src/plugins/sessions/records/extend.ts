import {
  type JsonObject,
  Problem,
  type SessionFacts,
  type Verdict,
} from '../../../entries/plugin.ts'
import { settledUntil, whyOver } from '../lifetime.ts'
import type { Seen } from '../observer.ts'
import { adopt, hadRecord } from './adopt.ts'
import { fits } from './bind.ts'
import { endSession } from './end.ts'
import { changeRecord, cutTo, type Keeping, lifeFrom, settle } from './record.ts'
import { claimsOf, type SessionData, type SessionRecord } from './session-record.ts'

/** Marks a session as seen. @returns whether it is active. */
export async function touch(
  session: SessionFacts,
  request: Seen,
  keeping: Keeping,
): Promise<Verdict> {
  const now = keeping.host.ports.now()
  const record = await adopt(session, keeping)
  if (!record) return (await hadRecord(session)) ? 'ended' : 'good'
  const { data } = record
  if (data.ended) return whyEnded(record, keeping)
  if (!(await fits(record, request, keeping))) return 'ended'
  // Another process may have written it meanwhile.
  if (now - data.seen >= keeping.settings.touch * 1000)
    await keeping.records.replace(record, { data: { ...data, seen: now } })
  return 'good'
}

/** Extends a session. @returns its new claims, as the hook `onExtend` does. */
export async function extend(
  session: SessionFacts,
  until: number,
  request: Seen,
  keeping: Keeping,
): Promise<'extend' | 'later' | 'ended' | JsonObject> {
  try {
    const sid = await session.sid()
    const seen = keeping.host.ports.now()
    let isSettled = false
    const extended = await changeRecord(
      sid,
      (data) => {
        if (data.ended || whyOver(data, seen, keeping.settings)) return undefined
        const next = extendedData(data, session, until, keeping)
        isSettled = next === undefined
        return next && { ...next, seen }
      },
      keeping,
    )
    if (!extended) return await extendAdopted(session, until, keeping)
    if (isSettled) return 'later'
    const { record } = extended
    if (extended.isChanged)
      return (await fits(record, request, keeping)) ? claimsOf(record.data) : 'ended'
    if (record.data.ended) await whyEnded(record, keeping)
    else await endSession({ sid }, { reason: 'absolute' }, keeping)
    return 'ended'
  } catch {
    // The store has logged the failure. A session is extended only if its record is.
    return 'later'
  }
}

/** Returns the data of an extended session; `undefined` if its row already ends at its limit. */
function extendedData(
  data: SessionData,
  session: SessionFacts,
  until: number,
  keeping: Keeping,
): SessionData | undefined {
  const life = lifeFrom(data.begun, data, keeping)
  const cut = cutTo(until, life, keeping)
  // A row from before the plugin may end later, and is limited.
  const isSettled =
    session.strategy === 'database' &&
    cut < until &&
    cut >= session.expires &&
    keeping.host.ports.now() < settledUntil(session.expires, life, keeping.settings)
  if (cut < until) settle(session, isSettled ? session.expires : cut, life, keeping)
  // Another process with a faster clock may have sealed a cookie that lasts longer.
  const lasts = session.strategy === 'jwt' ? Math.max(data.until, cut) : cut
  return isSettled ? undefined : { ...data, ...life, until: lasts }
}

async function extendAdopted(
  session: SessionFacts,
  until: number,
  keeping: Keeping,
): Promise<'extend' | 'ended' | JsonObject> {
  const record = await adopt({ ...session, expires: until }, keeping)
  if (!record) return (await hadRecord(session)) ? 'ended' : 'extend'
  return record.data.ended ? 'ended' : claimsOf(record.data)
}

/** Returns the verdict for a session that ended, and writes the log if it has no entry yet. */
async function whyEnded(record: SessionRecord, keeping: Keeping): Promise<Verdict> {
  const { ended, stored, isDamaged } = record.data
  if (isDamaged) {
    await endSession({ sid: record.key }, { reason: 'application' }, keeping)
    return 'ended'
  }
  if (!stored && ended?.seq === undefined) {
    const publish = async () => (await keeping.revocations())?.publish(record)
    void keeping.host.work.background('revocation', publish)
  }
  return ended?.reason === 'replaced' ? 'replaced' : 'ended'
}

/** Stores the new key of a row. The record has both keys until the row is written. */
export async function rekey(
  session: SessionFacts,
  to: string,
  when: 'before' | 'after',
  keeping: Keeping,
): Promise<void> {
  await changeRecord(
    await session.sid(),
    (data) => {
      if (data.ended) throw new Problem('conflict', 'an ended session cannot get a new key')
      return { ...data, stored: when === 'before' ? [session.key, to] : [to] }
    },
    keeping,
  )
}

/** Sets or removes the name of a session. @returns the session; `null` if it is over or unknown. */
export async function rename(
  sid: string,
  userId: string,
  name: string,
  keeping: Keeping,
): Promise<SessionRecord | null> {
  let isKnown = false
  const renamed = await changeRecord(
    sid,
    (data, record) => {
      isKnown = record.userId === userId && !data.ended && data.until > keeping.host.ports.now()
      const { name: _, ...rest } = data
      return isKnown ? { ...rest, ...(name !== '' && { name }) } : undefined
    },
    keeping,
  )
  return isKnown && renamed ? renamed.record : null
}
