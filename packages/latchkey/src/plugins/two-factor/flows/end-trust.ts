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

/** Ends the trust of all browsers of a user, also of those whose sign-in waits. */
export async function raiseRevision(
  userId: string,
  { states }: Pick<Own, 'states'>,
): Promise<void> {
  // Also for a user without a factor of this plugin, whose browsers may be trusted for a passkey.
  await states.upsert(userId, (before = NO_FACTORS) =>
    // A damaged record must not become one without factors.
    before.isDamaged ? undefined : { data: { ...before, rev: before.rev + 1 }, userId },
  )
}
