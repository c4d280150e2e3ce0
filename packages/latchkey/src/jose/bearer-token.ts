/** Longest value of the header, characters. */
const LONGEST = 8192

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 section 2.1). A header that comes twice arrives as one with a
 * comma in it, which no token has.
 *
 * @returns `undefined` if there is no such header, `null` if there is one that holds no token.
 */
export function bearerToken(headers: Headers): string | null | undefined {
  const value = headers.get('authorization')
  if (value === null) return undefined
  if (value.length > LONGEST) return null
  const [scheme = '', token = '', ...more] = value.split(' ')
  if (scheme.toLowerCase() !== 'bearer') return undefined
  return more.length === 0 && /^[\w.~+/-]+=*$/.test(token) ? token : null
}
