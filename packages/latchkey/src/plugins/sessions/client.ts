/**
 * The functions of the plugin `sessions` for a page.
 *
 * @module
 */

import type { SessionInfo } from './session-info.ts'

export type { SessionInfo } from './session-info.ts'

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface SessionsPage {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store: { changed(): Promise<void> }
}

/** The sessions of the signed-in user. Each function throws a `ClientError` with the `code` of a refusal. */
export interface SessionsClient {
  /** Returns the sessions: that of this browser first, then by the time they were last seen. */
  list(): Promise<SessionInfo[]>
  /** Returns the session of this browser. */
  current(): Promise<SessionInfo>
  /**
   * Ends a session. If it is the session of this browser, all tabs are notified.
   *
   * @param id of {@link SessionInfo}.
   * @returns `false` if the session had ended already.
   * @throws {ClientError} `reauthentication_required` for another session than that of this browser, if the user signed
   * in too long ago (`freshAge`).
   */
  end(id: string): Promise<boolean>
  /**
   * Ends all sessions except that of this browser.
   *
   * @returns how many it ended.
   * @throws {ClientError} `reauthentication_required` if the user signed in too long ago (`freshAge`).
   */
  endOthers(): Promise<number>
  /** Ends all sessions, and notifies all tabs. @returns how many it ended. */
  endAll(): Promise<number>
  /** Gives a session a name of at most 60 characters. @returns the session with its name. */
  rename(id: string, name: string): Promise<SessionInfo>
}

/** Creates the functions for a page. */
export function sessionsClient({ ask, store }: SessionsPage): SessionsClient {
  const send = async <Answer>(path: string, fields?: object): Promise<Answer> =>
    (await ask(`sessions/${path}`, fields)) as Answer
  const end = async (path: string, fields: object): Promise<number> =>
    (await send<{ ended: number }>(path, fields)).ended
  return {
    list: async () => (await send<{ sessions: SessionInfo[] }>('list')).sessions,
    current: () => send('current'),
    async end(id) {
      const ended = await end('end', { id })
      // It may have been the session of this browser.
      await store.changed()
      return ended === 1
    },
    endOthers: () => end('end-others', {}),
    async endAll() {
      const ended = await end('end-all', {})
      await store.changed()
      return ended
    },
    rename: (id, name) => send('rename', { id, name }),
  }
}
