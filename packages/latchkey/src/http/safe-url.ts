declare const judged: unique symbol

/** A checked redirect target: built by the library, or returned by the `redirect` callback. */
export type SafeUrl = string & { readonly [judged]: true }

/** Maximum length of a target from a request, in characters. */
const LENGTH_LIMIT = 2048

/** Marks a target from the library, the configuration or the provider as safe. */
export function trusted(url: string): SafeUrl {
  return url as SafeUrl
}

/**
 * Returns whether a target can be passed to the `redirect` callback: a path, or an absolute http or https URL, of
 * limited length. Other targets are ignored.
 */
export function isUsableTarget(value: string): boolean {
  if (value.length > LENGTH_LIMIT) return false
  if (value.startsWith('/')) return true
  return /^https?:/i.test(value) && URL.canParse(value)
}

/**
 * Keeps a target within the site, as the default `redirect` callback does.
 *
 * It parses the target like a browser, with the origin in front of a path, so `//host`, `/\host` and similar targets
 * stay on the site.
 *
 * @returns the target if it has the origin of `baseUrl`, otherwise `baseUrl`.
 */
export function keepWithinSite(url: string, baseUrl: string): string {
  if (isPlain(url) && (url.startsWith('/') || isBelow(url, baseUrl))) {
    return url.startsWith('/') ? baseUrl + url : url
  }
  const target = parseUrl(url.startsWith('/') ? baseUrl + url : url)
  const site = parseUrl(baseUrl)
  // A `blob:` URL has the origin of the page that created it.
  if (!target || target.origin !== site?.origin || target.protocol !== site.protocol) return baseUrl
  if (target.username || target.password) return baseUrl
  return isPlain(url) ? url : target.href
}

/**
 * Returns the target that a `redirect` callback returned as a string or a `URL`.
 *
 * @returns `undefined` if a browser may not be redirected there.
 */
export function judgeTarget(given: unknown, origin: string): SafeUrl | undefined {
  const answer = given instanceof URL ? given.href : given
  if (typeof answer !== 'string' || answer.length > LENGTH_LIMIT) return undefined
  const absolute = answer.startsWith('/') ? origin + answer : answer
  if (isBelow(absolute, origin) && isPlain(absolute)) return trusted(absolute)
  const url = parseUrl(absolute)
  if (!url || SCRIPTS.has(url.protocol)) return undefined
  return trusted(isPlain(absolute) ? absolute : url.href)
}

/** Schemes that run or show content of the URL itself. */
const SCRIPTS = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:'])

/**
 * Returns whether all URL parsers read a text in the same way, and a header can contain it. `https:host` is ambiguous:
 * on a page with the same scheme it is a path.
 */
function isPlain(text: string): boolean {
  return /^(?!https?:(?!\/\/[^/]))[\x21-\x5b\x5d-\x7e]*$/i.test(text)
}

/** Returns whether a URL begins with the origin and a slash, so that no parser reads another origin. */
function isBelow(url: string, origin: string): boolean {
  return url.startsWith(origin) && (url.length === origin.length || url[origin.length] === '/')
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Adds parameters to a URL or a path, which may already have a query. */
export function withParams(
  url: string,
  params: Readonly<Record<string, string>> | URLSearchParams,
): string {
  const [address, fragment] = splitOnce(url, '#')
  // Outside of forms, not all parsers read a plus as a space.
  const query = String(new URLSearchParams(params)).replaceAll('+', '%20')
  if (!query) return url
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
