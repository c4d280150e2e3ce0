import {
  type AuthorizationServer,
  type Client,
  clockSkew,
  clockTolerance,
  type DPoPHandle,
} from 'oauth4webapi'
import { definedOnly } from '../../base/encoding/defined-only.ts'
import { OAuthSignInError } from '../../base/errors.ts'
import { loadOnce, oncePer } from '../../base/once.ts'
import { systemPorts } from '../../base/ports.ts'
import type { CookieSpec } from '../../http/cookies/cookies.ts'
import { formText, isRepeated } from '../../http/form.ts'
import type { AuthRequest } from '../../http/request.ts'
import {
  FAPI_ALGORITHMS,
  isBoundToCertificate,
  withSecurityProfile,
} from '../../option-checks/security-profile.ts'
import type { CookieName } from '../../options/cookie-policy.ts'
import { customFetch } from '../../options/markers.ts'
import type {
  EndpointContext,
  EndpointHandler,
  OAuth2Config,
  OAuthCheck,
  OIDCConfig,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from '../../options/provider-options.ts'
import { fillTemplates } from '../../options/templates.ts'
import type { Plan } from '../../plan/plan.ts'
import { limitFetch, secureAddresses } from '../../protocols/oauth/limited-fetch.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { compileRedirectProxy, type RedirectProxy } from './redirect-proxy.ts'

/** A compiled OAuth or OpenID Connect provider. */
export interface OAuthFlow extends OAuthEndpoints {
  readonly plan: Plan
  readonly config: OAuth2Config<unknown>
  readonly id: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  readonly checks: readonly OAuthCheck[]
  /** Whether the provider sends the response with a cross-site form post. */
  readonly formPost: boolean
  /** With `dpop`, the proofs of the key of one grant. */
  readonly proofs?: Proofs
  /** Another deployment that receives the provider's responses for this one. */
  readonly proxy: RedirectProxy | undefined
  redirectUri(request: AuthRequest): string
  /** Returns the parameters of the provider's response (RFC 6749 section 4.1.2). Repeated parameters stay repeated. */
  response(request: AuthRequest): URLSearchParams
  /** Returns the attributes of a cookie that browsers send with the provider's response. */
  cookie(name: CookieName, request: AuthRequest): CookieSpec
}

/** The endpoints of a provider, and how requests are sent to them. */
interface OAuthEndpoints {
  readonly authorization: EndpointHandler
  /** The configured parameters of authorization requests. */
  readonly authorizationParams: URLSearchParams
  readonly token: TokenEndpointHandler
  readonly userinfo: UserinfoEndpointHandler
  /** Whether the profile is read from the userinfo endpoint, even if there is an ID token. */
  readonly asksUserinfo: boolean
  /** A `fetch` that is limited in time and size. */
  readonly send: typeof fetch
  /** Returns whether tokens may be sent to this address of the provider. */
  isSecure(url: URL): boolean
  /** Returns endpoints and issuer: the configured values, and the others from the provider's metadata. */
  server(): Promise<Metadata>
  /**
   * Returns the same without the keys that verify a response: reads no metadata if every endpoint is
   * configured, though it may be needed for the provider's keys.
   */
  endpoints(): Promise<Metadata>
  /**
   * Returns the part of an authorization request that is the same for all visitors.
   *
   * @throws {OAuthSignInError} if neither the configuration nor the metadata has a usable endpoint.
   */
  authorizationRequest(metadata: Metadata): AuthorizationRequest
}

/** The part of an authorization request that is the same for all visitors. Callers must not change it. */
export interface AuthorizationRequest {
  /** The endpoint without its query and fragment. */
  readonly endpoint: string
  /** The fragment of the endpoint, which WeChat requires; otherwise empty. */
  readonly fragment: string
  /** The query of the endpoint, the configured parameters, `response_type` and `client_id`. */
  readonly params: URLSearchParams
}

/** Proofs of possession of a key, for the requests of one grant (RFC 9449). */
export interface Proofs {
  /** The handle of the library, for requests to the token endpoint. */
  readonly handle: DPoPHandle
  /** Sends a request to the authorization server, and repeats it if the server requires a nonce. */
  withNonce(ask: () => Promise<Response>): Promise<Response>
  /** @throws {OAuthCallbackError} if the token is not bound to the key. */
  check(tokens: { readonly token_type?: string | undefined }): void
  /** Returns the same flow with proofs in the requests with this access token. */
  using(flow: OAuthFlow, accessToken: string): OAuthFlow
}

/** Creates the flow of a provider, once for a plan. The flow has the metadata and the keys. */
export const oauthFlow: (plan: Plan) => (config: OAuth2Config<unknown>) => OAuthFlow = oncePer(
  (plan: Plan) =>
    oncePer((config: OAuth2Config<unknown>) => createOAuthFlow(config, plan), new WeakMap()),
  new WeakMap(),
)

/** A security profile checks the metadata in addition. @param isAnswered whether no userinfo endpoint is needed. */
function areComplete(
  { authorization_endpoint, token_endpoint, userinfo_endpoint }: Partial<AuthorizationServer>,
  isAnswered: boolean,
): boolean {
  return (
    authorization_endpoint !== undefined &&
    token_endpoint !== undefined &&
    (isAnswered || userinfo_endpoint !== undefined)
  )
}

export function createOAuthFlow(given: OAuth2Config<unknown>, plan: Plan): OAuthFlow {
  const config = withSecurityProfile(fillTemplates(given))
  const { id, type, clientId } = config
  const authorization = endpoint(config.authorization)
  const token: TokenEndpointHandler = endpoint(config.token)
  const userinfo: UserinfoEndpointHandler = endpoint(config.userinfo)
  const custom = config[customFetch]
  const isSecure = secureAddresses(config.wellKnown ?? config.issuer, [
    authorization.url,
    token.url,
    userinfo.url,
    config.jwks_endpoint,
  ])
  const send = limitFetch(plan.ports.fetch, { custom, accepts: isSecure })
  const asksUserinfo = type === 'oauth' || (config as OIDCConfig<unknown>).idToken === false
  const params = authorizationParams(authorization)
  const formPost = params.get('response_mode') === 'form_post'
  const anyProxy = compileRedirectProxy(config, plan)
  // A redirect proxy cannot forward a posted form.
  const proxy = formPost ? undefined : anyProxy
  const checks = (config.checks ?? ['pkce']).filter((check) => check !== 'none')

  const configured: Partial<AuthorizationServer> = definedOnly({
    authorization_endpoint: authorization.url || undefined,
    token_endpoint: withQuery(token),
    userinfo_endpoint: withQuery(userinfo),
    jwks_uri: config.jwks_endpoint || undefined,
  })
  const isAnswered = !asksUserinfo || userinfo.request !== undefined
  const hasEndpoints = !config.securityProfile && areComplete(configured, isAnswered)
  const isComplete = hasEndpoints && (type === 'oauth' || configured.jwks_uri !== undefined)

  /** The library requires an issuer. This value is never compared. */
  const standing: Metadata = {
    server: { issuer: config.issuer ?? `urn:latchkey:provider:${id}`, ...configured },
    keysRefreshedAt: 0,
    isUnread: config.issuer !== undefined && !isComplete,
  }
  /** Merges the configured endpoints into the metadata. Cached with the metadata, which also has the keys. */
  const merged = new WeakMap<Metadata, Metadata>()

  const judged = async (found: AuthorizationServer): Promise<AuthorizationServer> => {
    const { alg = 'ES256' } = typeof config.dpop === 'object' ? config.dpop : {}
    const { fapiMetadata } = await loadFapi()
    return fapiMetadata(found, {
      id,
      isOpenId: type === 'oidc',
      method: config.client?.token_endpoint_auth_method,
      binding: isBoundToCertificate(config) ? 'certificate' : 'dpop',
      dpopAlgorithm: alg,
      algorithms: FAPI_ALGORITHMS,
      isSecure,
    })
  }

  const server = async (): Promise<Metadata> => {
    if (config.issuer === undefined || isComplete) return standing
    const { issuer, wellKnown, tenantIssuer } = config
    const { readMetadata } = await loadMetadata()
    const found = await readMetadata(
      { issuer, wellKnown, tenantIssuer },
      send,
      custom ?? plan.ports.fetch,
      plan.ports,
    )
    let known = merged.get(found)
    if (!known) {
      const { isOfAllTenants = false } = found
      const all = { ...found.server, ...configured }
      const server = config.securityProfile ? await judged(all) : all
      known = { server, keysRefreshedAt: 0, isOfAllTenants }
      merged.set(found, known)
    }
    return known
  }

  const flow: OAuthFlow = {
    plan,
    config,
    id,
    type,
    clientId: clientId ?? '',
    checks: anyProxy && !checks.includes('state') ? [...checks, 'state'] : checks,
    authorization,
    authorizationParams: params,
    token,
    userinfo,
    formPost,
    asksUserinfo,
    send,
    isSecure,
    proxy,
    redirectUri: ({ base, origin }) =>
      proxy && proxy.origin !== origin ? proxy.redirectUri : `${base}/callback/${id}`,
    response: (request) =>
      formPost && request.method === 'POST'
        ? formParams(request)
        : new URLSearchParams(request.query),
    cookie(name, { secure }) {
      const spec = plan.cookies(secure)[name]
      return formPost
        ? { ...spec, options: { ...spec.options, sameSite: 'none', secure: true } }
        : spec
    },
    server,
    endpoints: async () => (hasEndpoints ? standing : server()),
    authorizationRequest: oncePer(
      (metadata: Metadata) => authorizationRequest(flow, metadata),
      new WeakMap(),
    ),
  }
  return flow
}

/** Loaded later, because few providers have a security profile. */
const loadFapi = loadOnce(() => import('../../protocols/oauth/fapi-metadata.ts'))

/** Loaded later, because a provider with all endpoints configured does not need it. */
const loadMetadata = loadOnce(() => import('../../protocols/oauth/metadata.ts'))

function endpoint<Handler extends EndpointHandler>(
  given: string | Handler | undefined,
): Handler | EndpointHandler {
  return typeof given === 'string' ? { url: given } : (given ?? {})
}

function withQuery({ url, params }: EndpointHandler): string | undefined {
  if (!url || !params) return url || undefined
  const target = new URL(url)
  for (const [name, value] of paramEntries(params)) target.searchParams.set(name, value)
  return target.href
}

/** Returns the parameters of the authorization endpoint: those of its URL, and the configured ones. */
function authorizationParams({ url, params = {} }: EndpointHandler): URLSearchParams {
  const query = new URLSearchParams(url && URL.canParse(url) ? new URL(url).search : '')
  for (const [name, value] of paramEntries(params)) query.set(name, value)
  return query
}

function paramEntries(params: Record<string, unknown>): [string, string][] {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [
      name,
      JSON_PARAMS.has(name) && typeof value !== 'string' ? JSON.stringify(value) : String(value),
    ])
}

/**
 * Returns the default scopes of a sign-in; `undefined` for none. A plain OAuth provider gets the default only
 * if its endpoint is configured, as in Auth.js.
 */
export function configuredScope(flow: OAuthFlow): string | undefined {
  const { authorization, type, config } = flow
  const own = flow.authorizationParams.get('scope')
  if (own !== null) return own
  if (authorization.params?.['scope'] === null) return undefined
  return type === 'oidc' || config.authorization !== undefined ? 'openid profile email' : undefined
}

/** Parameters with JSON values (OpenID Connect Core section 5.5, RFC 9396 section 2). */
const JSON_PARAMS: ReadonlySet<string> = new Set(['claims', 'authorization_details'])

function formParams({ form }: AuthRequest): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of Object.keys(form)) {
    const value = formText(form, name) ?? ''
    params.append(name, value)
    if (isRepeated(form, name)) params.append(name, value)
  }
  return params
}

/** Returns the argument of a provider's own `request` function. */
export function endpointContext(
  { config, send, id }: OAuthFlow,
  { base }: AuthRequest,
): EndpointContext {
  const signinUrl = `${base}/signin/${id}`
  const callbackUrl = `${base}/callback/${id}`
  return { provider: { ...config, signinUrl, callbackUrl }, fetch: send }
}

/** Returns the OAuth client of this application at the provider. */
export function clientOf({ config, clientId }: OAuthFlow): Client {
  // RFC 8705 section 5: a client with a certificate uses the aliases of the endpoints, if there are any.
  const usesTls = config.client?.token_endpoint_auth_method?.includes('tls_client_auth') === true
  return {
    ...(usesTls ? { use_mtls_endpoint_aliases: true } : {}),
    ...config.client,
    client_id: clientId,
  }
}

/** Seconds by which the provider's clock may differ from ours. */
const CLOCK_TOLERANCE = 30

/** Returns the same client with the clock of the ports. */
export function clockedClientOf(flow: OAuthFlow): Client {
  const skew = Math.round((flow.plan.ports.now() - systemPorts.now()) / 1000)
  return { ...clientOf(flow), [clockTolerance]: CLOCK_TOLERANCE, [clockSkew]: skew }
}

function authorizationRequest(flow: OAuthFlow, metadata: Metadata): AuthorizationRequest {
  const url = authorizationEndpoint(flow, metadata)
  const params = new URLSearchParams(url.search)
  for (const [name, value] of flow.authorizationParams) params.set(name, value)
  if (!params.has('response_type')) params.set('response_type', 'code')
  params.set('client_id', flow.clientId)
  const { hash: fragment } = url
  url.search = ''
  url.hash = ''
  return { endpoint: url.href, fragment, params }
}

/** @throws {OAuthSignInError} if neither the configuration nor the metadata has a usable endpoint. */
function authorizationEndpoint(flow: OAuthFlow, { server }: Metadata): URL {
  const { id, config } = flow
  const endpoint = server.authorization_endpoint
  if (endpoint === undefined) {
    throw new OAuthSignInError(
      `provider ${id}: the metadata has no authorization endpoint; set \`authorization\``,
    )
  }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const mayBePlain = url?.protocol === 'http:' && config[customFetch] !== undefined
  if (!url || !(mayBePlain || flow.isSecure(url))) {
    throw new OAuthSignInError(
      `provider ${id}: the authorization endpoint must be an https address; for plain http on this machine, set \`authorization\` or a \`customFetch\``,
    )
  }
  return url
}
