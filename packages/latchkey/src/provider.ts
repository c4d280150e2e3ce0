import type { Cookie } from './http/cookies.ts'
import type { Html } from './http/html.ts'
import type { SafeUrl } from './http/safe-url.ts'
import type { Account, ProviderType } from './model/account.ts'
import type { Profile } from './model/profile.ts'
import type { AdapterUser, User } from './model/user.ts'
import type { ProviderConfig } from './options/provider-options.ts'
import type { Outcome } from './outcome.ts'
import type { AuthMethod, AuthRequest } from './request.ts'
import type { PageScript } from './webauthn/simple-webauthn.ts'

/** What a visitor brought along, besides what they ask for. */
export interface Visit {
  /** The token that their forms must carry; `undefined` when the application does without. */
  readonly csrfToken: string | undefined
  /** Did this request carry it? */
  readonly csrfVerified: boolean
  /** Where they want to go in the end. */
  readonly callbackUrl: SafeUrl
  /** Sets what changed of the above in their browser. */
  readonly cookies: readonly Cookie[]
}

/** How an identity is matched with what is stored. */
export type Admission =
  /** By the provider's own identifier: OAuth, OpenID Connect. */
  | 'account'
  /** By what its flow knows: see {@link VerifiedIdentity.admit}. */
  | 'flow'
  /** By a proven e-mail address. */
  | 'address'
  /** Not at all: the application knows its user. */
  | 'given'

/** The user of a sign-in, and whether they were created just now. */
export interface Admitted {
  readonly user: User | AdapterUser
  /** `undefined` where nothing is stored. */
  readonly isNewUser: boolean | undefined
}

/** Somebody proved who they are: where every provider type ends. */
export interface VerifiedIdentity {
  readonly admission: Admission
  /** As the provider describes them, or as the flow found them in the store. */
  readonly user: User
  readonly account: Account
  /** What of the account is stored. */
  readonly stored?: Partial<Account>
  readonly profile?: Profile
  /** Where the flow knows itself whose it is: the user to sign in. Only called once the application agreed. */
  readonly admit?: (current: () => Promise<AdapterUser | null>) => Promise<Admitted>
  /** Credentials: the fields of the form. */
  readonly credentials?: Record<string, unknown>
  /** May an account join the user who has the same address, or only one who proved it? */
  readonly linksByAddress?: boolean | 'proven' | undefined
  /** Does the provider itself say that the address is not proven? */
  readonly deniesAddress?: boolean
  /** Does the provider itself say that the address is proven? */
  readonly provesAddress?: boolean
  /** The id of who was signed in when this began, and nobody else may be given the account. */
  readonly begunBy?: string
  /**
   * Somebody who was signed in wants it for their own, and makes no new user of it, should their session
   * be gone.
   */
  readonly onlyLinks?: boolean
  /** Where the visitor wanted to go, for flows that end without their callback-URL cookie. */
  readonly callbackUrl?: string
  /** Forgets what the flow kept in the browser. */
  readonly cookies: readonly Cookie[]
  /** Keeps what this browser has proved, for a store that failed before there was a session. */
  readonly whenInterrupted?: () => Promise<Cookie>
}

/** What a provider brings to the built-in sign-in page, where that is no form which the page knows. */
export interface SignInForm {
  readonly html: Html
  readonly style: string
  script(): Promise<PageScript>
}

/** A provider, ready: its type's `begin` and `complete` with its own options. */
export interface CompiledProvider {
  readonly id: string
  /** The types ask for one; there may be none all the same. */
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
