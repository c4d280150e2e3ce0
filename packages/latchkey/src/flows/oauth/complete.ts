import {
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  type Client,
  clockSkew,
  clockTolerance,
  expectNoNonce,
  getValidatedIdTokenClaims,
  nopkce,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  skipStateCheck,
  type TokenEndpointResponse,
  userInfoRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { isJsonObject } from '../../encoding/json.ts'
import { formatUuid } from '../../encoding/uuid.ts'
import { OAuthCallbackError, OAuthProfileParseError, toError } from '../../errors.ts'
import { formText, isRepeated } from '../../http/form.ts'
import type { Account, TokenSet } from '../../model/account.ts'
import type { Profile } from '../../model/profile.ts'
import type { User } from '../../model/user.ts'
import { clientAuthentication } from '../../oauth/client-authentication.ts'
import { verifyIdTokenSignature } from '../../oauth/id-token-signature.ts'
import { isSecure } from '../../oauth/limited-fetch.ts'
import type { Metadata } from '../../oauth/metadata.ts'
import { requestOptions } from '../../oauth/request-options.ts'
import { fetchUserInfo } from '../../oauth/userinfo.ts'
import { withoutContents } from '../../oauth/without-contents.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import { systemPorts } from '../../ports.ts'
import type { VerifiedIdentity } from '../../provider.ts'
import type { AuthRequest } from '../../request.ts'
import { checksFor } from './begin.ts'
import { forgetChecks, recallChecks } from './checks.ts'
import { clientOf, type OAuthFlow } from './oauth-flow.ts'

/** Seconds by which the provider's clock may differ from ours. */
const CLOCK_TOLERANCE = 30

/** Takes the visitor back: authorization response, token request, user info (RFC 6749 sections 4.1.2 to 4.1.4). */
export async function complete(flow: OAuthFlow, request: AuthRequest): Promise<VerifiedIdentity> {
  try {
    return await takeBack(flow, request)
  } catch (error) {
    throw withoutContents(error)
  }
}

async function takeBack(flow: OAuthFlow, request: AuthRequest): Promise<VerifiedIdentity> {
  const metadata = await flow.server()
  const checks = checksFor(flow, metadata)
  // `state` first: a provider that refused says so, whatever became of the other values.
  const { values: bound } = await recallChecks(flow, only('state', checks), request)
  const response = authorizationResponse(flow, request, metadata, bound.state)
  const { values, callbackUrl, begunBy } = await recallChecks(flow, checks, request)
  const { tokens, claims } = await redeemCode(flow, request, metadata, response, values)
  const profile = await readProfile(flow, metadata, tokens, claims)
  const user = await describeUser(flow, profile, tokens)
  const account: Account = {
    ...tokens,
    ...expiryOf(tokens, flow),
    provider: flow.id,
    type: flow.type,
    providerAccountId: user.accountId,
  }
  return {
    admission: 'account',
    user: user.user,
    account,
    stored: await storedTokens(flow, account),
    profile,
    linksByAddress: flow.config.allowDangerousEmailAccountLinking === true,
    cookies: forgetChecks(flow, checks, request),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(begunBy === undefined ? {} : { begunBy }),
  }
}

type AuthorizationResponse = ReturnType<typeof validateAuthResponse>

/**
 * RFC 6749 section 4.1.2; a repeated parameter is refused (section 3.1), and so are answers of
 * flows that we did not ask for. `iss` is compared with the issuer when we know it (RFC 9207).
 *
 * @throws {OAuthCallbackError} when the provider reports an error.
 */
function authorizationResponse(
  flow: OAuthFlow,
  request: AuthRequest,
  { server }: Metadata,
  state: string | undefined,
): AuthorizationResponse {
  const params = flow.formPost ? formParams(request) : new URLSearchParams(request.query)
  if (flow.config.issuer === undefined) params.delete('iss')
  try {
    return validateAuthResponse(server, client(flow), params, state ?? skipStateCheck)
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      const { error: code, error_description: description } = error
      withoutContents(error)
      throw new OAuthCallbackError(error, { provider: flow.id, error: code, description })
    }
    throw error
  }
}

function only(name: OAuthCheck, checks: readonly OAuthCheck[]): readonly OAuthCheck[] {
  return checks.includes(name) ? [name] : []
}

/** Repeated fields stay repeated, for the library to refuse. */
function formParams({ form }: AuthRequest): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of Object.keys(form)) {
    const value = formText(form, name) ?? ''
    params.append(name, value)
    if (isRepeated(form, name)) params.append(name, value)
  }
  return params
}

/** Us as a client, with the clock of our ports. */
function client(flow: OAuthFlow): Client {
  const skew = Math.round((flow.plan.ports.now() - systemPorts.now()) / 1000)
  return { ...clientOf(flow), [clockTolerance]: CLOCK_TOLERANCE, [clockSkew]: skew }
}

/** RFC 6749 sections 4.1.3 and 4.1.4, and the ID token (OpenID Connect Core section 3.1.3.7). */
async function redeemCode(
  flow: OAuthFlow,
  request: AuthRequest,
  metadata: Metadata,
  response: AuthorizationResponse,
  values: { readonly pkce?: string; readonly nonce?: string },
): Promise<{ tokens: TokenSet; claims: Record<string, unknown> | undefined }> {
  const { config, token, send, id, type } = flow
  const { server } = metadata
  const authentication = clientAuthentication({
    id,
    clientSecret: config.clientSecret,
    privateKey: token.clientPrivateKey,
    method: config.client?.token_endpoint_auth_method,
  })
  const options = requestOptions(send)
  let answer = await authorizationCodeGrantRequest(
    server,
    client(flow),
    authentication,
    response,
    flow.redirectUri(request),
    values.pkce ?? nopkce,
    options,
  )
  answer = (await token.conform?.(answer.clone())) ?? answer

  // A plain OAuth provider's ID token proves nothing to us; it is only passed on.
  const usesIdToken = type === 'oidc' || values.nonce !== undefined
  const aside = usesIdToken ? undefined : await setIdTokenAside(answer)
  const processed: TokenEndpointResponse = await processAuthorizationCodeResponse(
    server,
    client(flow),
    aside?.response ?? answer,
    {
      expectedNonce: values.nonce ?? expectNoNonce,
      requireIdToken: usesIdToken,
    },
  )
  if (usesIdToken) await verifySignature(flow, metadata, answer)
  const tokens = { ...processed, ...(aside?.idToken ? { id_token: aside.idToken } : {}) }
  return { tokens, claims: getValidatedIdTokenClaims(processed) }
}

async function setIdTokenAside(
  answer: Response,
): Promise<{ response: Response; idToken: string } | undefined> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  if (!isJsonObject(body) || typeof body['id_token'] !== 'string') return undefined
  const { id_token: idToken, ...rest } = body
  const { status, headers } = answer
  return { idToken, response: new Response(JSON.stringify(rest), { status, headers }) }
}

/** Without keys a token is only as good as the connection to the token endpoint (section 3.1.3.7, rule 6). */
async function verifySignature(
  { plan, send, id }: OAuthFlow,
  metadata: Metadata,
  answer: Response,
): Promise<void> {
  const { jwks_uri: keys, token_endpoint: endpoint } = metadata.server
  if (keys !== undefined) return verifyIdTokenSignature(metadata, answer, send, plan.ports)
  if (endpoint === undefined || !isSecure(new URL(endpoint))) {
    throw new TypeError(`provider ${id}: its ID tokens cannot be verified; set \`jwks_endpoint\``)
  }
  plan.logger.warn('id-token-unverified', `provider ${id} names no keys; set \`jwks_endpoint\``)
}

async function readProfile(
  flow: OAuthFlow,
  { server }: Metadata,
  tokens: TokenSet,
  claims: Record<string, unknown> | undefined,
): Promise<Profile> {
  const { userinfo, send, asksUserinfo, id, type } = flow
  if (!asksUserinfo && claims) return claims
  if (userinfo.request) {
    const profile = await userinfo.request({ tokens, fetch: send })
    return isJsonObject(profile) ? profile : {}
  }
  if (server.userinfo_endpoint === undefined) {
    throw new TypeError(`provider ${id} has no userinfo endpoint`)
  }
  const accessToken = String(tokens.access_token)
  if (type === 'oauth') return fetchUserInfo(server.userinfo_endpoint, accessToken, send)
  const options = requestOptions(send)
  const answer = await userInfoRequest(server, client(flow), accessToken, options)
  // OpenID Connect Core section 5.3.2: the subject must be the one of the ID token.
  return processUserInfoResponse(server, client(flow), String(claims?.['sub']), answer)
}

/** The provider's user under an id of our own, and the provider's identifier of them. */
async function describeUser(
  flow: OAuthFlow,
  profile: Profile,
  tokens: TokenSet,
): Promise<{ user: User; accountId: string }> {
  const { plan, config, id } = flow
  const made = await mapProfile(flow, profile, tokens)
  const accountId = stableId(made.id)
  if (accountId === undefined) {
    if (plan.store) {
      throw new OAuthProfileParseError('the profile has no stable identifier', { provider: id })
    }
    plan.logger.warn('account-id-missing', `provider ${config.id}`)
  }
  const user: User = {
    ...made,
    id: formatUuid(plan.ports.random(16)),
    ...(made.email ? { email: made.email.toLowerCase() } : {}),
  }
  return { user, accountId: accountId ?? formatUuid(plan.ports.random(16)) }
}

/** @throws {OAuthProfileParseError} when the provider's `profile` callback fails. */
async function mapProfile(flow: OAuthFlow, profile: Profile, tokens: TokenSet): Promise<User> {
  try {
    return await (flow.config.profile ?? defaultProfile)(profile, tokens)
  } catch (error) {
    const cause = toError(error)
    throw new OAuthProfileParseError(cause, { provider: flow.id })
  }
}

/** Text, or a number as text; anything else would not stay the same from one sign-in to the next. */
function stableId(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id)
  return typeof id === 'string' && id !== '' && !NO_IDS.has(id) ? id : undefined
}

/** What `String(id)` makes of an identifier that is not there: everybody would have the same. */
const NO_IDS: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN', '[object Object]'])

/** OpenID Connect Core section 5.1. */
function defaultProfile(profile: Profile): User {
  const { sub, id, name, nickname, preferred_username: username, email, picture } = profile
  const user = {
    id: sub ?? id ?? undefined,
    name: name ?? nickname ?? username ?? undefined,
    email: email ?? undefined,
    image: picture ?? undefined,
  }
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined))
}

/** `expires_in` means something only now; what is stored is the moment it ends, in seconds. */
function expiryOf(
  { expires_in: lifetime }: TokenSet,
  { plan }: OAuthFlow,
): { expires_at?: number } {
  return lifetime ? { expires_at: Math.floor(plan.ports.now() / 1000) + lifetime } : {}
}

const STORED = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

/** What of the tokens is stored: what the provider's `account` callback says, or the usual members. */
async function storedTokens({ config }: OAuthFlow, tokens: TokenSet): Promise<Partial<Account>> {
  // Awaited, though its type says that it answers at once: a promise would be stored as nothing.
  if (config.account) return (await config.account(tokens)) ?? {}
  return Object.fromEntries(
    STORED.filter((name) => tokens[name] !== undefined).map((name) => [name, tokens[name]]),
  )
}
