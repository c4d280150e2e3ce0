import type { Provider, ProviderConfig } from '../options/provider-options.ts'
import { mergeOptions } from './merge-options.ts'
import { haveSameMembers } from './same-members.ts'

/** Providers given as objects, as they were and as they became. */
const resolved = new WeakMap<ProviderConfig, { seen: ProviderConfig; merged: ProviderConfig }>()

/**
 * A provider with the application's options merged over its own.
 *
 * @throws what a provider given as a function throws.
 */
export function resolveProvider(provider: Provider): ProviderConfig {
  if (typeof provider === 'function') return merge(provider({}))
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
