import type { BoundToken } from '../../entries/plugin.ts'

/** The requirements for a token. */
export interface GetOptions {
  /** Scopes that the token must have, all of them. */
  scopes?: readonly string[] | undefined
  /** The resource of the token (RFC 8707), one of `tokens.resources` of the provider. Needs records. */
  resource?: string | undefined
  /** Seconds for which the token must be valid. @default the margin */
  minTtl?: number | undefined
  /** Renews the token, at most once in ten seconds. Use it after an API responded with 401. */
  force?: boolean | undefined
}

/** The parameters of a token exchange (RFC 8693). */
export interface TokenExchange {
  audience?: string | undefined
  /** An absolute URI. */
  resource?: string | undefined
  scopes?: readonly string[] | undefined
  /** The exchanged token: the access token, or the latest ID token. @default 'access' */
  subjectToken?: 'access' | 'id' | undefined
  /** A URI of RFC 8693 section 3. */
  requestedTokenType?: string | undefined
  /** An access token of the party that acts for the user. */
  actorToken?: string | undefined
  /** Further parameters that the provider requires. */
  extra?: Readonly<Record<string, string>> | undefined
}

/**
 * Why there is no token:
 * - `NotSignedIn`: there is no session
 * - `NoToken`: the provider issued none, or it has expired and cannot be renewed
 * - `RefreshTokenError`: the provider refuses to renew it; the user must reconnect the account
 * - `ScopeMissing`: it lacks a scope
 * - `ProviderUnavailable`: the provider could not be reached; try again later
 * - `RefreshElsewhere`: it has expired, and this call cannot set a cookie: the page must renew it
 */
export type ProviderTokenError =
  | 'NotSignedIn'
  | 'NoToken'
  | 'RefreshTokenError'
  | 'ScopeMissing'
  | 'ProviderUnavailable'
  | 'RefreshElsewhere'

/** A token for the API of a provider, or the reason why there is none. */
export type ProviderTokenResult =
  | {
      readonly ok: true
      readonly access_token: string
      /** In lower case; `DPoP` for a token that is bound to a key, which is sent with a proof. */
      readonly token_type: string
      /**
       * For a token that is bound to a key (RFC 9449): creates the `DPoP` header of one request, which also has
       * `Authorization: DPoP <access_token>`.
       *
       * @param method of HTTP.
       * @param url of the request; query and fragment are ignored.
       */
      readonly proof?: (method: string, url: string | URL) => Promise<string>
      /** In seconds since the epoch; missing if the provider did not report it. */
      readonly expires_at?: number
      /** Separated by spaces. */
      readonly scope?: string
      /** `Set-Cookie` headers for the browser; empty for tokens in records. */
      readonly setCookie: readonly string[]
    }
  | {
      readonly ok: false
      readonly error: ProviderTokenError
      /** The path of the form that reconnects the account, if that helps. */
      readonly reconnect?: string
      readonly setCookie: readonly string[]
    }

/** A result whose cookies are not written yet. */
export type TokenResult =
  | (Omit<Extract<ProviderTokenResult, { ok: true }>, 'setCookie' | 'proof'> & {
      readonly bound?: BoundToken
    })
  | Omit<Extract<ProviderTokenResult, { ok: false }>, 'setCookie'>

/** The state of a user's tokens from a provider, without the tokens. */
export interface ProviderStatus {
  /** Whether there is a valid or renewable token. */
  readonly connected: boolean
  /** `ScopeMissing`: fewer scopes were granted than the account was connected for. */
  readonly error?: 'RefreshTokenError' | 'ScopeMissing'
  /** The granted scopes. */
  readonly scopes: readonly string[]
  /** In seconds since the epoch. */
  readonly expires_at?: number
  /** The path of the form that connects the account. */
  readonly reconnect: string
}

/** The result of moving the tokens of accounts, in numbers. */
export interface MovedTokens {
  /** Accounts whose tokens are only in their new place. */
  readonly moved: number
  /** Accounts whose tokens were not moved, because they would be of no use there. */
  readonly left: number
  /** Accounts whose tokens were not moved, because of an error, which was logged. */
  readonly failed: number
}

/** The functions of `latchkey.api.providerTokens`. */
export interface ProviderTokensApi {
  /** Returns a token for the API of a provider, for the signed-in user. It renews a token that is about to expire. */
  get(request: Request, provider: string, options?: GetOptions): Promise<ProviderTokenResult>
  /**
   * Sends a request to an API of a provider with the token of the signed-in user. After a 401 the token is renewed, and
   * the request is repeated once.
   *
   * @param input an https URL, or one on this machine.
   * @throws {ProviderTokenMissing} if there is no token.
   */
  fetch(
    request: Request,
    provider: string,
    input: string | URL,
    init?: RequestInit & Pick<GetOptions, 'scopes' | 'resource'>,
  ): Promise<Response>
  /**
   * Exchanges the token of the signed-in user for another one, for example for an API behind an API. It is stored, and
   * returned again until 30 seconds before its expiry. Needs records.
   */
  exchange(request: Request, provider: string, params: TokenExchange): Promise<ProviderTokenResult>
  /** Returns the state of the signed-in user's tokens, by provider; an empty object without a session. */
  status(request: Request): Promise<Record<string, ProviderStatus>>
  /**
   * Deletes the tokens of a user, and revokes them if the provider supports it. The account stays linked.
   *
   * @returns whether the provider has confirmed the revocation. If it could not be reached, the request is repeated for
   * a day.
   */
  revoke(who: Request | { userId: string }, provider: string): Promise<boolean>
  /** Returns a token as `get` does, for work without a request. */
  forUser(userId: string, provider: string, options?: GetOptions): Promise<ProviderTokenResult>
  /**
   * Moves the tokens in the columns of a user's accounts into records, and empties the columns. Existing records stay.
   * You can interrupt it at any time, and call it again. Tokens of providers that are not configured, or not kept, are
   * not moved. Needs records.
   *
   * @throws TypeError with `columns: 'keep'`.
   */
  sealColumns(userId: string): Promise<MovedTokens>
  /**
   * Writes the tokens of a user's records back into the columns of their accounts, and deletes the records, for an
   * application that reads the columns. You can interrupt it at any time, and call it again. Tokens that are bound to a
   * key are not moved. With `columns: 'clear'`, the next use of an account moves its tokens into a record again. Needs
   * records.
   */
  restoreColumns(userId: string): Promise<MovedTokens>
}

/** Thrown by `fetch` of the plugin if there is no token. */
export class ProviderTokenMissing extends Error {
  override readonly name = 'ProviderTokenMissing'
  readonly error: ProviderTokenError
  /** The path of the form that reconnects the account, if that helps. */
  readonly reconnect: string | undefined

  constructor(provider: string, error: ProviderTokenError, reconnect: string | undefined) {
    super(`there is no token of the provider ${provider}: ${error}`)
    this.error = error
    this.reconnect = reconnect
  }
}
