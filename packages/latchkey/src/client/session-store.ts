import type { Session } from '../model/session.ts'
import type { Requests } from './requests.ts'

/** What is known of the session at a moment. The same object as long as nothing changed. */
export interface SessionState<S = Session> {
  /** `undefined` until the service has answered for the first time. */
  readonly data: S | null | undefined
  readonly status: 'loading' | 'authenticated' | 'unauthenticated'
  /** Why the service could not be asked the last time; what was known before stays. */
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

/** The session of this page, and of all that belong to the same site. */
export interface SessionStore<S = Session> {
  readonly state: SessionState<S>
  /** Calls `listener` at each change; while somebody listens, the session is kept fresh. */
  subscribe(listener: () => void): () => void
  /** Asks the service, once however many ask. Never rejects: see {@link SessionState.error}. */
  refetch(): Promise<S | null | undefined>
  /** What the server said when it made the page: no question is needed. */
  set(session: S | null): void
  /** Hands `data` to the service. @throws {ClientError} when it is refused. */
  update(data?: unknown): Promise<S | null>
  /** Tells the other tabs that the session is another one, and asks for it here. */
  changed(): Promise<void>
  configure(options: SessionStoreOptions): void
}

/** What the store uses of the browser. */
export type Surroundings = Partial<
  Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'> & {
      readonly cookie?: string
    }
    cookieStore: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
    navigator: { readonly onLine?: boolean }
    navigation: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
    BroadcastChannel: new (
      name: string,
    ) => Pick<BroadcastChannel, 'postMessage' | 'close' | 'addEventListener'>
  }
>

/** Milliseconds between two questions that nobody asked for: the page was looked at again, say. */
const SELDOM = 5000
/** The same while nobody is signed in, or nobody knows: then it is a sign-in that is waited for. */
const OFTEN = 500
/** Milliseconds until a question that failed is asked again, doubled each time up to a minute. */
const FIRST_RETRY = 1000
const LAST_RETRY = 60_000
/** The longest that a timer can wait. */
const LONGEST = 2_147_483_647

const CHANNEL = 'latchkey.session'
/** Changes with the session, where the service sets it. */
const STATE = /(?:^|; )(?:__Secure-)?latchkey\.session-state=([^;]*)/

/** @param around the browser, or nothing on a server: then nothing is asked by itself. */
export function createSessionStore(requests: Requests, around: Surroundings): SessionStore {
  let state: SessionState = {
    data: undefined,
    status: 'loading',
    error: undefined,
    isUpdating: false,
  }
  let options: SessionStoreOptions = {}
  const listeners = new Set<() => void>()
  let asking: Promise<Session | null | undefined> | undefined
  /** Counts what is known: an answer to a question from before is not. */
  let version = 0
  let askedAt = Number.NEGATIVE_INFINITY
  /** What the cookie said when the session was asked for. */
  let mark: string | undefined
  /** By how many milliseconds the service's clock is ahead of ours, once it has answered. */
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
    // Whoever compares by identity sees no change where there is none.
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
    // A process that renders pages does not wait for it.
    ;(timer as { unref?: () => void }).unref?.()
    timers.push(timer)
  }

  /** What is asked next, without anybody asking. */
  const plan = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    const { data, error } = state
    if (error) {
      later(retry, () => void store.refetch())
      retry = Math.min(retry * 2, LAST_RETRY)
    } else retry = FIRST_RETRY
    if (!data) return
    const left = Date.parse(data.expires) - (Date.now() + (ahead ?? 0))
    if (left > 0 && left < LONGEST) later(left, () => void ended())
    const { refetchInterval = 0 } = options
    if (refetchInterval > 0 && !error) later(refetchInterval * 1000, () => void passively(0))
  }

  /** The session has come to its end: the service says whether it has been extended. */
  const ended = async (): Promise<void> => {
    const { data } = state
    await store.refetch()
    // It cannot be asked, and nobody is signed in for longer than it said; by its clock, not by ours.
    if (state.error && state.data === data && ahead !== undefined) publish({ data: null })
  }

  /** Asks unless that was done a moment ago, or nobody would see the answer. */
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
      // The page comes from the browser's memory, as it was left.
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

  /** Another tab may be another person's by now. */
  const announce = (): void => {
    const { BroadcastChannel: Channel } = around
    const through = channel ?? (Channel && new Channel(CHANNEL))
    // A channel reaches this origin alone.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    through?.postMessage('changed')
    if (through !== channel) through?.close()
  }

  const ask = async (): Promise<Session | null | undefined> => {
    const before = ++version
    askedAt = performance.now()
    mark = currentMark()
    try {
      const answer = await requests.session()
      ahead = answer.ahead
      if (before === version) publish({ data: answer.session, error: undefined })
    } catch (error) {
      if (before === version) publish({ error: error as Error })
    }
    plan()
    return state.data
  }

  /** The session is another one: a question that is under way was asked before that. */
  const anew = async (): Promise<void> => {
    await asking
    await store.refetch()
  }

  const store: SessionStore = {
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
        const session = await requests.update(data)
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
