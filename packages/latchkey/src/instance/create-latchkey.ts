import { callsByName } from '../base/calls-by-name.ts'
import { AuthError } from '../base/errors.ts'
import { noteMounted, offerNotes } from '../base/instance-notes.ts'
import { loadOnce } from '../base/once.ts'
import { Auth, authDirect, authResult, planOf } from '../core/auth.ts'
import { offerDirect } from '../http/direct.ts'
import { atOrigin, pendingAtOrigin } from '../http/origin/public-origin.ts'
import { asksForAction } from '../http/request.ts'
import type { Session } from '../model/session.ts'
import { checkPages } from '../option-checks/look/check-pages.ts'
import { checkTexts } from '../option-checks/look/check-texts.ts'
import { checkTheme, warningsOfTheme } from '../option-checks/look/check-theme.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { type Env, processEnv } from '../options/env.ts'
import type { PluginApis } from '../options/plugin-option.ts'
import { sessionRequest } from '../session/session-request.ts'
import { wrappedAdapter } from '../store/store.ts'
import { createActing } from './acting.ts'
import { loggerOf, unconfigured, usable } from './arrival.ts'
import { cookieHeaders } from './cookie-headers.ts'
import { createReading, resolveReader } from './reading.ts'
import { type ConfigSource, createSite, type Site } from './site.ts'
import type {
  ConfiguredAdapter,
  ConfiguredSession,
  Latchkey,
  SessionOf,
  StepUpFunctions,
  TypedConfig,
  UntypedConfig,
} from './types.ts'

/** @throws {AuthError} for an invalid configuration. */
function checkAtStart(config: AuthConfig): void {
  const { fault = checkPages(config) ?? checkTexts(config) ?? checkTheme(config), logger } =
    planOf(config)
  if (fault) throw fault
  for (const [code, detail] of warningsOfTheme(config)) logger.warn(code, detail)
}

/**
 * Creates an instance. Missing options are read from the environment (`AUTH_SECRET`, `AUTH_URL`,
 * `AUTH_<PROVIDER>_ID` and so on).
 *
 * @throws {AuthError} if the configuration is invalid. The configuration of a function is checked with each request.
 */
export function createLatchkey<
  const Config extends UntypedConfig,
  S extends Session = Session,
  const K extends ConfiguredSession = undefined,
  A extends ConfiguredAdapter = undefined,
>(config: TypedConfig<Config, S, K, A>, env?: Env): Latchkey<Config>
export function createLatchkey<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env?: Env,
): Latchkey<Config>
export function createLatchkey<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  env: Env = processEnv(),
): Latchkey<Config> {
  const site = createSite(source, env)
  if (site.fixed) checkAtStart(site.fixed)

  const loadProtection = loadOnce(() => import('./protect.ts'))
  const loadArguments = loadOnce(() => import('../options/arguments/core-arguments.ts'))

  const handler = async (request: Request): Promise<Response> => {
    const arrival = await site.arrive(request).catch((error: unknown) => unconfigured(error, site))
    if (arrival instanceof Response) return arrival
    return Auth(atOrigin(request, arrival.origin), arrival.config)
  }
  const { arriveAt } = site
  if (arriveAt) {
    offerDirect(handler, async (request) => {
      const { origin, config } = arriveAt(request)
      return authDirect(pendingAtOrigin(request, origin), config)
    })
  }

  const plan = site.fixed && planOf(site.fixed)
  const mounted = (): void => noteMounted(plan?.basePath)

  const instance: Latchkey<Config> = {
    ...createReading<Config>(site),
    ...createActing(site, loadArguments),
    ...stepUpOf(site),
    api: apiOf(async (name, input) => {
      const request = input instanceof Request ? input : undefined
      const arrival = request && (await site.arrive(request))
      const plan = arrival ? usable(arrival) : planOf(await site.config())
      const api = plan.plugins?.api(name)
      if (!api)
        throw new AuthError(
          `no plugin of the configuration has \`api.${name}\`; add the plugin to \`plugins\``,
        )
      return { api, request: request && arrival ? atOrigin(request, arrival.origin) : undefined }
    }) as PluginApis<Config>,
    async answers(request) {
      const { config } = await site.arrive(request)
      const plan = planOf(config)
      const { pathname } = new URL(request.url)
      return asksForAction(pathname, plan) || plan.plugins?.router.find(pathname) !== undefined
    },
    get handler() {
      mounted()
      return handler
    },
    async result(request) {
      const arrival = await site
        .arrive(request)
        .catch((error: unknown) => unconfigured(error, site))
      if (arrival instanceof Response) return { response: arrival }
      return authResult(atOrigin(request, arrival.origin), arrival.config)
    },
    get handlers() {
      mounted()
      return { GET: handler, POST: handler }
    },
    async getProviderToken(input, provider) {
      ;(await loadArguments()).checkCall('getProviderToken', [input, provider])
      const asking = await resolveReader(input, site)
      if (!asking) return null
      const { providerToken } = await import('./provider-token.ts')
      return providerToken(asking.asked, provider, asking.plan)
    },
    async protect(request, options = {}) {
      ;(await loadArguments()).checkCall('protect', [request, options])
      const { path, native = request, authorized, redirectsOnlyPages } = options
      const arrival = await site.arrive(request)
      const plan = usable(arrival)
      const asked = sessionRequest(request, arrival.origin)
      const { session, cookies } = await plan.session.read(asked)
      const { pathname, search } = new URL(request.url)
      const url = new URL(arrival.origin + pathname + search)
      const visiting = {
        request,
        url,
        path: path ?? url.pathname,
        native,
        session,
        redirectsOnlyPages,
        authorized: authorized ?? arrival.config.callbacks?.authorized,
      }
      const { protect } = await loadProtection()
      return {
        ...(await protect(visiting, plan)),
        session: session as SessionOf<Config> | null,
        headers: cookieHeaders(cookies),
      }
    },
    get adapter() {
      const { adapter } = site.fixed ?? {}
      const { store, plugins } = (site.fixed && planOf(site.fixed)) || {}
      const wrapped = adapter && store && wrappedAdapter(adapter, store)
      return wrapped && plugins ? plugins.accounts.tellingDeletions(wrapped) : wrapped
    },
    async maintain(options = {}) {
      ;(await loadArguments()).checkCall('maintain', [options])
      const { budgetMs = 2000 } = options
      const plan = planOf(await site.config())
      if (plan.fault) throw plan.fault
      await plan.plugins?.maintain(budgetMs)
    },
    async resealRecords() {
      const plan = planOf(await site.config())
      if (plan.fault) throw plan.fault
      return (await plan.plugins?.resealRecords()) ?? { resealed: 0, current: 0, unreadable: 0 }
    },
  }
  return offerNotes(instance, {
    warn: (code, detail) => loggerOf(site).warn(code, detail),
    signIn: plan && !plan.pages.signIn ? `${plan.basePath}/signin` : undefined,
    mounted,
  })
}

/** Loaded with its first call: few sites ask for a proof again. */
function stepUpOf(site: Site): StepUpFunctions {
  const load = loadOnce(async () => (await import('./step-up.ts')).createStepUp(site))
  return {
    facts: async (...asked) => (await load()).facts(...asked),
    requireProof: async (...asked) => (await load()).requireProof(...asked),
    requireFresh: async (...asked) => (await load()).requireFresh(...asked),
    requireFactors: async (...asked) => (await load()).requireFactors(...asked),
    stepUpResponse: async (...asked) => (await load()).stepUpResponse(...asked),
  }
}

type Callable = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>

/** Looks up the functions of plugins with each call, since the configuration may depend on the request. */
function apiOf(
  find: (name: string, first: unknown) => Promise<{ api: object; request: Request | undefined }>,
): object {
  return callsByName(async (plugin, name, args) => {
    const { api, request } = await find(plugin, args[0])
    const called = (api as Callable)[name]
    if (typeof called !== 'function') {
      throw new AuthError(`the plugin ${plugin} has no function \`${name}\``)
    }
    return called.apply(api, request ? [request, ...args.slice(1)] : args)
  })
}
