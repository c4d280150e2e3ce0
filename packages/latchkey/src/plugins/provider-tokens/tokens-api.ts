import type { BoundToken } from '../../entries/plugin.ts'

/** What is needed of a token. */
export interface GetOptions {
  /** Scopes that it must have, all of them. */
  scopes?: readonly string[] | undefined
  /** For which it is (RFC 8707), one of `tokens.resources` of the provider. Needs records. */
  resource?: string | undefined
  /** Seconds that it must work for; the margin if left out. */
  minTtl?: number | undefined
  /** Renews it whatever is known of its end, at most once in ten seconds: for an API that answered with 401. */
  force?: boolean | undefined
}

/** What a token is exchanged for (RFC 8693). */
export interface TokenExchange {
  audience?: string | undefined
  /** An absolute URI. */
  resource?: string | undefined
  scopes?: readonly string[] | undefined
  /** What is exchanged: the access token, or the ID token as it came last. @default 'access' */
  subjectToken?: 'access' | 'id' | undefined
  /** A URI of RFC 8693 section 3. */
  requestedTokenType?: string | undefined
  /** An access token of who acts for the user. */
  actorToken?: string | undefined
  /** Further parameters, which the provider wants. */
  extra?: Readonly<Record<string, string>> | undefined
}

/**
 * Why there is no token:
 *
 * - `NotSignedIn`: nobody is signed in
 * - `NoToken`: the provider gave none, or it has come to its end and nothing renews it
 * - `RefreshTokenError`: the provider refuses to renew it; only connecting again helps
 * - `ScopeMissing`: it was not given for what is needed
 * - `ProviderUnavailable`: the provider could not be asked; later it may work
 * - `RefreshElsewhere`: it has come to its end, and here no cookie can be set: the page has to renew it
 */
export type ProviderTokenError =
  | 'NotSignedIn'
  | 'NoToken'
  | 'RefreshTokenError'
  | 'ScopeMissing'
  | 'ProviderUnavailable'
  | 'RefreshElsewhere'

/** A token for the API of a provider, or why there is none. */
export type ProviderTokenResult =
  | {
      readonly ok: true
      readonly access_token: string
      /** In lower case; `DPoP` for a token that is bound to a key, which is sent with a proof. */
      readonly token_type: string
      /**
       * Of a token that is bound to a key (RFC 9449): makes the `DPoP` header of one request with it, which also has
       * `Authorization: DPoP <access_token>`.
       *
       * @param method of HTTP. @param url of the request; query and fragment are left out.
       */
      readonly proof?: (method: string, url: string | URL) => Promise<string>
      /** Seconds since the epoch; left out where the provider did not say. */
      readonly expires_at?: number
      /** Divided by blanks. */
      readonly scope?: string
      /** `Set-Cookie` headers to send to the browser; none where tokens are records. */
      readonly setCookie: readonly string[]
    }
  | {
      readonly ok: false
      readonly error: ProviderTokenError
      /** Where a form connects the account again, if that helps. */
      readonly reconnect?: string
      readonly setCookie: readonly string[]
    }

/** A result whose cookies are not written yet. */
export type TokenResult =
  | (Omit<Extract<ProviderTokenResult, { ok: true }>, 'setCookie' | 'proof'> & {
      readonly bound?: BoundToken
    })
  | Omit<Extract<ProviderTokenResult, { ok: false }>, 'setCookie'>

/** What is known of a user's tokens from a provider, and may be shown. */
export interface ProviderStatus {
  /** Is there a token that works, or one that can be renewed? */
  readonly connected: boolean
  /** `ScopeMissing`: less was granted than the account was connected for. */
  readonly error?: 'RefreshTokenError' | 'ScopeMissing'
  /** What was granted. */
  readonly scopes: readonly string[]
  /** Seconds since the epoch. */
  readonly expires_at?: number
  /** Where a form connects the account. */
  readonly reconnect: string
}

/** What happened to the tokens of accounts, in numbers. */
export interface MovedTokens {
  /** Accounts whose tokens are only where they should be now. */
  readonly moved: number
  /** Accounts whose tokens stay, because they would be of no use there. */
  readonly left: number
  /** Accounts whose tokens stay, because of an error, which was logged. */
  readonly failed: number
}

/** What `latchkey.api.providerTokens` offers. */
export interface ProviderTokensApi {
  /** A token for the API of a provider, in the name of who is signed in. One that is about to end is renewed before. */
  get(request: Request, provider: string, options?: GetOptions): Promise<ProviderTokenResult>
  /**
   * Asks an API of a provider with the token of who is signed in. After a 401 it is renewed, and the API asked once more.
   *
   * @param input an https address, or one on this machine.
   * @throws {ProviderTokenMissing} where there is no token.
   */
  fetch(
    request: Request,
    provider: string,
    input: string | URL,
    init?: RequestInit & Pick<GetOptions, 'scopes' | 'resource'>,
  ): Promise<Response>
  /**
   * Exchanges the token of who is signed in for another one, for an API behind an API for example. It is kept with the
   * others, and given again until 30 seconds before its end. Needs records.
   */
  exchange(request: Request, provider: string, params: TokenExchange): Promise<ProviderTokenResult>
  /** What may be shown of who is signed in, by provider; nothing for nobody. */
  status(request: Request): Promise<Record<string, ProviderStatus>>
  /**
   * Forgets the tokens of a user, and revokes them where the provider can. The account stays linked.
   *
   * @returns whether the provider said already that it did; if it could not be asked, it is tried again for a day.
   */
  revoke(who: Request | { userId: string }, provider: string): Promise<boolean>
  /** The same as `get`, for work without a request. */
  forUser(userId: string, provider: string, options?: GetOptions): Promise<ProviderTokenResult>
  /**
   * Moves the tokens in the columns of a user's accounts into records, and empties the columns. A record that is there
   * already stays. May be interrupted at any time, and called again. Tokens of providers that are not in the
   * configuration, or not kept, are left. Needs records.
   *
   * @throws TypeError with `columns: 'keep'`.
   */
  sealColumns(userId: string): Promise<MovedTokens>
  /**
   * Writes the tokens of a user's records back into the columns of their accounts, and removes the records, for an
   * application that reads the columns. May be interrupted at any time, and called again. Tokens that are bound to a key
   * are left. With `columns: 'clear'`, the next use of an account moves its tokens into a record again. Needs records.
   */
  restoreColumns(userId: string): Promise<MovedTokens>
}

/** Thrown by `fetch` of the plugin where there is no token. */
export class ProviderTokenMissing extends Error {
  override readonly name = 'ProviderTokenMissing'
  readonly error: ProviderTokenError
  /** Where a form connects the account again, if that helps. */
  readonly reconnect: string | undefined

  constructor(provider: string, error: ProviderTokenError, reconnect: string | undefined) {
    super(`there is no token of the provider ${provider}: ${error}`)
    this.error = error
    this.reconnect = reconnect
  }
}
