/** Maximum length of the header, in characters. */
const LONGEST = 8192

/**
 * Returns the token of an `Authorization: Bearer` header (RFC 6750 section 2.1). A repeated header arrives as one with
 * a comma, which no token has.
 *
 * @returns `undefined` without such a header, `null` if it has no valid token.
 */
export function bearerToken(headers: Headers): string | null | undefined {
  const value = headers.get('authorization')
  if (value === null) return undefined
  if (value.length > LONGEST) return null
  const [scheme = '', token = '', ...more] = value.split(' ')
  if (scheme.toLowerCase() !== 'bearer') return undefined
  return more.length === 0 && /^[\w.~+/-]+=*$/.test(token) ? token : null
}
