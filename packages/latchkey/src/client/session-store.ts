import type { Session } from '../model/session.ts'
import { ClientError, type Requests } from './requests.ts'

/** The state of the session. It is the same object as long as nothing changes. */
export interface SessionState<S = Session> {
  /** `undefined` until the first response of the service. */
  readonly data: S | null | undefined
  readonly status: 'loading' | 'authenticated' | 'unauthenticated'
  /**
   * The error of the last request, if the service could not be reached. The previous session stays; without one, the status is
   * `unauthenticated` if nothing is mounted at the base path (404), and `loading` after other errors, until the next request.
   */
  readonly error: Error | undefined
  readonly isUpdating: boolean
}

export interface SessionStoreOptions {
  /** Seconds between two requests while a user is signed in and the page is visible; 0 sends none. @default 0 */
  refetchInterval?: number | undefined
  /** Whether the client requests the session when the page gets the focus. @default true */
  refetchOnWindowFocus?: boolean | undefined
  /** Whether the client requests the session while the browser is offline. @default true */
  refetchWhenOffline?: boolean | undefined
}

/** The session of this page, shared with other tabs of the site. */
export interface SessionStore<S = Session> {
  readonly state: SessionState<S>
  /** Calls `listener` after each change. The session is updated as long as there is a listener. */
  subscribe(listener: () => void): () => void
  /** Requests the session, once for concurrent callers. It never rejects: see {@link SessionState.error}. */
  refetch(): Promise<S | null | undefined>
  /** Waits until no request is in progress, and requests the session if the server has changed it since. */
  settled(): Promise<void>
  /** Sets the session that the server rendered, so that no request is needed. */
  set(session: S | null): void
  /**
   * Sends `data` to the service.
   *
   * @throws {ClientError} if the service refuses it.
   */
  update(data?: unknown): Promise<S | null>
  /** Notifies the other tabs that the session changed, and requests it here. */
  changed(): Promise<void>
  configure(options: SessionStoreOptions): void
}

/** The store with what the client itself needs of it. */
export interface ClientSessionStore extends SessionStore {
  /** Requests the session even if another request is in progress. @throws {ClientError} */
  read(): Promise<Session | null>
  /**
   * Sends a request that signs in or out. Requests for the session that are in progress are aborted, and sent again
   * afterwards: a late response could otherwise set the cookie of the earlier session again.
   */
  during<Result>(change: () => Promise<Result>): Promise<Result>
}

/** The part of the browser that the store uses. */
export type Surroundings = Partial<
  Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'> & {
      readonly cookie?: string
    }
    cookieStore: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
    navigator: { readonly onLine?: boolean }
    console: Pick<Console, 'error'>
    navigation: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
    BroadcastChannel: new (
      name: string,
    ) => Pick<BroadcastChannel, 'postMessage' | 'close' | 'addEventListener'>
  }
>

/** Whether nothing is mounted at the base path, which another request does not change. */
function isMissing(error: Error): boolean {
  return (error as ClientError).status === 404
}

/** Minimum time in milliseconds between two automatic requests, for example after the page gets the focus. */
const SELDOM = 5000
/** The same without a known session, when a sign-in may be in progress. */
const OFTEN = 500
/** Milliseconds until a failed request is sent again, doubled each time up to a minute. */
const FIRST_RETRY = 1000
const LAST_RETRY = 60_000
/** The maximum delay of a timer, in milliseconds. */
const LONGEST = 2_147_483_647

/** Stands for the response to a request that a change interrupted. */
const INTERRUPTED = Symbol('interrupted')

const CHANNEL = 'latchkey.session'
/** The cookie that changes with the session, if the service sets it. */
const STATE = /(?:^|; )(?:__Secure-)?latchkey\.session-state=([^;]*)/

/**
 * Creates the store.
 *
 * @param around the browser; without it, on a server, there are no automatic requests.
 */
// oxlint-disable-next-line max-lines-per-function -- one state that all parts share; split, it is larger than a browser should load
export function createSessionStore(requests: Requests, around: Surroundings): ClientSessionStore {
  let state: SessionState = {
    data: undefined,
    status: 'loading',
    error: undefined,
    isUpdating: false,
  }
  let options: SessionStoreOptions = {}
  const listeners = new Set<() => void>()
  let asking: Promise<Session | null | undefined> | undefined
  /** Incremented with each change, to ignore responses to older requests. */
  let version = 0
  /** The requests in progress that may set the cookie of the session. */
  const underWay = new Set<AbortController>()
  /** Settled when the sign-ins and sign-outs in progress are over. */
  let changing: Promise<unknown> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  /** The value of the cookie at the time of the request. */
  let mark: string | undefined
  /** The milliseconds by which the clock of the service is ahead; `undefined` before the first response. */
  let ahead: number | undefined
  let retry = FIRST_RETRY
  let timers: ReturnType<typeof setTimeout>[] = []
  let stop: (() => void) | undefined
  let channel: InstanceType<NonNullable<Surroundings['BroadcastChannel']>> | undefined

  const currentMark = (): string | undefined => STATE.exec(around.document?.cookie ?? '')?.[1]
  const isAnother = (): boolean => mark !== currentMark()

  const publish = (change: Partial<SessionState>): void => {
    const next = { ...state, ...change }
    const { data } = next
    // The same object is kept as long as nothing changed, so `===` works for comparisons.
    if (data && state.data && JSON.stringify(data) === JSON.stringify(state.data)) {
      next.data = state.data
    }
    const status =
      data === undefined ? 'loading' : data === null ? 'unauthenticated' : 'authenticated'
    const same =
      next.data === state.data && next.error === state.error && next.isUpdating === state.isUpdating
    if (same) return
    state = { ...next, status }
    for (const listener of listeners) listener()
  }

  const later = (milliseconds: number, work: () => void): void => {
    if (!stop) return
    const timer = setTimeout(work, Math.min(milliseconds, LONGEST))
    // The timer must not keep a server process running.
    ;(timer as { unref?: () => void }).unref?.()
    timers.push(timer)
  }

  /** Schedules the next automatic request. */
  const plan = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    const { data, error } = state
    if (!error) retry = FIRST_RETRY
    else if (!isMissing(error)) {
      later(retry, () => void store.refetch())
      retry = Math.min(retry * 2, LAST_RETRY)
    }
    if (!data) return
    const left = Date.parse(data.expires) - (Date.now() + (ahead ?? 0))
    if (left > 0 && left < LONGEST) later(left, () => void ended())
    const { refetchInterval = 0 } = options
    if (refetchInterval > 0 && !error) later(refetchInterval * 1000, () => void passively(0))
  }

  /** Called when the session expires. Requests it, since it may have been extended. */
  const ended = async (): Promise<void> => {
    const { data } = state
    await store.refetch()
    // The service cannot be reached, and by its own clock the session has expired.
    if (state.error && state.data === data && ahead !== undefined) publish({ data: null })
  }

  /** Requests the session, unless the last request is recent or the page is hidden. */
  const passively = async (seldom: number = state.data ? SELDOM : OFTEN): Promise<void> => {
    if (around.document?.visibilityState === 'hidden') return plan()
    const offline = around.navigator?.onLine === false
    if (offline && options.refetchWhenOffline === false) return plan()
    if (performance.now() - askedAt < seldom && !isAnother()) return
    await store.refetch()
  }

  const listen = (): (() => void) => {
    const { document: page, navigation, cookieStore } = around
    const look = (): void => {
      if (options.refetchOnWindowFocus !== false) void passively()
    }
    const online = (): void => void passively(0)
    const back = (event: Event): void => {
      // The page was restored from the back/forward cache.
      if ((event as PageTransitionEvent).persisted) void anew()
    }
    const moved = (): void => {
      if (!state.data || isAnother()) void passively()
    }
    const set = (): void => {
      if (isAnother()) void anew()
    }
    page?.addEventListener('visibilitychange', look)
    around.addEventListener?.('focus', look)
    around.addEventListener?.('online', online)
    around.addEventListener?.('pageshow', back)
    around.addEventListener?.('popstate', moved)
    navigation?.addEventListener('navigatesuccess', moved)
    cookieStore?.addEventListener('change', set)
    if (around.BroadcastChannel) {
      channel = new around.BroadcastChannel(CHANNEL)
      channel.addEventListener('message', () => void anew())
    }
    return () => {
      page?.removeEventListener('visibilitychange', look)
      around.removeEventListener?.('focus', look)
      around.removeEventListener?.('online', online)
      around.removeEventListener?.('pageshow', back)
      around.removeEventListener?.('popstate', moved)
      navigation?.removeEventListener('navigatesuccess', moved)
      cookieStore?.removeEventListener('change', set)
      channel?.close()
      channel = undefined
      for (const timer of timers) clearTimeout(timer)
      timers = []
    }
  }

  /** Notifies the other tabs, where another user may be signed in now. */
  const announce = (): void => {
    const { BroadcastChannel: Channel } = around
    const through = channel ?? (Channel && new Channel(CHANNEL))
    // A channel reaches only this origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    through?.postMessage('changed')
    if (through !== channel) through?.close()
  }

  /** Ends the requests in progress, whose responses belong to the time before a change. */
  const interrupt = (): void => {
    version++
    for (const each of underWay) each.abort()
  }

  /** Sends a request that {@link interrupt} can end. */
  const interruptibly = async <Result>(
    send: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | typeof INTERRUPTED> => {
    const one = new AbortController()
    underWay.add(one)
    try {
      const result = await send(one.signal)
      return one.signal.aborted ? INTERRUPTED : result
    } catch (error) {
      if (one.signal.aborted) return INTERRUPTED
      throw error
    } finally {
      underWay.delete(one)
    }
  }

  /** Requests the session, and again if the request was interrupted. */
  const read = async (failed?: (error: Error) => void): Promise<Session | null> => {
    if (changing) await changing
    const before = ++version
    askedAt = performance.now()
    mark = currentMark()
    try {
      const answer = await interruptibly((signal) => requests.session(signal))
      if (answer === INTERRUPTED) return await read(failed)
      ahead = answer.ahead
      if (before === version) publish({ data: answer.session, error: undefined })
      return answer.session
    } catch (error) {
      if (before === version) failed?.(error as Error)
      throw error
    }
  }

  const failed = (error: Error): void => {
    if (!isMissing(error) || state.data !== undefined) return publish({ error })
    around.console?.error(error.message)
    publish({ error, data: null })
  }

  const ask = async (): Promise<Session | null | undefined> => {
    await read(failed).catch(() => {})
    plan()
    return state.data
  }

  /** Requests the session after a change, and ignores requests that are in progress. */
  const anew = async (): Promise<void> => {
    interrupt()
    await store.refetch()
  }

  const store: ClientSessionStore = {
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1 && around.document) {
        stop = listen()
        if (state.data === undefined) void store.refetch()
        else plan()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
    refetch() {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    set(session) {
      version++
      askedAt = performance.now()
      mark = currentMark()
      publish({ data: session, error: undefined })
      plan()
    },
    async update(data) {
      publish({ isUpdating: true })
      try {
        if (data === undefined) {
          await store.refetch()
          if (state.error) throw state.error
          return state.data ?? null
        }
        const session = await interruptibly((signal) => requests.update(data, signal))
        if (session === INTERRUPTED) {
          throw new ClientError('a sign-in or a sign-out came before the update of the session')
        }
        version++
        mark = currentMark()
        publish({ data: session, error: undefined })
        announce()
        return session
      } catch (error) {
        publish({ error: error as Error })
        throw error
      } finally {
        publish({ isUpdating: false })
      }
    },
    async read() {
      const session = await read()
      plan()
      return session
    },
    async during(change) {
      interrupt()
      const running = change()
      const over = Promise.allSettled([changing, running])
      changing = over
      try {
        return await running
      } finally {
        interrupt()
        if (changing === over) changing = undefined
      }
    },
    async settled() {
      await asking
      if (isAnother()) await store.refetch()
    },
    async changed() {
      announce()
      await anew()
    },
    configure(given) {
      options = given
      if (stop) plan()
    },
  }
  return store
}
