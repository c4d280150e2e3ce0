import type { Latchkey, ProtectOptions } from '../index.ts'

// Parts of Latchkey, whatever session its `session` callback makes.

/** What answers the actions. */
export type ActionHandler = Pick<Latchkey, 'handler'>

/** What reads a session. */
export interface SessionReader<S> {
  session(request: Request): Promise<{ session: S | null; headers: Headers }>
}

/** What guards a page. */
export interface PageGuard<S> {
  protect(
    request: Request,
    options?: ProtectOptions<S>,
  ): Promise<{
    response: Response | undefined
    /** Is it open to everybody? */
    open?: boolean
    session: S | null
    headers: Headers
  }>
}

/**
 * Decides which of the users who are signed in may go on, with the session that the configuration makes. Returns
 * true to let them in, false to send them to the sign-in page, or the answer itself.
 */
export type Authorize<S> = (params: { request: Request; auth: S }) => Verdict | PromiseLike<Verdict>

type Verdict = boolean | Response | undefined

/** What a guard was asked for, and whether it let everybody go on to it. */
export interface Guarded {
  readonly path: string
  readonly open: boolean
}
