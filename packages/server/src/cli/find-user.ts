import type { Adapter, AdapterUser } from 'latchkey/adapters'
import { UserError } from '../user-error.ts'

/**
 * Returns the user with this id or address.
 *
 * @throws {UserError} if there is none.
 */
export async function findUser(user: string, adapter: Adapter | undefined): Promise<AdapterUser> {
  const found = user.includes('@')
    ? await adapter?.getUserByEmail?.(user)
    : await adapter?.getUser?.(user)
  if (!found) throw new UserError(`users: there is no user ${user}; give the id or the address`)
  return found
}
