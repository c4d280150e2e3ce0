import type { AuthError } from '../errors.ts'
import type { Cookie } from '../http/cookies.ts'

/** A failure whose answer sets cookies of its own, so that the browser can go on later. */
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
