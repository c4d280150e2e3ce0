import type { Awaitable } from '../base/awaitable.ts'
import type { Adapter } from '../model/adapter.ts'
import type { JWT } from '../model/jwt.ts'
import type { CallbacksOptions } from './callbacks.ts'
import type { CookiesOptions } from './cookie-policy.ts'
import type { EventHandlers } from './events.ts'
import type { LoggerInstance } from './logger.ts'
import type { MailOptions } from './mail/mail-options.ts'
import type { raw, skipCSRFCheck } from './markers.ts'
import type { PagesOptions, Theme } from './pages.ts'
import type { PluginOption } from './plugin-option.ts'
import type { Provider } from './provider-options.ts'
import type { TextsOption } from './texts-option.ts'

/** Options of sessions. */
/** Where sessions are. */
export type SessionStrategy = 'jwt' | 'database'

export interface SessionOptions {
  /**
   * Where the session is: `jwt` seals it in a cookie, `database` stores it and the cookie holds a reference.
   *
   * @default `database` with an adapter, else `jwt`
   * @see docs/explanation/sessions.md
   */
  strategy?: SessionStrategy | undefined
  /** Seconds without a visit until a session ends. @default 2592000 (30 days) */
  maxAge?: number | undefined
  /**
   * Seconds within which a session is written at most once; 0 writes it at each read.
   *
   * If the session, its token or its cookie lives for a day or less, the default is a thirtieth of that time. A visit in
   * the second half of the session's life always writes the session.
   *
   * @default 86400, or less
   */
  updateAge?: number | undefined
  /**
   * Returns the token of a stored session: at least 20 characters.
   *
   * Latchkey calls it twice at the start, as a test.
   *
   * @default 32 random bytes, base64url
   */
  generateSessionToken?: (() => string) | undefined
  /**
   * Sets one more cookie, which tells the browser client that the session changed.
   *
   * Scripts can read the cookie. It contains a random value that changes at each sign-in, sign-out and update. The bare
   * `Auth` does not set it.
   *
   * @default false
   * @see docs/reference/client.md#what-the-server-did
   */
  stateCookie?: boolean | undefined
  /**
   * What a sign-out does if the store cannot end the session: `refuse` or `clear`.
   *
   * `refuse` responds with 503 and keeps the cookie, so the visitor knows that they are still signed in. `clear` clears the
   * cookie in this browser; a copy of the cookie works until the session expires.
   *
   * @default 'refuse'
   */
  signOutWithoutStore?: 'refuse' | 'clear' | undefined
  /**
   * Whether the session has `user.id`: the id of the stored user, or of the token.
   *
   * Without an adapter, a sign-in with OAuth gets a new id each time. `NextAuth`, `SvelteKitAuth` and similar functions, and the
   * bare `Auth`, have the session of Auth.js, which has no id unless the option is `true`. With `true` written in the configuration,
   * the type of the session has `user.id`. A `jwt` callback must then keep `sub`.
   *
   * @default `true` with `createLatchkey` and `createVerifier`
   */
  userId?: boolean | undefined
}

export interface JWTEncodeParams {
  token?: JWT | undefined
  /** Part of the key derivation: the name of the cookie with the token. */
  salt: string
  /** The first secret of a list seals the token. */
  secret: string | readonly string[]
  /** Seconds. @default 2592000 */
  maxAge?: number | undefined
}

export interface JWTDecodeParams {
  token?: string | undefined
  salt: string
  /** All secrets of a list are tried. */
  secret: string | readonly string[]
  /** The configured maximum age of a token in seconds. */
  maxAge?: number | undefined
}

/** Options of session tokens. */
export interface JWTOptions {
  /** Seals session tokens and the values of flows. @default `secret` of the configuration */
  secret: string | readonly string[]
  /** Seconds until a session token expires. @default `session.maxAge` */
  maxAge: number
  /** Seals a session token, and no other value. @default the built-in function */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Opens a session token, and no other value. @default the built-in function */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}

/** The configuration. Only `providers` and a secret are required. */
export interface AuthConfig {
  /** Ways to sign in: objects, or functions that return one, so `github` and `github({ … })` both work. */
  providers: readonly Provider[]
  /** Stores users, accounts, sessions and mail tokens. @default none @see docs/how-to/store-sessions.md */
  adapter?: Adapter | undefined
  /**
   * Stores the records of plugins, if `adapter` cannot: `sqlRecords(…)`, or any store of Latchkey.
   *
   * A change in both stores is not one transaction.
   *
   * @default `adapter`
   * @see docs/how-to/store-sessions.md
   */
  records?: Adapter | undefined
  /** Adds capabilities: `sessions()` and others, or your own. @default none @see docs/how-to/write-a-plugin.md */
  plugins?: readonly PluginOption[] | undefined
  /** Path below which the actions are. @default path of `AUTH_URL`, else `/auth` */
  basePath?: string | undefined
  /**
   * Whether the path of an action ends with a slash.
   *
   * Set it to `true` if the framework or the platform ends every path with a slash. With `false` each path of an action has
   * one spelling, and other spellings get 400.
   *
   * @default false
   * @see docs/reference/actions.md#paths
   */
  trailingSlash?: boolean | undefined
  /**
   * Seals cookies and hashes tokens: 32 or more random characters, or a list for rotation.
   *
   * The first secret of a list seals new values, and all of them open old ones. Create a secret with
   * `openssl rand -base64 33`. In production a weak secret stops the start.
   *
   * @default `AUTH_SECRET`
   * @see docs/reference/configuration.md#secrets-in-production
   * @see docs/how-to/rotate-the-secret.md
   */
  secret?: string | readonly string[] | undefined
  /** How sessions are kept. */
  session?: SessionOptions | undefined
  /** How session tokens are sealed. */
  jwt?: Partial<JWTOptions> | undefined
  /**
   * Other libraries whose sessions are read, and written as sessions of Latchkey: `next-auth@4`.
   *
   * @default none
   * @see docs/how-to/move-from-next-auth-4.md#sessions
   */
  acceptSessionsFrom?: readonly 'next-auth@4'[] | undefined
  /** Functions that decide about sign-ins, redirects and sessions. @see docs/reference/configuration.md#callbacks */
  callbacks?: CallbacksOptions | undefined
  /**
   * Handlers of events: `createUser`, `updateUser`, `linkAccount`, `signIn`, `signOut`, `session`, and those of plugins.
   *
   * @default none
   * @see docs/reference/configuration.md#events
   */
  events?: EventHandlers | undefined
  /**
   * Names and attributes of cookies: `{ name, options }` for each cookie.
   *
   * Omitted members keep their defaults.
   *
   * @default as listed
   * @see docs/reference/cookies.md
   */
  cookies?: Partial<CookiesOptions> | undefined
  /** Paths or full addresses of your own pages. @default built in */
  pages?: Partial<PagesOptions> | undefined
  /** The look of the built-in pages and mails. @see docs/how-to/brand-the-pages.md */
  theme?: Theme | undefined
  /**
   * Texts of pages and mails, by language and key: `{ de: { 'sign-in.title': 'Anmelden' } }`.
   *
   * A missing text is English. An unknown key stops the start.
   *
   * @default English
   * @see docs/how-to/change-the-texts.md
   */
  texts?: TextsOption | undefined
  /** The mails of plugins. */
  mail?: MailOptions | undefined
  /** Logs each step, without secrets. @default false */
  debug?: boolean | undefined
  /**
   * An object with `error`, `warn` and `debug`; omitted methods keep their defaults.
   *
   * Latchkey calls `error(error)`, `warn(code)` or `warn(code, detail)`, and `debug(message)` or `debug(message, metadata)`.
   * It does not pass an argument that is missing.
   *
   * @default the console
   */
  logger?: Partial<LoggerInstance> | undefined
  /**
   * Takes the address of the site from the request: `true`, or a list of allowed hosts, which is safer.
   *
   * A host of the list is `app.example`, `app.example:8443` or `*.app.example`. If the option is set in the configuration,
   * the address also comes from `X-Forwarded-Host` and `X-Forwarded-Proto`.
   *
   * @default from the environment
   * @see docs/reference/configuration.md#the-address-of-the-site
   * @see docs/reference/configuration.md#environment
   */
  trustHost?: boolean | readonly string[] | undefined
  /**
   * Allows `signIn` and `signOut` of the server also for requests that come from pages of another site.
   *
   * If you set it, check where a form comes from. Otherwise such a page can sign visitors in as another user.
   *
   * @default false
   * @see docs/reference/actions.md#begun-by-the-application
   */
  allowCrossSite?: boolean | undefined
  /** Makes cookies `Secure` and gives them prefixed names. @default `true` over https */
  useSecureCookies?: boolean | undefined
  /**
   * Address, with base path and without query, of the deployment that is registered with the providers.
   *
   * That deployment forwards the responses of the providers to the deployment that began the sign-in. Both have the same
   * `secret`.
   *
   * @default `AUTH_REDIRECT_PROXY_URL`
   * @see docs/how-to/preview-deployments.md
   */
  redirectProxyUrl?: string | undefined
  /**
   * On that deployment: the origins that it serves, `https://app.example` or `https://*.preview.example`.
   *
   * @default every deployment that has the secret
   */
  redirectProxyOrigins?: readonly string[] | undefined
  /**
   * Passes work that continues after the response to the platform.
   *
   * It is `(work) => ctx.waitUntil(work)` of a worker, or `after` of Next.js. A process that keeps running does not need it.
   */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Features that may still change: none. */
  experimental?:
    | {
        /** Not needed since passkeys are stable; `false` refuses passkey providers. @default true @see docs/reference/configuration.md#passkeys */
        enableWebAuthn?: boolean | undefined
      }
    | undefined
  /** For framework authors: a marker that turns off the CSRF check, if the framework protects its forms itself. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** For framework authors: a marker that makes `Auth` return an object instead of a `Response`. */
  raw?: typeof raw | undefined
}
