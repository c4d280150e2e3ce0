import {
  type Cookie,
  OAuthCallbackError,
  type ProviderToken,
  serializeCookie,
  sessionRequest,
  type TokenKeeper,
  userIdOf,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import { factsOfClaims } from './adopted.ts'
import type { Connections } from './connections/connections.ts'
import type { Own } from './own.ts'
import type { Columns } from './records/columns.ts'
import type { UserTokens } from './records/tokens.ts'
import type {
  GetOptions,
  ProviderTokenResult,
  ProviderTokensApi,
  TokenResult,
} from './tokens-api.ts'
import { given, missingScopes, works } from './validity.ts'

/**
 * Creates the functions of the plugin for either store.
 *
 * @param tokens the tokens of users, if they can be read without a request.
 */
export function partsFor(
  own: Own,
  tokens: (() => Promise<UserTokens>) | undefined,
): {
  readonly api: ProviderTokensApi
  readonly provides: { readonly tokens: TokenKeeper }
} {
  const { host, settings } = own
  const connectionsOf = async (
    request: Parameters<TokenKeeper['get']>[0],
  ): Promise<Connections | undefined> => {
    const current = await host.sessions.current(request)
    if (!current) return undefined
    return own.connections(
      current,
      request instanceof Request ? sessionRequest(request, new URL(request.url).origin) : request,
    )
  }
  const needTokens = (): Promise<UserTokens> => {
    if (tokens) return tokens()
    throw new TypeError(
      'providerTokens: this call needs records, but the tokens are in a cookie; set `store` to "records"',
    )
  }
  /** Tokens that were not moved yet are read from the claims, and are not renewed. */
  const fromClaims = async (
    request: Request,
    provider: string,
    { scopes, minTtl = 0, force = false }: GetOptions = {},
  ): Promise<TokenResult | undefined> => {
    const names = settings.adopted.find((each) => each.provider === provider)
    const current = names && !force ? await host.sessions.current(request) : null
    if (!names || current?.facts.strategy !== 'jwt') return undefined
    const facts = factsOfClaims(await current.facts.known(), names)
    const isGood =
      facts && works(facts, host.ports.now(), minTtl) && missingScopes(facts, scopes).length === 0
    return isGood ? given(facts, undefined) : undefined
  }
  const mayRenew = settings.cookie.refresh === 'anywhere'
  const getWith = async (
    request: Request,
    provider: string,
    options: GetOptions | undefined,
    mayRenew: boolean,
  ): Promise<{ readonly result: TokenResult; readonly cookies: readonly Cookie[] }> => {
    const connections = await connectionsOf(request)
    if (!connections) return { result: { ok: false, error: 'NotSignedIn' }, cookies: [] }
    const { result, cookies } = await connections.get(provider, options, mayRenew)
    if (!result.ok && result.error === 'NoToken') {
      const claimed = await fromClaims(request, provider, options)
      if (claimed) return { result: claimed, cookies: [] }
    }
    return { result, cookies }
  }
  const columns = async (): Promise<Columns> => {
    const kept = await needTokens()
    return (await import('./records/columns.ts')).createColumns(host, settings, kept)
  }
  const api: ProviderTokensApi = {
    async get(request, provider, options) {
      const { result, cookies } = await getWith(request, provider, options, mayRenew)
      return { ...shown(result), setCookie: cookies.map(serializeCookie) }
    },
    async fetch(request, provider, input, init = {}) {
      const { fetchWithToken } = await import('./api-fetch.ts')
      // The response is that of the API, so it cannot set a cookie.
      const get = async (options: GetOptions): Promise<TokenResult> =>
        (await getWith(request, provider, options, tokens !== undefined)).result
      return fetchWithToken(provider, input, init, get, host)
    },
    async exchange(request, provider, params) {
      const userId = (await host.sessions.current(request))?.user.id
      if (userId === undefined) return { ok: false, error: 'NotSignedIn', setCookie: [] }
      const result = await (await needTokens()).exchange(userId, provider, params)
      return { ...shown(result), setCookie: [] }
    },
    async status(request) {
      return (await (await connectionsOf(request))?.status()) ?? {}
    },
    async revoke(who, provider) {
      if (!(who instanceof Request))
        return (await (await needTokens()).forget(userIdOf(who), provider, 'application')) ?? false
      const forgotten = await (await connectionsOf(who))?.forget(provider, 'application')
      return forgotten?.revoked ?? false
    },
    async forUser(userId, provider, options) {
      const result = await (await needTokens()).get(userIdOf({ userId }), provider, options)
      return { ...shown(result), setCookie: [] }
    },
    sealColumns: async (userId) => (await columns()).seal(userIdOf({ userId })),
    restoreColumns: async (userId) => (await columns()).restore(userIdOf({ userId })),
  }
  const keeper: TokenKeeper = {
    async get(request, provider) {
      const connections = await connectionsOf(request)
      // This call cannot set a cookie.
      const { result } = (await connections?.get(provider, {}, tokens !== undefined)) ?? {}
      if (!result) return null
      if (result.ok) {
        const { ok: _, ...token } = shown(result)
        return token as ProviderToken
      }
      if (result.error !== 'ProviderUnavailable') return null
      throw new OAuthCallbackError('the token expired, and the provider cannot be reached', {
        provider,
      })
    },
  }
  return {
    api: withCheckedArguments('providerTokens', api, loadArguments),
    provides: { tokens: keeper },
  }
}

async function loadArguments() {
  return (await import('./api-arguments.ts')).providerTokensArguments
}

/** Returns the part of a result that applications receive. */
function shown(result: TokenResult): Shown {
  if (!result.ok) return result
  const { bound, ...token } = result
  return { ...token, ...(bound && { proof: bound.proof }) }
}

type Shown =
  | Omit<Extract<ProviderTokenResult, { ok: true }>, 'setCookie'>
  | Omit<Extract<ProviderTokenResult, { ok: false }>, 'setCookie'>
