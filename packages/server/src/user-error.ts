/** A mistake of whoever starts the service: reported in one line, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
}
