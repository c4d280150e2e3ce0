import type { Provider, ProviderConfig } from '../../options/provider-options.ts'
import { mergeOptions } from './merge-options.ts'
import { haveSameMembers } from './same-members.ts'

/** Providers that are objects, before and after the merge. */
const resolved = new WeakMap<ProviderConfig, { seen: ProviderConfig; merged: ProviderConfig }>()

/** The first provider objects of configurations, which show whether the same objects are used again. */
const seenBefore = new WeakSet<ProviderConfig>()

/**
 * Returns providers with the application's options merged over their own.
 *
 * Some applications create a configuration for each request, with new objects. Results are cached from the second time on,
 * since a cache of objects that do not come again only costs time.
 *
 * @throws the error of a provider that is a function.
 */
export function resolveProviders(providers: readonly Provider[]): ProviderConfig[] {
  const first = providers.find((provider) => typeof provider === 'object')
  if (!first || seenBefore.has(first)) return providers.map(resolveProvider)
  seenBefore.add(first)
  return providers.map((provider) =>
    merge(typeof provider === 'function' ? provider({}) : provider),
  )
}

/**
 * Returns a provider with the application's options merged over its own.
 *
 * @throws the error of a provider that is a function.
 */
function resolveProvider(provider: Provider): ProviderConfig {
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
