import * as v from 'valibot'
import { type Answer, isAuthError, type JsonObject, Problem } from '../../../entries/plugin.ts'

/** Fields of a request of OAuth: texts, of which those that nobody knows are ignored (RFC 6749 section 3.2). */
export const oauthInput: v.GenericSchema<Readonly<Record<string, unknown>>> = v.record(
  v.string(),
  v.unknown(),
)

/** A field that is a text of at most so many characters; `undefined` for any other. */
export function textOf(
  input: Readonly<Record<string, unknown>>,
  name: string,
  most: number = 200,
): string | undefined {
  const value = input[name]
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}

/** A refusal as OAuth has it (RFC 6749 section 5.2), for libraries that read it. */
export function oauthError(error: string): Answer {
  return { status: 400, json: { error } }
}

/** A token, or a refusal: also where the session is refused that it would be for. */
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
