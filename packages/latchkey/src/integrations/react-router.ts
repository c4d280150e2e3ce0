import type { RouterContext } from 'react-router'
import * as router from 'react-router'
import { installedVersion } from '../base/installed-version.ts'
import { type Requirement, unmet } from '../base/needs.ts'
import type { Session } from '../entries/index.ts'
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

const framework: Requirement = { what: 'latchkey/react-router', name: 'react-router', from: '7.9' }
if ((router as { createContext?: unknown }).createContext === undefined)
  throw new Error(unmet(framework, installedVersion(framework.name)))

/** The part of the arguments of loaders, actions and middleware that is used. */
export interface RouteArguments {
  readonly request: Request
  /** The URL without the parameters that React Router adds to data requests. */
  readonly url?: URL
}

/** A middleware of React Router. */
export type AuthMiddleware = (
  args: RouteArguments & {
    readonly context: { set(key: RouterContext<Session | null>, session: Session | null): void }
  },
  next: () => Promise<Response>,
) => Promise<Response>

/** The session after {@link authSession} or {@link requireAuth}: `context.get(sessionContext)`. */
export const sessionContext: RouterContext<Session | null> = router.createContext<Session | null>(
  null,
)

/** Handles the actions: the loader and the action of the route `auth/*`, at the base path. */
export function authHandler(latchkey: ActionHandler): (args: RouteArguments) => Promise<Response> {
  return async ({ request }) => asForOne(await latchkey.handler(request))
}

/** Sets `sessionContext` for later middleware and loaders, and extends the session when it is due. */
export function authSession(latchkey: SessionReader<Session>): AuthMiddleware {
  return async ({ request, context }, next) => {
    const { session, headers } = await latchkey.session(request)
    context.set(sessionContext, session)
    return withCookies(await next(), { headers })
  }
}

/**
 * Allows only requests with a session. Redirects other visitors to the sign-in page.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S extends Session>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): AuthMiddleware {
  return async ({ request, url = new URL(request.url), context }, next) => {
    const { method, headers: sent } = request
    const visit = new Request(url, { method, headers: sent })
    const { response, session, headers } = await guard(latchkey, visit, authorized, true)
    if (response) {
      const answer = new Response(response.body, response)
      // The sign-in page is not a route of the application.
      answer.headers.set('x-remix-reload-document', 'true')
      // A thrown redirect also works for data requests.
      throw withCookies(answer, { headers })
    }
    context.set(sessionContext, session)
    return withCookies(await next(), { headers })
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S extends Session>(
  latchkey: PageGuard<S> & ProofGuard,
  seconds: number,
  options: FreshOptions = {},
): AuthMiddleware {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds, asPage: true }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S extends Session>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): AuthMiddleware {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors, asPage: true }))
}
