import {
  genericTokenEndpointRequest,
  getValidatedIdTokenClaims,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { excerpt } from '../../../base/encoding/excerpt.ts'
import { isJsonObject } from '../../../base/encoding/json.ts'
import { toError } from '../../../base/errors.ts'
import type { ProofKey } from '../../../model/proof-key.ts'
import type { RenewableTokens, TokenAnswer } from '../../../plugin/provider-client.ts'
import type { Metadata } from '../../../protocols/oauth/metadata.ts'
import { isAboutGrant } from '../../../protocols/oauth/token-error.ts'
import { checkTokenHash } from '../../../protocols/oauth/token-hash.ts'
import { withoutContents } from '../../../protocols/oauth/without-contents.ts'
import { clockedClientOf, type OAuthFlow } from '../oauth-flow.ts'
import {
  authenticationOf,
  checkSubject,
  conforming,
  issuing,
  setIdTokenAside,
  tokenRequestOptions,
  verifyIdToken,
  withNonce,
} from './redeem-code.ts'

/** Longest accepted token, characters: it must fit into a header. */
const LONGEST_TOKEN = 16_000

/** Longest accepted lifetime, seconds: ten years. */
const LONGEST_LIFETIME = 10 * 365 * 24 * 60 * 60

/** Options of a renewal. */
interface RenewalOptions {
  /** Further parameters of the request, for example `resource`. */
  readonly params?: Readonly<Record<string, string>>
  /**
   * Ignores an ID token in the response, which has nothing new for callers that store no subject. The metadata of a provider
   * whose endpoints are configured is then not read. @default false
   */
  readonly ignoresIdToken?: boolean
}

/**
 * Renews tokens (RFC 6749 section 6). The response is validated like the token response of a sign-in, with its ID token
 * (OpenID Connect Core section 12.2).
 */
export function renewTokens(
  flow: OAuthFlow,
  before: RenewableTokens,
  { params = {}, ignoresIdToken = false }: RenewalOptions = {},
): Promise<TokenAnswer> {
  return answered(
    flow,
    before.dpop,
    (proving, metadata) => ask(proving, metadata, before, params),
    ignoresIdToken ? judgeWithoutIdToken : judge,
    ignoresIdToken ? endpointsOf : undefined,
  )
}

/** Returns the endpoints. If the client signs its authentication, the metadata is read, which lists the algorithms. */
function endpointsOf(flow: OAuthFlow): Promise<Metadata> {
  const isSigned = flow.config.client?.token_endpoint_auth_method?.endsWith('_jwt') === true
  return isSigned ? flow.server() : flow.endpoints()
}

/**
 * Exchanges a token for another one (RFC 8693).
 *
 * @param params the parameters of the request, without the grant type and the client
 * @param key the key that the tokens are bound to
 */
export function exchangeToken(
  flow: OAuthFlow,
  params: Readonly<Record<string, string>>,
  key: ProofKey | undefined,
): Promise<TokenAnswer> {
  return answered(
    flow,
    key,
    (proving, { server }) => {
      const { additionalParameters: _, ...options } = tokenRequestOptions(proving)
      return genericTokenEndpointRequest(
        server,
        clockedClientOf(proving),
        authenticationOf(proving),
        TOKEN_EXCHANGE,
        params,
        options,
      )
    },
    judgeExchanged,
  )
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

async function answered(
  given: OAuthFlow,
  key: ProofKey | undefined,
  send: (flow: OAuthFlow, metadata: Metadata) => Promise<Response>,
  read: (flow: OAuthFlow, metadata: Metadata, answer: Response) => Promise<TokenAnswer>,
  metadataOf: (flow: OAuthFlow) => Promise<Metadata> = ({ server }) => server(),
): Promise<TokenAnswer> {
  // The tokens are from before `dpop` was set: only another sign-in can bind them.
  if (given.config.dpop && !key) return withoutKey(given)
  try {
    const flow = key ? await (await import('../dpop.ts')).withProofs(given, key) : given
    const metadata = await metadataOf(flow)
    const answer = await withNonce(flow, () => send(flow, metadata))
    const code = await refusalOf(answer)
    if (code !== undefined) {
      const error = new Error(`the provider refused the token request: ${code}`)
      return isAboutGrant(code) ? { kind: 'refused', code, error } : { kind: 'unavailable', error }
    }
    return await read(flow, metadata, answer)
  } catch (error) {
    return { kind: 'unavailable', error: toError(withoutContents(error)) }
  }
}

function withoutKey({ id }: OAuthFlow): TokenAnswer {
  const message = `the tokens of the provider ${id} are not bound to a key, but \`dpop\` needs one; connect the account again`
  return { kind: 'refused', code: 'dpop_key_missing', error: new Error(message) }
}

async function ask(
  flow: OAuthFlow,
  { server }: Metadata,
  before: RenewableTokens,
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

/** Returns the error code of a response, also with the status 200, which some servers send. */
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

/** Tokens other than access tokens have the type `N_A` (RFC 8693 section 2.2.1). */
const TOKEN_TYPES = { n_a: () => undefined }

async function judgeExchanged(
  flow: OAuthFlow,
  { server }: Metadata,
  answer: Response,
): Promise<TokenAnswer> {
  // Its ID token proves nothing to Latchkey, so it is not verified.
  const { response = answer } = (await setIdTokenAside(answer)) ?? {}
  const tokens = await processGenericTokenEndpointResponse(
    server,
    clockedClientOf(flow),
    response,
    { recognizedTokenTypes: TOKEN_TYPES },
  )
  if (tokens.token_type !== 'n_a') flow.proofs?.check(tokens)
  return usable(tokens, undefined)
}

async function judgeWithoutIdToken(
  flow: OAuthFlow,
  { server }: Metadata,
  answer: Response,
): Promise<TokenAnswer> {
  const { response = answer } = (await setIdTokenAside(answer)) ?? {}
  const tokens = await processRefreshTokenResponse(server, clockedClientOf(flow), response)
  flow.proofs?.check(tokens)
  return usable(tokens, undefined)
}

async function judge(flow: OAuthFlow, metadata: Metadata, answer: Response): Promise<TokenAnswer> {
  // The ID token of a plain OAuth provider proves nothing to Latchkey, so it is not verified.
  if (flow.type !== 'oidc') return judgeWithoutIdToken(flow, metadata, answer)
  const server = await issuing(flow, metadata, answer)
  const tokens = await processRefreshTokenResponse(server, clockedClientOf(flow), answer)
  flow.proofs?.check(tokens)
  const claims = getValidatedIdTokenClaims(tokens)
  if (claims && tokens.id_token !== undefined) {
    await verifyIdToken(flow, metadata, answer, tokens.id_token)
    checkSubject(claims.sub)
    await checkTokenHash('at_hash', claims, tokens.id_token, tokens.access_token)
  }
  return usable(tokens, claims)
}

/** @throws {TypeError} if a token is too long. */
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
