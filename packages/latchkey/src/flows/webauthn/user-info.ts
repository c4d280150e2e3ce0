import type { AuthRequest } from '../../http/request.ts'
import type { UserInfo } from '../../options/provider-options.ts'
import type { Store } from '../../store/store.ts'
import { normalizeAddress } from '../email/normalize-address.ts'

/**
 * Returns the user whose address the visitor sent in the field `email`.
 *
 * @returns `null` without the field. An invalid address belongs to no stored user.
 */
export async function describeVisitor(
  store: Store,
  { query }: AuthRequest,
): Promise<UserInfo | null> {
  const given = query.get('email')
  if (!given) return null
  const email = usable(given)
  if (email === undefined) return { user: {}, exists: false }
  const user = await store.getUserByEmail(email)
  return user ? { user, exists: true } : { user: { email }, exists: false }
}

function usable(address: string): string | undefined {
  try {
    return normalizeAddress(address)
  } catch {
    return undefined
  }
}
