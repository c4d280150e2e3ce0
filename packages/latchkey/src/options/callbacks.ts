import type { Account } from '../model/account.ts'
import type { JWT } from '../model/jwt.ts'
import type { Profile } from '../model/profile.ts'
import type { AdapterSession, Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { Awaitable } from './awaitable.ts'

export interface SignInParams {
  user: User | AdapterUser
  account: Account | null
  /** OAuth and OpenID Connect: what the provider said. */
  profile?: Profile
  /** Credentials: the fields of the form. */
  credentials?: Record<string, unknown>
  /** E-mail: `verificationRequest` is true when the mail is asked for, absent when its link is used. */
  email?: { verificationRequest?: boolean }
}

export interface JwtParams {
  token: JWT
  /** At sign-in. */
  user?: User | AdapterUser
  /** At sign-in. */
  account?: Account | null
  /** At sign-in with OAuth or OpenID Connect. */
  profile?: Profile
  /** Absent when the session is only read. */
  trigger?: 'signIn' | 'signUp' | 'update'
  /** @deprecated Look at `trigger`: `signUp` says the same. */
  isNewUser?: boolean
  /** On `update`: what the client sent. Validate it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  session?: any
}

/**
 * What the `session` callback is given. With the `jwt` strategy there is a `token`, with the
 * `database` strategy a `user`; both are typed, since one callback may serve either.
 */
export interface SessionParams {
  session: Session & Partial<AdapterSession> & { user: AdapterUser }
  token: JWT
  user: AdapterUser
  /** On an update: what the client sent. Validate it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  newSession?: any
  trigger?: 'update'
}

/** What the application decides. */
export interface CallbacksOptions {
  /**
   * May this person sign in? Asked before anything is created or linked.
   *
   * @returns true to go on, false to refuse, text to redirect there without a session.
   */
  signIn?: (params: SignInParams) => Awaitable<boolean | string>
  /**
   * Where may a visitor be sent?
   *
   * @default only within the site itself
   */
  redirect?: (params: { url: string; baseUrl: string }) => Awaitable<string>
  /** What the session token holds. Return `null` to end the session. */
  jwt?: (params: JwtParams) => Awaitable<JWT | null>
  /** What the browser is told about the session. */
  session?: (params: SessionParams) => Awaitable<Session | (Session & Record<string, unknown>)>
  /** Asked by the middleware of the integrations: may this request go on? */
  authorized?: (params: {
    request: Request
    auth: Session | null
  }) => Awaitable<boolean | Response | undefined>
}
