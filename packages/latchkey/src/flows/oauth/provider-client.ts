import { definedOnly } from '../../base/encoding/defined-only.ts'
import { scopesIn } from '../../base/encoding/scopes.ts'
import { loadOnce, oncePer } from '../../base/once.ts'
import type { ProofKey } from '../../model/proof-key.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { BoundToken, ProviderClient } from '../../plugin/provider-client.ts'
import { MAC_ALGORITHMS } from '../../protocols/oauth/assertion-algorithm.ts'
import { claimsOf, headerOf } from '../../protocols/oauth/jwt-header.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { isTenantIssuer } from '../../protocols/oauth/tenant-issuer.ts'
import { configuredScope, type OAuthFlow, oauthFlow } from './oauth-flow.ts'
import { publishedBy } from './published-metadata.ts'

/** Returns the OAuth or OpenID provider with this id, for plugins; `undefined` if there is none. */
export function providerClient(id: string, plan: Plan): ProviderClient | undefined {
  const config = plan.providerConfigs.find((provider) => provider.id === id)
  if (config?.type !== 'oauth' && config?.type !== 'oidc') return undefined
  return clientsOf(plan)(config as OAuth2Config<unknown>)
}

/** Created once for a plan, so that refusing a token at once costs little. */
const clientsOf = oncePer(
  (plan: Plan) =>
    oncePer((config: OAuth2Config<unknown>) => createClient(config, plan), new WeakMap()),
  new WeakMap<Plan, (config: OAuth2Config<unknown>) => ProviderClient>(),
)

function createClient(config: OAuth2Config<unknown>, plan: Plan): ProviderClient {
  const flow = oauthFlow(plan)(config)
  const { id } = flow
  const { issuer, name, type, endSession, tenantIssuer } = flow.config
  return {
    id,
    name: name || id,
    type,
    clientId: flow.clientId,
    issuer,
    endSession,
    members: flow.config as unknown as Readonly<Record<string, unknown>>,
    metadata: async () => (await publishedBy(flow)).server,
    isIssuer: (named) =>
      named === issuer || (tenantIssuer !== undefined && isTenantIssuer(tenantIssuer, named)),
    isSecure: flow.isSecure,
    acceptsAlgorithm: (algorithm) => acceptsAlgorithm(algorithm, flow, undefined),
    verify: (jwt) => verify(jwt, flow),
    rules: flow.config.tokens ?? {},
    scopes: scopesIn(configuredScope(flow) ?? ''),
    refresh: async (tokens, params) =>
      (await loadRenewal()).renewTokens(flow, tokens, definedOnly({ params })),
    exchange: async (params, key) => (await loadRenewal()).exchangeToken(flow, params, key),
    bound: (key, accessToken) => boundLazily(flow, key, accessToken),
    canRevoke: async () => (await loadRevocation()).canRevoke(flow),
    revoke: async (token, hint) => (await loadRevocation()).revokeToken(flow, token, hint),
  }
}

/** Algorithms of public-key signatures, without MACs. */
const SIGNATURES = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$|^ML-DSA-(?:44|65|87)$/

/** Returns whether the algorithm is allowed, as for ID tokens: the configured one, or a listed one that is no MAC. */
function acceptsAlgorithm(
  algorithm: string,
  { config }: OAuthFlow,
  metadata: Metadata | undefined,
): boolean {
  const configured = config.client?.id_token_signed_response_alg
  if (configured !== undefined) {
    const isKnown = SIGNATURES.test(algorithm) || MAC_ALGORITHMS.includes(algorithm)
    return isKnown && algorithm === configured
  }
  if (!SIGNATURES.test(algorithm)) return false
  if (!metadata) return true
  const listed = metadata.server.id_token_signing_alg_values_supported
  return Array.isArray(listed) ? listed.includes(algorithm) : algorithm === 'RS256'
}

async function verify(jwt: string, flow: OAuthFlow): Promise<void> {
  const { config, clientId, send, plan } = flow
  const { tenantIssuer, clientSecret } = config
  const metadata = await flow.server()
  const { alg } = headerOf(jwt)
  if (!acceptsAlgorithm(alg, flow, metadata)) {
    throw new TypeError(
      `provider ${flow.id}: the algorithm ${JSON.stringify(alg)} is not among those that the provider signs with`,
    )
  }
  const named = String(claimsOf(jwt)['iss'])
  const isOfTenant =
    metadata.isOfAllTenants && tenantIssuer !== undefined && isTenantIssuer(tenantIssuer, named)
  const { verifyLoneJwt } = await loadVerifier()
  const expected = { issuer: isOfTenant ? named : metadata.server.issuer, clientId }
  await verifyLoneJwt({ metadata, jwt, clientSecret }, expected, send, plan.ports)
}

/** Loaded later, because few providers bind their tokens. */
function boundLazily(flow: OAuthFlow, key: ProofKey, accessToken: string): BoundToken {
  const load = loadOnce(async () => (await import('./dpop.ts')).boundToken(flow, key, accessToken))
  return {
    proof: async (method, url) => (await load()).proof(method, url),
    fetch: (send) => async (input, init) => (await load()).fetch(send)(input, init),
  }
}

/** Loaded later, because the protocol library is large. */
const loadVerifier = loadOnce(() => import('../../protocols/oauth/lone-jwt.ts'))

const loadRenewal = loadOnce(() => import('./tokens/renew-tokens.ts'))

const loadRevocation = loadOnce(() => import('./tokens/revoke-token.ts'))
