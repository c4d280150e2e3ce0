import type { Awaitable } from '../base/awaitable.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { AuthRequest, SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Account, AdapterAccount, ProviderType } from '../model/account.ts'
import type { Profile } from '../model/profile.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { JsonObject } from '../model/record.ts'
import type { AdapterUser, IdentifiedUser } from '../model/user.ts'
import type { CookieName } from '../options/cookie-policy.ts'
import type { OAuthCheck } from '../options/provider-options.ts'
import type { IconName } from '../page-kit/icon-names.ts'
import type { MethodTimes, SessionFacts } from '../session/facts.ts'
import type { SignInFields } from '../session/strategy.ts'

/** A checkbox of the sign-in page, whose value is `1`. Pages of an application send a field of this name. */
export interface SignInField {
  readonly name: string
  /** An English text, or the key of a text of the plugin. */
  readonly label: string
}

/** A section of the account page: a route of the plugin for `user` whose page has the layout `account`. */
export interface AccountSection {
  /** The path below the base path, as in `routes`. */
  readonly path: string
  /** An English text, or the key of a text of the plugin. */
  readonly label: string
  /** What it is for, in one sentence: an English text or a key. */
  readonly about: string
  readonly icon: IconName
  /** The section is only shown with a provider of one of these types. */
  readonly needsProvider?: readonly ProviderType[] | undefined
  /**
   * Its place among the sections of all plugins: the profile has 10, the user name 15, the address 20, the password 25, passkeys
   * 30, second factors 35, linked accounts 40, sessions 42, access to other services 44, API keys 46, and the data 50.
   *
   * @default 100
   */
  readonly order?: number | undefined
}

/** A way to sign in with a password, which the sign-in page composes with all others. Paths are below the base path. */
export type SignInWay = SignInForm | SignInProvider | SignInCode

/** A form that a route of the plugin receives. */
export interface SignInForm extends SignInLinks {
  /** Where the form is sent. */
  readonly action: string
  /** The name of the field for the email address. */
  readonly identifier: string
  /** The name of the field for the password. */
  readonly password: string
}

/** A credentials provider of the plugin, whose fields `authorize` of its parts checks. */
export interface SignInProvider extends SignInLinks {
  /** The id of the provider. */
  readonly provider: string
}

/** A form for an email address, to which a code is mailed. */
export interface SignInCode extends SignInLinks {
  /** Where the form with the field `email` is sent. */
  readonly codeAction: string
}

interface SignInLinks {
  /** The page for a forgotten password. */
  readonly forgot?: string | undefined
  /** The page on which people create an account, if they can. */
  readonly signUp?: string | undefined
}

/** Hooks for stored provider accounts, called at each sign-in with the account and when it is linked. */
export interface AccountHooks {
  /**
   * Returns the members to store in the row; `null` removes a value. Called inside a transaction, so it must
   * not use the store.
   */
  row?(account: AdapterAccount): AdapterAccount
  /**
   * Called after the row was stored and before the session is created. An error refuses the sign-in.
   *
   * @param account the stored account with its tokens.
   * @param answer the complete response of the provider.
   * @param asked the requested scopes, if a plugin connected the account.
   * @param dpop the private key to which the tokens are bound (RFC 9449), for a provider with `dpop`.
   */
  stored?(
    account: AdapterAccount,
    answer: Account,
    asked?: string,
    dpop?: ProofKey,
  ): Awaitable<void>
  /**
   * Called before the address of a user is stored as proved, by a mail or a provider, in a browser in which this user is not
   * signed in. The ways into the account may be those of a stranger, who made it with the address of somebody else.
   *
   * @param request of the person who proves the address.
   */
  proving?(user: AdapterUser, request: SiteRequest): Awaitable<void>
  /** Called after an account was unlinked through `latchkey.adapter`. */
  unlinked?(account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): Awaitable<void>
}

/** Hooks for the built-in actions, except reading the session. */
export interface ActionHooks {
  /**
   * Called before an action runs.
   *
   * Not called for a form without its CSRF token, which is refused.
   *
   * @param provider the provider of the action, if there is one.
   * @throws {Problem} to refuse it.
   */
  before?(
    request: AuthRequest,
    provider: AskedProvider | undefined,
    how: HowStarted,
  ): Awaitable<InsteadOfAction | void>
  /** Called when an action failed, for example because of a wrong password or code. */
  failed?(
    request: AuthRequest,
    provider: AskedProvider | undefined,
    how: HowStarted,
  ): Awaitable<void>
}

/** How an action was started. */
export interface HowStarted {
  /** Whether the application started the action for a GET request, without a form. */
  readonly isLink: boolean
  /** Whether a page of this site sent the form, as its CSRF token shows. */
  readonly isProven: boolean
  /** Returns whether a callback belongs to a sign-in that this browser began. */
  isOwnCallback(): Promise<boolean>
}

/** Replaces or changes a requested action. */
export interface InsteadOfAction {
  /** Redirects the visitor to this URL instead of running the action. */
  readonly to?: SafeUrl | undefined
  /** Replaces query parameters, for example `prompt` of an authorization request. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** Hooks for a sign-out. */
export interface Leave {
  /** Called for the built-in page that confirms the sign-out. */
  page?(request: SiteRequest): Awaitable<SignOutAddition | undefined>
  /**
   * Called after the session ended, also if there was none. An error is logged, and the sign-out redirects to
   * `callbackUrl`.
   */
  to(signedOut: SignedOut): Awaitable<Leaving | undefined>
}

/** Parts of a plugin on the built-in sign-out page. Texts are in the language of the request. */
export interface SignOutAddition {
  /** A checkbox, whose value is `1`. */
  readonly field?: SignInField | undefined
  /** A sentence above the buttons. */
  readonly note?: string | undefined
}

/** A completed sign-out. */
export interface SignedOut {
  readonly request: AuthRequest
  /** The session that ended; `undefined` if there was none. */
  readonly facts: SessionFacts | undefined
  /** The validated callback URL. */
  readonly callbackUrl: SafeUrl
}

/** The redirect of a sign-out, and further cookies of its response. Of several plugins, the first one with a URL is used. */
export interface Leaving {
  readonly to?: SafeUrl | undefined
  readonly cookies?: readonly Cookie[] | undefined
}

/** The members of a provider that plugins see. */
export interface AskedProvider {
  readonly id: string
  readonly type: ProviderType
  /** For a mail provider: normalizes an address as configured by the application. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
  /** Whether it is of a plugin that has `limits`, and counts attempts at its provider itself. */
  readonly isCounted?: boolean | undefined
}

/** A started sign-in with a provider: the values for checking its response. */
export interface BegunSignIn {
  /** The id of the provider. */
  readonly provider: string
  /** The configured checks of the provider. */
  readonly checks: readonly OAuthCheck[]
  readonly state: string
  /** Code verifier (RFC 7636). */
  readonly pkce: string | undefined
  readonly nonce: string | undefined
  /**
   * Creates a cookie that the browser sends with the callback of the provider. It is valid as long as the sign-in.
   *
   * @param name its name in `cookies` of the configuration.
   * @param claims its content, which is sealed with the name of the cookie as the purpose.
   */
  keep(name: CookieName, claims: JsonObject): Promise<Cookie>
}

/** A user who has proved their identity and has no session yet. */
export interface PendingSignIn {
  readonly user: IdentifiedUser | AdapterUser
  /** The account with the tokens of its provider. */
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
  /** The authentication methods (RFC 8176). */
  readonly amr: readonly string[]
  /** The time of the proof in seconds since the epoch. */
  readonly authTime: number
  /** The time of the last proof with a second factor, if that is not `authTime`. */
  readonly secondTime?: number | undefined
  /** The times of methods that were proved earlier, seconds since the epoch. */
  readonly methodTimes?: MethodTimes | undefined
  /** Values that must be unchanged when the session is issued, by the name of the plugin. */
  readonly before: JsonObject
  /** The time when these values were read, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Form fields of plugins from the start of the sign-in. */
  readonly kept?: SignInFields | undefined
  /** The validated callback URL. */
  readonly callbackUrl: SafeUrl
  /** The private key to which the tokens are bound (RFC 9449). */
  readonly dpop?: ProofKey | undefined
  /**
   * At a gate: the key of the stored sign-in, the same in all requests of its browser. For counting attempts.
   */
  readonly key?: string | undefined
  /** What plugins store with the browser of this sign-in: members of its record of the plugin `limits`. */
  readonly browser?: JsonObject | undefined
}

/** The page to visit before the session begins, with members of the response to a program. */
export interface GatePage {
  readonly page: SafeUrl
  readonly json: JsonObject
}
