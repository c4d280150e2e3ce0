import type { TokenSet } from '../model/account.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { EndSession, ProviderTokenRules } from '../options/provider-options.ts'

/** The client of an OAuth or OpenID provider, for plugins that send requests to it. */
export interface ProviderClient {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  /** The configured value, with its placeholders replaced. */
  readonly issuer: string | undefined
  /** The configured value. */
  readonly endSession: EndSession | undefined
  /** Members of the provider that replace placeholders such as `{clientId}`. */
  readonly members: Readonly<Record<string, unknown>>
  /** Returns the provider's metadata, which is read on the first call and cached. @throws if it cannot be read. */
  metadata(): Promise<Readonly<Record<string, unknown>>>
  /** Returns whether this is the issuer of the provider or of one of its tenants. Reads no metadata. */
  isIssuer(issuer: string): boolean
  /** Returns whether a visitor or a token may be sent to this URL of the provider. */
  isSecure(url: URL): boolean
  /** Returns whether the configuration allows ID tokens with this algorithm. */
  acceptsAlgorithm(algorithm: string): boolean
  /**
   * Verifies that the provider signed a JWT for this client, with the cached keys of sign-ins. Checks issuer, audience, algorithm
   * and signature, and no other claims.
   *
   * @throws if the JWT is invalid, or the keys cannot be read.
   */
  verify(jwt: string): Promise<void>
  /** The configured value. */
  readonly rules: ProviderTokenRules
  /** The scope of a sign-in. */
  readonly scopes: readonly string[]
  /** Renews tokens (RFC 6749 section 6). @param params further parameters, for example `resource`. */
  refresh(tokens: RenewableTokens, params?: Readonly<Record<string, string>>): Promise<TokenAnswer>
  /**
   * Exchanges a token for another token (RFC 8693).
   *
   * @param params all parameters except the grant type and the client authentication
   * @param key the key to which the token is bound (RFC 9449).
   */
  exchange(params: Readonly<Record<string, string>>, key?: ProofKey): Promise<TokenAnswer>
  /** Returns functions for requests with a token that is bound to a key (RFC 9449). */
  bound(key: ProofKey, accessToken: string): BoundToken
  /** Returns whether the provider can revoke tokens. */
  canRevoke(): Promise<boolean>
  /** Revokes a token (RFC 7009). @throws if the provider does not confirm it. */
  revoke(token: string, hint: 'access_token' | 'refresh_token'): Promise<void>
}

/** The response of a provider's token endpoint. */
export type TokenAnswer =
  | {
      readonly kind: 'tokens'
      readonly tokens: TokenSet & { access_token: string }
      /** Claims of the verified ID token in the response. */
      readonly claims: Readonly<Record<string, unknown>> | undefined
    }
  /** The provider refuses permanently. @property code its error code */
  | { readonly kind: 'refused'; readonly code: string; readonly error: Error }
  /** The provider was unreachable, or its response was invalid. */
  | { readonly kind: 'unavailable'; readonly error: Error }

/** Tokens for a renewal. */
export interface RenewableTokens
  extends Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'> {
  /** The key to which they are bound (RFC 9449). */
  readonly dpop?: ProofKey | undefined
}

/** Functions for requests with an access token that is bound to a key (RFC 9449). */
export interface BoundToken {
  /**
   * Creates a proof for one request: the value of its `DPoP` header, in addition to `Authorization: DPoP <token>`.
   *
   * @param method the HTTP method. @param url the URL of the request; query and fragment are omitted.
   */
  proof(method: string, url: string | URL): Promise<string>
  /** Wraps `fetch`: a request with this token as a bearer token is sent with a proof instead. */
  fetch(send: typeof fetch): typeof fetch
}
