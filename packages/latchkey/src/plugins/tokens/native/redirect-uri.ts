/** An address of the machine itself, at any port (RFC 8252 section 7.3): the host, and the part after the port. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^#\s]*)$/

/** A private scheme of an app: its domain in reverse order (RFC 8252 section 7.1). */
const PRIVATE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^#\s]*$/

/** @returns what is wrong with a configured redirect URI; `undefined` for a valid one. */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > 2000 || uri.includes('*') || !URL.canParse(uri))
    return 'it must be a complete URL without a wildcard'
  if (LOOPBACK.test(uri)) return undefined
  const { protocol, hostname, pathname, hash, username, password } = new URL(uri)
  if (hash !== '' || uri.includes('#')) return 'it must not have a fragment'
  if (protocol === 'http:' && hostname === 'localhost')
    return 'use 127.0.0.1 or [::1] instead of localhost, which may be another machine'
  if (protocol === 'https:')
    return pathname === '/' || username !== '' || password !== ''
      ? 'an https URL must have a path, and must not have a user name'
      : undefined
  return PRIVATE.test(uri)
    ? undefined
    : 'its scheme must be https, a private scheme with a dot (com.example.app:/callback), or http for 127.0.0.1'
}

/**
 * Returns whether a redirect URI is registered. It must be equal byte for byte, except for the port of the machine
 * itself.
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  // Five digits may exceed the largest port.
  const asked = URL.canParse(uri) ? LOOPBACK.exec(uri) : null
  return (
    asked !== null &&
    registered.some((each) => {
      const own = LOOPBACK.exec(each)
      return own !== null && own[1] === asked[1] && own[2] === asked[2]
    })
  )
}

/** Returns the part of a redirect URI that users read: a host, or the scheme of an app. */
export function placeOf(uri: string): string {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? hostname : protocol.slice(0, -1)
}

/** Adds parameters to a redirect URI. Private schemes are not URLs of the web, so the text is changed. */
export function withQuery(uri: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString()
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}
