declare const judged: unique symbol

/** A redirect target that was judged: built by us, or chosen by the application's `redirect` callback. */
export type SafeUrl = string & { readonly [judged]: true }

/** Longest target that a visitor may name, characters. */
const LENGTH_LIMIT = 2048

/** Marks a target that we, the application's configuration or the provider's chose. */
export function trusted(url: string): SafeUrl {
  return url as SafeUrl
}

/**
 * May this be asked about at all? A path, or an absolute http(s) address, of bounded length.
 * What is not counts as absent.
 */
export function isUsableTarget(value: string): boolean {
  if (value.length > LENGTH_LIMIT) return false
  if (value.startsWith('/')) return true
  return /^https?:/i.test(value) && URL.canParse(value)
}

/**
 * Keeps a target within the site: the rule of the default `redirect` callback.
 *
 * The target is read by the URL parser that browsers use, with the origin written in front of a
 * path, so `//host`, `/\host` and the like stay where they are.
 *
 * @returns the target if its origin is that of `baseUrl`, else `baseUrl`.
 */
export function keepWithinSite(url: string, baseUrl: string): string {
  if (isPlain(url) && (url.startsWith('/') || isBelow(url, baseUrl))) {
    return url.startsWith('/') ? baseUrl + url : url
  }
  const target = parseUrl(url.startsWith('/') ? baseUrl + url : url)
  const site = parseUrl(baseUrl)
  // A `blob:` address has the origin of the page that made it.
  if (!target || target.origin !== site?.origin || target.protocol !== site.protocol) return baseUrl
  if (target.username || target.password) return baseUrl
  return isPlain(url) ? url : target.href
}

/**
 * The answer of a `redirect` callback as a target: text, or a `URL`.
 *
 * @returns `undefined` when it is no address that a browser may be sent to.
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

/** Schemes that run or show what the address itself carries. */
const SCRIPTS = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:'])

/**
 * Text that every URL parser reads alike and that fits into a header as it is. `https:host` is not:
 * on a page with the same scheme it means a path.
 */
function isPlain(text: string): boolean {
  return /^(?!https?:(?!\/\/[^/]))[\x21-\x5b\x5d-\x7e]*$/i.test(text)
}

/** No parser reads another origin out of text that begins with this one and a slash. */
function isBelow(url: string, origin: string): boolean {
  return url.startsWith(origin) && (url.length === origin.length || url[origin.length] === '/')
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Adds parameters to an address that may have a query already; it may be a path. */
export function withParams(
  url: string,
  params: Readonly<Record<string, string>> | URLSearchParams,
): string {
  const [address, fragment] = splitOnce(url, '#')
  // Outside of forms not everybody takes a plus for a blank.
  const query = String(new URLSearchParams(params)).replaceAll('+', '%20')
  if (!query) return url
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
