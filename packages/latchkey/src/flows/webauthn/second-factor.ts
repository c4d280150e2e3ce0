import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import type { Store } from '../../store/store.ts'

/** The id of no key. */
export const NONE = 'none'

/**
 * Returns the keys with which a user signs in, without those that are only second factors. It takes as long for a user without
 * keys.
 */
export async function keysForSignIn(
  userId: string,
  provider: string,
  store: Pick<Store, 'listAuthenticatorsByUserId' | 'getAccount'>,
): Promise<AdapterAuthenticator[]> {
  const keys = await store.listAuthenticatorsByUserId(userId)
  const ids = keys.length > 0 ? keys.map((key) => key.providerAccountId) : [NONE]
  const accounts = await Promise.all(ids.map((id) => store.getAccount(id, provider)))
  return keys.filter((_, at) => accounts[at]?.userId === userId)
}
