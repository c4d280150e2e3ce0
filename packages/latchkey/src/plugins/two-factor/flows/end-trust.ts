import type { Own } from '../own.ts'
import { NO_FACTORS } from '../records/state.ts'
import { endPending } from './end-others.ts'

/**
 * Asks for the second factor in every browser of a user again, and ends the sign-ins that wait.
 *
 * @param goesOn the key of a sign-in of which the change is a step.
 */
export async function endTrust(
  userId: string,
  goesOn: string | undefined,
  own: Own,
): Promise<void> {
  await raiseRevision(userId, own)
  await endPending(userId, own, goesOn)
}

/**
 * Ends the trust of all browsers of a user, also of those whose sign-in waits.
 *
 * @returns the revisions of the factors before and after.
 */
export async function raiseRevision(
  userId: string,
  { states }: Pick<Own, 'states'>,
): Promise<readonly [from: number, to: number]> {
  let from = 0
  // Also for a user without a factor of this plugin, whose browsers may be trusted for a passkey.
  await states.upsert(userId, (before = NO_FACTORS) => {
    from = before.rev
    // A damaged record must not become one without factors.
    return before.isDamaged ? undefined : { data: { ...before, rev: from + 1 }, userId }
  })
  return [from, from + 1]
}
