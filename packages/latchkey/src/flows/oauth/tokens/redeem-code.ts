import {
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  expectNoNonce,
  getValidatedIdTokenClaims,
  nopkce,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { definedOnly } from '../../../base/encoding/defined-only.ts'
import { instant } from '../../../base/encoding/instant.ts'
import { isJsonObject } from '../../../base/encoding/json.ts'
import { OAuthCallbackError } from '../../../base/errors.ts'
import type { AuthRequest } from '../../../http/request.ts'
import type { TokenSet } from '../../../model/account.ts'
import { customFetch } from '../../../options/markers.ts'
import { clientAuthentication } from '../../../protocols/oauth/client-authentication.ts'
import { isSymmetric, verifySignature } from '../../../protocols/oauth/jwt-signature.ts'
import { readLeniently } from '../../../protocols/oauth/lenient-tokens.ts'
import type { Metadata } from '../../../protocols/oauth/metadata.ts'
import { requestOptions } from '../../../protocols/oauth/request-options.ts'
import { issuerOfTenant } from '../../../protocols/oauth/tenant-issuer.ts'
import { checkTokenHash } from '../../../protocols/oauth/token-hash.ts'
import type { Attempt } from '../attempt.ts'
import { endpointContext, type OAuthFlow } from '../oauth-flow.ts'
import { providerErrorOf, setupFault } from '../setup-fault.ts'

/** The input of the token request. */
interface Redemption {
  readonly request: AuthRequest
  readonly metadata: Metadata
  readonly client: Client
  /** The authorization response, validated. */
  readonly response: URLSearchParams
  readonly attempt: Attempt
}

/** The result of the token request. */
export interface Redeemed {
  readonly tokens: TokenSet
  /** The claims of the ID token, if it identifies the user. */
  readonly claims: Record<string, unknown> | undefined
}

/** Exchanges the code for tokens (RFC 6749 sections 4.1.3 and 4.1.4) and validates the ID token (OpenID Connect Core section 3.1.3.7). */
export async function redeemCode(flow: OAuthFlow, redemption: Redemption): Promise<Redeemed> {
  const { metadata, client, response, attempt } = redemption
  const answer = await askForTokens(flow, redemption)
  const server = await issuing(flow, metadata, answer)

  // Latchkey does not rely on the ID token of a plain OAuth provider. It is only passed on.
  const usesIdToken = flow.type === 'oidc' || attempt.nonce !== undefined
  const aside = usesIdToken ? undefined : await setIdTokenAside(answer)
  const processed: TokenEndpointResponse = await processAuthorizationCodeResponse(
    server,
    client,
    aside?.response ?? answer,
    { expectedNonce: attempt.nonce ?? expectNoNonce, requireIdToken: usesIdToken },
  ).catch(async (error: unknown) => {
    const said = await providerErrorOf(error)
    throw (said && setupFault(flow, redemption.request, said)) ?? refusalOf(error, flow, attempt)
  })
  flow.proofs?.check(processed)
  const claims = getValidatedIdTokenClaims(processed)
  if (usesIdToken && claims && processed.id_token !== undefined) {
    await verifyIdToken(flow, metadata, answer, processed.id_token)
    checkSubject(claims.sub)
    checkAge(claims.iat, flow)
    // A sign-in that Auth.js began has none.
    checkContext(flow, claims['acr'], attempt.acr ?? flow.config.requiredAcr)
    await checkTokenHash('at_hash', claims, processed.id_token, processed.access_token)
    await checkTokenHash('c_hash', claims, processed.id_token, response.get('code') ?? '')
  }
  return {
    tokens: { ...processed, ...(aside?.idToken ? { id_token: aside.idToken } : {}) },
    claims,
  }
}

async function askForTokens(
  flow: OAuthFlow,
  { request, metadata, client, response, attempt }: Redemption,
): Promise<Response> {
  const { token } = flow
  if (token.request) {
    const { tokens } = await token.request({
      ...endpointContext(flow, request),
      params: Object.fromEntries(response),
      checks: definedOnly({
        code_verifier: attempt.pkce,
        state: attempt.state,
        nonce: attempt.nonce,
      }),
    })
    return Response.json(tokens)
  }
  const answer = await withNonce(flow, () =>
    authorizationCodeGrantRequest(
      metadata.server,
      client,
      authenticationOf(flow),
      response,
      flow.redirectUri(request),
      attempt.pkce ?? nopkce,
      tokenRequestOptions(flow),
    ),
  )
  return conforming(flow, answer)
}

/** Sends a token request, and a new one if the server requires a nonce in the proof. */
export function withNonce({ proofs }: OAuthFlow, ask: () => Promise<Response>): Promise<Response> {
  return proofs ? proofs.withNonce(ask) : ask()
}

/** Returns the client authentication for the token endpoint. */
export function authenticationOf({ config, token, id }: OAuthFlow): ClientAuth {
  return clientAuthentication({
    id,
    clientSecret: config.clientSecret,
    privateKey: token.clientPrivateKey,
    method: config.client?.token_endpoint_auth_method,
    ownsConnection: config[customFetch] !== undefined,
  })
}

/** Returns the additional parameters and headers that this provider needs in token requests. */
export function tokenRequestOptions({
  token,
  send,
  proofs,
}: OAuthFlow): TokenEndpointRequestOptions {
  return {
    ...requestOptions(token.headers ? withHeaders(send, token.headers) : send),
    ...(proofs && { DPoP: proofs.handle }),
    ...(token.body ? { additionalParameters: token.body } : {}),
  }
}

/** Returns the response in the format of the standard, after `conform` and `isLenient`. */
export async function conforming({ token }: OAuthFlow, answer: Response): Promise<Response> {
  const conform = (await token.conform?.(answer.clone())) ?? answer
  return token.isLenient ? readLeniently(conform) : conform
}

/** Returns a `fetch` that replaces headers of the library with the configured ones. */
function withHeaders(send: typeof fetch, headers: Record<string, string>): typeof fetch {
  return (input, init = {}) => {
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return send(input, { ...init, headers: all })
  }
}

/** Returns the server with the issuer that the ID token must have: that of its tenant, if each tenant has one. */
export async function issuing(
  { config: { tenantIssuer } }: OAuthFlow,
  { server, isOfAllTenants }: Metadata,
  answer: Response,
): Promise<Metadata['server']> {
  if (tenantIssuer === undefined || !isOfAllTenants) return server
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  const issuer = issuerOfTenant(tenantIssuer, isJsonObject(body) ? body['id_token'] : undefined)
  return issuer === undefined ? server : { ...server, issuer }
}

/** Returns the response without its ID token, which is not verified. */
export async function setIdTokenAside(
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

/** Without keys, only the connection to the token endpoint proves the token (section 3.1.3.7, rule 6). */
export async function verifyIdToken(
  { plan, send, isSecure, id, config }: OAuthFlow,
  metadata: Metadata,
  answer: Response,
  idToken: string,
): Promise<void> {
  const { jwks_uri: keys, token_endpoint: endpoint } = metadata.server
  const source = { metadata, response: answer, jwt: idToken, clientSecret: config.clientSecret }
  if (keys !== undefined || isSymmetric(idToken)) return verifySignature(source, send, plan.ports)
  if (endpoint === undefined || !isSecure(new URL(endpoint))) {
    throw new TypeError(
      `provider ${id}: there are no keys to verify its ID tokens; set \`jwks_endpoint\``,
    )
  }
  plan.logger.warn(
    'id-token-unverified',
    `provider ${id}: its ID tokens are not verified, because it has no keys; set \`jwks_endpoint\``,
  )
}

/** Longest subject of an ID token, characters (OpenID Connect Core section 2). */
const LONGEST_SUBJECT = 255

/** Refuses an empty subject, and one that a store could truncate: several people would become one user. */
export function checkSubject(subject: unknown): void {
  const isText = typeof subject === 'string' && subject.trim() !== ''
  if (isText && subject.length <= LONGEST_SUBJECT) return
  throw new TypeError(
    `the \`sub\` of the ID token must be a string of 1 to ${LONGEST_SUBJECT} characters; the provider must send one`,
  )
}

/** Greatest age of an ID token when it arrives, seconds. */
const OLDEST = 24 * 60 * 60

/** Seconds that a provider's clock may be fast. */
const AHEAD = 5 * 60

/** The same limit with FAPI 2.0 (Security Profile section 5.3.1), seconds. */
const AHEAD_IN_FAPI = 60

/** Checks the time of issue: the token was issued for the code, so it cannot be old. */
function checkAge(iat: number, { plan, config }: OAuthFlow): void {
  const now = plan.ports.now()
  const age = now / 1000 - iat
  if (age > OLDEST || age < -(config.securityProfile ? AHEAD_IN_FAPI : AHEAD)) {
    throw new TypeError(
      `the ID token was issued at ${instant(iat * 1000)}, and it is ${instant(now)} here: set the clock of this machine, or tell the provider`,
    )
  }
}

/** The error code that providers also use (OpenID Connect Core Unmet Authentication Requirements). */
const UNMET = 'unmet_authentication_requirements'

/** Refuses an authentication context that is not among the required ones (section 5.5.1.1). */
function checkContext(
  { id: provider }: OAuthFlow,
  acr: unknown,
  needed: readonly string[] | undefined,
): void {
  if (needed === undefined || needed.some((each) => each === acr)) return
  throw new OAuthCallbackError(
    'the `acr` of the ID token is not among those that `requiredAcr` or `claims` requires; check how the provider maps them',
    { provider, error: UNMET, acr, needed },
  )
}

/** Converts the library's error for an authentication that is older than `max_age` or has no time. */
function refusalOf(error: unknown, { id: provider }: OAuthFlow, { maxAge }: Attempt): unknown {
  const isOfAge =
    maxAge !== undefined &&
    error instanceof OperationProcessingError &&
    (error.message.includes('"auth_time"') ||
      (isJsonObject(error.cause) && error.cause['claim'] === 'auth_time'))
  return isOfAge
    ? new OAuthCallbackError(
        'the visitor was not authenticated within `max_age`, or the ID token has no `auth_time`',
        { provider, error: UNMET },
      )
    : error
}
