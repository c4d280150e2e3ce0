import { oncePer } from '../../base/once.ts'

/** Attributes of a cookie (RFC 6265 section 4.1.2). `maxAge` is seconds. */
export interface CookieAttributes {
  readonly domain?: string | undefined
  readonly expires?: Date | undefined
  readonly httpOnly?: boolean | undefined
  readonly maxAge?: number | undefined
  readonly partitioned?: boolean | undefined
  readonly path?: string | undefined
  readonly priority?: 'low' | 'medium' | 'high' | undefined
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined
  readonly secure?: boolean | undefined
  /** @default percent-encoding as for a URI component */
  readonly encode?: ((value: string) => string) | undefined
}

/** A cookie to set, as data until the response is written. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly options: CookieAttributes
}

/** Name and attributes with which a cookie is set and cleared. */
export interface CookieSpec {
  readonly name: string
  readonly options: CookieAttributes
}

/** The cookies of a request. */
export interface CookieJar {
  get(name: string): string | undefined
  names(): readonly string[]
  /** Returns all values of a name that came more than once, in their order. Missing if no name did. */
  readonly repeated?: ((name: string) => readonly string[] | undefined) | undefined
  /** The host that the cookies were sent to, if it is known. */
  readonly host?: string | undefined
}

/**
 * Parses a `Cookie` header. Of cookies with the same name, `get` returns the first. A value that cannot be decoded is
 * not changed.
 */
export function parseCookies(header: string | null, host?: string): CookieJar {
  if (!header) return emptyJar
  const values = new Map<string, string>()
  let repeated: Map<string, string[]> | undefined
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1) continue
    const name = withoutBlanks(pair.slice(0, equals))
    const value = withoutBlanks(pair.slice(equals + 1))
    const first = values.get(name)
    if (first === undefined) {
      values.set(name, value)
      continue
    }
    repeated ??= new Map()
    const all = repeated.get(name)
    if (all) all.push(value)
    else repeated.set(name, [first, value])
  }
  const several = repeated
  return {
    get: (name) => decode(values.get(name)),
    names: () => [...values.keys()],
    repeated: several && ((name) => several.get(name)?.map((value) => decode(value) ?? value)),
    host,
  }
}

/**
 * Removes HTTP whitespace (RFC 9110 section 5.6.3). `trim` also removes other whitespace, which could turn an
 * unprotected name into a name with a protected prefix such as `__Host-`.
 */
export function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function decode(value: string | undefined): string | undefined {
  if (!value?.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const emptyJar: CookieJar = { get: () => undefined, names: () => [] }

export function setCookie(spec: CookieSpec, value: string, expires?: Date): Cookie {
  const options = expires ? new Dated(spec.options, expires) : spec.options
  return { name: spec.name, value, options }
}

/** Clears a cookie with the attributes with which it was set, since a browser would keep it otherwise. */
export function clearCookie(spec: CookieSpec): Cookie {
  return { name: spec.name, value: '', options: clearing(spec.options) }
}

/**
 * Clears a cookie of this name that was set with another `domain`: for this host alone, or for one of its parents.
 * Browsers ignore a domain that is no site.
 *
 * @param host of the request, with its port; without it only the cookie of the host itself is cleared.
 */
export function clearElsewhere({ name, options }: CookieSpec, host: string | undefined): Cookie[] {
  if (name.startsWith('__Host-')) return []
  const own = options.domain?.replace(/^\./, '').toLowerCase()
  const domains = [undefined, ...domainsOf(host)].filter((domain) => domain !== own)
  return domains.map((domain) => clearCookie({ name, options: { ...options, domain } }))
}

/** Returns the domains for which a host can set cookies, except those of one label. */
function domainsOf(host: string = ''): string[] {
  const labels = host.replace(/:\d+$/, '').toLowerCase().split('.')
  // An address has no parents.
  if (!/^[a-z]/.test(labels.at(-1) ?? '')) return []
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}

/** Configured attributes with a date; `of` returns the configured attributes. */
class Dated implements CookieAttributes {
  declare readonly expires: Date
  readonly #undated: CookieAttributes

  constructor(undated: CookieAttributes, expires: Date) {
    Object.assign(this, undated, { expires })
    this.#undated = undated
  }

  static of(options: CookieAttributes): CookieAttributes {
    return options instanceof Dated ? options.#undated : options
  }
}

// Configured attributes are the same objects for each response, so the results are cached.
const clearing = oncePer((options: CookieAttributes): CookieAttributes => {
  const { expires: _, ...kept } = options
  return { ...kept, maxAge: 0 }
}, new WeakMap<CookieAttributes, CookieAttributes>())
const written = oncePer(write, new WeakMap<CookieAttributes, readonly [string, string]>())

/**
 * Returns the value of a `Set-Cookie` header (RFC 6265 section 4.1.1).
 *
 * @throws {TypeError} for an invalid name or attribute.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode = encodeURIComponent, expires } = options
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid cookie name`)
  if (Number.isNaN(expires?.getTime()))
    throw new TypeError(`cookie ${name}: \`expires\` must be a valid Date`)
  const [before, after] = written(Dated.of(options))
  const date = expires ? `; Expires=${utcText(expires)}` : ''
  const text = encode(value)
  if (options.encode && !VALUE.test(text)) {
    throw new TypeError(
      `cookie ${name}: \`encode\` returned characters that a cookie value must not contain`,
    )
  }
  return `${name}=${text}${before}${date}${after}`
}

/** The last date as text, since many responses within a second have the same date. */
let dated = { second: Number.NaN, text: '' }

function utcText(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  if (dated.second !== second) dated = { second, text: date.toUTCString() }
  return dated.text
}

/** A token (RFC 6265 section 4.1.1), or another name that browsers accept. */
const NAME = /^[\x21-\x3a\x3c\x3e-\x7e]+$/

/** Characters that the application's own encoding may return: none of them ends the value. */
const VALUE = /^[\x21-\x3a\x3c-\x7e]*$/

/** Returns the attributes before and after `Expires` as text. */
function write(options: CookieAttributes): readonly [string, string] {
  const { maxAge, domain, path, httpOnly, secure, partitioned, priority, sameSite } = options
  return [
    (maxAge === undefined ? '' : attribute('Max-Age', `${maxAge}`, /^-?\d+$/)) +
      (domain ? attribute('Domain', domain, DOMAIN) : '') +
      (path ? attribute('Path', path, PATH) : ''),
    (httpOnly ? '; HttpOnly' : '') +
      (secure ? '; Secure' : '') +
      (partitioned ? '; Partitioned' : '') +
      (priority ? attribute('Priority', word(priority), /^(?:Low|Medium|High)$/) : '') +
      (sameSite
        ? attribute('SameSite', word(sameSite === true ? 'strict' : sameSite), SAME_SITE)
        : ''),
  ]
}

/** A host without scheme and port, with which browsers silently reject the cookie. */
const DOMAIN = /^\.?[\w-]+(?:\.[\w-]+)*$/

/** Characters that end neither an attribute nor the header. */
const PATH = /^[\x20-\x3a\x3c-\x7e]+$/

const SAME_SITE = /^(?:Strict|Lax|None)$/

function attribute(name: string, value: string, possible: RegExp): string {
  if (possible.test(value)) return `; ${name}=${value}`
  throw new TypeError(`a cookie has an invalid ${name}: ${JSON.stringify(value)}`)
}

function word(value: unknown): string {
  const text = String(value)
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}
