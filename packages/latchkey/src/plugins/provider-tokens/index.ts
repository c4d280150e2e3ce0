/**
 * Keeps the tokens that OAuth and OpenID Connect providers give, sealed, and renews them.
 *
 * @module
 */

import { OAuthCallbackError } from '../../errors.ts'
import { loadOnce } from '../../once.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import { definePlugin, type Host, type TokenKeeper } from '../../plugin-kit.ts'
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
    needs: ['adapter', 'records'],
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
