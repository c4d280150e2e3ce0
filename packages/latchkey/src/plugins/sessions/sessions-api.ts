import type { EndReason, Session } from '../../entries/plugin.ts'
import type { SessionInfo } from './session-info.ts'

/** What `latchkey.api.sessions` offers. */
export interface SessionsApi {
  /** The sessions of a user that go on, the one of the request first, then those that were seen last. At most 500. */
  list(who: Request | { userId: string }): Promise<SessionInfo[]>
  /** The session of a request; `null` for nobody. */
  current(request: Request): Promise<SessionInfo | null>
  /**
   * Asks the store whether the session of a request goes on, for what is worth the time.
   *
   * @returns the session as the browser receives it; `null` if there is none, or it was ended.
   * @throws when it cannot be found out.
   */
  confirm(request: Request): Promise<Session | null>
  /**
   * Ends a session of a user.
   *
   * @returns whether this call did it: not for one that is over or unknown, or another user's.
   */
  end(who: { userId: string; id: string }, how?: EndOptions): Promise<boolean>
  /**
   * Gives a session of a user a name, which its user sees in the list; an empty one takes it away.
   *
   * @returns the session; `null` for one that is over or unknown, or another user's.
   */
  rename(who: { userId: string; id: string }, name: string): Promise<SessionInfo | null>
  /** Ends all sessions of the user of a request, but for the one of the request. @returns how many. */
  endOthers(request: Request): Promise<number>
  /**
   * Ends all sessions of a user.
   *
   * @param how `except`: the `id` of a session that goes on; it must be one that the list has.
   * @returns how many it ended.
   */
  endAll(who: { userId: string }, how?: EndOptions & { except?: string }): Promise<number>
  /**
   * Did the user of a request prove lately who they are?
   *
   * @param seconds how long ago at most; `freshAge` if left out.
   */
  isFresh(request: Request, seconds?: number): Promise<boolean>
  /**
   * What this process knows of sealed sessions that were ended, for metrics.
   *
   * @returns `null` where nothing was read yet, and with sessions in a database.
   */
  revocationState(): Promise<RevocationSnapshot | null>
  /**
   * Gives the session of a request another token and name, after its user proved again who they are: hand on the
   * `set-cookie` headers. A copy of the old cookie is worth nothing then.
   *
   * @param proof how they proved it (RFC 8176).
   * @throws when nobody is signed in, or another call was faster.
   */
  renew(request: Request, proof: { amr: readonly string[] }): Promise<{ headers: Headers }>
}

/** What a process knows of sealed sessions that were ended. */
export interface RevocationSnapshot {
  /** Sessions and users. */
  readonly entries: number
  /** Milliseconds since it was known to be complete. */
  readonly age: number
}

export interface EndOptions {
  /** @default 'application' */
  reason?: EndReason
  /** The id of the user who does it. */
  by?: string
}
