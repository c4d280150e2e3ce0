import { compileCredentials } from '../flows/credentials/credentials-provider.ts'
import { compileEmail } from '../flows/email/email-provider.ts'
import { compileOAuth } from '../flows/oauth/oauth-provider.ts'
import { compileWith } from '../options/markers.ts'
import type { Provider, ProviderConfig } from '../options/provider-options.ts'
import type { Plan } from '../plan.ts'
import type { CompiledProvider } from '../provider.ts'
import { mergeOptions } from './merge-options.ts'
import { haveSameMembers } from './same-members.ts'

/** The table of provider types: how each becomes a {@link CompiledProvider}. */
const compilers: {
  readonly [Type in ProviderConfig['type']]: Compiler<Extract<ProviderConfig, { type: Type }>>
} = {
  oauth: compileOAuth,
  oidc: compileOAuth,
  email: compileEmail,
  credentials: compileCredentials,
  // Few applications have passkeys: the provider's module brings them along.
  webauthn: (config, plan) => (config[compileWith] as Compiler<typeof config>)(config, plan),
}

type Compiler<Config> = (config: Config, plan: Plan) => CompiledProvider

/** Providers given as objects, as they were and as they became. */
const resolved = new WeakMap<ProviderConfig, { seen: ProviderConfig; merged: ProviderConfig }>()

/**
 * A provider with the application's options merged over its own.
 *
 * @throws what a provider given as a function throws.
 */
export function resolveProvider(provider: Provider): ProviderConfig {
  if (typeof provider === 'function') return merge(provider())
  const known = resolved.get(provider)
  // An application may still fill in its object after it was first seen, as `setEnvDefaults` does.
  if (known && haveSameMembers(known.seen, provider)) return known.merged
  const merged = merge(provider)
  resolved.set(provider, { seen: { ...provider }, merged })
  return merged
}

function merge({ options, ...description }: ProviderConfig): ProviderConfig {
  const merged = mergeOptions(description as ProviderConfig, options)
  return 'defaultIssuer' in merged && merged.issuer === undefined
    ? { ...merged, issuer: merged.defaultIssuer }
    : merged
}

export function compileProvider(config: ProviderConfig, plan: Plan): CompiledProvider | undefined {
  const compile = compilers[config.type] as
    | ((config: ProviderConfig, plan: Plan) => CompiledProvider)
    | undefined
  return compile?.(config, plan)
}
