import { withClientAddress } from '../http/client-address.ts'
import type { DirectAnswer } from '../http/direct.ts'
import { isForOne, keepNodeFromCaches } from './caching.ts'
import { guard } from './mounted.ts'
import { directAnswer, setHeaders } from './node-direct.ts'
import {
  appendCookies,
  type NodeRequest,
  type NodeResponse,
  toWebRequest,
  withBody,
} from './node-http.ts'
import { noticing } from './notices.ts'
import type { ActionHandler, Authorize, PageGuard, SessionReader } from './parts.ts'

/** A context of Koa, as far as it is used. */
export interface KoaContext {
  readonly req: NodeRequest
  readonly res: NodeResponse
  /** With the body, where a parser has read it. */
  readonly request: object
  readonly originalUrl: string
  /** `http` or `https`, as the setting `proxy` has it; so is the host. */
  readonly protocol: string
  readonly host: string
  /** Where the client is; the setting `proxy` is heeded, too. */
  readonly ip?: string
  readonly state: object
  status: number
  body: unknown
  set(name: string, value: string): void
}

/** A middleware for Koa 2 and 3. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/**
 * Answers the actions, and goes on with everything else. Parsers of the body may stand before it. The
 * setting `proxy` of the application says whose word counts for the address.
 *
 * @param basePath where the actions are: that of the configuration.
 */
export function authHandler(latchkey: ActionHandler, basePath: string = '/auth'): KoaMiddleware {
  const notice = noticing(undefined)
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

/**
 * Tells what comes after it who is signed in, in `context.state.session`, and extends the session when
 * that is due.
 */
export function authSession<S extends object>(latchkey: SessionReader<S>): KoaMiddleware {
  return async (context, next) => {
    const { session, headers } = await latchkey.session(webRequestOf(context))
    appendCookies(context.res, headers)
    tell(context, session)
    await next()
  }
}

/**
 * Lets only those go on who are signed in, with the session in `context.state.session`. Others are
 * sent to the sign-in page, and scripts are answered with 401.
 *
 * @param authorized which of them may go on, if not all.
 */
export function requireAuth<S extends object>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): KoaMiddleware {
  const notice = noticing(undefined)
  return async (context, next) => {
    const verdict = await guard(latchkey, webRequestOf(context), authorized)
    appendCookies(context.res, verdict.headers)
    if (verdict.response) return sendAnswer(verdict.response, context)
    tell(context, verdict.session)
    await next()
    notice.unanswered(verdict, context.status)
  }
}

/** A request of Koa as one of the web, for what else Latchkey can do. Its body is left alone. */
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
  // Before the status and the type, which it would choose.
  context.body = answer.body ?? ''
  context.status = answer.status
  setHeaders(answer, context.res, (name, value) => context.set(name, value))
  return undefined
}

/** Answers as the web does, the cookies one by one. */
export async function sendAnswer(response: Response, context: KoaContext): Promise<void> {
  // Before the status and the type, which it would choose.
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
