import {
  type AuthConfig,
  AuthError,
  atomic,
  MissingAdapterMethods,
  type ProviderConfig,
} from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** Returns the error for a provider that is not configured, or whose tokens the adapter cannot move. */
export function providerFault(
  { providers: named = [], adopted, store }: Settings,
  { adapter, records = adapter }: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const isInRecords = store !== 'cookie' && adapter && records?.[atomic]?.createRecord
  if (adopted.length > 0 && isInRecords && !adapter[atomic]?.listAccountsByUserId) {
    return new MissingAdapterMethods(
      "providerTokens(): `adoptFromSession` stores tokens with the accounts of their user, which the adapter cannot list; set `store: 'cookie'`, or use an adapter of Latchkey",
      { method: 'listAccountsByUserId' },
    )
  }
  const known = providers.filter(({ type }) => type === 'oauth' || type === 'oidc')
  const unknown = named.find((id) => known.every((each) => each.id !== id))
  if (unknown === undefined) return undefined
  return new AuthError(
    `providerTokens(): \`providers\` contains ${JSON.stringify(unknown)}, but no OAuth or OpenID Connect provider has this id; the ids are ${known.map(({ id }) => id).join(', ')}`,
  )
}
