import type { AdapterUser } from '../../model/user.ts'
import type { Host } from '../../plugin/host.ts'
import { Problem } from '../../plugin/problem.ts'
import type { Call } from '../../plugin/route.ts'
import type { CurrentSession } from '../../session/strategy.ts'

/** A person who is signed in. */
export interface Person {
  readonly user: AdapterUser
  readonly session: CurrentSession
}

/**
 * Returns the person who calls. Programs that act for a user do not look after the account.
 *
 * @throws {Problem} `unauthenticated` without a session of a person, and if the user was deleted.
 */
export async function personOf(
  { current }: Pick<Call<unknown>, 'current'>,
  { store }: Pick<Host, 'store'>,
): Promise<Person> {
  if (!current || current.holder !== undefined)
    throw new Problem('unauthenticated', 'the session is not one of a person')
  const user = await store?.getUser(String(current.user.id))
  if (!user) throw new Problem('unauthenticated', 'the user is deleted')
  return { user, session: current }
}
