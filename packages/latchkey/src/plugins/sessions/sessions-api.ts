import type { EndReason, Session } from '../../entries/plugin.ts'
import type { SessionInfo } from './session-info.ts'

/** The functions of `latchkey.api.sessions`. */
export interface SessionsApi {
  /**
   * Returns the active sessions of a user: that of the request first, then by the time they were last seen. At most
   * 500.
   */
  list(who: Request | { userId: string }): Promise<SessionInfo[]>
  /** Returns the session of a request; `null` without one. */
  current(request: Request): Promise<SessionInfo | null>
  /**
   * Reads from the store whether the session of a request is active. Use it before important actions.
   *
   * @returns the session as the browser receives it; `null` if there is none, or it has ended.
   * @throws if the store cannot be read.
   */
  confirm(request: Request): Promise<Session | null>
  /**
   * Ends a session of a user.
   *
   * @returns whether this call ended it; `false` if it is over, unknown, or belongs to another user.
   */
  end(who: { userId: string; id: string }, how?: EndOptions): Promise<boolean>
  /**
   * Sets the name of a session, which its user sees in the list. An empty text removes it.
   *
   * @returns the session; `null` if it is over, unknown, or belongs to another user.
   */
  rename(who: { userId: string; id: string }, name: string): Promise<SessionInfo | null>
  /** Ends all sessions of the user of a request, except that of the request. @returns how many it ended. */
  endOthers(request: Request): Promise<number>
  /**
   * Ends all sessions of a user.
   *
   * @param how `except`: the `id` of a session in the list that stays active.
   * @returns how many it ended.
   */
  endAll(who: { userId: string }, how?: EndOptions & { except?: string }): Promise<number>
  /**
   * Returns whether the user of a request proved their identity recently.
   *
   * @param seconds the largest age of the proof. @default `freshAge`
   */
  isFresh(request: Request, seconds?: number): Promise<boolean>
  /**
   * Returns the ended sealed sessions that this process knows, for metrics.
   *
   * @returns `null` before the first read, and with sessions in a database.
   */
  revocationState(): Promise<RevocationSnapshot | null>
  /**
   * Gives the session of a request another token and id, after its user proved their identity once more. Send the
   * `set-cookie` headers to the browser. A copy of the old cookie becomes invalid.
   *
   * @param proof the methods of the proof (RFC 8176).
   * @throws without a session, or if another call was faster.
   */
  renew(request: Request, proof: { amr: readonly string[] }): Promise<{ headers: Headers }>
}

/** The ended sealed sessions that a process knows. */
export interface RevocationSnapshot {
  /** Sessions and users. */
  readonly entries: number
  /** Milliseconds since the snapshot was complete. */
  readonly age: number
}

export interface EndOptions {
  /** @default 'application' */
  reason?: EndReason
  /** The id of the user who ends the sessions. */
  by?: string
}
