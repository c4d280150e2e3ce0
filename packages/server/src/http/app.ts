import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isActionPath } from 'latchkey'
import type { Log } from '../observe/log.ts'
import { type Exchange, failed } from './exchange.ts'
import { messagePage, pageResponse, safeHeaders } from './page.ts'

/** What a handler of the application has beside the request. */
export interface AppEnv {
  Bindings: { exchange: Exchange }
}
export type App = Hono<AppEnv>

/** What the application is made of. */
export interface AppParts {
  readonly basePath: string
  /** Bytes. */
  readonly bodyLimit: number
  readonly log: Log
  /** The library. */
  readonly handler: (request: Request) => Promise<Response>
  /** Why the service should not be sent requests now, or `undefined`. */
  readonly unready: () => string | undefined | Promise<string | undefined>
  /** Whether the store is gone, so that what a visitor does would be lost. */
  readonly lost: () => boolean
  /** Adds pages of its own. */
  readonly mount?: ((app: App) => void) | undefined
}

/** The pages and actions of the service. */
export function createApp({
  basePath,
  log,
  handler,
  unready,
  lost,
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
    const reason = await unready()
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
    if (!lost()) return next()
    env.exchange.outcome = 'store-gone'
    return unavailable(req.raw)
  })
  app.all(`${basePath}/*`, async ({ req, env }) => {
    env.exchange.outcome = actionOf(new URL(req.url).pathname, basePath)
    const answer = await handler(req.raw)
    const error = errorOf(answer.headers.get('location'), req.url)
    if (error !== undefined) env.exchange.error = error
    const failed = answer.status >= 500 || error === 'Configuration'
    const reason = failed ? await unready() : undefined
    if (reason === undefined) return answer
    // The library takes a store that does not answer for one that is not set up right.
    env.exchange.outcome += `:${reason}`
    return unavailable(req.raw)
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

/** A page for people, JSON for scripts. */
function unavailable(request: Request): Response {
  const answer = request.headers.get('accept')?.includes('text/html')
    ? pageResponse(messagePage(503, 'Not available', 'Please try again in a few minutes.'))
    : state(503, { status: 'unavailable' })
  answer.headers.set('retry-after', '60')
  return answer
}

/** The action of a path, never a part of it that anybody could have made up. */
function actionOf(path: string, basePath: string): string {
  if (!isActionPath(path, basePath)) return 'unknown-action'
  return path.slice(basePath.length + 1).split('/', 1)[0] ?? ''
}

/** The public error code with which the visitor is sent on; nothing else of the address. */
function errorOf(location: string | null, base: string): string | undefined {
  if (location === null || !URL.canParse(location, base)) return undefined
  const error = new URL(location, base).searchParams.get('error')
  return error !== null && /^[A-Za-z]{1,40}$/.test(error) ? error : undefined
}
