'use client'

import * as React from 'react'
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { needs } from '../base/needs.ts'
import type { Session } from '../model/session.ts'
import { serverAddress } from './addresses/server-address.ts'
import { type AuthClient, createAuthClient, type SessionFrom } from './client.ts'
import type { SessionState, SessionStoreOptions } from './session-store.ts'

export type {
  AuthClient,
  AuthorizationParams,
  AuthorizationParams as SignInAuthorizationParams,
  ClientOptions,
  GetSessionOptions as GetSessionParams,
  SessionFrom,
  SignInOptions,
  SignInResult,
  SignInResult as SignInResponse,
  SignOutOptions,
  SignOutOptions as SignOutParams,
  SignOutResult,
} from './client.ts'
export { createAuthClient } from './client.ts'
export { finishPopup } from './popup.ts'
export { ClientError, type ClientProvider } from './requests.ts'
export type { SessionState } from './session-store.ts'

needs({ what: 'latchkey/react', name: 'react', from: '18' }, React.version)

/** The client of the functions below, and of `SessionProvider` without `client`. */
const shared: AuthClient = /* @__PURE__ */ createAuthClient(serverAddress())

export const getProviders: AuthClient['getProviders'] = () => shared.getProviders()
export const getCsrfToken: AuthClient['getCsrfToken'] = () => shared.getCsrfToken()
export const getSession: AuthClient['getSession'] = () => shared.getSession()
export const signIn: AuthClient['signIn'] = (...args) => shared.signIn(...args)
export const signOut: AuthClient['signOut'] = (...args) => shared.signOut(...args)

export interface SessionProviderProps extends SessionStoreOptions {
  children?: ReactNode
  /**
   * The session from the server, shown at once without a request; `null` without a session. A different value later
   * replaces it.
   */
  session?: Session | null | undefined
  /** Where the service is mounted. @default `/api/auth` in Next.js, else `/auth` */
  basePath?: string | undefined
  /** The origin of the service, if it is another. */
  baseUrl?: string | undefined
  /** Your own client. */
  client?: AuthClient | undefined
}

const Context = /* @__PURE__ */ createContext<
  { readonly client: AuthClient; readonly first: Session | null | undefined } | undefined
>(undefined)

/**
 * Effects of the provider that run before those of the components inside, which request the session. A server runs none, and
 * React 18 warns of layout effects there.
 */
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** Provides the session to all components inside. */
export function SessionProvider({
  children,
  session,
  basePath,
  baseUrl,
  client = shared,
  refetchInterval,
  refetchOnWindowFocus,
  refetchWhenOffline,
}: SessionProviderProps): ReactElement {
  const { store } = client
  const given = useRef<Session | null | undefined>(undefined)
  useEarlyEffect(() => {
    client.configure({ basePath, baseUrl })
  }, [client, basePath, baseUrl])
  useEarlyEffect(() => {
    store.configure({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline })
  }, [store, refetchInterval, refetchOnWindowFocus, refetchWhenOffline])
  useEarlyEffect(() => {
    // A session that is rendered again without a change is ignored.
    if (session === undefined || JSON.stringify(session) === JSON.stringify(given.current)) return
    given.current = session
    store.set(session)
  }, [store, session])
  useEffect(() => store.subscribe(() => {}), [store])
  const value = useMemo(() => ({ client, first: session }), [client, session])
  return createElement(Context.Provider, { value }, children)
}

/** Passes data to the `jwt` or `session` callback. Without data, requests the session again. */
export type UpdateSession<S = Session> = (data?: unknown) => Promise<S | null>

export type UseSessionResult<Required extends boolean = boolean, S = Session> = {
  readonly update: UpdateSession<S>
  /** The error of the last request, if the service could not be reached. The previous session stays. */
  readonly error: Error | undefined
  readonly isUpdating: boolean
} & (
  | { readonly data: S; readonly status: 'authenticated' }
  | { readonly data: null; readonly status: 'loading' }
  | (Required extends true ? never : { readonly data: null; readonly status: 'unauthenticated' })
)

/** {@link UseSessionResult} by the name that it has in `next-auth/react`. */
export type SessionContextValue<Required extends boolean = false> = UseSessionResult<Required>

export interface UseSessionOptions<Required extends boolean> {
  /** Redirects visitors without a session to the sign-in page. The status is `loading` until then. */
  required?: Required
  /** Called instead of the redirect. */
  onUnauthenticated?: () => void
}

/** @throws outside of a {@link SessionProvider}. */
export function useSession<Required extends boolean = false>({
  required,
  onUnauthenticated,
}: UseSessionOptions<Required> = {}): UseSessionResult<Required> {
  const context = useContext(Context)
  if (!context) throw new Error('useSession must be called inside a <SessionProvider>')
  const { client, first } = context
  const { store } = client
  const state = React.useSyncExternalStore<SessionState>(
    store.subscribe,
    () => store.state,
    () => rendered(first),
  )
  const { data, status, error, isUpdating } = known(state, first)
  const missing = required === true && status === 'unauthenticated'
  const callback = useRef(onUnauthenticated)
  callback.current = onUnauthenticated
  useEffect(() => {
    if (!missing) return
    let stopped = false
    void store.settled().then(() => {
      if (stopped || store.state.data !== null) return
      if (callback.current) callback.current()
      else void client.signIn(undefined, {}, { error: 'SessionRequired' })
    })
    return () => {
      stopped = true
    }
  }, [missing, client, store])
  const shown = missing ? 'loading' : status
  return {
    data: data ?? null,
    status: shown,
    error,
    isUpdating,
    update: store.update,
  } as unknown as UseSessionResult<Required>
}

/** The type of {@link useSession} for your own session type. */
export type UseSession<S> = <Required extends boolean = false>(
  options?: UseSessionOptions<Required>,
) => UseSessionResult<Required, S>

/**
 * Returns {@link useSession} with the session type of the server:
 * `export const useSession = createUseSession<typeof auth>()`.
 */
export function createUseSession<Auth>(): UseSession<SessionFrom<Auth>> {
  return useSession as unknown as UseSession<SessionFrom<Auth>>
}

/** Returns the session from the server until the store has its own. */
function known(state: SessionState, first: Session | null | undefined): SessionState {
  return state.data === undefined && first !== undefined ? rendered(first) : state
}

const loading: SessionState = Object.freeze({
  data: undefined,
  status: 'loading',
  error: undefined,
  isUpdating: false,
})
const signedOut: SessionState = Object.freeze({ ...loading, data: null, status: 'unauthenticated' })
const renderedStates = new WeakMap<Session, SessionState>()

/** Returns the same object for the same session, since React compares by identity. */
function rendered(session: Session | null | undefined): SessionState {
  if (session === undefined) return loading
  if (session === null) return signedOut
  let state = renderedStates.get(session)
  if (!state) {
    state = { ...loading, data: session, status: 'authenticated' }
    renderedStates.set(session, state)
  }
  return state
}
