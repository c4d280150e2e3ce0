import type { Cookie } from '../http/cookies/cookies.ts'
import type { Html } from '../http/html.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { JsonObject } from '../model/json.ts'
import type { Markup } from '../page-kit/components.ts'

/** The passkeys and security keys of users, as a further proof beside another factor. */
export interface HostPasskeys {
  /** Returns how many keys a user has. @param kind `second`: only those with which nobody signs in. */
  count(userId: string, kind?: 'second'): Promise<number>
  /**
   * Returns the options for the browser, for the keys of this user.
   *
   * @param asked `purpose`: what the challenge is bound to, for example the key of a sign-in that waits.
   */
  options(
    request: SiteRequest,
    asked: PasskeyPurpose,
  ): Promise<{ readonly json: JsonObject; readonly cookies: readonly Cookie[] }>
  /**
   * Checks the response of the browser. The key need not have verified its user; `user` in `amr` says if it did.
   *
   * @param data the response as JSON, in the field `data` of the form.
   * @returns `amr`: the methods that the key proves (RFC 8176); `undefined` for a wrong response.
   */
  check(
    request: SiteRequest,
    data: string,
    asked: PasskeyPurpose,
  ): Promise<{
    readonly amr: readonly string[] | undefined
    readonly cookies: readonly Cookie[]
  }>
  /**
   * Returns a form that the script fills in and sends, with the fields `action` and `data`.
   *
   * @param urls `options`: the route that returns `json` of the options, for a POST with JSON.
   * @param hidden the hidden fields of the form, with the CSRF token.
   */
  form(
    request: SiteRequest,
    urls: { readonly action: SafeUrl; readonly options: SafeUrl },
    hidden: Html,
  ): Promise<{ readonly content: Markup; readonly script: string }>
}

/** The user whose key is asked for, and what for. */
export interface PasskeyPurpose {
  readonly userId: string
  readonly purpose: string
}
