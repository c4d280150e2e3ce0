import type { RequestServerResult } from '@tanstack/react-start'
import { createLatchkey } from './built.ts'
import { asForOne } from './caching.ts'
import { guard } from './mounted.ts'
import type { ActionHandler, Authorize, PageGuard, SessionReader } from './parts.ts'
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

/** Returns the result of a middleware, with cookies on its response. */
function extended<Result>(result: unknown, headers: Headers): Result {
  const { response, ...rest } = result as { response: Response }
  return { ...rest, response: withCookies(response, { headers }) } as Result
}
