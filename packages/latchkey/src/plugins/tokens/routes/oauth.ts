import * as v from 'valibot'
import { type Answer, isAuthError, type JsonObject, Problem } from '../../../entries/plugin.ts'

/** The fields of an OAuth request. Unknown ones are ignored (RFC 6749 section 3.2). */
export const oauthInput: v.GenericSchema<Readonly<Record<string, unknown>>> = v.record(
  v.string(),
  v.unknown(),
)

/** Returns a field that is a text of at most this length; `undefined` for other values. */
export function textOf(
  input: Readonly<Record<string, unknown>>,
  name: string,
  most: number = 200,
): string | undefined {
  const value = input[name]
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}

/** Returns an error of OAuth (RFC 6749 section 5.2), for client libraries. */
export function oauthError(error: string): Answer {
  return { status: 400, json: { error } }
}

/** Returns a token, or an error, also if the session is refused. */
export async function tokenAnswer(
  begin: () => Promise<JsonObject | { readonly error: string }>,
): Promise<Answer> {
  try {
    const answer = await begin()
    return 'error' in answer ? oauthError(String(answer['error'])) : { json: answer }
  } catch (error) {
    const refused = isAuthError(error) && error.type !== 'AdapterError'
    if (refused || (error instanceof Problem && error.code === 'invalid_grant'))
      return oauthError('invalid_grant')
    throw error
  }
}
