import { AuthError, MissingAdapterMethods } from '../../base/errors.ts'
import { atomic } from '../../model/adapter.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { checkWith } from '../../options/markers.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import type { ProviderConfig } from '../../options/provider-options.ts'
import type { Settings } from './settings.ts'
import type { ProviderTokensApi } from './tokens-api.ts'

type Check = (config: AuthConfig, providers: readonly ProviderConfig[]) => AuthError | undefined

/** The plugin, which does not start where it is to keep the tokens of a provider that there is not. */
export function withKnownProviders(
  plugin: PluginOption<'providerTokens', ProviderTokensApi>,
  { providers: named = [], adopted, store }: Settings,
): PluginOption<'providerTokens', ProviderTokensApi> {
  const check: Check = (config, providers) => {
    const fault = (plugin[checkWith] as Check)(config, providers)
    if (fault) return fault
    const { adapter, records = adapter } = config
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
  return { ...plugin, [checkWith]: check }
}
