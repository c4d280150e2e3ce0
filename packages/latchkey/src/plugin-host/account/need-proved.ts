import { Problem } from '../../plugin/problem.ts'
import type { UnprovedUsers } from '../../plugin/provides.ts'

/**
 * Checks that a user may add something to the account that stays there, for example a way to sign in.
 *
 * @throws {Problem} `address_unproved` for a user who was let in before the address is proved: somebody else may have made the
 *   account. It redirects people to the page that asks for the proof.
 */
export async function needProved(userId: string, unproved: UnprovedUsers): Promise<void> {
  if (!unproved.page || !(await unproved.has(userId))) return
  throw new Problem('address_unproved', 'the address of the user is not proved yet', {
    next: unproved.page,
  })
}
