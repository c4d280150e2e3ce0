import { excerpt } from '../../base/encoding/excerpt.ts'

/**
 * Returns an error of the OAuth library without parameters, claims and bodies, which contain codes, tokens and nonces.
 * It keeps the message and `code`, and the error texts of the provider, cut to 200 characters.
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
