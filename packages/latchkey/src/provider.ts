import type { Cookie } from './http/cookies.ts'
import type { Html } from './http/html.ts'
import type { SafeUrl } from './http/safe-url.ts'
import type { Account, ProviderType } from './model/account.ts'
import type { JsonObject } from './model/json.ts'
import type { Profile } from './model/profile.ts'
import type { ProofKey } from './model/proof-key.ts'
import type { AdapterUser, User } from './model/user.ts'
import type { ProviderConfig } from './options/provider-options.ts'
import type { Outcome } from './outcome.ts'
import type { AuthMethod, AuthRequest } from './request.ts'
import type { SignInFields } from './session/strategy.ts'
import type { Texts } from './texts/texts.ts'
import type { PageScript } from './webauthn/simple-webauthn.ts'

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
  /** Fields of plugins in the form, if it has some. */
  readonly kept?: SignInFields | undefined
  /** What the answer of the provider has to be about. */
  readonly bound?: BoundSignIn | undefined
  /** Sets what changed of the above in their browser. */
  readonly cookies: readonly Cookie[]
}

/** A sign-in that was begun for somebody who is signed in, and is worth nothing for anybody else. */
export interface BoundSignIn {
  /** The provider's identifier of the account; any that the user has or may have, if left out. */
  readonly account?: string | undefined
  /** The public name of the session. */
  readonly sid?: string | undefined
  /** The scopes that were asked for. */
  readonly scope?: string | undefined
}

/** The user of a sign-in, and whether they were created just now. */
export interface Admitted {
  readonly user: User | AdapterUser
  /** `undefined` where nothing is stored. */
  readonly isNewUser: boolean | undefined
}

/** Somebody proved who they are: where every provider type ends. How they are matched with what is stored follows from what they proved. */
export type VerifiedIdentity = ProvenAccount | ProvenAddress | ProvenPasskey | GivenUser

interface Proven {
  /** As the provider describes them, or as the flow found them in the store. */
  readonly user: User
  readonly account: Account
  /** How they proved it (RFC 8176); without it the type of the provider says so. */
  readonly amr?: readonly string[]
  /** What must be the same when the session is issued, as it was before the proof was read. */
  readonly before?: JsonObject
  /** Fields of plugins, for flows that ended with another request than they began with. */
  readonly kept?: SignInFields | undefined
  /** Where the visitor wanted to go, for flows that end without their callback-URL cookie. */
  readonly callbackUrl?: string
  /** Forgets what the flow kept in the browser. */
  readonly cookies: readonly Cookie[]
}

/** An account at a provider, by the provider's own identifier: OAuth, OpenID Connect. */
export interface ProvenAccount extends Proven {
  readonly proven: 'account'
  /** What of the account is stored. */
  readonly stored: Partial<Account>
  readonly profile: Profile
  /** May the account join the user who has the same address, or only one who proved it? */
  readonly linksByAddress: boolean | 'proven'
  /** Does the provider itself say that the address is not proven? */
  readonly deniesAddress: boolean
  /** Does the provider itself say that the address is proven? */
  readonly provesAddress: boolean
  /** The id of who was signed in when this began, and nobody else may be given the account. */
  readonly begunBy?: string
  readonly bound?: BoundSignIn
  /**
   * Somebody who was signed in wants it for their own, and makes no new user of it, should their session
   * be gone.
   */
  readonly onlyLinks?: boolean
  /** The private key to which the tokens are bound (RFC 9449). */
  readonly dpop?: ProofKey
}

/** An e-mail address. */
export interface ProvenAddress extends Proven {
  readonly proven: 'address'
  /** Keeps what this browser has proved, for a store that failed before there was a session. */
  readonly whenInterrupted?: () => Promise<Cookie>
}

/** A passkey, of which its flow knows whose it is. */
export interface ProvenPasskey extends Proven {
  readonly proven: 'passkey'
  /** The id of who was signed in when this began, and nobody else may be given the passkey. */
  readonly begunBy?: string
  /** The user to sign in. Only called once the application agreed. */
  readonly admit: (current: () => Promise<AdapterUser | null>) => Promise<Admitted>
}

/** Nothing to us: the application gives its word for its user. */
export interface GivenUser extends Proven {
  readonly proven: 'word'
  /** The fields of the form. */
  readonly credentials: Record<string, unknown>
}

/** Markup that a provider adds to the built-in sign-in page if none of the standard forms fits. */
export interface SignInForm {
  /** @param further fields of plugins */
  html(texts: Texts, further: Html): Html
  readonly style: string
  script(texts: Texts): Promise<PageScript>
}

/** A provider, ready: its type's `begin` and `complete` with its own options. */
export interface CompiledProvider {
  readonly id: string
  /** Required by the types, but may be missing at run time. */
  readonly name: string | undefined
  readonly type: ProviderType
  readonly config: ProviderConfig
  readonly form?: SignInForm
  /** `webauthn-options/{id}`: what the browser needs for a passkey; other types have none. */
  options?(request: AuthRequest): Promise<Outcome>
  /** `POST signin/{id}`: sends the visitor off. */
  begin(request: AuthRequest, visit: Visit): Promise<Outcome>
  /** Methods by which the visitor comes back, and whether their form must carry the CSRF token. */
  readonly callback: Readonly<Partial<Record<AuthMethod, { readonly csrf: boolean }>>>
  /** `callback/{id}`: takes them back. An outcome instead of an identity is answered as it is. */
  complete(request: AuthRequest, visit: Visit): Promise<VerifiedIdentity | Outcome>
  /** Forgets what the flow kept in the browser, when it failed. */
  forget(request: AuthRequest): Promise<readonly Cookie[]>
}
