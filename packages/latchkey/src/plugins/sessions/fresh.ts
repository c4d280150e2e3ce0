import type { Host } from '../../plugin-kit.ts'
import type { KnownFacts } from '../../session/facts.ts'

/** Is the last proof at most so many seconds ago? */
export function isFresh(
  { auth_time }: KnownFacts,
  seconds: number,
  { now }: Pick<Host['ports'], 'now'>,
): boolean {
  return auth_time !== undefined && now() / 1000 - auth_time <= seconds
}
