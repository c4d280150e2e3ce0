import { parseCookie, stringifySetCookie } from 'cookie'

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

/** A cookie to be set; data until the answer is written. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly options: CookieAttributes
}

/** Name and attributes of one of our cookies: the one place from which it is set and cleared. */
export interface CookieSpec {
  readonly name: string
  readonly options: CookieAttributes
}

/** The cookies of a request. */
export interface CookieJar {
  get(name: string): string | undefined
  names(): readonly string[]
}

/** Reads a `Cookie` header: the first of a name counts, a value that cannot be decoded stays as it is. */
export function parseCookies(header: string | null): CookieJar {
  if (!header) return emptyJar
  const parsed = parseCookie(header)
  return { get: (name) => parsed[name], names: () => Object.keys(parsed) }
}

const emptyJar: CookieJar = { get: () => undefined, names: () => [] }

export function setCookie(spec: CookieSpec, value: string, expires?: Date): Cookie {
  if (!expires) return { name: spec.name, value, options: spec.options }
  const options = { ...spec.options, expires }
  undated.set(options, spec.options)
  return { name: spec.name, value, options }
}

/** Clears a cookie with the attributes it was set with; a browser would keep it otherwise. */
export function clearCookie(spec: CookieSpec): Cookie {
  let options = clearing.get(spec.options)
  if (!options) {
    const { expires: _, ...kept } = spec.options
    clearing.set(spec.options, (options = { ...kept, maxAge: 0 }))
  }
  return { name: spec.name, value: '', options }
}

// The attributes of a configuration are the same objects for each answer, and so is what is made of them.
const clearing = new WeakMap<CookieAttributes, CookieAttributes>()
const undated = new WeakMap<CookieAttributes, CookieAttributes>()
const written = new WeakMap<CookieAttributes, readonly [string, string]>()

/**
 * The value of a `Set-Cookie` header (RFC 6265 section 4.1.1).
 *
 * @throws {TypeError} for a name or an attribute that no browser would understand.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode = encodeURIComponent, expires } = options
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a cookie`)
  if (Number.isNaN(expires?.getTime())) throw new TypeError(`${name}: \`expires\` is no date`)
  const constant = expires ? (undated.get(options) ?? options) : options
  let attributes = written.get(constant)
  if (!attributes) written.set(constant, (attributes = write(constant)))
  const [before, after] = attributes
  const date = expires ? `; Expires=${utcText(expires)}` : ''
  return `${name}=${encode(value)}${before}${date}${after}`
}

/** Many answers within a second have the same date. */
let dated = { second: Number.NaN, text: '' }

function utcText(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  if (dated.second !== second) dated = { second, text: date.toUTCString() }
  return dated.text
}

/** A token as RFC 6265 section 4.1.1 has it, or what browsers take besides. */
const NAME = /^[\x21-\x3a\x3c\x3e-\x7e]+$/

/** Attributes as text: what stands before `Expires`, and what after. */
function write(options: CookieAttributes): readonly [string, string] {
  const expires = new Date(0)
  const text = stringifySetCookie({ name: 'n', value: '', ...(options as object), expires })
  const [before = '', after = ''] = text
    .slice('n='.length)
    .split(`; Expires=${expires.toUTCString()}`)
  return [before, after]
}
