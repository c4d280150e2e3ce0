import type { Latchkey, ProtectOptions } from '../entries/index.ts'

// Parts of Latchkey, whatever session its `session` callback makes.

/** The part of an instance that handles the actions. */
export type ActionHandler = Pick<Latchkey, 'handler'>

/** The part of an instance that reads a session. */
export interface SessionReader<S> {
  session(request: Request): Promise<{ session: S | null; headers: Headers }>
}

/** The part of an instance that guards a page. */
export interface PageGuard<S> {
  protect(
    request: Request,
    options?: ProtectOptions<S>,
  ): Promise<{
    response: Response | undefined
    /** Whether the page is open to everybody. */
    open?: boolean
    session: S | null
    headers: Headers
  }>
}

/**
 * Decides whether a user with a session may continue. Returns `true` to continue, `false` for 403 (a page, or
 * JSON for a script), or the response.
 */
export type Authorize<S> = (params: { request: Request; auth: S }) => Verdict | PromiseLike<Verdict>

type Verdict = boolean | Response | undefined

/** The path that a guard checked, and whether it is open to everybody. */
export interface Guarded {
  readonly path: string
  readonly open: boolean
}
