/** What is needed of a token. */
export interface GetOptions {
  /** Scopes that it must have, all of them. */
  scopes?: readonly string[] | undefined
  /** Seconds that it must work for; the margin if left out. */
  minTtl?: number | undefined
  /** Renews it whatever is known of its end, at most once in ten seconds: for an API that answered with 401. */
  force?: boolean | undefined
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
      /** In lower case. */
      readonly token_type: string
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
  | Omit<Extract<ProviderTokenResult, { ok: true }>, 'setCookie'>
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
    init?: RequestInit & Pick<GetOptions, 'scopes'>,
  ): Promise<Response>
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
