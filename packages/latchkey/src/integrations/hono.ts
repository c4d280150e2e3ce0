import type { Context, MiddlewareHandler } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import { markMounted, notesOf } from '../base/instance-notes.ts'
import { oncePer } from '../base/once.ts'
import type { Latchkey, Session } from '../entries/index.ts'
import { sentBySame, withClientAddress } from '../http/origin/client-address.ts'
import { cacheHeaders, isForOne, keepFromCaches, tellsCaches } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import { type Notices, noticing } from './notices.ts'
import type {
  ActionHandler,
  Authorize,
  FactorOptions,
  FreshOptions,
  PageGuard,
  ProofGuard,
  SessionReader,
} from './parts.ts'
import { inOrder } from './per-event.ts'

export {
  type Account,
  type AuthConfig,
  AuthError,
  CredentialsSignin,
  createLatchkey,
  customFetch,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'

/** An instance, or a function that returns one: on Workers, the secrets are in the context. */
export type LatchkeySource<Part extends object = Latchkey> = Part | ((context: Context) => Part)

/** The variables of a request: `c.get('session')`. */
export interface AuthVariables<S = Session | null> {
  session: S
}

/** Handles the actions: `app.use('/auth/*', authHandler(latchkey))`, at the base path. */
export function authHandler(source: LatchkeySource<ActionHandler>): MiddlewareHandler {
  markMounted(source)
  return async (context) => {
    const answer = await latchkeyOf(source, context).handler(await requestOf(context))
    const headers = new Headers(answer.headers)
    headers.delete('set-cookie')
    // Hono drops the cookies of a response if a middleware has set other cookies before.
    for (const line of answer.headers.getSetCookie()) {
      context.header('set-cookie', line, { append: true })
    }
    if (isForOne(answer.headers)) keepUncached(context)
    const response = context.newResponse(answer.body, {
      status: answer.status as StatusCode,
      headers,
    })
    if (isForOne(answer.headers)) keepFromCaches(response.headers)
    return response
  }
}

/** Sets the variable `session` for later handlers, and extends the session when it is due. */
export function authSession<S>(
  source: LatchkeySource<SessionReader<S>>,
): MiddlewareHandler<{ Variables: AuthVariables<S | null> }> {
  return async (context, next) => {
    const { session, headers } = await latchkeyOf(source, context).session(context.req.raw)
    context.set('session', session)
    await next()
    setCookies(context, headers)
  }
}

/**
 * Allows only requests with a session, which is then in the variable `session`. Redirects other visitors to the sign-in
 * page, and responds to scripts with 401.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S>(
  source: LatchkeySource<PageGuard<S>>,
  authorized?: Authorize<S>,
): MiddlewareHandler<{ Variables: AuthVariables<S> }> {
  let notice: Notices | undefined
  return async (context, next) => {
    const latchkey = latchkeyOf(source, context)
    notice ??= noticing(notesOf(latchkey))
    const verdict = await guard(latchkey, context.req.raw, authorized)
    const { response, session, headers } = verdict
    notice.led(response, latchkey)
    if (response) context.res = response
    else {
      // Requests without a session do not get here.
      context.set('session', session as S)
      await next()
      notice.unanswered(verdict, context.res.status)
    }
    setCookies(context, headers)
    return undefined
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S>(
  source: LatchkeySource<PageGuard<S> & ProofGuard>,
  seconds: number,
  options: FreshOptions = {},
): MiddlewareHandler<{ Variables: AuthVariables<S> }> {
  return provenBy(source, { ...options, maxAge: seconds })
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S>(
  source: LatchkeySource<PageGuard<S> & ProofGuard>,
  factors: 1 | 2,
  options: FactorOptions = {},
): MiddlewareHandler<{ Variables: AuthVariables<S> }> {
  return provenBy(source, { ...options, factors })
}

function provenBy<S>(
  source: LatchkeySource<PageGuard<S> & ProofGuard>,
  needed: Parameters<typeof withProof>[1],
): MiddlewareHandler<{ Variables: AuthVariables<S> }> {
  const guardOf = oncePer(
    (latchkey: PageGuard<S> & ProofGuard) => requireAuth<S>(latchkey, withProof(latchkey, needed)),
    new WeakMap(),
  )
  return (context, next) => guardOf(latchkeyOf(source, context))(context, next)
}

function latchkeyOf<Part extends object>(source: LatchkeySource<Part>, context: Context): Part {
  return typeof source === 'function' ? source(context) : source
}

/** Returns the request with its body, also if a validator or a middleware has read it, since Hono caches it. */
async function requestOf({ req, env }: Context): Promise<Request> {
  const raw = withClientAddress(req.raw, addressOf(env))
  if (!raw.bodyUsed) return raw
  const { method } = raw
  const headers = new Headers(raw.headers)
  headers.delete('content-length')
  const isForm = headers.get('content-type')?.includes('application/x-www-form-urlencoded')
  const body = isForm ? new URLSearchParams(textsOf(await req.formData())) : await req.text()
  return sentBySame(new Request(raw.url, { method, headers, body }), raw)
}

/** The connection, as the servers of Node.js, Bun and Deno provide it to Hono. */
interface Connection {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
  readonly remoteAddr?: { readonly hostname?: string }
}

function addressOf(env: Connection | undefined): string | undefined {
  return env?.incoming?.socket?.remoteAddress ?? env?.remoteAddr?.hostname
}

function textsOf(form: FormData): [string, string][] {
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

/** Sets cookies on the response, unless it sets them itself. */
function setCookies(context: Context, headers: Headers): void {
  const own = headers.getSetCookie()
  if (own.length === 0) return
  const lines = inOrder(own, context.res.headers.getSetCookie())
  context.header('set-cookie', undefined)
  for (const line of lines) context.header('set-cookie', line, { append: true })
  keepUncached(context)
  keepFromCaches(context.res.headers)
}

/** Prevents further changes of cache headers, also by earlier middleware. */
function keepUncached(context: Context): void {
  const { header } = context
  for (const name of cacheHeaders) header(name, undefined)
  context.header = (name: string, ...value: [string?, { append?: boolean }?]) => {
    if (tellsCaches(name)) return
    header(name, ...value)
    // Hono replaces an existing response.
    if (context.finalized) keepFromCaches(context.res.headers)
  }
}
