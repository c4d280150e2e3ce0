import {
  definePlugin,
  type Limiter,
  loadOnce,
  type PluginOption,
  type PluginRoute,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import type { ArgumentsOf } from '../../entries/plugin-checks.ts'
import { actionsOf, namesOf } from './actions.ts'
import type { LimitsApi } from './api.ts'
import { createLimiter } from './limiter.ts'
import { type Parts, partsOf } from './parts.ts'
import { routeWithoutRules } from './rules/rules-of-routes.ts'
import type { Settings } from './settings.ts'
import { texts } from './texts.ts'

/** Defines the plugin. */
export function defineLimits(settings: Settings): PluginOption<'limits', LimitsApi> {
  const { challenge } = settings
  return definePlugin<'limits', LimitsApi, Parts>({
    name: 'limits',
    check: (config) => (settings.isForAll ? routeWithoutRules(settings, config) : undefined),
    needs: settings.store === 'adapter' ? ['adapter', 'attempts'] : [],
    provides: ['limiter'],
    mails: ['new-device'],
    texts,
    commonFields: challenge ? [challenge.field, ...(challenge.otherFields ?? [])] : [],
    routes: challenge ? { 'limits/challenge': { GET: CHALLENGE } } : {},
    atEdge: () => ({ isWhole: true }),
    setUp(host) {
      const parts = partsOf(host, settings)
      const { counter, browsers } = parts
      const limiter: Limiter = createLimiter(parts)
      return {
        own: parts,
        api: withCheckedArguments('limits', apiOf(parts), loadArguments),
        provides: { limiter },
        ...(settings.isForAll && { actions: actionsOf(counter, () => limiter.failed?.()) }),
        leave: {
          page: async (request) => (await loadSignOut()).forgetBox(request, parts),
          async to(signedOut) {
            const { wantsForgotten, forgetAfter } = await loadSignOut()
            return wantsForgotten(signedOut.request)
              ? { cookies: await forgetAfter(signedOut, parts) }
              : undefined
          },
        },
        async afterSignIn(signIn, request) {
          const names = namesOf(signIn, request)
          const { cookies, ...browser } = await (await browsers()).remember(signIn, names, request)
          if (browser.isNew && !signIn.isNewUser) {
            const { tellOfBrowser } = await import('./browsers/new-browser.ts')
            const sendsMail = settings.newDeviceMail && browser.isFurther
            await tellOfBrowser(signIn, request, { host, sendsMail })
          }
          return cookies
        },
      }
    },
  })
}

/** Draws a challenge, for widgets and programs. */
const CHALLENGE: PluginRoute<Parts> = {
  who: 'anyone',
  callers: 'scripts',
  input: async () => (await import('./challenge/route.ts')).action,
  run: async () => (await import('./challenge/route.ts')).drawChallenge,
}

/** The functions of the plugin, which are loaded at the first call. */
function apiOf(parts: Parts): LimitsApi {
  const api = loadOnce(async () => (await import('./api.ts')).createApi(parts))
  return {
    reset: async (...asked) => (await api()).reset(...asked),
    peek: async (...asked) => (await api()).peek(...asked),
    unlock: async (...asked) => (await api()).unlock(...asked),
  }
}

const loadSignOut = loadOnce(() => import('./browsers/sign-out.ts'))

const loadArguments = async (): Promise<ArgumentsOf<LimitsApi>> =>
  (await import('./api-arguments.ts')).limitsArguments
