/**
 * Keeps the tokens that OAuth and OpenID Connect providers give, sealed, and renews them.
 *
 * @module
 */

import { OAuthCallbackError } from '../../errors.ts'
import { loadOnce } from '../../once.ts'
import type { EventMessages } from '../../options/events.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import { definePlugin, type Host, type PluginMethods, type TokenKeeper } from '../../plugin-kit.ts'
import type { Grant } from './grant.ts'
import { createMemory } from './memory.ts'
import type { Own } from './own.ts'
import { withoutTokens } from './rows.ts'
import { type ProviderTokensOptions, type Settings, settingsOf } from './settings.ts'
import type { ProviderTokensApi } from './tokens-api.ts'

export type { ProviderTokensOptions, RenewedParams } from './settings.ts'
export type {
  GetOptions,
  ProviderStatus,
  ProviderTokenError,
  ProviderTokenResult,
  ProviderTokensApi,
} from './tokens-api.ts'
export { ProviderTokenMissing } from './tokens-api.ts'

/** Keeps the tokens of providers. Needs an adapter that keeps records. */
export function providerTokens(
  options: ProviderTokensOptions = {},
): PluginOption<'providerTokens', ProviderTokensApi> {
  const settings = settingsOf(options)
  return definePlugin<'providerTokens', ProviderTokensApi, Own>({
    name: 'providerTokens',
    needs: ['adapter', 'records', ...(settings.revoke === 'sign-out' ? SESSIONS : [])],
    problems,
    routes,
    setUp(host) {
      const own = ownOf(host, settings)
      const isKept = (provider: string): boolean => settings.providers?.includes(provider) ?? true
      return {
        own,
        api: apiOf(own),
        tokenKeeper: tokenKeeperOf(own),
        accounts: {
          row: (account) =>
            settings.columns === 'clear' && isKept(account.provider)
              ? withoutTokens(account)
              : account,
          stored: async (...stored) => (await own.tokens()).keep(...stored),
          unlinked: async (account) => (await own.tokens()).forgetAccount(account),
        },
        listen: {
          sessionEnded: async (ended) => leave(ended, own),
          backchannelLogout: async (logout) => forgetOnline(logout, own),
        },
        beforeUserDelete: async (userId) => (await own.tokens()).all(userId),
        async onUserDelete(_userId, grants) {
          const { revoker } = await own.tokens()
          for (const grant of grants as readonly Grant[])
            await revoker.revoke(grant, 'user-deleted')
        },
        maintain: async (budget) => (await own.tokens()).revoker.retry(budget),
      }
    },
  })
}

const SESSIONS = ['plugin:sessions'] as const

/** After these a user has a session still, or is about to. */
const GOES_ON: ReadonlySet<string> = new Set(['replaced', 'evicted', 'failed', 'user-deleted'])

/** Whoever ended their last session has tokens revoked, where that is wanted: they belong to all sessions. */
async function leave(
  { userId, reason }: EventMessages['sessionEnded'],
  { host, tokens, settings }: Own,
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
  { tokens }: Own,
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

function ownOf(host: Host, settings: Settings): Own {
  const memory = host.shared(createMemory)
  const tokens = loadOnce(async () =>
    (await import('./tokens.ts')).createUserTokens(host, settings, memory),
  )
  return { host, settings, tokens }
}

function apiOf({ host, tokens }: Own): ProviderTokensApi {
  const userOf = async (request: Request): Promise<string | undefined> =>
    (await host.current(request))?.user.id
  const api: ProviderTokensApi = {
    async get(request, provider, options) {
      const userId = await userOf(request)
      if (userId === undefined) return { ok: false, error: 'NotSignedIn', setCookie: [] }
      return (await tokens()).get(userId, provider, options)
    },
    async fetch(request, provider, input, init = {}) {
      const { fetchWithToken } = await import('./api-fetch.ts')
      const get = (options: Parameters<typeof api.get>[2]): ReturnType<typeof api.get> =>
        api.get(request, provider, options)
      return fetchWithToken(provider, input, init, get, host)
    },
    async status(request) {
      const userId = await userOf(request)
      return userId === undefined ? {} : (await tokens()).status(userId)
    },
    async revoke(who, provider) {
      const userId = who instanceof Request ? await userOf(who) : who.userId
      if (userId === undefined) return false
      return (await (await tokens()).forget(userId, provider, 'application')) ?? false
    },
    forUser: async (userId, provider, options) => (await tokens()).get(userId, provider, options),
  }
  return api
}

/** For `getProviderToken`, which knows of no errors but one. */
function tokenKeeperOf({ host, tokens }: Own): TokenKeeper {
  return {
    async get(request, provider) {
      const userId = (await host.current(request))?.user.id
      const result = userId === undefined ? undefined : await (await tokens()).get(userId, provider)
      if (!result) return null
      if (result.ok) {
        const { ok: _, setCookie: __, ...token } = result
        return token as Awaited<ReturnType<TokenKeeper['get']>>
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
}
