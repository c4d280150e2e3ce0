/** The ways of signing in. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'

/** One entry of RFC 9396 section 2. */
export interface AuthorizationDetails {
  readonly type: string
  readonly [parameter: string]: unknown
}

/** A token response (RFC 6749 section 5.1), with the moment of expiry worked out. */
export interface TokenSet {
  access_token?: string
  authorization_details?: AuthorizationDetails[]
  /** Seconds from the moment of the answer. */
  expires_in?: number
  /** Seconds since the epoch. */
  expires_at?: number
  id_token?: string
  refresh_token?: string
  scope?: string
  /** Always lower case. */
  token_type?: Lowercase<string>
  [parameter: string]: unknown
}

/** Members of an account that Latchkey itself reads; open for declaration merging through {@link Account}. */
export interface DefaultAccount extends TokenSet {
  provider: string
  /** For e-mail the address, for credentials the id that `authorize` returned. */
  providerAccountId: string
  type: ProviderType
  userId?: string
}

/** What ties a user to a provider: the provider's own identifier of them, and the tokens it gave. */
export interface Account extends DefaultAccount {}

export type AdapterAccountType = 'oauth' | 'oidc' | 'email' | 'webauthn'

/** A stored account. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** A stored account as an adapter returns it; {@link AdapterAccount} without what an application adds to it. */
export interface StoredAccount extends DefaultAccount {
  userId: string
  type: AdapterAccountType
}
