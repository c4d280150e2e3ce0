import type { Ports } from '../../base/ports.ts'
import type { CurrentSession } from '../strategy.ts'

/** A session, and what has it. */
export type Proved = Pick<CurrentSession, 'facts' | 'holder'>

/**
 * Returns whether a person proved their identity in this session at most so many seconds ago. Never true for a program: the
 * proof is that of the person who let it in.
 */
export async function isFresh(
  { facts, holder }: Proved,
  seconds: number,
  { now }: Pick<Ports, 'now'>,
): Promise<boolean> {
  if (holder !== undefined) return false
  const { auth_time: proved } = await facts.known()
  return proved !== undefined && now() / 1000 - proved <= seconds
}
