import {
  genericTokenEndpointRequest,
  getValidatedIdTokenClaims,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { excerpt } from '../../encoding/excerpt.ts'
import { isJsonObject } from '../../encoding/json.ts'
import { toError } from '../../errors.ts'
import type { TokenSet } from '../../model/account.ts'
import type { Metadata } from '../../oauth/metadata.ts'
import { checkTokenHash } from '../../oauth/token-hash.ts'
import { withoutContents } from '../../oauth/without-contents.ts'
import type { TokenAnswer } from '../../plugin.ts'
import { clockedClientOf, type OAuthFlow } from './oauth-flow.ts'
import {
  authenticationOf,
  checkSubject,
  conforming,
  issuing,
  setIdTokenAside,
  tokenRequestOptions,
  verifyIdToken,
} from './redeem-code.ts'

/** Errors that say nothing of the grant: the request, the client or the server is at fault. */
const NOT_OF_GRANT: ReadonlySet<string> = new Set([
  'incorrect_client_credentials',
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_request',
  'invalid_target',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'use_dpop_nonce',
])

/** Longest token that is taken, characters: it has to fit a header. */
const LONGEST_TOKEN = 16_000

/** Longest lifetime that is believed, seconds: ten years. */
const LONGEST_LIFETIME = 10 * 365 * 24 * 60 * 60

/**
 * Renews tokens (RFC 6749 section 6). What comes is judged as the token response of a sign-in is, with its ID token
 * (OpenID Connect Core section 12.2).
 */
export function renewTokens(
  flow: OAuthFlow,
  before: Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'>,
  params: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  return answered(flow, (metadata) => ask(flow, metadata, before, params), judge)
}

/** Exchanges a token for another one (RFC 8693). @param params all of the request, but its grant type and the client */
export function exchangeToken(
  flow: OAuthFlow,
  params: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { additionalParameters: _, ...options } = tokenRequestOptions(flow)
  return answered(
    flow,
    ({ server }) =>
      genericTokenEndpointRequest(
        server,
        clockedClientOf(flow),
        authenticationOf(flow),
        TOKEN_EXCHANGE,
        params,
        options,
      ),
    judgeExchanged,
  )
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

async function answered(
  flow: OAuthFlow,
  send: (metadata: Metadata) => Promise<Response>,
  read: (flow: OAuthFlow, metadata: Metadata, answer: Response) => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  try {
    const metadata = await flow.server()
    const answer = await send(metadata)
    const code = await refusalOf(answer)
    if (code !== undefined) {
      const error = new Error(`the provider refused to give tokens: ${code}`)
      return NOT_OF_GRANT.has(code)
        ? { kind: 'unavailable', error }
        : { kind: 'refused', code, error }
    }
    return await read(flow, metadata, answer)
  } catch (error) {
    return { kind: 'unavailable', error: toError(withoutContents(error)) }
  }
}

async function ask(
  flow: OAuthFlow,
  { server }: Metadata,
  before: Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'>,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const { config, send } = flow
  if (config.tokens?.refresh) {
    const { tokens } = await config.tokens.refresh({
      provider: config,
      tokens: before,
      fetch: send,
    })
    return Response.json(tokens)
  }
  const { additionalParameters, ...options } = tokenRequestOptions(flow)
  const answer = await refreshTokenGrantRequest(
    server,
    clockedClientOf(flow),
    authenticationOf(flow),
    before.refresh_token ?? '',
    {
      ...options,
      additionalParameters: { ...(additionalParameters as Record<string, string>), ...params },
    },
  )
  return conforming(flow, answer)
}

/** The error of an answer that says no, also with status 200, as some servers do. */
async function refusalOf(answer: Response): Promise<string | undefined> {
  if (![200, 400, 401].includes(answer.status)) return undefined
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  if (!isJsonObject(body) || typeof body['error'] !== 'string') return undefined
  return answer.status === 200 && body['access_token'] !== undefined
    ? undefined
    : excerpt(body['error'])
}

/** Tokens that are no access tokens have the type `N_A` (RFC 8693 section 2.2.1). */
const TOKEN_TYPES = { n_a: () => undefined }

async function judgeExchanged(
  flow: OAuthFlow,
  { server }: Metadata,
  answer: Response,
): Promise<TokenAnswer> {
  // Whatever it says of a person, it proves nothing to us.
  const { response = answer } = (await setIdTokenAside(answer)) ?? {}
  const tokens = await processGenericTokenEndpointResponse(
    server,
    clockedClientOf(flow),
    response,
    { recognizedTokenTypes: TOKEN_TYPES },
  )
  return usable(tokens, undefined)
}

async function judge(flow: OAuthFlow, metadata: Metadata, answer: Response): Promise<TokenAnswer> {
  const server = await issuing(flow, metadata, answer)
  // A plain OAuth provider's ID token proves nothing to us.
  const aside = flow.type === 'oidc' ? undefined : await setIdTokenAside(answer)
  const tokens = await processRefreshTokenResponse(
    server,
    clockedClientOf(flow),
    aside?.response ?? answer,
  )
  const claims = getValidatedIdTokenClaims(tokens)
  if (claims && tokens.id_token !== undefined) {
    await verifyIdToken(flow, metadata, answer, tokens.id_token)
    checkSubject(claims.sub)
    await checkTokenHash('at_hash', claims, tokens.id_token, tokens.access_token)
  }
  return usable(tokens, claims)
}

/** @throws TypeError for tokens that are too long. */
function usable(
  tokens: TokenEndpointResponse,
  claims: Readonly<Record<string, unknown>> | undefined,
): TokenAnswer {
  for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) {
    if (token !== undefined && token.length > LONGEST_TOKEN)
      throw new TypeError(`a token has more than ${LONGEST_TOKEN} characters`)
  }
  const { expires_in: lifetime, ...others } = tokens
  const isUsable = lifetime !== undefined && lifetime <= LONGEST_LIFETIME
  return {
    kind: 'tokens',
    tokens: { ...others, ...(isUsable && { expires_in: lifetime }) },
    claims,
  }
}
