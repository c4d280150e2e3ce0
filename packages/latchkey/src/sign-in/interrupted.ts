import type { AuthError } from '../base/errors.ts'
import type { Cookie } from '../http/cookies/cookies.ts'

/** A failure whose response sets cookies, so that the browser can continue the sign-in later. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly reason: AuthError
  readonly cookies: readonly Cookie[]

  constructor(reason: AuthError, cookies: readonly Cookie[]) {
    super(reason.message)
    this.reason = reason
    this.cookies = cookies
  }
}
