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
  return {
    name: spec.name,
    value,
    options: expires ? { ...spec.options, expires } : spec.options,
  }
}

/** Clears a cookie with the attributes it was set with; a browser would keep it otherwise. */
export function clearCookie(spec: CookieSpec): Cookie {
  const { expires: _, ...options } = spec.options
  return { name: spec.name, value: '', options: { ...options, maxAge: 0 } }
}

/** The value of a `Set-Cookie` header (RFC 6265 section 4.1.1). */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode = encodeURIComponent, expires } = options
  let attributes = expires ? undefined : known.get(options)
  if (attributes === undefined) {
    attributes = stringifySetCookie({ name, value: '', ...(options as object) }).slice(
      name.length + 1,
    )
    if (!expires) known.set(options, attributes)
  }
  return `${name}=${encode(value)}${attributes}`
}

/** Attributes as text; those of a configuration are the same objects for each answer. */
const known = new WeakMap<CookieAttributes, string>()
