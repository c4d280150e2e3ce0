import { excerpt } from '../encoding/excerpt.ts'

/**
 * An error of the protocol's library without what it was about: parameters, claims and bodies, which
 * hold codes, tokens and nonces, and which nobody's log should. Its message and its `code` say what
 * went wrong; what the other side said about it stays, at most 200 characters of each.
 */
export function withoutContents(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_')) {
    Reflect.deleteProperty(error, 'cause')
    Reflect.deleteProperty(error, 'response')
    for (const name of ['error', 'error_description']) {
      const value: unknown = Reflect.get(error, name)
      if (typeof value === 'string') Reflect.set(error, name, excerpt(value))
    }
  }
  return error
}
