import { isJsonObject, parseJsonObject } from '../../base/encoding/json.ts'
import { AuthError, isAuthError, OAuthSignInError, toError } from '../../base/errors.ts'
import { loadOnce } from '../../base/once.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted } from '../../http/safe-url.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import type { Visit } from '../../plan/provider.ts'
import { isSecureAddress } from '../../protocols/oauth/limited-fetch.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { visitorOf } from '../../sign-in/visitor.ts'
import { type Attempt, beginAttempt } from './attempt.ts'
import { configuredScope, type OAuthFlow } from './oauth-flow.ts'

/** Parameters that bind the request, or that belong to a response. Callers cannot set them. */
const RESERVED: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_challenge_method',
  'dpop_jkt',
  'request',
  'request_uri',
  'callbackUrl',
  'csrfToken',
])

/** Configured parameters that a caller may change. Callers cannot change other configured parameters. */
const CHANGEABLE: ReadonlySet<string> = new Set([
  'scope',
  'prompt',
  'login_hint',
  'display',
  'ui_locales',
])

/** Parameters that a caller may set if the provider has a security profile. */
const HARMLESS: ReadonlySet<string> = new Set(['login_hint', 'ui_locales', 'prompt', 'acr_values'])

/** Sends the visitor to the authorization endpoint (RFC 6749 section 4.1.1). */
export async function begin(flow: OAuthFlow, request: AuthRequest, visit: Visit): Promise<Outcome> {
  if (flow.clientId === '') {
    const variable = `AUTH_${flow.id.toUpperCase().replaceAll('-', '_')}_ID`
    throw new AuthError(`provider ${flow.id}: \`clientId\` is missing; set it, or ${variable}`)
  }
  const metadata = await findServer(flow)
  const { endpoint, fragment, params } = flow.authorizationRequest(metadata)
  const query = new URLSearchParams(params)
  const redirectUri = flow.redirectUri(request)
  if (flow.config.securityProfile) needSecure(flow, redirectUri)
  query.set('redirect_uri', redirectUri)
  const { requiredAcr } = flow.config
  const acr = requiredAcr ?? contextsOfPlugins(flow)
  if (acr.length > 0 && !query.has('acr_values')) query.set('acr_values', acr.join(' '))
  if (request.query.size > 0) addAsked(query, flow, request, visit)
  const scope = configuredScope(flow)
  if (!query.has('scope') && scope !== undefined) query.set('scope', scope)
  const demands = askedFor(query, requiredAcr)
  if (await needsNewProof(flow, query, request)) {
    query.set('max_age', String(Math.floor(flow.plan.watch?.freshAge ?? 0)))
  }
  const dpop = flow.config.dpop ? await (await loadDpop()).createProofKey(flow) : undefined
  const { params: binding, cookies } = await beginAttempt(
    flow,
    checksFor(flow, metadata),
    request,
    {
      callbackUrl: visit.callbackUrl,
      kept: visit.kept,
      ...(visit.context && { context: visit.context }),
      ...(visit.linksNothing && { linksNothing: true }),
      bound: visit.bound && { ...visit.bound, scope: query.get('scope') ?? undefined },
      dpop,
      ...demands,
    },
  )
  for (const [name, value] of Object.entries(binding)) query.set(name, value)
  if (dpop) query.set('dpop_jkt', await (await loadDpop()).thumbprintOf(flow, dpop))
  flow.plan.logger.debug('authorization request', () => ({
    provider: flow.id,
    endpoint,
    names: [...query.keys()],
  }))
  const sent = isPushed(flow, metadata)
    ? await (await loadPushing()).pushRequest(flow, metadata, query)
    : query
  return redirect(trusted(`${endpoint}?${sent}${fragment}`), cookies)
}

/** Adds the parameters of the caller that it may set. */
function addAsked(
  query: URLSearchParams,
  { config }: OAuthFlow,
  request: AuthRequest,
  visit: Visit,
): void {
  const configured = new Set(query.keys())
  for (const [name, value] of request.query) {
    if (RESERVED.has(name) || (configured.has(name) && !CHANGEABLE.has(name))) continue
    if (config.securityProfile && !visit.bound && !HARMLESS.has(name)) continue
    query.set(name, value)
  }
}

/** @throws {OAuthSignInError} if the callback URL is plain http on another machine. */
function needSecure({ id: provider }: OAuthFlow, redirectUri: string): void {
  if (isSecureAddress(new URL(redirectUri))) return
  throw new OAuthSignInError(
    `provider ${provider}: its callback URL ${redirectUri} is not https (\`securityProfile: 'fapi2'\`); set AUTH_URL to an https address`,
    { provider },
  )
}

/** Loaded later, because few providers need it and the protocol library is large. */
const loadPushing = loadOnce(() => import('./pushed-request.ts'))

const loadDpop = loadOnce(() => import('./dpop.ts'))

/** Returns whether the request is pushed to the provider first (RFC 9126 section 5). */
function isPushed({ config: { par = 'auto' } }: OAuthFlow, { server }: Metadata): boolean {
  return par === 'auto' ? server.require_pushed_authorization_requests === true : par
}

/**
 * Returns the requirements on the response. `max_age` binds the provider (OpenID Connect Core section 3.1.2.1);
 * `acr_values` is only a preference, and the provider may use another context.
 */
function askedFor(
  query: URLSearchParams,
  requiredAcr: readonly string[] | undefined,
): Pick<Attempt, 'maxAge' | 'acr'> {
  const maxAge = query.get('max_age')
  const acr = requiredAcr ?? essentialAcr(query.get('claims'))
  return {
    ...(maxAge !== null && /^\d+$/.test(maxAge) ? { maxAge: Number(maxAge) } : {}),
    ...(acr.length > 0 ? { acr } : {}),
  }
}

/** Returns the contexts that plugins ask a provider for: whoever has no ID token cannot say that it has one. */
function contextsOfPlugins({ id, plan, config: { type } }: OAuthFlow): readonly string[] {
  return (type === 'oidc' && plan.plugins?.proofs.askOfProvider(id)) || []
}

/**
 * Returns whether to request a new proof, because the signed-in user proved their identity too long ago. A provider
 * that reports the time of the proof would otherwise report the same time. The response is not checked for it, since
 * not every provider supports it.
 */
async function needsNewProof(
  { plan, config: { type } }: OAuthFlow,
  query: URLSearchParams,
  request: AuthRequest,
): Promise<boolean> {
  if (type !== 'oidc' || query.has('max_age') || query.has('prompt')) return false
  const visitor = visitorOf(request, plan)
  return !(await visitor.isFresh()) && (await visitor.user()) !== null
}

/** Returns the contexts that the `claims` parameter requests as essential (OpenID Connect Core section 5.5.1.1). */
function essentialAcr(claims: string | null): readonly string[] {
  const idToken = parseJsonObject(claims ?? undefined)?.['id_token']
  const acr = isJsonObject(idToken) ? idToken['acr'] : undefined
  if (!isJsonObject(acr) || acr['essential'] !== true) return []
  return [acr['value'], acr['values']].flat().filter((context) => typeof context === 'string')
}

/** @throws {OAuthSignInError} if the provider's metadata cannot be read. */
async function findServer(flow: OAuthFlow): Promise<Metadata> {
  try {
    return await flow.endpoints()
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new OAuthSignInError(toError(error), { provider: flow.id })
  }
}

/**
 * Adds a nonce if the server lists its PKCE methods without S256 (RFC 9700 section 2.1.1), or
 * if its list was not read.
 */
export function checksFor(
  flow: OAuthFlow,
  { server, isUnread = false }: Metadata,
): readonly OAuthCheck[] {
  const methods = server.code_challenge_methods_supported
  const mayLackS256 = Array.isArray(methods) ? !methods.includes('S256') : isUnread
  return mayLackS256 &&
    flow.type === 'oidc' &&
    flow.checks.includes('pkce') &&
    !flow.checks.includes('nonce')
    ? [...flow.checks, 'nonce']
    : flow.checks
}
