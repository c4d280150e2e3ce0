// A response that sets the cookie of a session is for one user. A shared cache must not store it, since it would send
// the session to other users. So cache headers that the application sets before or after are ignored.

export const FOR_ONE = 'private, no-store'

/** Headers that control some caches. Others have the name of their target (RFC 9213). */
const FOR_CACHES: ReadonlySet<string> = new Set([
  'cache-control',
  'cdn-cache-control',
  'cloudflare-cdn-cache-control',
  'edge-control',
  'expires',
  'netlify-cdn-cache-control',
  'surrogate-control',
  'vercel-cdn-cache-control',
  'x-accel-expires',
])

/** The known names, since not all runtimes can list headers. */
export const cacheHeaders: readonly string[] = [...FOR_CACHES]

export function tellsCaches(name: string): boolean {
  const lower = name.toLowerCase()
  return FOR_CACHES.has(lower) || lower.endsWith('-cache-control')
}

/** Returns whether a response is for one user: it sets a cookie, or has `no-store`. */
export function isForOne(headers: Headers): boolean {
  return isOfOne(headers.getSetCookie(), headers.get('cache-control') ?? '')
}

/** The same for the parts of a response. @param told its `Cache-Control` */
export function isOfOne(cookies: readonly string[], told: string): boolean {
  return cookies.length > 0 || /no-store/i.test(told)
}

/** Returns the `Cache-Control` of a response for one user. @param told its previous value */
export function toldOfOne(told: string): string {
  return /private/i.test(told) && /no-store/i.test(told) ? told : FOR_ONE
}

/** Headers that are already protected against changes. */
const kept = new WeakSet<object>()

/** Sets headers that prevent caching, and prevents later changes. */
export function keepFromCaches(headers: Headers): void {
  if (kept.has(headers)) return
  kept.add(headers)
  const told = headers.get('cache-control') ?? ''
  for (const name of [...headers.keys()].filter(tellsCaches)) headers.delete(name)
  headers.set('cache-control', toldOfOne(told))
  pin(headers)
}

/** Prevents changes of the cache headers. */
export function pin(headers: Headers): void {
  for (const change of ['append', 'set', 'delete'] as const) {
    const own = headers[change].bind(headers)
    const unlessForCaches = (name: string, value: string): void => {
      if (!tellsCaches(name)) own(name, value)
    }
    Object.defineProperty(headers, change, { value: unlessForCaches, configurable: true })
  }
}

/** The same for a response, if it is for one user. */
export function asForOne(answer: Response): Response {
  if (isForOne(answer.headers)) keepFromCaches(answer.headers)
  return answer
}

/** The same for a plain object. */
export function keepRecordFromCaches(headers: Record<string, unknown>): void {
  if (kept.has(headers)) return
  kept.add(headers)
  const names = new Set([...Object.keys(headers).filter(tellsCaches), ...FOR_CACHES])
  for (const name of names) {
    delete headers[name]
    const isShown = name === 'cache-control'
    // Later changes of the application are ignored.
    Object.defineProperty(headers, name, {
      get: () => (isShown ? FOR_ONE : undefined),
      set() {},
      enumerable: isShown,
      configurable: true,
    })
  }
}

/** The part of a Node.js response that is used. Frameworks have their own classes. */
interface KeptResponse {
  readonly headersSent?: boolean
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string): unknown
  getHeaderNames?(): string[]
  removeHeader?(name: string): void
  writeHead?(...given: never[]): unknown
}

/** The same for a response of Node.js, whose headers can change until they are sent. */
export function keepNodeFromCaches(to: KeptResponse): void {
  if (kept.has(to)) return
  kept.add(to)
  const settle = (): void => {
    const told = String(to.getHeader('cache-control') ?? '')
    for (const name of to.getHeaderNames?.() ?? cacheHeaders) {
      if (tellsCaches(name)) to.removeHeader?.(name)
    }
    to.setHeader('cache-control', toldOfOne(told))
  }
  settle()
  const writeHead = to.writeHead?.bind(to) as ((...given: unknown[]) => unknown) | undefined
  if (!writeHead) return
  // Node.js calls it before it sends the first byte.
  Object.assign(to, {
    writeHead(...given: unknown[]) {
      if (!to.headersSent) settle()
      return writeHead(...given.map(withoutCacheHeaders))
    },
  })
}

/** Removes cache headers from the headers of `writeHead`, an object or a list. */
function withoutCacheHeaders(given: unknown): unknown {
  if (Array.isArray(given)) {
    const pairs: unknown[][] = Array.isArray(given[0])
      ? given
      : given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1]]] : []))
    return pairs.filter(([name]) => !tellsCaches(String(name))).flat(1)
  }
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).filter(([name]) => !tellsCaches(name)))
}
