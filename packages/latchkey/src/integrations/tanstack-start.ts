import type { RequestServerResult } from '@tanstack/react-start'
import { asForOne } from './caching.ts'
import { guard } from './mounted.ts'
import type { ActionHandler, Authorize, PageGuard, SessionReader } from './parts.ts'
import { withCookies } from './set-cookies.ts'

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
} from '../index.ts'

/** What comes after a middleware finds this in its context. */
interface AuthContext<S> {
  session: S
}

/** What `createMiddleware().server(…)` takes. */
export type AuthMiddleware<S> = (args: {
  readonly request: Request
  next(given: { context: AuthContext<S> }): unknown
}) => Promise<RequestServerResult<object, undefined, AuthContext<S>>>

/** Answers the actions: both `server.handlers` of the route `/auth/$`, at the base path. */
export function authHandler(
  latchkey: ActionHandler,
): (args: { readonly request: Request }) => Promise<Response> {
  return async ({ request }) => asForOne(await latchkey.handler(request))
}

/**
 * Tells what comes after it who is signed in, and extends the session when that is due: among the
 * `requestMiddleware` of `start.ts`, that is every page, server route and server function.
 */
export function authSession<S>(latchkey: SessionReader<S>): AuthMiddleware<S | null> {
  return async ({ request, next }) => {
    const { session, headers } = await latchkey.session(request)
    return extended(await next({ context: { session } }), headers)
  }
}

/**
 * Lets only those go on who are signed in: in `server.middleware` of a page or a server route. Others
 * are sent to the sign-in page, and scripts are answered with 401.
 *
 * @param authorized which of them may go on, if not all.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): AuthMiddleware<S> {
  return async ({ request, next }) => {
    const { response, session, headers } = await guard(latchkey, request, authorized)
    // Nobody else was let in.
    const context = { session: session as S }
    return extended(response ? { response } : await next({ context }), headers)
  }
}

/** What follows a middleware, with cookies on its answer. */
function extended<Result>(result: unknown, headers: Headers): Result {
  const { response, ...rest } = result as { response: Response }
  return { ...rest, response: withCookies(response, { headers }) } as Result
}
