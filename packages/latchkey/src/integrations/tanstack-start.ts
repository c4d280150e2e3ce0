import type { RequestServerResult } from '@tanstack/react-start'
import { createLatchkey } from './built.ts'
import { asForOne } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import type {
  ActionHandler,
  Authorize,
  FactorOptions,
  FreshOptions,
  PageGuard,
  ProofGuard,
  SessionReader,
} from './parts.ts'
import { withCookies } from './per-event.ts'

export {
  type Account,
  type AuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'
export { createLatchkey }

/** The context of everything after a middleware. */
interface AuthContext<S> {
  session: S
}

/** The parameter of `createMiddleware().server(…)`. */
export type AuthMiddleware<S> = (args: {
  readonly request: Request
  next(given: { context: AuthContext<S> }): unknown
}) => Promise<RequestServerResult<object, undefined, AuthContext<S>>>

/** Handles the actions: both `server.handlers` of the route `/auth/$`, at the base path. */
export function authHandler(
  latchkey: ActionHandler,
): (args: { readonly request: Request }) => Promise<Response> {
  return async ({ request }) => asForOne(await latchkey.handler(request))
}

/**
 * Adds `session` to the context of every page, server route and server function, and extends the session when it is
 * due. List it in `requestMiddleware` of `start.ts`.
 */
export function authSession<S>(latchkey: SessionReader<S>): AuthMiddleware<S | null> {
  return async ({ request, next }) => {
    const { session, headers } = await latchkey.session(request)
    return extended(await next({ context: { session } }), headers)
  }
}

/**
 * Allows only requests with a session, in `server.middleware` of a page or a server route. Redirects other visitors to
 * the sign-in page, and responds to scripts with 401.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): AuthMiddleware<S> {
  return async ({ request, next }) => {
    const { response, session, headers } = await guard(latchkey, request, authorized, true)
    // Requests without a session do not get here.
    const context = { session: session as S }
    return extended(response ? { response } : await next({ context }), headers)
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
): AuthMiddleware<S> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds, asPage: true }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): AuthMiddleware<S> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors, asPage: true }))
}

/** Returns the result of a middleware, with cookies on its response. */
function extended<Result>(result: unknown, headers: Headers): Result {
  const { response, ...rest } = result as { response: Response }
  return { ...rest, response: withCookies(response, { headers }) } as Result
}
