import type { Adapter } from '../model/adapter.ts'
import type { JWT } from '../model/jwt.ts'
import type { Awaitable } from './awaitable.ts'
import type { CallbacksOptions } from './callbacks.ts'
import type { CookiesOptions } from './cookie-policy.ts'
import type { EventHandlers } from './events.ts'
import type { LoggerInstance } from './logger.ts'
import type { raw, skipCSRFCheck } from './markers.ts'
import type { PagesOptions, Theme } from './pages.ts'
import type { PluginOption } from './plugin-option.ts'
import type { Provider } from './provider-options.ts'
import type { TextsOption } from './texts-option.ts'

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * `jwt`: sealed in a cookie. `database`: stored, and the cookie holds a reference.
   *
   * @default 'database' with an adapter, else 'jwt'
   */
  strategy?: 'jwt' | 'database' | undefined
  /** Seconds without a visit after which a session ends. @default 2592000 */
  maxAge?: number | undefined
  /**
   * Seconds within which a session is extended at most once; 0 extends it at each read.
   *
   * @default 86400, or a thirtieth of a `maxAge`, of the session or of its cookie, that is not
   *   longer than that
   */
  updateAge?: number | undefined
  /** @default 32 random bytes, base64url */
  generateSessionToken?: (() => string) | undefined
  /**
   * Sets one more cookie, which scripts can read: a random value that is another one after each
   * sign-in, sign-out and update. The browser client sees by it what happened on the server. Not
   * with the bare `Auth`.
   *
   * @default false
   */
  stateCookie?: boolean | undefined
  /**
   * What a sign-out does when the store cannot end the session. `refuse`: the cookie stays, and the answer
   * says that the visitor is still signed in (503). `clear`: this browser forgets the session, and whoever has a
   * copy of the cookie stays signed in until the session expires.
   *
   * @default 'refuse'
   */
  signOutWithoutStore?: 'refuse' | 'clear' | undefined
}

export interface JWTEncodeParams {
  token?: JWT | undefined
  /** Part of the key's derivation; the name of the cookie that will hold the token. */
  salt: string
  /** The first is used. */
  secret: string | readonly string[]
  /** Seconds. @default 2592000 */
  maxAge?: number | undefined
}

export interface JWTDecodeParams {
  token?: string | undefined
  salt: string
  /** Any of them may have sealed the token. */
  secret: string | readonly string[]
  /** Seconds for which a token is accepted after it was written, as configured. */
  maxAge?: number | undefined
}

/** How session tokens are sealed. */
export interface JWTOptions {
  /** @default the configuration's secret */
  secret: string | readonly string[]
  /** Seconds. @default `session.maxAge` */
  maxAge: number
  encode: (params: JWTEncodeParams) => Awaitable<string>
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}

/** Everything an application can say. Only `providers` and a secret are needed. */
export interface AuthConfig {
  providers: readonly Provider[]
  /** Where users, accounts, sessions and mail tokens are stored. */
  adapter?: Adapter | undefined
  /**
   * Where plugins store their records, if not in `adapter`: `sqlRecords(…)`, or any store of Latchkey. What
   * is written in both is not one transaction.
   *
   * @default `adapter`
   */
  records?: Adapter | undefined
  /** Further capabilities, each switched on by its place in this list. */
  plugins?: readonly PluginOption[] | undefined
  /** Path below which the actions live. @default '/auth' */
  basePath?: string | undefined
  /**
   * The framework or the platform ends every path with a slash: one at the end of an action's path is
   * left out. Without it, such a path is answered with 400.
   *
   * @default false
   */
  trailingSlash?: boolean | undefined
  /**
   * Seals cookies and hashes tokens: 32 random characters or more. In a list the first is used for
   * what is new, and what any of them sealed is read.
   */
  secret?: string | readonly string[] | undefined
  session?: SessionOptions | undefined
  jwt?: Partial<JWTOptions> | undefined
  /** Libraries whose sessions are read, and written as ours. @default none */
  acceptSessionsFrom?: readonly 'next-auth@4'[] | undefined
  callbacks?: CallbacksOptions | undefined
  events?: EventHandlers | undefined
  /** Names and attributes; what is left out keeps its default. */
  cookies?: Partial<CookiesOptions> | undefined
  pages?: Partial<PagesOptions> | undefined
  theme?: Theme | undefined
  /** What pages and mails say, by language and key, where it is not what is built in. */
  texts?: TextsOption | undefined
  /** Logs each step. @default false */
  debug?: boolean | undefined
  logger?: Partial<LoggerInstance> | undefined
  /**
   * The service takes its own address from the request: true, or better the hosts that it may be
   * asked for, `app.example`, `app.example:8443` or `*.app.example`.
   */
  trustHost?: boolean | readonly string[] | undefined
  /**
   * `signIn` and `signOut` of the server also do what the browser says a page of another site asks for.
   * Whoever sets it looks at where a form comes from, or such a page can sign visitors in as somebody else.
   *
   * @default false
   */
  allowCrossSite?: boolean | undefined
  /** @default true over https */
  useSecureCookies?: boolean | undefined
  /**
   * Address of the deployment, with its base path, whose callback is registered with the providers.
   * It hands their answers over to the deployment that asked; both have the same `secret`.
   */
  redirectProxyUrl?: string | undefined
  /**
   * On that deployment: the origins it serves, `https://app.example` or `https://*.preview.example`.
   *
   * @default every deployment that has the secret
   */
  redirectProxyOrigins?: readonly string[] | undefined
  /**
   * Hands work to the platform that goes on after the answer: `ctx.waitUntil` of a worker, or `after` of Next.js. Where a
   * process lives on by itself, nothing is needed.
   */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  raw?: typeof raw | undefined
}
