/**
 * Lists the sessions of a user, and ends them one by one or all at once.
 *
 * @module
 */

import type { Session } from '../../model/session.ts'
import { loadOnce } from '../../once.ts'
import type { PluginOption } from '../../options/plugin-option.ts'
import { definePlugin, type Host, type PluginMethods } from '../../plugin-kit.ts'
import type { SessionFacts } from '../../session/facts.ts'
import type { EndReason, SessionHooks } from '../../session/watch.ts'
import { isFresh } from './fresh.ts'
import type { Caller } from './lister.ts'
import { type Own, PAGE } from './own.ts'
import type { SessionInfo } from './session-info.ts'
import { type SessionsOptions, type Settings, settingsOf } from './settings.ts'
import { texts } from './texts.ts'

export type { EndReason } from '../../session/watch.ts'
export type { DeviceFacts } from './device.ts'
export type { SessionInfo } from './session-info.ts'
export type { SessionsOptions } from './settings.ts'

/** What `latchkey.api.sessions` offers. */
export interface SessionsApi {
  /** The sessions of a user that go on, the one of the request first, then those that were seen last. At most 500. */
  list(who: Request | { userId: string }): Promise<SessionInfo[]>
  /** The session of a request; `null` for nobody. */
  current(request: Request): Promise<SessionInfo | null>
  /**
   * Asks the store whether the session of a request goes on, for what is worth the time.
   *
   * @returns what the browser is told of the session; `null` if there is none, or it was ended.
   * @throws when it cannot be found out.
   */
  confirm(request: Request): Promise<Session | null>
  /**
   * Ends a session of a user.
   *
   * @returns whether this call did it: not for one that is over or unknown, or another user's.
   */
  end(who: { userId: string; id: string }, how?: EndOptions): Promise<boolean>
  /** Ends all sessions of the user of a request, but for the one of the request. @returns how many. */
  endOthers(request: Request): Promise<number>
  /** Ends all sessions of a user. @returns how many. */
  endAll(who: { userId: string }, how?: EndOptions & { except?: string }): Promise<number>
  /**
   * Did the user of a request prove lately who they are?
   *
   * @param seconds how long ago at most; `freshAge` if left out.
   */
  isFresh(request: Request, seconds?: number): Promise<boolean>
}

export interface EndOptions {
  /** @default 'application' */
  reason?: EndReason
  /** The id of the user who does it. */
  by?: string
}

/** Lists the sessions of a user, and ends them. Needs an adapter that keeps records. */
export function sessions(options: SessionsOptions = {}): PluginOption<'sessions', SessionsApi> {
  const settings = settingsOf(options)
  return definePlugin<'sessions', SessionsApi, Own>({
    name: 'sessions',
    needs: ['adapter', 'records'],
    texts,
    problems: {
      reauthentication_required: {
        status: 403,
        text: 'sessions:reauthentication_required',
      },
    },
    routes,
    setUp(host) {
      const own = ownOf(host, settings)
      return { own, api: apiOf(own), session: hooksOf(own) }
    },
  })
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  [PAGE]: {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/page.ts')).input,
      run: async () => (await import('./routes/page.ts')).page,
    },
  },
  'sessions/list': {
    GET: { who: 'user', run: async () => (await import('./routes/list.ts')).list },
  },
  'sessions/current': {
    GET: { who: 'user', run: async () => (await import('./routes/list.ts')).current },
  },
  'sessions/end': {
    POST: {
      who: 'user',
      input: async () => (await import('./routes/end.ts')).input,
      run: async () => (await import('./routes/end.ts')).end,
    },
  },
  'sessions/end-others': {
    POST: { who: 'user', run: async () => (await import('./routes/end.ts')).endOthers },
  },
  'sessions/end-all': {
    POST: { who: 'user', run: async () => (await import('./routes/end.ts')).endAll },
  },
}

function ownOf(host: Host, settings: Settings): Own {
  const keeper = loadOnce(async () => (await import('./keeper.ts')).createKeeper(host, settings))
  const lister = loadOnce(async () =>
    (await import('./lister.ts')).createLister(host, await keeper()),
  )
  return { host, settings, keeper, lister }
}

/** Of so many sessions a process knows when it wrote down that they were seen. */
const MOST_SEEN = 10_000

/** What is known when a session is read; all else is loaded when it is needed. */
function hooksOf({ host, settings, keeper }: Own): SessionHooks {
  const seen = host.shared(() => new Map<string, number>())
  const isDue = (key: string, now: number): boolean => {
    if (now - (seen.get(key) ?? Number.NEGATIVE_INFINITY) < settings.touch * 1000) return false
    // Behind those that were seen earlier.
    seen.delete(key)
    seen.set(key, now)
    for (const oldest of seen.keys()) {
      if (seen.size <= MOST_SEEN) break
      seen.delete(oldest)
    }
    return true
  }
  const touched = async (session: SessionFacts): Promise<'good' | 'ended'> => {
    try {
      return (await (await keeper()).touch(session)) ? 'good' : 'ended'
    } catch {
      // The store has logged it, and the session does not depend on it.
      return 'good'
    }
  }
  return {
    onRead(session, { now, readOnly }) {
      if (readOnly || settings.touch === 0 || !isDue(session.key, now)) return 'good'
      return touched(session)
    },
    async beforeIssue(session, proof) {
      isDue(session.key, host.ports.now())
      return (await keeper()).beforeIssue(session, proof)
    },
    afterIssue: async (...asked) => (await keeper()).afterIssue(...asked),
    onExtend: async (...asked) => (await keeper()).onExtend(...asked),
    onRename: async (...asked) => (await keeper()).onRename(...asked),
    onEnd: async (...asked) => (await keeper()).onEnd(...asked),
    known: async (...asked) => (await keeper()).known(...asked),
  }
}

function apiOf(own: Own): SessionsApi {
  const { host, settings, lister } = own
  const callerOf = async (request: Request): Promise<Caller | null> =>
    (await lister()).caller(await host.current(request))
  return {
    async list(who) {
      if (!(who instanceof Request)) return (await lister()).list(who.userId)
      const caller = await callerOf(who)
      return caller ? (await lister()).list(caller.userId, caller.sid) : []
    },
    async current(request) {
      const caller = await callerOf(request)
      return caller && (await lister()).current(caller)
    },
    async confirm(request) {
      return (await callerOf(request)) ? host.session(request) : null
    },
    async end({ userId, id }, { reason = 'application', by } = {}) {
      return (await (await lister()).end(userId, id, { reason, by })) ?? false
    },
    async endOthers(request) {
      const caller = await callerOf(request)
      if (!caller) return 0
      return (await lister()).endAll(caller.userId, { reason: 'ended-by-user' }, caller.sid)
    },
    async endAll({ userId }, { reason = 'application', by, except } = {}) {
      return (await lister()).endAll(userId, { reason, by }, except)
    },
    async isFresh(request, seconds = settings.freshAge) {
      const caller = await callerOf(request)
      return caller !== null && isFresh(await caller.facts.known(), seconds, host.ports)
    },
  }
}
