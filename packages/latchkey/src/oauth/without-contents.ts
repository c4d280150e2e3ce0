/**
 * An error of the protocol's library without what it was about: parameters, claims and bodies, which
 * hold codes, tokens and nonces, and which nobody's log should. Its message and its `code` say what
 * went wrong.
 */
export function withoutContents(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_')) {
    Reflect.deleteProperty(error, 'cause')
    Reflect.deleteProperty(error, 'response')
  }
  return error
}
