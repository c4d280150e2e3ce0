import { oncePer } from '../once.ts'
import {
  type Cookie,
  type CookieJar,
  type CookieSpec,
  clearCookie,
  serializeCookie,
  setCookie,
} from './cookies.ts'

/** Maximum size of a cookie in browsers, with name and attributes, in bytes. */
const COOKIE_LIMIT = 4096

/** Maximum length of one chunk, in characters. */
const PIECE_LIMIT = 3936

/**
 * Returns the value of a cookie, which may be split into chunks `name.0`, `name.1`, … The cookie with the plain name
 * has precedence.
 */
export function readChunked(jar: CookieJar, name: string): string | undefined {
  const plain = jar.get(name)
  if (plain) return plain
  let value = ''
  for (let i = 0; ; i++) {
    const piece = jar.get(`${name}.${i}`)
    if (!piece) return value || undefined
    value += piece
  }
}

/**
 * Sets a value of any length: in one cookie, or in as many chunks as needed. Chunks of the request that are not used
 * again are cleared.
 *
 * @param expires without it, the cookie ends with the browser session, regardless of its attributes.
 */
export function writeChunked(
  jar: CookieJar,
  given: CookieSpec,
  value: string,
  expires: Date | undefined,
): Cookie[] {
  const spec = expires ? given : { ...given, options: { ...given.options, maxAge: undefined } }
  const pieces = piecesOf(spec, value, expires)
  const stale = broughtPieces(jar, spec).filter((name) =>
    pieces.every((piece) => piece.name !== name),
  )
  return [...stale.map((name) => clearCookie({ ...spec, name })), ...pieces]
}

function piecesOf(spec: CookieSpec, value: string, expires: Date | undefined): Cookie[] {
  const limit = pieceLimit(spec)
  if (value.length <= limit) return [setCookie(spec, value, expires)]
  return Array.from({ length: Math.ceil(value.length / limit) }, (_, i) =>
    setCookie(
      { ...spec, name: `${spec.name}.${i}` },
      value.slice(i * limit, (i + 1) * limit),
      expires,
    ),
  )
}

/** Clears all chunks of the request, but no other cookie whose name begins in the same way. */
export function clearChunked(jar: CookieJar, spec: CookieSpec): Cookie[] {
  return broughtPieces(jar, spec).map((name) => clearCookie({ ...spec, name }))
}

function broughtPieces(jar: CookieJar, { name: of }: CookieSpec): string[] {
  return jar.names().filter((name) => isPiece(name, of))
}

function isPiece(name: string, of: string): boolean {
  return name === of || (name.startsWith(`${of}.`) && /^\d{1,4}$/.test(name.slice(of.length + 1)))
}

/**
 * Returns the maximum length of a chunk, which depends on the length of name and attributes. It is computed once for
 * each configuration.
 */
const pieceLimit = oncePer((spec: CookieSpec): number => {
  const dated = setCookie({ ...spec, name: `${spec.name}.99` }, '', new Date(0))
  const overhead = serializeCookie(dated)
  return Math.min(PIECE_LIMIT, COOKIE_LIMIT - overhead.length)
}, new WeakMap<CookieSpec, number>())
