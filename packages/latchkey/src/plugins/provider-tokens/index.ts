/**
 * Stores the tokens of OAuth and OpenID Connect providers sealed, and renews them.
 *
 * @module
 */

import {
  definePlugin,
  loadOnce,
  type PluginMethods,
  type PluginOption,
  type PluginParts,
  refusedForms,
  type SessionHooks,
  toError,
} from '../../entries/plugin.ts'
import { tokensIn, withoutTokensIn } from './adopted.ts'
import { partsFor } from './api.ts'
import { providerFault } from './check.ts'
import { withEnded } from './connections/ended.ts'
import { forgetOnline, leave } from './connections/endings.ts'
import type { Revoker } from './connections/revocation.ts'
import { createJar } from './cookie/jar.ts'
import { besideSessions } from './cookie/sessions.ts'
import { type Own, PAGE } from './own.ts'
import type { Grant } from './records/grant.ts'
import { withoutTokens } from './records/rows.ts'
import type { UserTokens } from './records/tokens.ts'
import { type CookieMemory, createMemory } from './renewal/memory.ts'
import { type ProviderTokensOptions, settingsOf } from './settings.ts'
import { texts } from './texts.ts'
import type { ProviderTokensApi } from './tokens-api.ts'

export type {
  AdoptedClaims,
  CookieSettings,
  ProviderTokensOptions,
  RenewedParams,
} from './settings.ts'
export type {
  GetOptions,
  MovedTokens,
  ProviderStatus,
  ProviderTokenError,
  ProviderTokenResult,
  ProviderTokensApi,
  TokenExchange,
} from './tokens-api.ts'
export { ProviderTokenMissing } from './tokens-api.ts'

/** Stores the tokens of providers: as records if the adapter has them, otherwise in a cookie beside the session. */
export function providerTokens(
  options: ProviderTokensOptions = {},
): PluginOption<'providerTokens', ProviderTokensApi> {
  const settings = settingsOf(options)
  const { store, revoke, columns, providers } = settings
  const isKept = (provider: string): boolean => providers?.includes(provider) ?? true
  const { adopted, inSession, legacyError } = settings
  // Without hooks, reading a session has no additional cost.
  const hasHooks = adopted.length > 0 || inSession || legacyError
  return definePlugin<'providerTokens', ProviderTokensApi, Own>({
    name: 'providerTokens',
    check: (config, providers) => providerFault(settings, config, providers),
    needs: [...(store === 'records' ? RECORDS : []), ...(revoke === 'sign-out' ? SESSIONS : [])],
    texts,
    refusedForms,
    problems,
    routes,
    ...(store === 'records' && {
      sealed: [{ kind: 'provider-tokens', member: 'sealed', isRenewed: true }],
    }),
    provides: ['tokens'],
    accountSections: [
      {
        path: PAGE,
        label: 'providerTokens:title',
        about: 'providerTokens:about',
        icon: 'link',
        order: 44,
      },
    ],
    ...(columns === 'keep' && { notes: ['plain-token-columns'] }),
    setUp(host) {
      const memory = host.shared(createMemory)
      const services: Services = {
        host,
        settings,
        isKept,
        revoker: loadOnce(async () =>
          (await import('./connections/revocation.ts')).createRevoker(host, settings),
        ),
      }
      const isCookie = store === 'cookie' || (store === 'auto' && !(host.store && host.hasRecords))
      if (isCookie) return cookieParts(services, memory.cookies)
      const tokens = loadOnce(async () =>
        (await import('./records/tokens.ts')).createUserTokens(
          host,
          settings,
          memory.records,
          await services.revoker(),
        ),
      )
      const own: Own = {
        ...services,
        async connections({ user }) {
          if (user.id === undefined) warnOfNobody(services, memory.cookies)
          return (await import('./connections/connections.ts')).recordConnections(
            await tokens(),
            user.id ?? '',
          )
        },
      }
      return {
        own,
        ...partsFor(own, tokens),
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

/** Returns the parts of the plugin if tokens are in a cookie. */
function cookieParts(
  services: Services,
  memory: CookieMemory,
): PluginParts<ProviderTokensApi, Own> {
  const { host, settings, isKept } = services
  const jar = createJar(host, settings, memory)
  warnUncoordinated(services, memory)
  const session = besideSessions({ host, settings, jar, isKept })
  const renewer = loadOnce(async () =>
    (await import('./cookie/renewal.ts')).createCookieRenewer(host, settings, memory),
  )
  const own: Own = {
    ...services,
    async connections(current, request) {
      const { cookieConnections } = await import('./cookie/connections.ts')
      const [revoker, renew] = [await services.revoker(), await renewer()]
      const kept = { host, settings, isKept, memory, jar, revoker, renew }
      return cookieConnections(current, request, kept)
    },
  }
  return { own, session, ...partsFor(own, undefined) }
}

/** Moves tokens from sealed sessions into records. If that fails, the session does not change. */
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

/** Warns that several processes may use the same refresh token, and have no means of coordination. */
function warnUncoordinated({ host, settings, isKept }: Services, memory: CookieMemory): void {
  if (host.hasRecords || settings.cookie.refresh === 'browser' || memory.warned.has('strict'))
    return
  const strict = host.providers.ids('strict').filter(isKept)
  if (strict.length === 0) return
  memory.warned.add('strict')
  host.logger.warn('provider-tokens-uncoordinated', strict.join(', '))
}

/** Warns of a session without a user: records belong to a user, and the `jwt` callback removed the user's id. */
function warnOfNobody({ host }: Services, { warned }: CookieMemory): void {
  if (warned.has('nobody')) return
  warned.add('nobody')
  host.logger.warn(
    'provider-tokens-no-user',
    'a session has no user id, so its user has no tokens; keep `sub` in the result of the `jwt` callback',
  )
}

const RECORDS = ['adapter', 'records'] as const
const SESSIONS = ['plugin:sessions'] as const

const problems = {
  scope_not_allowed: { status: 400, title: 'This permission cannot be asked for' },
  refresh_token_error: { status: 409, title: 'The connection has ended; connect again' },
  provider_unavailable: { status: 503, title: 'The provider does not answer; try again later' },
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  [PAGE]: {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/page.ts')).input,
      run: async () => (await import('./routes/page.ts')).page,
    },
  },
  'provider-tokens/status': {
    GET: { who: 'user', run: async () => (await import('./routes/status.ts')).status },
  },
  'provider-tokens/connect/*': {
    POST: {
      who: 'user',
      page: PAGE,
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
      page: PAGE,
      input: async () => (await import('./routes/fields.ts')).providerInput,
      run: async () => (await import('./routes/disconnect.ts')).disconnect,
    },
  },
}
