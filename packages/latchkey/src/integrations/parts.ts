import type { Latchkey, ProtectOptions, StepUp } from '../entries/index.ts'

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

/** The part of an instance that asks for a recent or stronger proof of identity. */
export type ProofGuard = Pick<Latchkey, 'requireProof' | 'stepUpResponse'>

/** What else a proof of {@link ProofGuard} needs, and the page after it. */
export type FreshOptions = Omit<StepUp, 'maxAge'> & {
  /** @default the requested page, or the one that sent the request */
  readonly redirectTo?: string | undefined
}

/** The same for a number of factors. */
export type FactorOptions = Omit<StepUp, 'factors'> & Pick<FreshOptions, 'redirectTo'>

/** What a guard asks for, and how it leads there. */
export type NeededProof = StepUp &
  Pick<FreshOptions, 'redirectTo'> & {
    /** Whether scripts are redirected, too. */
    readonly asPage?: boolean | undefined
  }

/** The guards of a framework that are called with what it has for a request. */
export interface ProofGuards<Event, Answer> {
  /**
   * Asks for a proof of identity that is at most so many seconds old; with a second factor in the account, the last proof with
   * one.
   */
  requireFresh(event: Event, seconds: number, options?: FreshOptions): Promise<Answer>
  /** Asks for this number of factors in the session. */
  requireFactors(event: Event, factors: 1 | 2, options?: FactorOptions): Promise<Answer>
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
