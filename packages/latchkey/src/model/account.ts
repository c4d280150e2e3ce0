/** The types of providers. */
export type ProviderType = 'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'

/** One entry of RFC 9396 section 2. */
export interface AuthorizationDetails {
  readonly type: string
  readonly [parameter: string]: unknown
}

/** A token response (RFC 6749 section 5.1), with its time of expiry. */
export interface TokenSet {
  access_token?: string
  authorization_details?: AuthorizationDetails[]
  /** Seconds since the response. */
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

/** Members of an account that Latchkey reads. Extend {@link Account} by declaration merging. */
export interface DefaultAccount extends TokenSet {
  provider: string
  /**
   * The provider's identifier of the account: for e-mail the address, for credentials the id that `authorize` returned.
   */
  providerAccountId: string
  type: ProviderType
  userId?: string
}

/** The link between a user and a provider: the provider's identifier of the user, and its tokens. */
export interface Account extends DefaultAccount {}

export type AdapterAccountType = 'oauth' | 'oidc' | 'email' | 'webauthn'

/** A stored account. */
export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

/** A stored account as an adapter returns it: {@link AdapterAccount} without the members that an application adds. */
export interface StoredAccount extends DefaultAccount {
  userId: string
  type: AdapterAccountType
}
