/** An address of the machine itself, at any port (RFC 8252 section 7.3): the host, and what follows the port. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^#\s]*)$/

/** A scheme of an app: one of its domain, turned around (RFC 8252 section 7.1). */
const PRIVATE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^#\s]*$/

/** @returns what is wrong with an address that a configuration names; `undefined` for one that fits. */
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

/** Is this one of the addresses? Byte for byte; but for the port of the machine itself, which an app finds free. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  // Five digits may be more than there are ports.
  const asked = URL.canParse(uri) ? LOOPBACK.exec(uri) : null
  return (
    asked !== null &&
    registered.some((each) => {
      const own = LOOPBACK.exec(each)
      return own !== null && own[1] === asked[1] && own[2] === asked[2]
    })
  )
}

/** Where an address leads, as people read it: a host, or the scheme of an app. */
export function placeOf(uri: string): string {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? hostname : protocol.slice(0, -1)
}

/** An address with further parameters. Those of an app's own scheme are no URLs of the web, so it is done as text. */
export function withQuery(uri: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString()
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}
