import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type HandlerResult, isActionPath } from 'latchkey'
import type { AuthConfig } from 'latchkey/types'
import { wellKnown } from 'latchkey/well-known'
import type { Log } from '../observe/log.ts'
import { inTime } from '../store/in-time.ts'
import { type StoreUse, usingStore } from '../store/store-use.ts'
import { type Exchange, failed } from './exchange.ts'
import { messagePage, type Page, pageResponse, safeHeaders } from './page.ts'

/** What handlers receive in addition to the request. */
export interface AppEnv {
  Bindings: { exchange: Exchange }
}
export type App = Hono<AppEnv>

/** What the application uses of the store. */
export interface StoreState {
  /** Whether the store was removed, so that everything a visitor does would be lost. */
  gone(): boolean
  /** Why the store cannot be used now, as a short code; `undefined` if it can. */
  problem(): string | undefined | Promise<string | undefined>
  /** Maximum time in seconds for all store operations of one request. */
  readonly timeout: number
}

/** The parts of the application. */
export interface AppParts {
  readonly basePath: string
  /** The paths of plugins below `basePath`, such as `sessions/list`. A star at the end stands for one segment. */
  readonly pluginRoutes?: readonly string[]
  /** Maximum size of a request body in bytes. */
  readonly bodyLimit: number
  readonly log: Log
  /** The library. */
  readonly handler: (request: Request) => Promise<HandlerResult>
  /** Whether the service is shutting down. */
  readonly draining: () => boolean
  readonly store: StoreState
  /** Returns the answer to `GET /metrics`; `undefined` if the request may not read it. */
  readonly metrics?:
    | ((authorization: string | undefined) => Promise<string> | undefined)
    | undefined
  /** The look of the pages. */
  readonly theme?: AuthConfig['theme']
  /** Adds further pages. */
  readonly mount?: ((app: App) => void) | undefined
}

/** Creates the application: the pages of the service and the actions of the library. */
export function createApp({
  basePath,
  pluginRoutes = [],
  log,
  handler,
  draining,
  store,
  metrics,
  mount,
  theme,
  ...limits
}: AppParts): App {
  const app = new Hono<AppEnv>()
  // Without further pages, there is no home page that a message could link to.
  const show = (page: Page): Response => pageResponse({ ...page, theme })
  const home = mount ? { href: '/', text: 'Home' } : { href: `${basePath}/signin`, text: 'Sign in' }
  app.use(
    bodyLimit({
      maxSize: limits.bodyLimit,
      onError: (context) => {
        context.env.exchange.outcome = 'too-large'
        return show(messagePage(413, 'Too much', 'The request body is too long.'))
      },
    }),
  )
  app.use(async ({ req, env }, next) => {
    const health =
      req.method === 'GET' || req.method === 'HEAD'
        ? healthOf(req.path, env.exchange, { draining, store })
        : undefined
    return health ? responseOf(await health) : next()
  })
  app.get('/metrics', async ({ req, env }, next) => {
    const text = metrics?.(req.header('authorization'))
    if (text === undefined) return next()
    env.exchange.outcome = 'metrics'
    return new Response(await text, {
      headers: { ...safeHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  })
  // Browsers request it automatically; the service has none.
  app.get('/favicon.ico', ({ env }) => {
    env.exchange.outcome = 'no-icon'
    return new Response(null, { status: 204, headers: { 'cache-control': 'max-age=86400' } })
  })
  mountWellKnown(app, basePath, handler)
  app.use(async ({ req, env }, next) => {
    if (!store.gone()) return next()
    env.exchange.outcome = 'store-gone'
    return unavailable(req.header('accept'))
  })
  app.use(async (context, next) => {
    const use = await usingStore(store.timeout, next)
    const { exchange } = context.env
    // If the session cannot be read, the pages of the service show a visitor as signed out.
    const isPage = !context.req.path.startsWith(`${basePath}/`)
    if (!use.failed || !(isPage || isFailure(context.res.status, exchange))) return
    const accept = context.req.header('accept')
    const answer = await afterFailure(store, use, exchange, accept, context.res)
    // Without this assignment, Hono keeps the headers of the previous answer, including its cookies.
    context.res = undefined
    context.res = answer
  })
  app.all(`${basePath}/*`, async ({ req, env }) => {
    env.exchange.outcome = actionOf(new URL(req.url).pathname, basePath, pluginRoutes)
    const { response, error } = await handler(req.raw)
    if (error !== undefined) env.exchange.error = error
    return response
  })
  mount?.(app)
  app.notFound(({ env }) => {
    env.exchange.outcome = 'not-found'
    return show(messagePage(404, 'Not found', 'There is no page at this address.', home))
  })
  app.onError((error, { env }) => {
    failed(env.exchange, error, log)
    return show(messagePage(500, 'Something went wrong', 'Try again in a moment.'))
  })
  return app
}

/** Adds the paths at which password managers and browsers look for pages of accounts. */
function mountWellKnown(app: App, basePath: string, handler: AppParts['handler']): void {
  const known = wellKnown(async (request) => (await handler(request)).response, { basePath })
  for (const name of ['change-password', 'passkey-endpoints'])
    app.get(`/.well-known/${name}`, async ({ req, env }, next) => {
      const answer = await known(req.raw)
      if (answer.status === 404) return next()
      env.exchange.outcome = name
      for (const [header, value] of Object.entries(safeHeaders)) answer.headers.set(header, value)
      return answer
    })
}

/** The paths of health checks. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** The status and the JSON body of a short answer. */
interface State {
  readonly status: number
  readonly headers: Record<string, string>
  readonly cookies: readonly string[]
  readonly body: string
}

function stateOf(status: number, body: Record<string, string>): State {
  const headers = { ...safeHeaders, 'content-type': 'application/json' }
  return { status, headers, cookies: [], body: JSON.stringify(body) }
}

function responseOf({ status, headers, body }: State): Response {
  return new Response(body, { status, headers })
}

/** Returns the answer to a health check, and sets the outcome of the exchange; `undefined` for another path. */
export function healthOf(
  path: string,
  exchange: Exchange,
  service: Pick<AppParts, 'draining' | 'store'>,
): Promise<State> | undefined {
  return HEALTH.has(path) ? checkHealth(path, exchange, service) : undefined
}

async function checkHealth(
  path: string,
  exchange: Exchange,
  { draining, store }: Pick<AppParts, 'draining' | 'store'>,
): Promise<State> {
  exchange.outcome = path === '/healthz' ? 'health' : 'ready'
  if (path === '/healthz') return stateOf(200, { status: 'ok' })
  const reason = draining() ? 'draining' : await store.problem()
  if (reason === undefined) return stateOf(200, { status: 'ok' })
  exchange.outcome = `unready:${reason}`
  return stateOf(503, { status: 'unavailable', reason })
}

/** Whether an answer reports a failure. The library reports some failures with a redirect to a page. */
export function isFailure(status: number, { error }: Exchange): boolean {
  return status >= 400 || error !== undefined
}

/**
 * Returns the answer to a request that failed because of the store, and adds the reason to the outcome.
 *
 * @param failed the library's answer
 */
export async function afterFailure(
  store: StoreState,
  use: StoreUse,
  exchange: Exchange,
  accept: string | undefined,
  failed: Response,
): Promise<Response> {
  exchange.outcome += `:${await reasonFor(store, use)}`
  return unavailable(accept, failed)
}

/** Returns why the store failed, if this can be found out in the rest of the request's time. */
async function reasonFor(store: StoreState, { left }: StoreUse): Promise<string> {
  const asked = (async () => store.problem())()
  const found = left > 0 ? await inTime(asked, left / 1000).catch(() => undefined) : undefined
  return found ?? 'store-failed'
}

/** The cookie with which a browser finishes a sign-in by mail after a failure of the store. */
const UNFINISHED = /^(?:__Host-)?latchkey\.email-request=/

/**
 * Returns a page for people, or JSON for scripts; an answer with status 503 stays as it is. Of the cookies of the
 * failed answer, only the one that finishes a sign-in by mail is kept: nothing else has happened, so the browser's
 * cookies are still valid.
 */
function unavailable(accept: string | undefined, failed?: Response): Response {
  const answer =
    failed?.status === 503
      ? failed
      : accept?.includes('text/html')
        ? pageResponse(messagePage(503, 'Not available', 'Try again in a few minutes.'))
        : responseOf(stateOf(503, { status: 'unavailable' }))
  for (const cookie of failed && failed !== answer ? failed.headers.getSetCookie() : []) {
    if (UNFINISHED.test(cookie)) answer.headers.append('set-cookie', cookie)
  }
  answer.headers.set('retry-after', '60')
  return answer
}

/**
 * Returns the action or the plugin's route of a path, as the configuration spells it; no text that a client has chosen.
 */
export function actionOf(
  path: string,
  basePath: string,
  pluginRoutes: readonly string[] = [],
): string {
  const asked = path.slice(basePath.length + 1)
  if (isActionPath(path, basePath)) return asked.split('/', 1)[0] ?? ''
  const open = `${asked.slice(0, asked.lastIndexOf('/') + 1)}*`
  const route = pluginRoutes.find(
    (name) => name === asked || (name.endsWith('/*') && name === open),
  )
  return route?.replace(/\/\*$/, '') ?? 'unknown-action'
}
