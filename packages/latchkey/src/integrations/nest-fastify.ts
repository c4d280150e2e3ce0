import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../entries/index.ts'
import { requireAuth } from './fastify.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize, PageGuard } from './parts.ts'

export { authHandler, fastifyAuth, sendReply, webRequestOf } from './fastify.ts'
export { type NestContext, Public } from './nest-open.ts'

/**
 * A guard for Nest on Fastify: `app.useGlobalGuards(new AuthGuard(latchkey))`, or a subclass of the application. It
 * allows only requests with a session, redirects other visitors to the sign-in page, and responds to scripts with 401.
 * `app.register(authHandler, { latchkey })` handles the actions, and `request.auth()` returns the session.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export class AuthGuard<S = Session> {
  readonly #guard: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

  constructor(latchkey: PageGuard<S>, authorized?: Authorize<S>) {
    this.#guard = requireAuth(latchkey, authorized)
  }

  async canActivate(context: NestContext): Promise<boolean> {
    if (isOpen(context)) return true
    if (context.getType() !== 'http') return false
    const http = context.switchToHttp()
    const reply = http.getResponse<FastifyReply>()
    await this.#guard(http.getRequest<FastifyRequest>(), reply)
    // Other requests have a response.
    return !reply.sent
  }
}
