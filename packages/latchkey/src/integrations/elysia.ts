import { markMounted, notesOf } from '../base/instance-notes.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { isForOne, keepFromCaches, keepRecordFromCaches } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import { noticing } from './notices.ts'
import type {
  ActionHandler,
  Authorize,
  FactorOptions,
  FreshOptions,
  PageGuard,
  ProofGuard,
  SessionReader,
} from './parts.ts'
import { inOrder, perEvent } from './per-event.ts'

/** The part of Elysia's context that is used. */
export interface ElysiaContext {
  readonly request: Request
  readonly set: { readonly headers: object }
  /** The server of Bun. */
  readonly server?: { requestIP?(request: Request): { readonly address: string } | null } | null
}

/** The part of an Elysia application that is used. */
interface ElysiaApplication {
  all(path: string, handler: (context: ElysiaContext) => Promise<Response>, how: object): unknown
  mapResponse(
    how: { as: 'global' },
    mapper: (context: ElysiaContext & { readonly response: unknown }) => Response | undefined,
  ): unknown
}

/**
 * Returns a plugin that handles the actions: `app.use(authHandler(latchkey))`, before the routes that read sessions.
 *
 * @param basePath the base path of the configuration.
 */
export function authHandler(
  latchkey: ActionHandler,
  basePath: string = '/auth',
): <App extends object>(app: App) => App {
  markMounted(latchkey)
  return (app) => {
    const answer = async (context: ElysiaContext): Promise<Response> =>
      answerOf(await latchkey.handler(requestOf(context)), context)
    // The types of its routes are too specific to describe here.
    const untyped = app as unknown as ElysiaApplication
    untyped.mapResponse({ as: 'global' }, withoutCaching)
    untyped.all(`${basePath}/*`, answer, { parse: 'none' })
    return app
  }
}

/**
 * Adds `session` to the context: the session, or `null`. Use it as `app.resolve(authSession(latchkey))`. It extends the
 * session when it is due.
 */
export function authSession<S>(
  latchkey: SessionReader<S>,
): (context: ElysiaContext) => Promise<{ session: S | null }> {
  return async (context) => {
    const { session, headers } = await latchkey.session(context.request)
    setCookies(context, headers)
    return { session }
  }
}

/**
 * Allows only requests with a session: `{ beforeHandle: requireAuth(latchkey) }`. Redirects other visitors to the
 * sign-in page, and responds to scripts with 401.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): (context: ElysiaContext) => Promise<Response | undefined> {
  const notice = noticing(notesOf(latchkey))
  return async (context) => {
    const { response, headers } = await guard(latchkey, context.request, authorized)
    notice.led(response, latchkey)
    setCookies(context, headers)
    return response && answerOf(response, context)
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S>(
  latchkey: PageGuard<S> & ProofGuard,
  seconds: number,
  options: FreshOptions = {},
): (context: ElysiaContext) => Promise<Response | undefined> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): (context: ElysiaContext) => Promise<Response | undefined> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors }))
}

/**
 * @deprecated Use {@link authHandler}.
 * @alias
 */
export const auth: typeof authHandler = authHandler

/**
 * @deprecated Use {@link authSession}.
 * @alias
 */
export const readSession: typeof authSession = authSession

/** Returns a web `Response` for Elysia, with its cookies in the context: on Node.js, Elysia would keep only one. */
export function answerOf(response: Response, context: ElysiaContext): Response {
  setCookies(context, response.headers)
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  return new Response(response.body, { status, statusText, headers })
}

function requestOf({ request, server }: ElysiaContext): Request {
  return withClientAddress(request, server?.requestIP?.(request)?.address)
}

function setCookies({ set }: ElysiaContext, more: Headers): void {
  const cookies = more.getSetCookie()
  if (cookies.length === 0) return
  const headers = set.headers as { 'set-cookie'?: string | string[] }
  const before = [headers['set-cookie'] ?? []].flat()
  headers['set-cookie'] = inOrder(before, cookies)
  keepRecordFromCaches(headers)
  forOne.set(set, true)
}

/** The `set` of contexts whose response sets the cookie of a session. */
const forOne = perEvent<true>('for-one')

/** Returns a copy without caching of a handler's own response, if that response is for one user. */
function withoutCaching({
  set,
  response,
}: ElysiaContext & { readonly response: unknown }): Response | undefined {
  if (!(response instanceof Response) || !(forOne.get(set) || isForOne(response.headers))) {
    return undefined
  }
  const answer = new Response(response.body, response)
  keepFromCaches(answer.headers)
  return answer
}
