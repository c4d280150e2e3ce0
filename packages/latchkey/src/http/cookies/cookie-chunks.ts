import { oncePer } from '../../base/once.ts'
import {
  type Cookie,
  type CookieJar,
  type CookieSpec,
  clearCookie,
  clearElsewhere,
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

/** The number of values of one name that are tried. */
const MOST_VALUES = 4

/**
 * Returns whether there is more than one value: a name came twice, or a whole cookie came with chunks. Browsers send both
 * if they were set with another `domain`.
 */
export function isAmbiguous(jar: CookieJar, name: string): boolean {
  if (jar.repeated?.(name) || jar.repeated?.(`${name}.0`)) return true
  return jar.get(`${name}.0`) !== undefined && jar.get(name) !== undefined
}

/** Returns all values of a cookie, of which {@link readChunked} returns the first. */
export function readAllChunked(jar: CookieJar, name: string): readonly string[] {
  const valuesOf = (of: string): readonly string[] => jar.repeated?.(of) ?? [jar.get(of) ?? '']
  const pieces: (readonly string[])[] = []
  for (let i = 0; jar.get(`${name}.${i}`); i++) pieces.push(valuesOf(`${name}.${i}`))
  const inChunks = Array.from({ length: Math.max(0, ...pieces.map((of) => of.length)) }, (_, k) =>
    pieces.map((of) => of[k] ?? of.at(-1) ?? '').join(''),
  )
  return [...new Set([...valuesOf(name), ...inChunks])]
    .filter((value) => value !== '')
    .slice(0, MOST_VALUES)
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
  return [
    ...elsewhere(jar, spec),
    ...stale.map((name) => clearCookie({ ...spec, name })),
    ...pieces,
  ]
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
  const cleared = broughtPieces(jar, spec).map((name) => clearCookie({ ...spec, name }))
  return [...elsewhere(jar, spec), ...cleared]
}

/** If there is more than one value, also clears the cookies that were set with another `domain`. */
function elsewhere(jar: CookieJar, spec: CookieSpec): Cookie[] {
  const brought = broughtPieces(jar, spec)
  const isRepeated = brought.some((name) => jar.repeated?.(name))
  const isMixed = brought.includes(spec.name) && brought.includes(`${spec.name}.0`)
  if (!isRepeated && !isMixed) return []
  return brought.flatMap((name) => clearElsewhere({ ...spec, name }, jar.host))
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
