import {
  AuthorizationResponseError,
  type Client,
  skipStateCheck,
  validateAuthResponse,
} from 'oauth4webapi'
import { excerpt } from '../../base/encoding/excerpt.ts'
import { parseJsonObject } from '../../base/encoding/json.ts'
import { lowerCase } from '../../base/encoding/lower-case.ts'
import { InvalidCheck, OAuthCallbackError, toError } from '../../base/errors.ts'
import { loadOnce } from '../../base/once.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted } from '../../http/safe-url.ts'
import type { Account, TokenSet } from '../../model/account.ts'
import type { Profile } from '../../model/profile.ts'
import type { User } from '../../model/user.ts'
import type { ProvenAccount, VerifiedIdentity } from '../../plan/provider.ts'
import type { Metadata } from '../../protocols/oauth/metadata.ts'
import { isTenantIssuer } from '../../protocols/oauth/tenant-issuer.ts'
import { withoutContents } from '../../protocols/oauth/without-contents.ts'
import { type Attempt, comesWithoutSession, forgetAttempt, takeAttempt } from './attempt.ts'
import { checksFor } from './begin.ts'
import { describeUser } from './describe-user.ts'
import { clockedClientOf, endpointContext, type OAuthFlow } from './oauth-flow.ts'
import { readProfile } from './read-profile.ts'
import { setupFault } from './setup-fault.ts'
import { redeemCode } from './tokens/redeem-code.ts'

/** Completes the sign-in: authorization response, token request, userinfo (RFC 6749 sections 4.1.2 to 4.1.4). */
export async function complete(
  flow: OAuthFlow,
  request: AuthRequest,
): Promise<VerifiedIdentity | Outcome> {
  try {
    return await takeBack(flow, request)
  } catch (error) {
    throw withoutContents(error)
  }
}

async function takeBack(
  given: OAuthFlow,
  request: AuthRequest,
): Promise<VerifiedIdentity | Outcome> {
  let flow = given
  const metadata = await flow.server()
  const params = flow.response(request)
  const { logger } = flow.plan
  logger.debug('authorization response', () => ({ provider: flow.id, names: [...params.keys()] }))
  refuseUnlessAnswered(flow, request, params)
  if (await comesWithoutSession(flow, params, request)) {
    return redirect(trusted(`${request.base}/callback/${flow.id}?${params}`))
  }
  const attempt = await takeAttempt(flow, checksFor(flow, metadata), params, request)
  if (flow.config.dpop) flow = await withProofsOf(flow, attempt)
  const client = clientFor(flow, attempt)
  const response = authorizationResponse(flow, request, params, metadata, client, attempt)
  const redeemed = await redeemCode(flow, { request, metadata, client, response, attempt })
  const { claims } = redeemed
  logger.debug('token response', () => ({
    provider: flow.id,
    names: Object.keys(redeemed.tokens),
    claims: Object.keys(claims ?? {}),
  }))
  // A response without `scope` grants the requested scopes (RFC 6749 section 5.1).
  const { scope = attempt.bound?.scope } = redeemed.tokens
  const tokens = {
    ...redeemed.tokens,
    ...(scope !== undefined && { scope }),
    ...expiryOf(redeemed.tokens, flow),
  }
  if (flow.proofs) flow = flow.proofs.using(flow, String(tokens.access_token))
  const said = {
    ...(await readProfile(flow, { request, metadata, client, tokens, claims })),
    ...spoken(flow, params),
  }
  const profile = { ...said, ...(await supplementOf(flow, request, tokens, said)) }
  logger.debug('profile', () => ({ provider: flow.id, names: Object.keys(profile) }))
  const { user, accountId } = await describeUser(flow, profile, tokens)
  const account: Account = {
    ...tokens,
    provider: flow.id,
    type: flow.type,
    providerAccountId: accountId,
  }
  const { kept, context } = attempt
  const { allowDangerousEmailAccountLinking: linking } = flow.config
  const proof = proofOf(flow, metadata, profile)
  return {
    proven: 'account',
    user,
    account,
    stored: await storedTokens(flow, account),
    profile,
    ...(flow.type === 'oidc' && claims && { claims }),
    linksByAddress:
      linking === 'proven'
        ? proof === true && isAddressOf(profile, user) && 'proven'
        : linking === true && proof !== false,
    deniesAddress: proof === false,
    // Another spelling of `true` does not link accounts by address, but differs from a missing claim.
    provesAddress:
      (proof === true || (proof === undefined && isAffirmed(profile.email_verified))) &&
      isAddressOf(profile, user),
    kept,
    context,
    cookies: await forgetAttempt(flow, request),
    ...keptOf(attempt, flow),
  }
}

/** Returns what the start of the sign-in decided about its end. */
function keptOf(
  { callbackUrl, begunBy, linksNothing, bound, dpop }: Attempt,
  flow: OAuthFlow,
): Partial<ProvenAccount> {
  return {
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(begunBy === undefined ? {} : { begunBy, onlyLinks: flow.formPost || bound !== undefined }),
    ...(linksNothing && { linksNothing }),
    ...(bound && { bound }),
    ...(dpop && { dpop }),
  }
}

/** @throws {InvalidCheck} if the sign-in began without a key, with an earlier configuration or by Auth.js. */
async function withProofsOf(flow: OAuthFlow, { dpop }: Attempt): Promise<OAuthFlow> {
  if (dpop) return (await loadDpop()).withProofs(flow, dpop)
  throw new InvalidCheck(
    `the sign-in with ${flow.id} began without a key, but \`dpop\` needs one; start the sign-in again`,
  )
}

/** Loaded later, because few providers bind their tokens. */
const loadDpop = loadOnce(() => import('./dpop.ts'))

/**
 * Throws the error of a provider even if the response has no `state`. Only an error may omit it, because
 * nobody can sign in with an error.
 *
 * @throws {OAuthCallbackError}
 */
function refuseUnlessAnswered(
  flow: OAuthFlow,
  request: AuthRequest,
  params: URLSearchParams,
): void {
  const [error, ...more] = params.getAll('error')
  if (error === undefined || more.length > 0 || params.has('state') || params.has('code')) return
  if (flow.checks.includes('state')) return
  const description = params.get('error_description') ?? undefined
  const details = detailsOf(flow, error, description)
  throw (
    setupFault(flow, request, { error, description }) ??
    new OAuthCallbackError('the provider returned an error', details)
  )
}

/** Returns the error of the provider, shortened, since anybody can send such a response. */
function detailsOf(
  { id }: OAuthFlow,
  error: string,
  description: string | null | undefined,
): Record<string, unknown> {
  return {
    provider: id,
    error: excerpt(error),
    description: description && excerpt(description),
  }
}

/** Returns the OAuth client with the clock of the ports and the values from the start of the sign-in. */
function clientFor(flow: OAuthFlow, { maxAge, bound }: Attempt): Client {
  const { provesSince } = bound ?? {}
  // For a proof, the sign-in at the provider may take as long as it takes, but not be from before.
  const age =
    provesSince === undefined
      ? maxAge
      : Math.max(0, Math.ceil(flow.plan.ports.now() / 1000) - provesSince)
  return {
    ...clockedClientOf(flow),
    ...(age === undefined ? {} : { default_max_age: age }),
  }
}

/**
 * Validates the authorization response (RFC 6749 section 4.1.2). Refuses repeated parameters (section 3.1) and responses
 * of other flows. Compares `iss` with the issuer if it is known (RFC 9207).
 *
 * @throws {OAuthCallbackError} if the provider reports an error.
 */
function authorizationResponse(
  flow: OAuthFlow,
  request: AuthRequest,
  params: URLSearchParams,
  { server, isOfAllTenants }: Metadata,
  client: Client,
  { state }: Attempt,
): URLSearchParams {
  const { issuer, tenantIssuer } = flow.config
  // Without an issuer there is nothing to compare. A repeated `iss` stays, and is refused.
  if (issuer === undefined && params.getAll('iss').length === 1) params.delete('iss')
  const named = params.get('iss')
  const isTenant =
    isOfAllTenants === true &&
    tenantIssuer !== undefined &&
    named !== null &&
    isTenantIssuer(tenantIssuer, named)
  // The configured issuer of a plain OAuth provider may differ in a slash at the end.
  const isSame =
    flow.type === 'oauth' &&
    !flow.config.securityProfile &&
    named !== null &&
    withoutSlash(named) === withoutSlash(server.issuer)
  const asked = isTenant || isSame ? { ...server, issuer: named } : server
  try {
    return validateAuthResponse(asked, client, params, state ?? skipStateCheck)
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      const { error: code, error_description: description } = error
      withoutContents(error)
      const details = detailsOf(flow, code, description)
      if (code === 'access_denied')
        throw Object.assign(
          new OAuthCallbackError(
            'the visitor cancelled at the provider, or it denied access',
            details,
          ),
          { code: 'access_denied' as const },
        )
      throw (
        setupFault(flow, request, { error: code, description }) ??
        new OAuthCallbackError(error, details)
      )
    }
    throw error
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** Returns data of the user that some providers send only with the authorization response. */
function spoken({ config }: OAuthFlow, params: URLSearchParams): Record<string, unknown> {
  const said = (config.responseParams ?? []).flatMap((name) => {
    const text = params.get(name)
    return text === null ? [] : [[name, parseJsonObject(text) ?? text]]
  })
  return Object.fromEntries(said) as Record<string, unknown>
}

/** Adds the result of `supplement`. Its failure does not stop the sign-in. */
async function supplementOf(
  flow: OAuthFlow,
  request: AuthRequest,
  tokens: TokenSet,
  profile: Profile,
): Promise<Record<string, unknown>> {
  try {
    return (
      (await flow.config.supplement?.({ ...endpointContext(flow, request), tokens, profile })) ?? {}
    )
  } catch (error) {
    flow.plan.logger.warn('profile-incomplete', `provider ${flow.id}: ${toError(error).message}`)
    return {}
  }
}

/**
 * Returns whether the provider proved the address; `undefined` if it does not report it. The statement of an
 * organization about its members counts only if no other organization may sign in. Otherwise only the claim of the
 * provider counts.
 */
function proofOf(
  { config: { emailProofClaim, tenantIssuer } }: OAuthFlow,
  { isOfAllTenants = false }: Metadata,
  profile: Profile,
): boolean | undefined {
  const verified: unknown = profile.email_verified
  const own = emailProofClaim === undefined ? undefined : profile[emailProofClaim]
  if (isDenied(verified) || isDenied(own)) return false
  if (isAffirmed(own)) return true
  if (tenantIssuer !== undefined) return !isOfAllTenants
  // Some providers send text. Any other spelling differs from a missing claim, but proves nothing.
  return verified === true || verified === 'true' ? true : undefined
}

/** A profile may have several addresses. `email_verified` is about the member `email`. */
function isAddressOf({ email }: Profile, user: User): boolean {
  return typeof email === 'string' && lowerCase(email) === user.email
}

/** Some providers send booleans as strings or numbers. */
function isDenied(verified: unknown): boolean {
  return /^(?:false|0)$/i.test(String(verified))
}

function isAffirmed(verified: unknown): boolean {
  const isText = typeof verified === 'string' && /^(?:true|1)$/i.test(verified)
  return isText || verified === true || verified === 1
}

/** Converts `expires_in` into `expires_at`, seconds since the epoch. */
function expiryOf(
  { expires_in: lifetime }: TokenSet,
  { plan }: OAuthFlow,
): { expires_at?: number } {
  return lifetime ? { expires_at: Math.floor(plan.ports.now() / 1000 + lifetime) } : {}
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

/** Returns the tokens to store: the result of the provider's `account` callback, or the usual members. */
async function storedTokens({ config }: OAuthFlow, tokens: TokenSet): Promise<Partial<Account>> {
  // Awaited against its type, because a promise would be stored as an empty object.
  if (config.account) return (await config.account(tokens)) ?? {}
  return Object.fromEntries(
    STORED.filter((name) => tokens[name] !== undefined).map((name) => [name, tokens[name]]),
  )
}
