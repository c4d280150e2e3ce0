import { scopesIn } from '../encoding/scopes.ts'
import { configuredScope, createOAuthFlow } from '../flows/oauth/oauth-flow.ts'
import { renewTokens } from '../flows/oauth/renew-tokens.ts'
import { canRevoke, revokeToken } from '../flows/oauth/revoke-token.ts'
import { oncePer } from '../once.ts'
import type { OAuth2Config } from '../options/provider-options.ts'
import type { SessionPlan } from '../plan.ts'
import type { ProviderClient } from '../plugin.ts'
import { withProviders } from './providers.ts'

const clientsOf = oncePer(
  (_plan: SessionPlan) => new Map<string, ProviderClient>(),
  new WeakMap<SessionPlan, Map<string, ProviderClient>>(),
)

/** Returns a provider as plugins ask it; `undefined` for what is none of OAuth or OpenID Connect. */
export function providerClient(id: string, plan: SessionPlan): ProviderClient | undefined {
  const clients = clientsOf(plan)
  const known = clients.get(id)
  if (known) return known
  const provider = withProviders(plan).provider(id)
  if (provider?.type !== 'oauth' && provider?.type !== 'oidc') return undefined
  const flow = createOAuthFlow(provider.config as OAuth2Config<unknown>, withProviders(plan))
  const client: ProviderClient = {
    id,
    name: provider.name ?? id,
    type: provider.type,
    rules: flow.config.tokens ?? {},
    scopes: scopesIn(configuredScope(flow) ?? ''),
    refresh: (tokens, params) => renewTokens(flow, tokens, params),
    canRevoke: () => canRevoke(flow),
    revoke: (token, hint) => revokeToken(flow, token, hint),
  }
  clients.set(id, client)
  return client
}
