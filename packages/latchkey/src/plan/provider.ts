import type { Texts } from '../base/texts/texts.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { Html } from '../http/html.ts'
import type { Outcome } from '../http/outcome.ts'
import type { AuthMethod, AuthRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Account, ProviderType } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { Profile } from '../model/profile.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { AdapterUser, IdentifiedUser } from '../model/user.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import type { PasskeyPurpose } from '../plugin/passkeys.ts'
import type { PageScript } from '../protocols/webauthn/simple-webauthn.ts'
import type { SignInFields } from '../session/strategy.ts'

/** The state of the visitor's browser in addition to the request. */
export interface Visit {
  /** The CSRF token for forms; `undefined` if the application has turned it off. */
  readonly csrfToken: string | undefined
  /** Whether this request had the token. */
  readonly csrfVerified: boolean
  /** The callback URL. */
  readonly callbackUrl: SafeUrl
  /** The time of the request, before any proof of identity was read; milliseconds since the epoch. */
  readonly since: number
  /** Fields of plugins in the form, if there are any. */
  readonly kept?: SignInFields | undefined
  /** What the application gave to `signIn` for the `signIn` callback. */
  readonly context?: JsonObject | undefined
  /** The session and the account to which the response of the provider must belong. */
  readonly bound?: BoundSignIn | undefined
  /** Whether the sign-in must not link an account, because it may have been begun by another site. */
  readonly linksNothing?: true
  /** The cookies that update this state in the browser. */
  readonly cookies: readonly Cookie[]
}

/** A sign-in that started within a session, and is valid only for this session. */
export interface BoundSignIn {
  /** The provider's identifier of the account. Without it, any account that the user has or may connect. */
  readonly account?: string | undefined
  /** The public id of the session. */
  readonly sid?: string | undefined
  /** The requested scopes. */
  readonly scope?: string | undefined
  /**
   * For a further proof of the signed-in user, which links nothing: when it began, in seconds since the epoch. The sign-in at the
   * provider must not be older.
   */
  readonly provesSince?: number | undefined
}

/** The user of a sign-in, and whether the sign-in created them. */
export interface Admitted {
  readonly user: IdentifiedUser | AdapterUser
  /** `undefined` if users are not stored. */
  readonly isNewUser: boolean | undefined
  /** The state before the proof, if plugins changed it while they made room for the owner of the address. */
  readonly before?: JsonObject | undefined
}

/** Who is signed in in a browser. */
export interface Visitor {
  /** Returns the stored user of the session; `null` for nobody. */
  user(): Promise<AdapterUser | null>
  /**
   * Returns whether the user proved their identity a short time ago, as they must before they add a way to sign in. Without
   * a plugin that knows when that was, everybody did.
   */
  isFresh(): Promise<boolean>
  /** @throws {ReauthenticationRequired} if not. */
  needFresh(): Promise<void>
}

/** A proven identity, the result of every provider type. What was proved determines how the stored user is found. */
export type VerifiedIdentity = ProvenAccount | ProvenAddress | ProvenPasskey | GivenUser

interface Proven {
  /** The user as described by the provider, or as found in the store. */
  readonly user: IdentifiedUser
  readonly account: Account
  /** The authentication methods (RFC 8176). @default determined by the type of the provider */
  readonly amr?: readonly string[]
  /** State from before the proof was read, which must be unchanged when the session begins. */
  readonly before?: JsonObject
  /** Fields of plugins, for flows that end with another request than they started with. */
  readonly kept?: SignInFields | undefined
  /** What the application gave to `signIn`, for flows that end with another request than they started with. */
  readonly context?: JsonObject | undefined
  /** The callback URL, for flows that end without its cookie. */
  readonly callbackUrl?: string
  /** Clears the cookies of the flow. */
  readonly cookies: readonly Cookie[]
}

/** An account at a provider, by the provider's own identifier: OAuth, OpenID Connect. */
export interface ProvenAccount extends Proven {
  readonly proven: 'account'
  /** The members of the account that are stored. */
  readonly stored: Partial<Account>
  readonly profile: Profile
  /** The claims of the verified ID token of an OpenID Connect provider. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Whether the account is linked to the user with the same email address: always, never, or only if it is proven. */
  readonly linksByAddress: boolean | 'proven'
  /** Whether the provider reports that the email address is not verified. */
  readonly deniesAddress: boolean
  /** Whether the provider reports that the email address is verified. */
  readonly provesAddress: boolean
  /** The id of the user who was signed in at the start. The account may not be linked to another user. */
  readonly begunBy?: string
  /** Whether the sign-in must not link an account to that user. */
  readonly linksNothing?: true
  readonly bound?: BoundSignIn
  /** Whether the sign-in started as account linking: if the session has ended, no new user is created. */
  readonly onlyLinks?: boolean
  /** The private key to which the tokens are bound (RFC 9449). */
  readonly dpop?: ProofKey
}

/** An e-mail address. */
export interface ProvenAddress extends Proven {
  readonly proven: 'address'
  /** Returns a cookie that keeps the proof, for a store that failed before the session began. */
  readonly whenInterrupted?: () => Promise<Cookie>
}

/** A passkey. Its flow determines the user. */
export interface ProvenPasskey extends Proven {
  readonly proven: 'passkey'
  /** The id of the user who was signed in at the start. The passkey may not be added to another user. */
  readonly begunBy?: string
  /** The model of the authenticator of a new passkey, as the authenticator says it. */
  readonly aaguid?: string
  /** Returns the user to sign in. Called only after the application has allowed the sign-in. */
  readonly admit: (visitor: Visitor) => Promise<Admitted>
}

/** A user whom `authorize` of the application returned; the library has no proof of its own. */
export interface GivenUser extends Proven {
  readonly proven: 'word'
  /** The fields of the form. */
  readonly credentials: Record<string, unknown>
  /** Whether a plugin created the user just now. */
  readonly isNewUser?: boolean | undefined
}

/** What a provider of passkeys adds to the built-in sign-in page. */
export interface SignInForm {
  /** Returns the form with its own fields, for a page on which nothing else asks for an address. @param further boxes of plugins */
  alone(texts: Texts, further: Html): Html
  /** Returns the form with its button alone, beside other ways to sign in. @param mark on the button */
  beside(texts: Texts, mark: { readonly html: Html } | undefined): Html
  /**
   * Returns the form with its button, for a further proof.
   *
   * @param fields hidden ones, in addition. `options`: where the options for it are, if not at their usual place.
   */
  again(texts: Texts, action: string, fields: Html, options?: string): Html
  /** The id of the form, if an address that is typed elsewhere on the page is the only thing that it asks for. */
  readonly takesAddress: string | undefined
  /** Whether the browser offers passkeys in the field for the address. */
  readonly isOffered: boolean
  script(texts: Texts): Promise<PageScript>
}

/** A mail that a browser asked for. */
export interface AskedMail {
  readonly email: string
  /** Boxes of plugins that were ticked. */
  readonly kept: SignInFields
}

/** Checks a key of a user who is known already, beside another factor. The key need not verify the user. */
export interface FurtherProofs {
  /** Returns the body for the script, and the cookie with the challenge. */
  options(
    request: AuthRequest,
    asked: PasskeyPurpose,
  ): Promise<{ readonly body: object; readonly cookie: Cookie }>
  /**
   * Checks the response in the field `data`.
   *
   * @returns the methods that it proves.
   * @throws {AuthError} if it is of another user or for another purpose, or was used before.
   */
  check(request: AuthRequest, asked: PasskeyPurpose): Promise<readonly string[]>
}

/** A provider with its options, compiled to functions. */
export interface CompiledProvider {
  readonly id: string
  /** Required by the types, but may be missing at run time. */
  readonly name: string | undefined
  readonly type: ProviderType
  readonly config: ProviderConfig
  readonly form?: SignInForm
  /** `webauthn-options/{id}`: returns the options for the passkey in the browser. Only for passkeys. */
  options?(request: AuthRequest): Promise<Outcome>
  /** Options and checks for a further proof with a key of a known user. Only for passkeys. */
  readonly further?: FurtherProofs
  /** `POST signin/{id}`: starts the sign-in, for example with a redirect to the provider. */
  begin(request: AuthRequest, visit: Visit): Promise<Outcome>
  /** The methods of the callback, and whether its form must have the CSRF token. */
  readonly callback: Readonly<Partial<Record<AuthMethod, { readonly csrf: boolean }>>>
  /** `callback/{id}`: returns the proven identity, or the outcome to respond with instead. */
  complete(request: AuthRequest, visit: Visit): Promise<VerifiedIdentity | Outcome>
  /** Returns the address to which this browser asked for a mail, with the boxes of that form. Only for mails. */
  asked?(request: AuthRequest): Promise<AskedMail | undefined>
  /** Returns whether a request for the callback belongs to a sign-in that this browser began. */
  isOwn(request: AuthRequest): Promise<boolean>
  /** Returns the cookies that clear the state of the flow after a failure. */
  forget(request: AuthRequest): Promise<readonly Cookie[]>
}
