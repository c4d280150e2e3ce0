import type { Provider, ProviderConfig } from '../options/provider-options.ts'
import { mergeOptions } from './merge-options.ts'
import { haveSameMembers } from './same-members.ts'

/** Providers that are objects, before and after the merge. */
const resolved = new WeakMap<ProviderConfig, { seen: ProviderConfig; merged: ProviderConfig }>()

/**
 * Returns a provider with the application's options merged over its own.
 *
 * @throws the error of a provider that is a function.
 */
export function resolveProvider(provider: Provider): ProviderConfig {
  if (typeof provider === 'function') return merge(provider({}))
  const known = resolved.get(provider)
  // The object may change after the first use, for example by `setEnvDefaults`.
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
