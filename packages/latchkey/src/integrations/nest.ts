import type { AuthConfig, ConfigSource, SessionOf } from '../entries/index.ts'
import {
  type ExpressHandler,
  type ExpressRequest,
  type ExpressResponse,
  requireAuth,
  requireFactors,
  requireFresh,
} from './express.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize, FactorOptions, FreshOptions } from './parts.ts'

export { authHandler, ExpressAuth, getSession, signIn, signOut } from './express.ts'
export { type NestContext, Public } from './nest-open.ts'

/**
 * A guard for Nest on Express: `app.useGlobalGuards(new AuthGuard(config))`, or a subclass of the application. It
 * allows only requests with a session, redirects other visitors to the sign-in page, and responds to scripts with 401.
 * Mount the actions with `app.use('/auth', authHandler(config))`.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export class AuthGuard<const Config extends AuthConfig = AuthConfig> {
  readonly #guard: ExpressHandler<{ session: SessionOf<Config> }>

  constructor(source: ConfigSource<Config>, authorized?: Authorize<SessionOf<Config>>) {
    this.#guard = requireAuth(source, authorized)
  }

  canActivate(context: NestContext): Promise<boolean> {
    return isOpen(context) ? Promise.resolve(true) : passes(context, this.#guard)
  }
}

/**
 * A guard that allows only users whose last proof of identity is at most so many seconds old, for example
 * `@UseGuards(new FreshGuard(config, 300))`; with a second factor in the account, the last proof with one. Others are led to the
 * page that asks for a proof, and scripts get 403 with its address in `next`. `Public` does not open it.
 */
export class FreshGuard<const Config extends AuthConfig = AuthConfig> {
  readonly #guard: ExpressHandler<{ session: SessionOf<Config> }>

  constructor(source: ConfigSource<Config>, seconds: number, options?: FreshOptions) {
    this.#guard = requireFresh(source, seconds, options)
  }

  canActivate(context: NestContext): Promise<boolean> {
    return passes(context, this.#guard)
  }
}

/**
 * A guard that allows only users who proved this number of factors in their session. Others are led to the page that asks for
 * them. `Public` does not open it.
 */
export class FactorsGuard<const Config extends AuthConfig = AuthConfig> {
  readonly #guard: ExpressHandler<{ session: SessionOf<Config> }>

  constructor(source: ConfigSource<Config>, factors: 1 | 2, options?: FactorOptions) {
    this.#guard = requireFactors(source, factors, options)
  }

  canActivate(context: NestContext): Promise<boolean> {
    return passes(context, this.#guard)
  }
}

/** Returns whether a request goes on after a handler; otherwise it has a response. */
function passes<Locals extends object>(
  context: NestContext,
  guard: ExpressHandler<Locals>,
): Promise<boolean> {
  if (context.getType() !== 'http') return Promise.resolve(false)
  const http = context.switchToHttp()
  const request = http.getRequest<ExpressRequest>()
  const response = http.getResponse<ExpressResponse<Locals>>()
  return new Promise((resolve, reject) => {
    const goOn = (error?: unknown): void =>
      error === undefined
        ? resolve(true)
        : reject(error instanceof Error ? error : new Error(String(error)))
    // Other requests have a response.
    guard(request, response, goOn).then(() => resolve(false), reject)
  })
}

/** Returns the session of the guard, for a decorator created with `createParamDecorator`. */
export function sessionOf<S = unknown>(context: NestContext): S | undefined {
  const { locals } = context.switchToHttp().getResponse<ExpressResponse<{ session?: S }>>()
  return locals.session
}
