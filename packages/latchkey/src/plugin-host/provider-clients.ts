import { withProviders } from '../core/compile/providers.ts'
import { providerClient } from '../flows/oauth/provider-client.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { ProviderClient } from '../plugin/provider-client.ts'

/** Returns the OAuth client for the provider with this id; `undefined` if there is none. */
export function clientOfProvider(id: string, plan: SessionPlan): ProviderClient | undefined {
  return providerClient(id, withProviders(plan))
}
