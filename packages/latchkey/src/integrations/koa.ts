import { markMounted, notesOf } from '../base/instance-notes.ts'
import type { DirectAnswer } from '../http/direct.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { isForOne, keepNodeFromCaches } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import { directAnswer, setHeaders } from './node-direct.ts'
import {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  toWebRequest,
  withBody,
} from './node-http.ts'
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

/** The part of a Koa context that is used. */
export interface KoaContext {
  readonly req: NodeRequest
  readonly res: NodeResponse
  /** The request; it has a `body` if a parser has read it. */
  readonly request: object
  readonly originalUrl: string
  /** `http` or `https`; like the host, by the setting `proxy`. */
  readonly protocol: string
  readonly host: string
  /** The address of the client, by the setting `proxy`. */
  readonly ip?: string
  readonly state: object
  status: number
  body: unknown
  set(name: string, value: string): void
}

/** A middleware for Koa 2 and 3. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/**
 * Handles the actions, and passes other requests on. Body parsers may be used before it. The setting `proxy` of the
 * application determines whether the headers of a proxy are trusted.
 *
 * @param basePath the base path of the configuration.
 */
export function authHandler(latchkey: ActionHandler, basePath: string = '/auth'): KoaMiddleware {
  const notice = noticing(notesOf(latchkey))
  markMounted(latchkey)
  return async (context, next) => {
    if (!context.originalUrl.startsWith(`${basePath}/`)) return void (await next())
    notice.proxy(context.req.headers, context.protocol, 'app.proxy = true')
    const { req, res, ip: client, originalUrl: target } = context
    const answering = directAnswer(latchkey, req, res, {
      origin: originOf(context),
      target,
      client,
    })
    if (answering) return sendDirect((await answering).answer, context)
    const { body } = context.request as { body?: unknown }
    const asked = withBody(webRequestOf(context), context.req, body)
    await sendAnswer(await latchkey.handler(asked), context)
  }
}

/** Sets `context.state.session` for later middleware, and extends the session when it is due. */
export function authSession<S extends object>(latchkey: SessionReader<S>): KoaMiddleware {
  return async (context, next) => {
    const { session, headers } = await latchkey.session(webRequestOf(context))
    appendCookies(context.res, headers)
    tell(context, session)
    await next()
  }
}

/**
 * Allows only requests with a session, which is then in `context.state.session`. Redirects other visitors to the
 * sign-in page, and responds to scripts with 401.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S extends object>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): KoaMiddleware {
  const notice = noticing(notesOf(latchkey))
  return async (context, next) => {
    const verdict = await guard(latchkey, webRequestOf(context), authorized)
    notice.led(verdict.response, latchkey)
    appendCookies(context.res, verdict.headers)
    if (verdict.response) return sendAnswer(verdict.response, context)
    tell(context, verdict.session)
    await next()
    notice.unanswered(verdict, context.status)
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S extends object>(
  latchkey: PageGuard<S> & ProofGuard,
  seconds: number,
  options: FreshOptions = {},
): KoaMiddleware {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S extends object>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): KoaMiddleware {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors }))
}

/** Returns the web `Request` for other functions of Latchkey, without its body. */
export function webRequestOf(context: KoaContext): Request {
  const { req, originalUrl, ip } = context
  return withClientAddress(toWebRequest(req, originOf(context), originalUrl), ip)
}

function originOf({ protocol, host }: KoaContext): string {
  return `${protocol}://${host}`
}

function sendDirect(
  answer: DirectAnswer['answer'],
  context: KoaContext,
): Promise<void> | undefined {
  if (answer instanceof Response) return sendAnswer(answer, context)
  // Before status and type, since setting the body changes them.
  context.body = answer.body ?? ''
  context.status = answer.status
  setHeaders(answer, context.res, (name, value) => context.set(name, value))
  return undefined
}

/** Sends a web `Response`, with each cookie in its own header. */
export async function sendAnswer(response: Response, context: KoaContext): Promise<void> {
  // Before status and type, since setting the body changes them.
  context.body = await response.text()
  context.status = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') context.set(name, value)
  }
  appendCookies(context.res, response.headers)
  if (isForOne(response.headers)) keepNodeFromCaches(context.res)
}

function tell({ state }: KoaContext, session: object | null): void {
  Object.assign(state, { session })
}
