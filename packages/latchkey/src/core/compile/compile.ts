import { AuthError, EventError, InvalidProvider, isAuthError, toError } from '../../base/errors.ts'
import { kindOfValue } from '../../base/kind-of-value.ts'
import { oncePer } from '../../base/once.ts'
import type { Ports } from '../../base/ports.ts'
import type { TextTables } from '../../base/texts/catalogue.ts'
import { compileHosts } from '../../http/origin/host-list.ts'
import { normalizeBasePath } from '../../http/paths/base-path.ts'
import { judgeTarget, type SafeUrl, trusted } from '../../http/safe-url.ts'
import { validate } from '../../option-checks/validate.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { cookieSpecs } from '../../options/cookie-policy.ts'
import { DEFAULT_BASE_PATH } from '../../options/env.ts'
import type { EventMessages } from '../../options/events.ts'
import { raw, setUpWith, skipCSRFCheck } from '../../options/markers.ts'
import type { WrittenForms } from '../../options/plugin-option.ts'
import type { ProviderConfig } from '../../options/provider-options.ts'
import { createLogger, type Logger } from '../../options/redacting-logger.ts'
import { hashSecretsOf, secretsOf } from '../../options/secrets.ts'
import { withBrought } from '../../plan/brought-plugins.ts'
import type { Callbacks, PlanPlugins, SessionPlan } from '../../plan/plan.ts'
import type { CreateLanguages, Languages } from '../../plugin/languages.ts'
import type { Plugin } from '../../plugin/plugin.ts'
import { createSealer } from '../../protocols/sealing/sealer.ts'
import type { SessionServices } from '../../session/services.ts'
import { guardSessionCallback } from '../../session/session-callback.ts'
import type { Sessions } from '../../session/sessions.ts'
import { hasRecords } from '../../store/abilities.ts'
import { createStore } from '../../store/store.ts'
import { compileCallbacks, compileRedirect } from './callbacks.ts'
import { resolveProviders } from './resolve-provider.ts'
import { compileSession } from './session.ts'
import { sessionAges } from './session-options.ts'
import { compileTexts } from './texts.ts'

/** Computes everything that does not depend on a request. Keys and values are derived at their first use. */
export function compile(given: AuthConfig, ports: Ports): SessionPlan {
  const odd = oddMember('plugins', given.plugins)
  const config = withBrought(withoutNulls(odd === undefined ? given : { ...given, plugins: [] }))
  const { configs, failure = odd && new AuthError(odd) } = providersOf(config)
  const name = [config.basePath, ...configs.map(({ id }) => id)].join(' ')
  const logger = createLogger(config.logger, config.debug ?? false, ports.console, name)
  const { fault, warnings } = failure ? { fault: failure, warnings: [] } : validate(config, configs)
  for (const [code, detail] of warnings) logger.warn(code, detail)

  const secrets = secretsOf(config.secret)
  const writes: WrittenForms = Object.assign(
    {},
    ...(config.plugins ?? []).map((plugin) => plugin.writes),
  )
  const flowSecrets = secretsOf(config.jwt?.secret)
  const callbacks = guardedCallbacks(config, logger)
  const cookies = lazyCookies(config)
  const emit = compileEvents(config, logger, () => plan.plugins)
  const store = config.adapter && createStore(config.adapter, logger, config.records)
  const records = store ?? (config.records && createStore(config.records, logger))
  const services: SessionServices = {
    ports,
    secrets,
    cookies,
    ...sessionAges(config),
    plainTokens: writes.sessionTokens === 'plain',
    callbacks,
    logger,
    watch: undefined,
    get tellsSignOut() {
      return config.events?.signOut !== undefined || plan.plugins?.events.hears('signOut') === true
    },
    emit,
  }

  const languages = languagesOf(config, { logger, now: ports.now })

  let session: Sessions | undefined
  let plugins: PlanPlugins | undefined
  const plan: SessionPlan = {
    ports,
    fault,
    basePath: normalizeBasePath(
      typeof config.basePath === 'string' ? config.basePath : DEFAULT_BASE_PATH,
    ),
    trailingSlash: config.trailingSlash === true,
    raw: config.raw === raw,
    trustsOrigin: Array.isArray(config.trustHost) ? compileHosts(config.trustHost) : () => true,
    secrets,
    hashSecrets: hashSecretsOf(secrets, writes.hashes),
    cookies,
    sealer: oncePer((purpose: string) =>
      createSealer(flowSecrets.length > 0 ? flowSecrets : secrets, purpose),
    ),
    csrf: config.skipCSRFCheck !== skipCSRFCheck,
    allowCrossSite: config.allowCrossSite === true,
    redirectProxy: { url: config.redirectProxyUrl, origins: config.redirectProxyOrigins },
    providerConfigs: configs,
    get session() {
      if (!session) {
        const watched = { ...services, watch: plan.watch }
        session = compileSession(config, watched, store, plan.plugins?.session)
      }
      return session
    },
    get watch() {
      return plan.plugins?.session.watch
    },
    forgetsUnended: config.session?.signOutWithoutStore === 'clear',
    store,
    records: hasRecords(records?.atomic) ? records.atomic : undefined,
    callbacks,
    pages: config.pages ?? {},
    theme: config.theme ?? {},
    languages,
    texts: compileTexts(config.texts as TextTables | undefined, languages),
    logger,
    emit,
    resolveRedirect: redirectResolver(config, logger),
    get plugins() {
      const setUp = config.plugins?.[0]?.[setUpWith] as SetUp | undefined
      plugins ??= setUp?.(config, plan)
      return plugins
    },
  }
  return plan
}

/** Returns the callbacks. Results of the `session` callback of an application are checked. */
function guardedCallbacks(config: AuthConfig, logger: Logger): Callbacks {
  const callbacks = compileCallbacks(config)
  if (!config.callbacks?.session) return callbacks
  return { ...callbacks, session: guardSessionCallback(callbacks.session, logger) }
}

/** Returns the languages of the first plugin that has some. */
function languagesOf(
  { plugins = [], texts = {} }: AuthConfig,
  services: Parameters<CreateLanguages>[1],
): Languages | undefined {
  const withLanguages = (plugins as readonly Pick<Plugin, 'languages'>[]).find(
    ({ languages }) => languages,
  )
  return withLanguages?.languages?.(texts as TextTables, services)
}

/** The function that `definePlugin` attaches to plugins. */
type SetUp = (config: AuthConfig, plan: SessionPlan) => PlanPlugins

/** Removes options that are `null`, which JavaScript may pass and Auth.js ignores. */
function withoutNulls(config: AuthConfig): AuthConfig {
  const given: Partial<AuthConfig> = { ...config }
  for (const name of Object.keys(given) as (keyof AuthConfig)[]) {
    if (given[name] === null) delete given[name]
  }
  return given as AuthConfig
}

/** Resolves the providers. If a provider function throws, the configuration is invalid. */
function providersOf({ providers, plugins }: AuthConfig): {
  configs: readonly ProviderConfig[]
  failure?: AuthError
} {
  try {
    const odd = oddMember('providers', providers)
    if (odd !== undefined) return { configs: [], failure: new InvalidProvider(odd) }
    const further = (plugins ?? []).flatMap((plugin) => plugin.providers ?? [])
    return { configs: resolveProviders([...(providers ?? []), ...further]) }
  } catch (error) {
    const failure = isAuthError(error) ? error : new InvalidProvider(toError(error))
    return { configs: [], failure }
  }
}

/** Returns the error for a value that JavaScript may pass in place of a list of providers or plugins. */
function oddMember(option: 'providers' | 'plugins', given: unknown): string | undefined {
  const list: unknown = given ?? []
  if (!Array.isArray(list)) return `\`${option}\` must be a list, got ${kindOfValue(list)}`
  const isOne = (member: unknown): boolean =>
    typeof member === 'function'
      ? option === 'providers'
      : isObject(member) && !isModule(member) && !Array.isArray(member)
  const at = list.findIndex((member: unknown) => !isOne(member))
  if (at < 0) return undefined
  const odd: unknown = list[at]
  const name = `\`${option}[${at}]\``
  if (Array.isArray(odd)) return `${name} is a list itself; spread it: [...${option}]`
  if (isObject(odd)) return `${name} is a module; use its default export`
  const [got, fix] =
    typeof odd === 'function'
      ? ['a function', 'call it']
      : [String(odd), odd === undefined ? 'check its import' : 'remove it']
  return `${name} must be a ${option.slice(0, -1)}, got ${got}; ${fix}`
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null
}

/** Returns whether an object is an ES module, as `require` and some bundlers return it. */
function isModule(member: object): boolean {
  return 'default' in member && !('id' in member)
}

function lazyCookies({ cookies, useSecureCookies }: AuthConfig): SessionPlan['cookies'] {
  const specs = oncePer((secure: boolean) => cookieSpecs(secure, cookies))
  return (secure) => specs(useSecureCookies ?? secure)
}

function compileEvents(
  { events = {} }: AuthConfig,
  logger: Logger,
  plugins: () => PlanPlugins | undefined,
): SessionPlan['emit'] {
  const tell = async (name: keyof EventMessages, message: EventMessages[typeof name]) => {
    const handlers = events as Record<string, (message: unknown) => unknown>
    for (const handle of [
      () => handlers[name]?.(message),
      () => plugins()?.events.tell(name, message),
    ]) {
      try {
        await handle()
      } catch (error) {
        logger.error(new EventError(toError(error)))
      }
    }
  }
  return (name, message) =>
    events[name] || plugins()?.events.hears(name) ? tell(name, message) : undefined
}

function redirectResolver(config: AuthConfig, logger: Logger): SessionPlan['resolveRedirect'] {
  const ask = compileRedirect(config)
  const judge = (answer: unknown, origin: string): SafeUrl => {
    const judged = judgeTarget(answer, origin)
    if (judged === undefined) {
      logger.warn(
        'callback-url-unusable',
        'the `redirect` callback must return a string or a URL object',
      )
    }
    return judged ?? trusted(origin)
  }
  return (target, origin) => {
    const answer = ask({ url: target, baseUrl: origin })
    return typeof answer === 'string'
      ? judge(answer, origin)
      : Promise.resolve(answer).then((later) => judge(later, origin))
  }
}
