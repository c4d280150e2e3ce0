import { AuthError, type ProviderConfig } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** Returns the error for a provider that may end sessions but cannot be identified by issuer and client. */
export function unknownProvider(
  { backchannel, frontchannel }: Settings,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const named: [string, readonly string[]][] = [
    ['backchannel', backchannel?.providers ?? []],
    ['frontchannel', frontchannel],
  ]
  for (const [option, ids] of named) {
    for (const id of ids) {
      const provider = providers.find((each) => each.id === id)
      if (provider?.type !== 'oidc' || !provider.issuer) {
        return new AuthError(
          `federatedLogout(): \`${option}\` contains ${JSON.stringify(id)}, but no OpenID Connect provider with an \`issuer\` has this id; the providers are ${providers.map((each) => each.id).join(', ')}`,
        )
      }
    }
  }
  return undefined
}
