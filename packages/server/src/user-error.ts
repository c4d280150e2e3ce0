/** A mistake of whoever starts the service: reported in one line, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** The message of an error, without what follows its first line. */
export function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/)
  return line
}
