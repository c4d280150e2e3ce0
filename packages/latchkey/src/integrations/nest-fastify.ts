import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../index.ts'
import { requireAuth } from './fastify.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize, PageGuard } from './parts.ts'

export { fastifyAuth, sendReply, webRequestOf } from './fastify.ts'
export { type NestContext, Public } from './nest-open.ts'

/**
 * A guard for Nest on Fastify: `app.useGlobalGuards(new AuthGuard(latchkey))`, or one of the
 * application's own that extends it. Lets only those in who are signed in. Others are sent to the
 * sign-in page, and scripts are answered with 401. The actions themselves are answered by
 * `app.register(fastifyAuth, { latchkey })`, and `request.auth()` is who is signed in.
 *
 * @param authorized which of them may go on, if not all.
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
    // Who does not go on has been answered.
    return !reply.sent
  }
}
