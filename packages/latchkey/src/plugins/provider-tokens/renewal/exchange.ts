import { definedOnly, digestOf, type Host, type ProviderClient } from '../../../entries/plugin.ts'
import type { FurtherToken, Grant } from '../records/grant.ts'
import type { Keeper } from '../records/keeper.ts'
import type { TokenExchange, TokenResult } from '../tokens-api.ts'
import { furtherToken, givenFurther } from '../validity.ts'
import { refusal } from './refusal.ts'
import { withFurther } from './renewed.ts'

const TYPE = 'urn:ietf:params:oauth:token-type:'

/** Parameters that `extra` may not set, since they belong to the request or to the client. */
const RESERVED: ReadonlySet<string> = new Set([
  'actor_token',
  'actor_token_type',
  'audience',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'grant_type',
  'requested_token_type',
  'resource',
  'scope',
  'subject_token',
  'subject_token_type',
])

/**
 * Exchanges a token for another one (RFC 8693), unless a stored one has the same parameters.
 *
 * @throws TypeError for invalid parameters.
 */
export async function exchangeFor(
  grant: Grant,
  client: ProviderClient,
  params: TokenExchange,
  { host, keeper }: { readonly host: Host; readonly keeper: Keeper },
): Promise<TokenResult> {
  checkParams(params)
  const key = await keyOf(params)
  const known = furtherToken(grant, key, host.ports.now())
  if (known) return givenFurther(known, grant.tokens?.dpop, client)
  const subject = params.subjectToken === 'id' ? grant.tokens?.id_token : grant.tokens?.access_token
  if (subject === undefined) return refusal(host, client.id, 'NoToken')
  const answer = await client.exchange(formOf(params, subject), grant.tokens?.dpop)
  if (answer.kind !== 'tokens') {
    host.logger.error(
      new Error(`the provider ${client.id} did not exchange a token`, { cause: answer.error }),
    )
    return refusal(host, client.id, 'ProviderUnavailable')
  }
  const { access_token, token_type, expires_in, scope } = answer.tokens
  const token = definedOnly({
    key,
    access_token,
    token_type,
    scope,
    expires_at:
      expires_in === undefined ? undefined : Math.floor(host.ports.now() / 1000 + expires_in),
  }) as FurtherToken
  // A token without a lifetime is not stored.
  if (token.expires_at !== undefined)
    await keeper.rewrite(grant, (tokens) => withFurther(tokens, token))
  return givenFurther(token, grant.tokens?.dpop, client)
}

function checkParams({ resource, extra = {} }: TokenExchange): void {
  if (resource !== undefined && (!URL.canParse(resource) || resource.includes('#')))
    throw new TypeError(
      `\`resource\` must be an absolute URI without a fragment, got ${JSON.stringify(resource)}`,
    )
  const reserved = Object.keys(extra).find((name) => RESERVED.has(name))
  if (reserved !== undefined)
    throw new TypeError(`\`extra\` may not set ${JSON.stringify(reserved)}`)
}

function keyOf({ scopes = [], extra = {}, ...params }: TokenExchange): Promise<string> {
  const { audience = '', resource = '', subjectToken = 'access' } = params
  const { requestedTokenType = '', actorToken = '' } = params
  const further = Object.entries(extra).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return digestOf(
    'exchange',
    audience,
    resource,
    scopes.join(' '),
    subjectToken,
    requestedTokenType,
    actorToken,
    ...further.flat(),
  )
}

function formOf(
  {
    audience,
    resource,
    scopes = [],
    subjectToken = 'access',
    requestedTokenType,
    actorToken,
    extra,
  }: TokenExchange,
  subject: string,
): Record<string, string> {
  return definedOnly({
    ...extra,
    subject_token: subject,
    subject_token_type: `${TYPE}${subjectToken === 'id' ? 'id_token' : 'access_token'}`,
    audience,
    resource,
    scope: scopes.length > 0 ? scopes.join(' ') : undefined,
    requested_token_type: requestedTokenType,
    actor_token: actorToken,
    actor_token_type: actorToken === undefined ? undefined : `${TYPE}access_token`,
  })
}
