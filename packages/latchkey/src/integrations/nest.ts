import type { AuthConfig, ConfigSource, SessionOf } from '../index.ts'
import {
  type ExpressHandler,
  type ExpressRequest,
  type ExpressResponse,
  requireAuth,
} from './express.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize } from './parts.ts'

export { ExpressAuth, getSession, signIn, signOut } from './express.ts'
export { type NestContext, Public } from './nest-open.ts'

/**
 * A guard for Nest on Express: `app.useGlobalGuards(new AuthGuard(config))`, or one of the
 * application's own that extends it. Lets only those in who are signed in. Others are sent to the
 * sign-in page, and scripts are answered with 401. The actions themselves are mounted by
 * `app.use('/auth', ExpressAuth(config))`.
 *
 * @param authorized which of them may go on, if not all.
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
      // Who does not go on has been answered.
      this.#guard(request, response, goOn).then(() => resolve(false), reject)
    })
  }
}

/** The session that a guard has found: for a decorator made with `createParamDecorator`. */
export function sessionOf<S = unknown>(context: NestContext): S | undefined {
  const { locals } = context.switchToHttp().getResponse<ExpressResponse<{ session?: S }>>()
  return locals.session
}
