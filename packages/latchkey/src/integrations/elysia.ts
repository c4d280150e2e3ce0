import { withClientAddress } from '../http/client-address.ts'
import { isForOne, keepFromCaches, keepRecordFromCaches } from './caching.ts'
import { guard } from './mounted.ts'
import type { ActionHandler, Authorize, PageGuard, SessionReader } from './parts.ts'
import { inOrder } from './set-cookies.ts'

/** A context of Elysia, as far as it is used. */
export interface ElysiaContext {
  readonly request: Request
  readonly set: { readonly headers: object }
  /** That of Bun. */
  readonly server?: { requestIP?(request: Request): { readonly address: string } | null } | null
}

/** An application of Elysia, as far as it is used. */
interface ElysiaApplication {
  all(path: string, handler: (context: ElysiaContext) => Promise<Response>, how: object): unknown
  mapResponse(
    how: { as: 'global' },
    mapper: (context: ElysiaContext & { readonly response: unknown }) => Response | undefined,
  ): unknown
}

/**
 * A plugin that answers the actions: `app.use(auth(latchkey))`, before the routes that read sessions.
 *
 * @param basePath where they are: that of the configuration.
 */
export function auth(
  latchkey: ActionHandler,
  basePath: string = '/auth',
): <App extends object>(app: App) => App {
  return (app) => {
    const answer = async (context: ElysiaContext): Promise<Response> =>
      answerOf(await latchkey.handler(requestOf(context)), context)
    // The types of its routes say more than anybody could describe.
    const untyped = app as unknown as ElysiaApplication
    untyped.mapResponse({ as: 'global' }, withoutCaching)
    untyped.all(`${basePath}/*`, answer, { parse: 'none' })
    return app
  }
}

/**
 * Who is signed in, as `session` in the context: `app.resolve(readSession(latchkey))`. A session that
 * is due is extended.
 */
export function readSession<S>(
  latchkey: SessionReader<S>,
): (context: ElysiaContext) => Promise<{ session: S | null }> {
  return async (context) => {
    const { session, headers } = await latchkey.session(context.request)
    setCookies(context, headers)
    return { session }
  }
}

/**
 * Lets only those go on who are signed in: `{ beforeHandle: requireAuth(latchkey) }`. Others are sent
 * to the sign-in page, and scripts are answered with 401.
 *
 * @param authorized which of them may go on, if not all.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): (context: ElysiaContext) => Promise<Response | undefined> {
  return async (context) => {
    const { response, headers } = await guard(latchkey, context.request, authorized)
    setCookies(context, headers)
    return response && answerOf(response, context)
  }
}

/** An answer of the web for Elysia. Its cookies go another way: on Node.js all but one would be lost. */
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
  forOne.add(set)
}

/** What of a context is for answers that set the cookie of a session. */
const forOne = new WeakSet<object>()

/** A response that a handler makes says itself what caches are told. */
function withoutCaching({
  set,
  response,
}: ElysiaContext & { readonly response: unknown }): Response | undefined {
  if (!(response instanceof Response) || !(forOne.has(set) || isForOne(response.headers))) {
    return undefined
  }
  const answer = new Response(response.body, response)
  keepFromCaches(answer.headers)
  return answer
}
