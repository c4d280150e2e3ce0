import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type HandlerResult, isActionPath } from 'latchkey'
import type { Log } from '../observe/log.ts'
import { inTime } from '../store/in-time.ts'
import { type StoreUse, usingStore } from '../store/store-use.ts'
import { type Exchange, failed } from './exchange.ts'
import { messagePage, pageResponse, safeHeaders } from './page.ts'

/** What a handler of the application has beside the request. */
export interface AppEnv {
  Bindings: { exchange: Exchange }
}
export type App = Hono<AppEnv>

/** What the application knows of the store. */
export interface StoreState {
  /** Whether it is gone, so that what a visitor does would be lost. */
  gone(): boolean
  /** Why it cannot be used now, in a word, or `undefined`. */
  problem(): string | undefined | Promise<string | undefined>
  /** Seconds that it may take in the course of one request. */
  readonly timeout: number
}

/** What the application is made of. */
export interface AppParts {
  readonly basePath: string
  /** The paths of plugins below it, such as `sessions/list`. A star at the end stands for one segment. */
  readonly pluginRoutes?: readonly string[]
  /** Bytes. */
  readonly bodyLimit: number
  readonly log: Log
  /** The library. */
  readonly handler: (request: Request) => Promise<HandlerResult>
  /** Whether the service is about to end. */
  readonly draining: () => boolean
  readonly store: StoreState
  /** Adds pages of its own. */
  readonly mount?: ((app: App) => void) | undefined
}

/** The pages and actions of the service. */
export function createApp({
  basePath,
  pluginRoutes = [],
  log,
  handler,
  draining,
  store,
  mount,
  ...limits
}: AppParts): App {
  const app = new Hono<AppEnv>()
  // Without pages of its own the service has no other front door.
  const home = mount ? { href: '/', text: 'Home' } : { href: `${basePath}/signin`, text: 'Sign in' }
  app.use(
    bodyLimit({
      maxSize: limits.bodyLimit,
      onError: (context) => {
        context.env.exchange.outcome = 'too-large'
        return pageResponse(
          messagePage(413, 'Too much', 'What was sent is longer than is read here.'),
        )
      },
    }),
  )
  app.get('/healthz', ({ env }) => {
    env.exchange.outcome = 'health'
    return state(200, { status: 'ok' })
  })
  app.get('/readyz', async ({ env }) => {
    env.exchange.outcome = 'ready'
    const reason = draining() ? 'draining' : await store.problem()
    if (reason === undefined) return state(200, { status: 'ok' })
    env.exchange.outcome = `unready:${reason}`
    return state(503, { status: 'unavailable', reason })
  })
  // Browsers ask for it on their own; there is none.
  app.get('/favicon.ico', ({ env }) => {
    env.exchange.outcome = 'no-icon'
    return new Response(null, { status: 204, headers: { 'cache-control': 'max-age=86400' } })
  })
  app.use(async ({ req, env }, next) => {
    if (!store.gone()) return next()
    env.exchange.outcome = 'store-gone'
    return unavailable(req.raw)
  })
  app.use(async (context, next) => {
    const use = await usingStore(store.timeout, next)
    const { exchange } = context.env
    // Our own pages show somebody whose session cannot be read as nobody.
    const isPage = !context.req.path.startsWith(`${basePath}/`)
    if (!use.failed || !(isPage || isFailure(context.res, exchange))) return
    exchange.outcome += `:${await reasonFor(store, use)}`
    const answer = unavailable(context.req.raw, context.res)
    // Otherwise the headers of the one before would stay, cookies included.
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
    return pageResponse(messagePage(404, 'Not found', 'There is no page at this address.', home))
  })
  app.onError((error, { env }) => {
    failed(env.exchange, error, log)
    return pageResponse(messagePage(500, 'Something went wrong', 'Please try again in a moment.'))
  })
  return app
}

function state(status: number, body: Record<string, string>): Response {
  return Response.json(body, { status, headers: safeHeaders })
}

/** Whether an answer says that something did not work; the library does so with a page to go to. */
function isFailure({ status }: Response, { error }: Exchange): boolean {
  return status >= 400 || error !== undefined
}

/** What is wrong with the store, as far as the rest of the request's time allows to find out. */
async function reasonFor(store: StoreState, { left }: StoreUse): Promise<string> {
  const asked = (async () => store.problem())()
  const found = left > 0 ? await inTime(asked, left / 1000).catch(() => undefined) : undefined
  return found ?? 'store-failed'
}

/** The cookie with which a browser finishes a sign-in by mail that the store interrupted. */
const UNFINISHED = /^(?:__Host-)?latchkey\.email-request=/

/**
 * A page for people, JSON for scripts. An answer that says so itself stays what it is. It has no cookies but
 * the one that lets a sign-in by mail be finished: otherwise nothing has happened, and what the browser has is
 * as good as before.
 */
function unavailable(request: Request, failed?: Response): Response {
  const answer =
    failed?.status === 503
      ? failed
      : request.headers.get('accept')?.includes('text/html')
        ? pageResponse(messagePage(503, 'Not available', 'Please try again in a few minutes.'))
        : state(503, { status: 'unavailable' })
  for (const cookie of failed && failed !== answer ? failed.headers.getSetCookie() : []) {
    if (UNFINISHED.test(cookie)) answer.headers.append('set-cookie', cookie)
  }
  answer.headers.set('retry-after', '60')
  return answer
}

/** The action or the plugin's route of a path, never a part of it that anybody could have made up. */
function actionOf(path: string, basePath: string, pluginRoutes: readonly string[]): string {
  const asked = path.slice(basePath.length + 1)
  if (isActionPath(path, basePath)) return asked.split('/', 1)[0] ?? ''
  const open = `${asked.slice(0, asked.lastIndexOf('/') + 1)}*`
  const route = pluginRoutes.find(
    (name) => name === asked || (name.endsWith('/*') && name === open),
  )
  return route?.replace(/\/\*$/, '') ?? 'unknown-action'
}
