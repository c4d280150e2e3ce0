import type { SessionFacts, Verdict } from '../../../entries/plugin.ts'
import { ageOf, type Clocks } from '../../../protocols/revocation/moment.ts'
import type { RevocationState } from '../../../protocols/revocation/state.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Returns the epoch of its user when a session began, from its token; `undefined` for a token from before the plugin.
 */
export function epochOf(session: SessionFacts): number | undefined {
  const claims = session.known()
  const epo = claims instanceof Promise ? undefined : claims['epo']
  return typeof epo === 'number' ? epo : undefined
}

/** Returns whether the snapshot may contain the end of a session. If so, the store is read. */
export function isHit(
  { isFull, sids, users }: Snapshot,
  { key, userId }: SessionFacts,
  epoch = 0,
): boolean {
  if (isFull || sids.has(key)) return true
  return users.size > 0 && epoch < (users.get(userId ?? '')?.epoch ?? 0)
}

/** Returns the key under which the verdict on a session is remembered. */
export const verdictKey = ({ key }: SessionFacts, epoch: number | undefined): string =>
  `${key}.${epoch ?? ''}`

/** Returns the verdict on a sealed session that needs no read of the store. */
export function verdictOf(
  session: SessionFacts,
  state: RevocationState<Snapshot>,
  { clocks, bound }: { readonly clocks: Clocks; readonly bound: number },
): Verdict | 'unsure' {
  const { snapshot } = state
  state.reads++
  state.lastRead = clocks.monotonic()
  if (!snapshot || ageOf(snapshot.asOf, clocks) > bound) return 'unsure'
  const epoch = epochOf(session)
  if (!isHit(snapshot, session, epoch)) return 'good'
  const key = verdictKey(session, epoch)
  const reason = state.ended.get(key)
  if (reason !== undefined) return reason === 'replaced' ? 'replaced' : 'ended'
  return state.alive.has(key) ? 'good' : 'unsure'
}
