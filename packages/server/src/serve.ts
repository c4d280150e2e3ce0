import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthConfig, createLatchkey } from 'latchkey'
import type { Adapter } from 'latchkey/adapters'
import type { Plugin } from 'latchkey/plugin'
import { clientFinder } from 'latchkey/plugins/limits'
import type { PasswordsApi } from 'latchkey/plugins/passwords'
import type { SessionsApi } from 'latchkey/plugins/sessions'
import { authConfig } from './auth-config.ts'
import { createDemo, type Demo } from './demo/demo.ts'
import { type AppParts, createApp } from './http/app.ts'
import { createDirect } from './http/direct.ts'
import { drainServer } from './http/drain.ts'
import { continueLate } from './http/late-continue.ts'
import { createTurns } from './http/limits/turns.ts'
import { createListener, type Handlers } from './http/listener.ts'
import { isLoopback } from './http/loopback.ts'
import type { OriginRule } from './http/origin.ts'
import { localOrigin, originRule } from './http/public-address.ts'
import { createLimitedServer } from './http/server.ts'
import { namedProviders } from './named-providers.ts'
import { createLog, type Log, type LogOptions } from './observe/log.ts'
import {
  createMetrics,
  type Metrics,
  mayReadMetrics,
  type RevocationState,
} from './observe/metrics.ts'
import { secretsFor } from './secrets.ts'
import type { Settings } from './settings.ts'
import { startCleanup } from './store/cleanup.ts'
import { codeOf } from './store/data-dir.ts'
import { openStore } from './store/open-store.ts'
import { guarded } from './store/store-use.ts'
import { startUpkeep } from './store/upkeep.ts'
import { explainedLine, UserError } from './user-error.ts'

/** A running service. */
export interface RunningService {
  /** The address to open: the public one, or the one on this machine. */
  readonly address: string
  readonly port: number
  /** Where the data is, as text for people. */
  readonly where: string
  readonly demo: Demo | undefined
  readonly log: Log
  /**
   * Makes `/readyz` return 503, accepts connections for some time, waits for open requests, and closes the database.
   *
   * @returns whether all requests ended within the time.
   */
  drain(): Promise<boolean>
}

/** The environment of the process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** @default standard output */
  readonly stream?: LogOptions['stream']
}

/**
 * Starts the service.
 *
 * @throws {UserError} if a setting is wrong; it leaves nothing open.
 */
export async function serve(
  settings: Settings,
  { env, directory, stream }: Surroundings,
): Promise<RunningService> {
  const { secret, secrets } = secretsFor(settings, env)
  const log = createLog({
    level: settings.logLevel,
    format: settings.logFormat,
    secrets,
    collects: settings.logBuffer,
    ...(stream && { stream }),
  })
  const named = await namedProviders(settings.providers, env, settings.mailFrom)
  const store = settings.auth.adapter ? undefined : await openStore(settings, directory, log)
  const server = createLimitedServer(settings, log)
  let draining = false
  // The address is known only after the port is open: requests that arrive before the pages are ready wait here.
  const early: Parameters<RequestListener>[] = []
  let listener: RequestListener = (...exchange) => void early.push(exchange)
  const turns = createTurns((...exchange) => listener(...exchange))
  server.on('request', turns.listener)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueLate(request, response)
    turns.listener(request, response)
  })
  try {
    const port = await listen(server, settings, env)
    const { rule, origin } = originRule(settings, port)
    const used = settings.auth.adapter ?? store?.adapter
    const adapter = used && guarded(used)
    const demo = await demoFor(settings, origin, adapter)
    if (demo) secrets.add(demo.account.password)
    const { metricsToken } = settings
    const metrics = metricsToken === undefined ? undefined : createMetrics()
    if (metricsToken !== undefined) secrets.add(metricsToken)
    const config = authConfig(settings, {
      metrics,
      secret,
      named,
      adapter,
      demo,
      origin,
      log,
      push: store?.push,
    })
    const auth = await createAuth(config)
    if (config.plugins?.some(({ name }) => name === 'passwords'))
      await demo?.account.store((auth.api as { passwords: PasswordsApi }).passwords)
    const handlers = await handlersFor(settings, {
      auth,
      config,
      demo,
      metrics,
      log,
      originOf: rule,
      draining: () => draining,
      store: {
        gone: () => store?.gone() ?? false,
        problem: () => store?.problem(),
        timeout: settings.databaseTimeout,
      },
    })
    listener = createListener(handlers, log)
    for (const exchange of early.splice(0)) listener(...exchange)
    announce(settings, demo, log)
    const stopCleanup = store ? startCleanup(store.adapter, log) : undefined
    const stopUpkeep = startUpkeep(auth, log)
    return {
      address: origin ?? localOrigin(settings.host, port),
      port,
      where: store?.where ?? 'in the adapter of the configuration',
      demo,
      log,
      async drain() {
        draining = true
        turns.end()
        const { drainDelay: delay, drainTimeout: timeout } = settings
        const drained = await drainServer(server, { delay, timeout })
        await stopCleanup?.()
        await stopUpkeep()
        await store?.close()
        log.flush()
        return drained
      },
    }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    await store?.close()
    throw error
  }
}

/** Creates the demo if it is on. It has an origin of its own. */
async function demoFor(
  { demo, basePath, dataDir, smtp }: Settings,
  origin: string | undefined,
  adapter: Adapter | undefined,
): Promise<Demo | undefined> {
  return demo && origin !== undefined
    ? createDemo({ origin, basePath, dataDir, adapter, smtp })
    : undefined
}

/** The parts of the handlers, in addition to the settings. */
interface HandlerParts extends Pick<AppParts, 'draining' | 'log' | 'store'> {
  readonly auth: ReturnType<typeof createLatchkey>
  readonly config: AuthConfig
  readonly demo: Demo | undefined
  readonly metrics: Metrics | undefined
  readonly originOf: OriginRule
}

async function handlersFor(settings: Settings, parts: HandlerParts): Promise<Handlers> {
  const { basePath, bodyLimit, metricsToken, trustedProxies } = settings
  const { auth, config, demo, metrics, log, originOf, draining, store } = parts
  const pluginRoutes = routesOf(config)
  const answering = { basePath, pluginRoutes, draining, store }
  const hasSessionsPage = pluginRoutes.includes('account/sessions')
  const app = createApp({
    ...answering,
    bodyLimit,
    log,
    theme: config.theme,
    handler: (request) => auth.result(request),
    metrics:
      metrics && metricsToken !== undefined
        ? (authorization) =>
            mayReadMetrics(authorization, metricsToken)
              ? revocationsOf(auth, config).then((known) => metrics.text(known))
              : undefined
        : undefined,
    mount: demo && ((pages) => demo.mount(pages, (request) => auth.auth(request), hasSessionsPage)),
  })
  return {
    originOf,
    fetch: (request, exchange) => app.fetch(request, { exchange }),
    node: [...(demo ? [demo.node] : []), createDirect({ ...answering, latchkey: auth })],
    clientOf: await clientFinder(
      trustedProxies.length > 0 ? { proxies: trustedProxies } : undefined,
    ),
  }
}

/** Returns what a plugin of the configuration knows about ended sealed sessions; `null` if there is no such plugin. */
async function revocationsOf(
  { api }: ReturnType<typeof createLatchkey>,
  { plugins = [] }: AuthConfig,
): Promise<RevocationState | null> {
  if (!(plugins as readonly { name: string }[]).some(({ name }) => name === 'sessions')) return null
  const { sessions } = api as { sessions: Pick<SessionsApi, 'revocationState'> }
  return sessions.revocationState()
}

/** Returns the paths of the plugins, for the log. */
function routesOf({ plugins = [] }: AuthConfig): string[] {
  return (plugins as readonly Partial<Plugin>[]).flatMap(({ routes = {} }) => Object.keys(routes))
}

/**
 * Creates the instance and sets up its plugins, so that the service does not start if they have a mistake.
 *
 * @throws {UserError} with the mistake that the library or a plugin found in the configuration.
 */
async function createAuth(config: AuthConfig): Promise<ReturnType<typeof createLatchkey>> {
  try {
    const auth = createLatchkey(config)
    // With a budget of zero it only sets up the plugins.
    await auth.maintain({ budgetMs: 0 })
    return auth
  } catch (error) {
    throw new UserError(`auth: ${explainedLine(error)}`, { cause: error })
  }
}

async function listen(
  server: Server,
  { port, host }: Settings,
  env: Surroundings['env'],
): Promise<number> {
  try {
    server.listen({ port, ...(host !== undefined && { host }) })
    await once(server, 'listening')
  } catch (error) {
    throw listenMistake(codeOf(error), { port, host, env })
  }
  return (server.address() as AddressInfo).port
}

function listenMistake(
  code: string,
  { port, host, env }: Pick<Settings, 'port' | 'host'> & Pick<Surroundings, 'env'>,
): UserError {
  // npm reads a flag as its own unless two dashes come before it.
  const flag = env['npm_lifecycle_event'] === 'start' ? 'npm start -- --port N' : '--port'
  switch (code) {
    case 'EADDRINUSE':
      return new UserError(
        `port: ${port} is in use; stop the program that uses it, or choose another port with ${flag}`,
      )
    case 'EACCES':
      return new UserError(
        `port: this process is not allowed to listen on ${port}; choose a port above 1023 with ${flag}`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(
        `host: ${host} is not an address of this machine; choose another host with --host`,
      )
    default:
      return new UserError(
        `port: cannot listen on ${port} (${code}); choose another port with ${flag}`,
      )
  }
}

function announce(
  { warnings, host, origin, demo: wanted }: Settings,
  demo: Demo | undefined,
  log: Log,
): void {
  for (const warning of warnings) log.warn(warning)
  if (demo)
    log.warn(
      'development: the demo pages, the mailbox and the development identity provider are on; everybody who can reach them can sign in as any user',
    )
  else if (wanted)
    log.warn(
      'development: the demo is off, because trustHost does not determine its address; set AUTH_URL',
    )
  const names = [origin === undefined ? undefined : new URL(origin).hostname, host]
  for (const name of names)
    if (demo && name !== undefined && !isLoopback(name))
      log.warn(`development: host ${name} may be reachable from other machines`)
}
