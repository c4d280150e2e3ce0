/**
 * Keeps the tokens that OAuth and OpenID Connect providers give, sealed, and renews them.
 *
 * @module
 */

import { OAuthCallbackError, toError } from '../../errors.ts'
import { serializeCookie } from '../../http/cookies.ts'
import { loadOnce } from '../../once.ts'
import type { EventMessages } from '../../options/events.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import {
  definePlugin,
  type PluginMethods,
  type PluginParts,
  type ProviderToken,
  type TokenKeeper,
} from '../../plugin-kit.ts'
import { sessionRequest } from '../../session/session-request.ts'
import type { SessionHooks } from '../../session/watch.ts'
import { factsOfClaims, tokensIn, withoutTokensIn } from './adopted.ts'
import type { Connections } from './connections.ts'
import { createJar } from './cookie/jar.ts'
import { besideSessions } from './cookie/sessions.ts'
import { withEnded } from './ended.ts'
import type { Grant } from './grant.ts'
import { type CookieMemory, createMemory } from './memory.ts'
import type { Own } from './own.ts'
import type { Revoker } from './revocation.ts'
import { withoutTokens } from './rows.ts'
import { type ProviderTokensOptions, settingsOf } from './settings.ts'
import type { UserTokens } from './tokens.ts'
import type {
  GetOptions,
  ProviderTokenResult,
  ProviderTokensApi,
  TokenResult,
} from './tokens-api.ts'
import { given, missingScopes, works } from './validity.ts'

export type {
  AdoptedClaims,
  CookieSettings,
  ProviderTokensOptions,
  RenewedParams,
} from './settings.ts'
export type {
  GetOptions,
  ProviderStatus,
  ProviderTokenError,
  ProviderTokenResult,
  ProviderTokensApi,
} from './tokens-api.ts'
export { ProviderTokenMissing } from './tokens-api.ts'

/** Keeps the tokens of providers: as records where the adapter has them, else in a cookie beside the session. */
export function providerTokens(
  options: ProviderTokensOptions = {},
): PluginOption<'providerTokens', ProviderTokensApi> {
  const settings = settingsOf(options)
  const { store, revoke, columns, providers } = settings
  const isKept = (provider: string): boolean => providers?.includes(provider) ?? true
  const { adopted, inSession, legacyError } = settings
  // Without hooks a session read stays what it is.
  const hasHooks = adopted.length > 0 || inSession || legacyError
  return definePlugin<'providerTokens', ProviderTokensApi, Own>({
    name: 'providerTokens',
    needs: [...(store === 'records' ? RECORDS : []), ...(revoke === 'sign-out' ? SESSIONS : [])],
    problems,
    routes,
    setUp(host) {
      const memory = host.shared(createMemory)
      const services: Services = {
        host,
        settings,
        isKept,
        revoker: loadOnce(async () =>
          (await import('./revocation.ts')).createRevoker(host, settings),
        ),
      }
      const isCookie = store === 'cookie' || (store === 'auto' && !(host.store && host.hasRecords))
      if (isCookie) return cookieParts(services, memory.cookies)
      const tokens = loadOnce(async () =>
        (await import('./tokens.ts')).createUserTokens(
          host,
          settings,
          memory.records,
          await services.revoker(),
        ),
      )
      const own: Own = {
        ...services,
        connections: async ({ user }) =>
          (await import('./connections.ts')).recordConnections(await tokens(), user.id ?? ''),
      }
      const { api, tokenKeeper } = partsFor(own, tokens)
      return {
        own,
        api,
        tokenKeeper,
        ...(hasHooks && {
          session: {
            ...(settings.adopted.length > 0 && { adopt: adoptInto(services, tokens) }),
            ...((settings.inSession || settings.legacyError) && {
              async shown(session, { userId }) {
                const grants = userId === undefined ? [] : await (await tokens()).all(userId)
                const ended = grants.filter(({ error }) => error).map(({ provider }) => provider)
                return withEnded(session, ended, host, settings)
              },
            }),
          },
        }),
        accounts: {
          row: (account) =>
            columns === 'clear' && isKept(account.provider) ? withoutTokens(account) : account,
          stored: async (...stored) => (await tokens()).keep(...stored),
          unlinked: async (account) => (await tokens()).forgetAccount(account),
        },
        listen: {
          sessionEnded: async (ended) => leave(ended, own, tokens),
          backchannelLogout: async (logout) => forgetOnline(logout, tokens),
        },
        beforeUserDelete: async (userId) => (await tokens()).all(userId),
        async onUserDelete(_userId, grants) {
          const revoker = await services.revoker()
          for (const grant of grants as readonly Grant[])
            await revoker.revoke(grant, 'user-deleted')
        },
        maintain: async (budget) => (await services.revoker()).retry(budget),
      }
    },
  })
}

interface Services extends Pick<Own, 'host' | 'settings' | 'isKept'> {
  revoker(): Promise<Revoker>
}

/** What it does where tokens are in a cookie. */
function cookieParts(
  services: Services,
  memory: CookieMemory,
): PluginParts<ProviderTokensApi, Own> {
  const { host, settings, isKept } = services
  const jar = createJar(host, settings)
  warnUncoordinated(services, memory)
  const { around, hooks } = besideSessions({ host, settings, jar, isKept })
  const renewer = loadOnce(async () =>
    (await import('./cookie/renewal.ts')).createCookieRenewer(host, settings, memory),
  )
  const own: Own = {
    ...services,
    async connections(current, request) {
      const { cookieConnections } = await import('./cookie/connections.ts')
      const [revoker, renew] = [await services.revoker(), await renewer()]
      return cookieConnections(current, request, { host, settings, isKept, jar, revoker, renew })
    },
  }
  return { own, around, session: hooks, ...partsFor(own, undefined) }
}

/** Moves tokens out of sealed sessions into records. Where that fails, the session stays as it is. */
function adoptInto(
  { host, settings }: Services,
  tokens: () => Promise<UserTokens>,
): NonNullable<SessionHooks['adopt']> {
  return async (token, { userId }) => {
    let left = token
    for (const names of settings.adopted) {
      const found = tokensIn(token, names)
      if (!found || userId === undefined) continue
      try {
        const isMoved = await (await tokens()).moveIn(userId, names.provider, found)
        if (isMoved) left = withoutTokensIn(left, names)
      } catch (error) {
        host.logger.error(toError(error))
      }
    }
    return left
  }
}

/** Several processes, each with the same refresh token, and nothing that lets them agree. */
function warnUncoordinated({ host, settings, isKept }: Services, memory: CookieMemory): void {
  if (host.hasRecords || settings.cookie.refresh === 'browser' || memory.warned.has('strict'))
    return
  const strict = host.providers('strict').filter(isKept)
  if (strict.length === 0) return
  memory.warned.add('strict')
  host.logger.warn('provider-tokens-uncoordinated', strict.join(', '))
}

const RECORDS = ['adapter', 'records'] as const
const SESSIONS = ['plugin:sessions'] as const

/** After these a user has a session still, or is about to. */
const GOES_ON: ReadonlySet<string> = new Set(['replaced', 'evicted', 'failed', 'user-deleted'])

/** Whoever ended their last session has tokens revoked, where that is wanted: they belong to all sessions. */
async function leave(
  { userId, reason }: EventMessages['sessionEnded'],
  { host, settings }: Own,
  tokens: () => Promise<UserTokens>,
): Promise<void> {
  const isAsked = async (provider: string): Promise<boolean> =>
    ((await host.provider(provider))?.rules.revoke ?? settings.revoke) === 'sign-out'
  const sessions = GOES_ON.has(reason) ? undefined : host.sessions()
  if (!sessions) return
  const providers = []
  for (const id of host.providers()) if (await isAsked(id)) providers.push(id)
  if (providers.length === 0 || (await sessions.list(userId)).length > 0) return
  for (const id of providers) await (await tokens()).forget(userId, id, 'sign-out')
}

/**
 * A provider ended sessions: tokens that are renewed end with them, unless they are for access without the user
 * (OpenID Connect Back-Channel Logout 1.0 section 2.7).
 */
async function forgetOnline(
  { provider, userIds }: EventMessages['backchannelLogout'],
  tokens: () => Promise<UserTokens>,
): Promise<void> {
  for (const userId of userIds) {
    const grant = await (await tokens()).find(userId, provider)
    if (!grant || grant.scope.includes('offline_access')) continue
    await (await tokens()).forget(userId, provider, 'back-channel')
  }
}

const problems = {
  scope_not_allowed: { status: 400, title: 'This permission cannot be asked for' },
  reauthentication_required: { status: 403, title: 'Please sign in again first' },
  refresh_token_error: { status: 409, title: 'The connection has ended; connect again' },
  provider_unavailable: { status: 503, title: 'The provider does not answer; try again later' },
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  'provider-tokens/status': {
    GET: { who: 'user', run: async () => (await import('./routes/status.ts')).status },
  },
  'provider-tokens/connect/*': {
    POST: {
      who: 'user',
      input: async () => (await import('./routes/connect.ts')).input,
      run: async () => (await import('./routes/connect.ts')).connect,
    },
  },
  'provider-tokens/refresh': {
    POST: {
      who: 'user',
      input: async () => (await import('./routes/fields.ts')).providerInput,
      run: async () => (await import('./routes/refresh.ts')).refresh,
    },
  },
  'provider-tokens/disconnect': {
    POST: {
      who: 'user',
      input: async () => (await import('./routes/fields.ts')).providerInput,
      run: async () => (await import('./routes/disconnect.ts')).disconnect,
    },
  },
}

/** What it offers in code, wherever tokens are kept. @param tokens of users, where they can be had without a request */
function partsFor(
  own: Own,
  tokens: (() => Promise<UserTokens>) | undefined,
): { readonly api: ProviderTokensApi; readonly tokenKeeper: TokenKeeper } {
  const { host, settings } = own
  const connectionsOf = async (
    request: Parameters<TokenKeeper['get']>[0],
  ): Promise<Connections | undefined> => {
    const current = await host.current(request)
    if (!current) return undefined
    return own.connections(
      current,
      request instanceof Request
        ? sessionRequest(request.headers, new URL(request.url).origin)
        : request,
    )
  }
  const needTokens = (): Promise<UserTokens> => {
    if (tokens) return tokens()
    throw new TypeError(
      'providerTokens: tokens in a cookie can be had with a request alone; set `store` to "records"',
    )
  }
  /** Where nothing could be moved yet, the claims have a token still; it is not renewed. */
  const fromClaims = async (
    request: Request,
    provider: string,
    { scopes, minTtl = 0, force = false }: GetOptions = {},
  ): Promise<TokenResult | undefined> => {
    const names = settings.adopted.find((each) => each.provider === provider)
    const current = names && !force ? await host.current(request) : null
    if (!names || current?.facts.strategy !== 'jwt') return undefined
    const facts = factsOfClaims(await current.facts.known(), names)
    const isGood =
      facts && works(facts, host.ports.now(), minTtl) && missingScopes(facts, scopes).length === 0
    return isGood ? given(facts) : undefined
  }
  const mayRenew = settings.cookie.refresh === 'anywhere'
  const getWith = async (
    request: Request,
    provider: string,
    options: GetOptions | undefined,
    mayRenew: boolean,
  ): Promise<ProviderTokenResult> => {
    const connections = await connectionsOf(request)
    if (!connections) return { ok: false, error: 'NotSignedIn', setCookie: [] }
    const { result, cookies } = await connections.get(provider, options, mayRenew)
    if (!result.ok && result.error === 'NoToken') {
      const claimed = await fromClaims(request, provider, options)
      if (claimed) return { ...claimed, setCookie: [] }
    }
    return { ...result, setCookie: cookies.map(serializeCookie) }
  }
  const api: ProviderTokensApi = {
    get: (request, provider, options) => getWith(request, provider, options, mayRenew),
    async fetch(request, provider, input, init = {}) {
      const { fetchWithToken } = await import('./api-fetch.ts')
      // The answer is the API's: here no cookie can be set.
      const get = (options: GetOptions): ReturnType<typeof api.get> =>
        getWith(request, provider, options, tokens !== undefined)
      return fetchWithToken(provider, input, init, get, host)
    },
    async status(request) {
      return (await (await connectionsOf(request))?.status()) ?? {}
    },
    async revoke(who, provider) {
      if (!(who instanceof Request))
        return (await (await needTokens()).forget(who.userId, provider, 'application')) ?? false
      const forgotten = await (await connectionsOf(who))?.forget(provider, 'application')
      return forgotten?.revoked ?? false
    },
    async forUser(userId, provider, options) {
      return { ...(await (await needTokens()).get(userId, provider, options)), setCookie: [] }
    },
  }
  const tokenKeeper: TokenKeeper = {
    async get(request, provider) {
      const connections = await connectionsOf(request)
      // Here no cookie can be set.
      const { result } = (await connections?.get(provider, {}, tokens !== undefined)) ?? {}
      if (!result) return null
      if (result.ok) {
        const { ok: _, ...token } = result
        return token as ProviderToken
      }
      if (result.error !== 'ProviderUnavailable') return null
      throw new OAuthCallbackError(
        'the provider cannot be asked, and its token has come to its end',
        {
          provider,
        },
      )
    },
  }
  return { api, tokenKeeper }
}
