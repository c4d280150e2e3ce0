import type { ApiKey } from './api-keys/key-record.ts'
import type { KeyNeeds, KeyVerdict, MadeKey } from './api-keys/keys.ts'
import type { NewKey } from './api-keys/new-key.ts'
import type { IssuedToken } from './jwt/issuer.ts'

/** What `latchkey.api.tokens` offers. */
export interface TokensApi {
  /**
   * Issues a signed token to the session of a request, for an API that you call for its user.
   *
   * @param options `audience`: the only one that is configured if left out; `scopes`: all of the audience if left out.
   * @throws {Problem} `unauthenticated`, `invalid_target`, `invalid_scope` or `forbidden`.
   */
  issue(
    request: Request,
    options?: { audience?: string; scopes?: readonly string[] },
  ): Promise<IssuedToken>
  /**
   * Has another key sign, a day from now (`publishAhead`): verifiers know it by then.
   *
   * @param how `compromised`: it signs at once, and tokens of all keys before are refused as soon as verifiers load the keys
   *   again, after ten minutes at most with `createTokenVerifier`.
   */
  rotate(how?: { compromised?: boolean }): Promise<void>
  /**
   * Makes an API key. Its text is in the answer, and nobody can find it out again.
   *
   * @param who the user, or a request of theirs.
   * @throws {Problem} `unauthenticated`, `forbidden` for the session of a program, `invalid_input`, `scope_not_allowed` or
   *   `limit_reached`.
   */
  createKey(who: Request | { userId: string }, key: NewKey): Promise<MadeKey>
  /** The API keys of a user, the newest first; expired ones for 30 days. */
  listKeys(who: Request | { userId: string }): Promise<ApiKey[]>
  /** Ends an API key at once. @returns whether this call did it: not for one that is unknown, or another user's. */
  endKey(who: Request | { userId: string }, id: string): Promise<boolean>
  /**
   * Makes another key with the same name and rights, which is good for as long.
   *
   * @param options `overlap`: seconds for which the old one is still good, 0 if left out.
   * @throws {Problem} `not_found` for one that is unknown, expired, or another user's; `forbidden` for the session of a program.
   */
  replaceKey(
    who: Request | { userId: string },
    id: string,
    options?: { overlap?: number },
  ): Promise<MadeKey>
  /**
   * Finds out whose API key a request has in `Authorization: Bearer`.
   *
   * @param input the request, or the key itself; then a key with `networks` is refused.
   * @param needs scopes that it has to have, and whether its user is read.
   */
  verifyKey(input: Request | string, needs?: KeyNeeds): Promise<KeyVerdict>
}
