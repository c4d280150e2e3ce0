import type { Seen } from '../observer.ts'
import type { BoundFact } from '../settings.ts'
import { endSession } from './end.ts'
import { changeRecord, type Keeping } from './record.ts'
import type { SessionData, SessionRecord } from './session-record.ts'

/**
 * Compares the facts to which a session is bound with those of a request.
 *
 * @returns whether the session stays valid.
 */
export async function fits(
  record: SessionRecord,
  request: Seen,
  keeping: Keeping,
): Promise<boolean> {
  const { settings, host } = keeping
  if (settings.bind.length === 0) return true
  const changed = await changedFacts(record.data, request, keeping)
  if (changed.length === 0) return true
  const sid = record.key
  if (settings.bindReaction === 'end') {
    await endSession({ sid }, { reason: 'binding' }, keeping)
    return false
  }
  const noted = await changeRecord(
    sid,
    (data) => {
      const suspected = new Set([...(data.suspected ?? []), ...changed])
      const isNew = suspected.size > (data.suspected?.length ?? 0) && !data.ended
      return isNew ? { ...data, suspected: [...suspected] } : undefined
    },
    keeping,
  )
  if (noted?.isChanged)
    await host.tell('sessionSuspected', { sid, userId: record.userId ?? '', changed })
  return true
}

/**
 * Returns the bound facts that a request contradicts. A fact that was not stored, or that the request does not show, is
 * no contradiction.
 */
async function changedFacts(
  { device, address }: SessionData,
  request: Seen,
  { settings: { bind }, observer }: Keeping,
): Promise<BoundFact[]> {
  const isFamilyBound = device !== undefined && bind.some((fact) => fact !== 'network')
  const seen = isFamilyBound ? await observer.device(request) : undefined
  const network =
    address !== undefined && bind.includes('network') ? await observer.network(request) : undefined
  const isChanged = (fact: BoundFact): boolean => {
    if (fact === 'network') return network !== undefined && network !== address
    if (seen === undefined || seen.kind === 'unknown') return false
    return device?.[fact] !== undefined && device[fact] !== seen[fact]
  }
  return bind.filter(isChanged)
}
