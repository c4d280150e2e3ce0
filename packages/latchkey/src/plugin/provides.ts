import type { SiteRequest } from '../http/request.ts'
import type { TokenSet } from '../model/account.ts'
import type { JsonObject } from '../model/record.ts'
import type { EndReason } from '../session/end-reason.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { BoundToken } from './provider-client.ts'

/** What one plugin of a configuration may do for all others and for the core. */
export interface Provided {
  /** Counts attempts for all plugins and for built-in actions. */
  readonly limiter: Limiter
  /** Lists and ends sessions for all plugins. */
  readonly sessions: SessionControl
  /** Stores the tokens of providers for `latchkey.getProviderToken`. */
  readonly tokens: TokenKeeper
}

/** The sessions of users, by their public ids. */
export interface SessionControl {
  /** Returns the sessions that have not ended. */
  list(userId: string): Promise<readonly { readonly sid: string }[]>
  /** @returns whether this call ended the session; `false` if it has ended, is unknown or belongs to another user. */
  end(userId: string, sid: string, how: SessionEnding): Promise<boolean>
  /** @param how `except`: the id of a session to keep. @returns the number of sessions that this call ended. */
  endAll(userId: string, how: SessionEnding & { readonly except?: string }): Promise<number>
}

/** The reason for the end of a session, and who ended it. */
export interface SessionEnding {
  readonly reason: EndReason
  /** The id of the user who ends the session, if it belongs to another user. */
  readonly by?: string | undefined
}

/** Stores the tokens of providers. */
export interface TokenKeeper {
  /**
   * @returns a valid token; `null` if only a new sign-in can provide one.
   * @throws if the token has expired and the provider is unreachable.
   */
  get(
    request: Request | SiteRequest | SessionRequest,
    provider: string,
  ): Promise<ProviderToken | null>
}

/** A token for the API of a provider. */
export interface ProviderToken extends Pick<TokenSet, 'scope'> {
  access_token: string
  /** The token type in lower case; `DPoP` for a token that is bound to a key and needs a proof. */
  token_type?: string
  /** For a token that is bound to a key: returns the `DPoP` header of one request (RFC 9449). */
  proof?: BoundToken['proof']
  /** Seconds since the epoch; `undefined` if the provider did not send it. */
  expires_at?: number
}

/** Counts attempts. */
export interface Limiter {
  /** Counts one attempt at a named action. Call it before the action runs. */
  count(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** Returns the client address of a request; `undefined` if it is unknown. */
  clientAddress?(request: Request): Promise<string | undefined>
}

/** The subjects of an attempt: who attempts it, and which user or address it concerns. */
export interface LimitSubjects {
  readonly request: SiteRequest
  /** The input: an address or a user name. */
  readonly identifier?: string | undefined
  readonly userId?: string | undefined
  readonly sid?: string | undefined
  /** Whether a page of this site sent the request, as its CSRF token shows. Else the headers of the browser decide. */
  readonly isProven?: boolean | undefined
}

/** Whether the attempt is allowed. */
export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
      /** Further response headers for programs, by lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      /** Further members of the problem. */
      readonly members: JsonObject
    }
