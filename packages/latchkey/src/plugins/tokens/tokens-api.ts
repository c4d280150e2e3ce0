import type { ApiKey } from './api-keys/key-record.ts'
import type { KeyNeeds, KeyVerdict, MadeKey } from './api-keys/keys.ts'
import type { NewKey } from './api-keys/new-key.ts'
import type { IssuedToken } from './jwt/issuer.ts'

/** The functions of `latchkey.api.tokens`. */
export interface TokensApi {
  /**
   * Issues a signed token for the session of a request, for an API that you call for its user.
   *
   * @param options `audience`: by default the only configured one; `scopes`: by default all of the audience.
   * @throws {Problem} `unauthenticated`, `invalid_target`, `invalid_scope` or `forbidden`.
   */
  issue(
    request: Request,
    options?: { audience?: string; scopes?: readonly string[] },
  ): Promise<IssuedToken>
  /**
   * Makes another key sign, a day from now (`publishAhead`), so that verifiers have loaded it.
   *
   * @param how `compromised`: it signs at once, and tokens of all earlier keys are refused as soon as verifiers load
   * the keys, after at most ten minutes with `createTokenVerifier`.
   */
  rotate(how?: { compromised?: boolean }): Promise<void>
  /**
   * Creates an API key. Its text is in the result only, and is not stored.
   *
   * @param who the user, or a request of theirs.
   * @throws {Problem} `unauthenticated`, `forbidden` for the session of a program, `invalid_input`, `scope_not_allowed`
   * or `limit_reached`.
   */
  createKey(who: Request | { userId: string }, key: NewKey): Promise<MadeKey>
  /** Returns the API keys of a user, the newest first, expired ones for 30 days. */
  listKeys(who: Request | { userId: string }): Promise<ApiKey[]>
  /**
   * Ends an API key at once. @returns whether this call ended it; `false` if it is unknown or belongs to another user.
   */
  endKey(who: Request | { userId: string }, id: string): Promise<boolean>
  /**
   * Creates another key with the same name, rights and lifetime.
   *
   * @param options `overlap`: seconds for which the old key stays valid. @default 0
   * @throws {Problem} `not_found` if the key is unknown, expired, or belongs to another user; `forbidden` for the
   * session of a program.
   */
  replaceKey(
    who: Request | { userId: string },
    id: string,
    options?: { overlap?: number },
  ): Promise<MadeKey>
  /**
   * Verifies the API key of a request in `Authorization: Bearer`.
   *
   * @param input the request, or the key itself; then a key with `networks` is refused.
   * @param needs the required scopes, and whether the user is read.
   */
  verifyKey(input: Request | string, needs?: KeyNeeds): Promise<KeyVerdict>
}
