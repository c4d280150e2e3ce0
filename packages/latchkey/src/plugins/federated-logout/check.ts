import { AuthError } from '../../base/errors.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { checkWith } from '../../options/markers.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import type { ProviderConfig } from '../../options/provider-options.ts'
import type { Settings } from './settings.ts'

type Check = (config: AuthConfig, providers: readonly ProviderConfig[]) => AuthError | undefined

/** The plugin, which does not start where it is to listen to providers that cannot be told apart from others. */
export function withKnownProviders(
  plugin: PluginOption<'federatedLogout'>,
  { backchannel, frontchannel }: Settings,
): PluginOption<'federatedLogout'> {
  const named: [string, readonly string[]][] = [
    ['backchannel', backchannel?.providers ?? []],
    ['frontchannel', frontchannel],
  ]
  const check: Check = (config, providers) => {
    const fault = (plugin[checkWith] as Check)(config, providers)
    if (fault) return fault
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
  return { ...plugin, [checkWith]: check }
}
