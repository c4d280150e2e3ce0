import { withClientAddress } from '../http/origin/client-address.ts'
import { hasOneSpelling } from '../http/paths/path.ts'
import { cacheHeaders, FOR_ONE, isForOne, keepNodeFromCaches, pin } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import {
  appendCookies,
  BadRequest,
  type NodeRequest,
  type NodeResponse,
  toWebRequest,
  withBody,
} from './node-http.ts'
import type {
  ActionHandler,
  Authorize,
  FactorOptions,
  FreshOptions,
  NeededProof,
  PageGuard,
  ProofGuard,
  SessionReader,
} from './parts.ts'
import { inOrder, left, perEvent, replaceCookies } from './per-event.ts'

/** An event of h3 2, in Nitro 3. */
interface WebEvent {
  readonly req: Request & { readonly ip?: string | undefined }
  readonly res: { readonly headers: Headers }
}

/** An event of h3 1, in Nuxt 4 and Nitro 2. */
interface NodeEvent {
  readonly node: { readonly req: NodeRequest & { body?: unknown }; readonly res: NodeResponse }
}

/** An event of h3 1 or 2. */
export type H3Event = (WebEvent | NodeEvent) & { readonly context: object }

/** Handles the actions: for `server/routes/auth/[...].ts`, at the base path. */
export function authHandler(latchkey: ActionHandler): (event: H3Event) => Promise<Response> {
  return async (event) => answerOf(await latchkey.handler(withItsBody(event)), event)
}

/**
 * Returns a function that returns the session of an event, or `null`, and extends it on the response when it is due.
 * Further calls for the same event return the same session.
 */
export function authSession<S>(latchkey: SessionReader<S>): (event: H3Event) => Promise<S | null> {
  return (event) => {
    const readings = sessions.once(event.context, () => new Map())
    const request = isNodeEvent(event) ? event.node.req : event.req
    const known = readings.get(latchkey) as Reading<S> | undefined
    // A handler that Nitro caches has the context of the first request, but a request without its cookies.
    if (known?.request === request) return known.session
    const session = read(event, latchkey)
    readings.set(latchkey, { request, session })
    return session
  }
}

/** @deprecated Use {@link authSession}: `authSession(latchkey)(event)`. */
export function getSession<S>(event: H3Event, latchkey: SessionReader<S>): Promise<S | null> {
  return authSession(latchkey)(event)
}

/** The sessions that were read for an event, by instance, in its context. */
const sessions = perEvent<Map<object, Reading<unknown>>>('sessions')

/** The session of a request, while it is read and after that. */
interface Reading<S> {
  readonly request: object
  readonly session: Promise<S | null>
}

/**
 * A middleware, or the first line of a handler. Without a session it returns the response: a redirect to the sign-in
 * page, or 401 for a script. With a session it returns `undefined`.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): (event: H3Event) => Promise<Response | undefined> {
  return (event) => ask(event, latchkey, authorized, false)
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S>(
  latchkey: PageGuard<S> & ProofGuard,
  seconds: number,
  options: FreshOptions = {},
): (event: H3Event) => Promise<Response | undefined> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): (event: H3Event) => Promise<Response | undefined> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors }))
}

/** The same for the pages of Nuxt, whose scripts are redirected, too. @internal */
export function requireProof<S>(
  latchkey: PageGuard<S> & ProofGuard,
  needed: NeededProof,
): (event: H3Event) => Promise<Response | undefined> {
  return (event) => ask(event, latchkey, withProof(latchkey, { ...needed, asPage: true }), true)
}

/** Returns the web `Request` for other functions of Latchkey, without its body. */
export function webRequestOf(event: H3Event): Request {
  if (isNodeEvent(event)) return toWebRequest(event.node.req)
  const { url, method, headers } = event.req
  if (!hasOneSpelling(url)) throw new BadRequest('the path of the request is ambiguous')
  return withClientAddress(new Request(url, { method, headers }), event.req.ip)
}

/** Returns a web `Response` for h3, and keeps the cookies that were set before. */
export function answerOf(response: Response, event: H3Event): Response {
  if (!isNodeEvent(event)) {
    const own = response.headers.getSetCookie()
    replaceCookies(event.res.headers, left(event.res.headers.getSetCookie(), own))
    if (isForOne(response.headers)) keepUncached(event)
    return response
  }
  appendCookies(event.node.res, response.headers)
  if (isForOne(response.headers)) keepNodeFromCaches(event.node.res)
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  return new Response(response.body, { status, statusText, headers })
}

/** Returns the request with its body. Serverless platforms have already read it into `body`. */
function withItsBody(event: H3Event): Request {
  if (!isNodeEvent(event)) return withClientAddress(event.req, event.req.ip)
  const { req } = event.node
  return withBody(toWebRequest(req), req, req.body, req.readableDidRead || req.body !== undefined)
}

/** Returns the response of a guard, if the visitor may not continue. */
async function ask<S>(
  event: H3Event,
  latchkey: PageGuard<S>,
  authorized: Authorize<S> | undefined,
  hasRouter: boolean,
): Promise<Response | undefined> {
  const { response, headers } = await guard(latchkey, webRequestOf(event), authorized, hasRouter)
  setCookies(event, headers)
  return response && answerOf(response, event)
}

async function read<S>(event: H3Event, latchkey: SessionReader<S>): Promise<S | null> {
  const { session, headers } = await latchkey.session(webRequestOf(event))
  setCookies(event, headers)
  return session
}

function setCookies(event: H3Event, headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.length === 0) return
  if (isNodeEvent(event)) return appendCookies(event.node.res, headers)
  replaceCookies(event.res.headers, inOrder(event.res.headers.getSetCookie(), cookies))
  keepUncached(event)
}

/** Prevents caching in h3 2, where the headers of the event override those of a handler's own response. */
function keepUncached(event: WebEvent): void {
  const { headers } = event.res
  // They replace the headers of a handler's own response, which would otherwise stay.
  for (const name of cacheHeaders) headers.set(name, /expires/.test(name) ? '0' : 'no-store')
  headers.set('cache-control', FOR_ONE)
  pin(headers)
  const { node } = event as { node?: { res?: NodeResponse } }
  if (node?.res) keepNodeFromCaches(node.res)
}

/** Returns whether it is an event of version 1. Events of version 2 on Node.js also have a `node`. */
function isNodeEvent(event: H3Event): event is NodeEvent & H3Event {
  return !('req' in event && event.req.headers instanceof Headers)
}
