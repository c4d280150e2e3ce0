import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../entries/index.ts'
import { requireAuth, requireFactors, requireFresh } from './fastify.ts'
import { isOpen, type NestContext } from './nest-open.ts'
import type { Authorize, FactorOptions, FreshOptions, PageGuard, ProofGuard } from './parts.ts'

export { authHandler, fastifyAuth, sendReply, webRequestOf } from './fastify.ts'
export { type NestContext, Public } from './nest-open.ts'

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * A guard for Nest on Fastify: `app.useGlobalGuards(new AuthGuard(latchkey))`, or a subclass of the application. It
 * allows only requests with a session, redirects other visitors to the sign-in page, and responds to scripts with 401.
 * `app.register(authHandler, { latchkey })` handles the actions, and `request.auth()` returns the session.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export class AuthGuard<S = Session> {
  readonly #guard: Guard

  constructor(latchkey: PageGuard<S>, authorized?: Authorize<S>) {
    this.#guard = requireAuth(latchkey, authorized)
  }

  async canActivate(context: NestContext): Promise<boolean> {
    return isOpen(context) || passes(context, this.#guard)
  }
}

/**
 * A guard that allows only users whose last proof of identity is at most so many seconds old, for example
 * `@UseGuards(new FreshGuard(latchkey, 300))`; with a second factor in the account, the last proof with one. Others are led to the
 * page that asks for a proof, and scripts get 403 with its address in `next`. `Public` does not open it.
 */
export class FreshGuard<S = Session> {
  readonly #guard: Guard

  constructor(latchkey: PageGuard<S> & ProofGuard, seconds: number, options?: FreshOptions) {
    this.#guard = requireFresh(latchkey, seconds, options)
  }

  canActivate(context: NestContext): Promise<boolean> {
    return passes(context, this.#guard)
  }
}

/**
 * A guard that allows only users who proved this number of factors in their session. Others are led to the page that asks for
 * them. `Public` does not open it.
 */
export class FactorsGuard<S = Session> {
  readonly #guard: Guard

  constructor(latchkey: PageGuard<S> & ProofGuard, factors: 1 | 2, options?: FactorOptions) {
    this.#guard = requireFactors(latchkey, factors, options)
  }

  canActivate(context: NestContext): Promise<boolean> {
    return passes(context, this.#guard)
  }
}

/** Returns whether a request goes on after a hook; otherwise it has a response. */
async function passes(context: NestContext, guard: Guard): Promise<boolean> {
  if (context.getType() !== 'http') return false
  const http = context.switchToHttp()
  const reply = http.getResponse<FastifyReply>()
  await guard(http.getRequest<FastifyRequest>(), reply)
  return !reply.sent
}
