import { optionError } from '../../entries/plugin.ts'

/** A scope of OAuth (RFC 6749 section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

/** @throws {TypeError} for an invalid scope. */
export function checkScopes(option: string, scopes: readonly string[]): void {
  const odd = Array.isArray(scopes)
    ? scopes.find((scope) => typeof scope !== 'string' || !SCOPE.test(scope))
    : scopes
  if (odd !== undefined)
    throw optionError(
      `tokens(): \`${option}\` must be a list of scopes without blanks or quotes, got ${JSON.stringify(odd)}`,
      'tokens',
    )
}
