import type { Awaitable } from '../base/awaitable.ts'
import type { Account } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { JWT } from '../model/jwt.ts'
import type { Profile } from '../model/profile.ts'
import type { AdapterSession, DefaultSession, Session } from '../model/session.ts'
import type { AdapterUser, IdentifiedUser } from '../model/user.ts'

export interface SignInParams {
  user: IdentifiedUser | AdapterUser
  account: Account | null
  /** OAuth and OpenID Connect: the profile from the provider. */
  profile?: Profile
  /** Credentials: the fields of the form. */
  credentials?: Record<string, unknown>
  /** E-mail: `verificationRequest` is true if the mail was requested, and absent if its link was used. */
  email?: { verificationRequest?: boolean }
  /** The URL to which the visitor is redirected after the sign-in. */
  callbackUrl?: string
  /**
   * What the application gave to `signIn` on the server. The visitor cannot read or change it. Absent for other sign-ins, and
   * if the link of a mail is opened in another browser.
   */
  context?: JsonObject
}

/** The parameters of the `jwt` callback: `user` and `account` are only set at a sign-in. */
export type JwtParams = JwtParamsAtSignIn | JwtParamsLater

export interface JwtParamsAtSignIn {
  token: JWT
  user: IdentifiedUser | AdapterUser
  account: Account | null
  /** With OAuth and OpenID Connect. */
  profile?: Profile
  trigger: 'signIn' | 'signUp'
  /** @deprecated Use `trigger`: it is `signUp` for a new user. */
  isNewUser?: boolean
  session?: undefined
}

export interface JwtParamsLater {
  token: JWT
  user?: undefined
  account?: undefined
  profile?: undefined
  /** Absent if the session is only read. */
  trigger?: 'update'
  isNewUser?: undefined
  /** On `update`: the data from the client. Validate it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  session?: any
}

/** The part of a session that the application may extend, with its user. */
type SessionWithUser = Session & { user: NonNullable<Session['user']> }

interface SessionUpdate {
  /** On an update: the data from the client. Validate it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  newSession?: any
  trigger?: 'update'
}

/** The parameters of the `session` callback with the `jwt` strategy. */
export interface JwtSessionParams extends SessionUpdate {
  session: SessionWithUser
  token: JWT
  /** Only with the `database` strategy. */
  user?: AdapterUser | undefined
}

/** The parameters of the `session` callback with the `database` strategy. */
export interface DatabaseSessionParams extends SessionUpdate {
  session: Session & AdapterSession & { user: AdapterUser }
  user: AdapterUser
  /** Only with the `jwt` strategy. */
  token?: JWT | undefined
}

/**
 * The parameters of the `session` callback if the type of the configuration does not determine the strategy: a
 * `token` with the `jwt` strategy, a `user` with the `database` strategy.
 */
export interface SessionParams extends SessionUpdate {
  session: SessionWithUser & Partial<AdapterSession>
  token: JWT
  user: AdapterUser
}

/**
 * The parameters of the `session` callback of a configuration.
 *
 * @template Kept the type of its `session`
 * @template Stored the type of its `adapter`
 */
export type SessionParamsOf<Kept, Stored> = true extends IsAny<Kept> | IsAny<Stored>
  ? SessionParams
  : [Kept] extends [{ strategy: 'jwt' }]
    ? JwtSessionParams
    : [Kept] extends [{ strategy: 'database' }]
      ? DatabaseSessionParams
      : NamesStrategy<Kept> extends true
        ? SessionParams
        : ParamsByAdapter<Stored>

/** Without a strategy, an adapter means the `database` strategy. */
type ParamsByAdapter<Stored> = [Stored] extends [undefined]
  ? JwtSessionParams
  : [Stored] extends [object]
    ? DatabaseSessionParams
    : SessionParams

type NamesStrategy<Kept> = [Kept] extends [undefined]
  ? false
  : 'strategy' extends keyof NonNullable<Kept>
    ? true
    : false

type IsAny<T> = 0 extends 1 & T ? true : false

/** Functions with which the application decides. */
export interface CallbacksOptions {
  /**
   * Returns whether the user may sign in: `true`, `false`, or a URL to redirect to.
   *
   * It receives `user`, `account`, `callbackUrl`, for some providers `profile`, `credentials` or `email`, and the `context` that
   * the application gave to `signIn`. Latchkey calls it before it creates or links anything. With a URL there is no session.
   *
   * @default `true`
   */
  signIn?: (params: SignInParams) => Awaitable<boolean | string>
  /**
   * Returns the URL to which the visitor is redirected.
   *
   * It receives `url` and `baseUrl`.
   *
   * @default `url` if it is within the site, else `baseUrl`
   */
  redirect?: (params: { url: string; baseUrl: string }) => Awaitable<string>
  /**
   * Returns the content of the session token, or `null` to end the session.
   *
   * It receives `token`; at a sign-in also `user`, `account`, `profile` and `trigger`; on an update also `session`, the
   * data from the client.
   */
  jwt?: (params: JwtParams) => Awaitable<JWT | null>
  /**
   * Returns the session that the browser receives.
   *
   * It receives `session`, and `token` or `user`; on an update also `newSession` and `trigger`. Its return type is the type
   * of `auth()`.
   */
  session?: (
    params: SessionParams,
  ) => Awaitable<Session | DefaultSession | (Session & Record<string, unknown>)>
  /**
   * Returns whether the visitor may see the page, for the middleware of integrations.
   *
   * It receives `request` and `auth`, the session or `null`. It is a method, so that a callback for the request of one
   * framework fits.
   *
   * @see docs/reference/configuration.md#authorized
   */
  authorized?(params: {
    request: Request
    auth: Session | null
  }): Awaitable<boolean | Response | undefined>
}
