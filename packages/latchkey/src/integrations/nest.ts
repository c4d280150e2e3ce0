import type { AuthConfig, ConfigSource, SessionOf } from '../entries/index.ts'
import {
  type ExpressHandler,
  type ExpressRequest,
  type ExpressResponse,
  requireAuth,
} from './express.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize } from './parts.ts'

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
    if (isOpen(context)) return Promise.resolve(true)
    if (context.getType() !== 'http') return Promise.resolve(false)
    const http = context.switchToHttp()
    const request = http.getRequest<ExpressRequest>()
    const response = http.getResponse<ExpressResponse<{ session: SessionOf<Config> }>>()
    return new Promise((resolve, reject) => {
      const goOn = (error?: unknown): void =>
        error === undefined
          ? resolve(true)
          : reject(error instanceof Error ? error : new Error(String(error)))
      // Other requests have a response.
      this.#guard(request, response, goOn).then(() => resolve(false), reject)
    })
  }
}

/** Returns the session of the guard, for a decorator created with `createParamDecorator`. */
export function sessionOf<S = unknown>(context: NestContext): S | undefined {
  const { locals } = context.switchToHttp().getResponse<ExpressResponse<{ session?: S }>>()
  return locals.session
}
