import { concat } from '../encoding/concat.ts'
import { toError } from '../errors.ts'

/** Milliseconds that a provider may take to answer. */
const TIME_LIMIT = 10_000

/** Longest answer of a provider that is read, bytes. */
const SIZE_LIMIT = 1024 * 1024

/**
 * Requests to one provider that are under way at once: one that answers slowly must not take the
 * memory and the sockets of all others.
 */
export const MOST_AT_ONCE = 100

/** How a request to a provider is sent. */
export interface ProviderFetchOptions {
  /** The application's own `fetch` for this provider. It may use plain http, and proxies. */
  readonly custom?: typeof fetch | undefined
  /** May a request go to this address, without a `fetch` of the application? @default `isSecureAddress` */
  readonly accepts?: ((url: URL) => boolean) | undefined
}

/** What we call ourselves towards providers. */
export const USER_AGENT: string = 'latchkey'

/**
 * A `fetch` for requests to one provider: limited in time, size and number, no redirect followed, plain http
 * only to this machine.
 */
export function limitFetch(
  base: typeof fetch,
  { custom, accepts = isSecureAddress }: ProviderFetchOptions = {},
): typeof fetch {
  const send = custom ?? base
  let underWay = 0
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!custom && !accepts(url)) {
      throw new TypeError(
        `${url.origin} is not asked over plain http; use https, configure the address itself if it is on this machine, or give the provider a \`customFetch\``,
      )
    }
    const headers = new Headers(init.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT)
    const limit = AbortSignal.timeout(TIME_LIMIT)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    if (underWay >= MOST_AT_ONCE) {
      throw new TypeError(`${url.origin} has ${MOST_AT_ONCE} requests of ours to answer already`)
    }
    underWay++
    const answer = async (): Promise<Response> =>
      limitSize(await send(url, { ...init, headers, signal, redirect: 'manual' }), signal)
    try {
      return await endedBy(signal, answer())
    } finally {
      underWay--
    }
  }
}

/** The same, or the signal's reason: a `fetch` of the application need not heed the signal. */
function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(toError(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    // Whatever comes too late ends here, and is no rejection that nobody handles.
    void work.then(resolve, reject).then(() => signal.removeEventListener('abort', stop))
  })
}

/** May a token travel to this address: over https, or on this machine? */
export function isSecureAddress({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' &&
      (hostname === 'localhost' ||
        hostname.endsWith('.localhost') ||
        hostname === '[::1]' ||
        /^127(?:\.\d{1,3}){3}$/.test(hostname)))
  )
}

/**
 * Judges the addresses of one provider. Plain http goes to this machine only where the application
 * named the address, or where the metadata itself is on this machine: a provider elsewhere must not
 * have us send its tokens, and our secret, to whatever listens here.
 *
 * @param metadata where the provider's metadata is. @param configured addresses that the application named
 */
export function secureAddresses(
  metadata: string | undefined,
  configured: readonly (string | undefined)[],
): (url: URL) => boolean {
  const isLocal = metadata !== undefined && isPlain(metadata)
  const named = new Set(configured.map((url) => url && isPlain(url) && new URL(url).origin))
  return (url) =>
    isSecureAddress(url) && (url.protocol === 'https:' || isLocal || named.has(url.origin))
}

function isPlain(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:'
}

/** The whole answer, or an error when there is too much of it. No more is read once the signal ends it. */
async function limitSize(response: Response, signal: AbortSignal): Promise<Response> {
  if (!response.body) return response
  const reader = response.body.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > SIZE_LIMIT) {
      await reader.cancel()
      throw new TypeError(`the answer is longer than ${SIZE_LIMIT} bytes`)
    }
    chunks.push(value)
  }
  signal.removeEventListener('abort', stop)
  const { status, statusText, headers } = response
  return new Response(chunks.length === 1 ? chunks[0] : concat(chunks), {
    status,
    statusText,
    headers: bodyHeaders(headers),
  })
}

/** The body was decoded already, and its length is another one then. */
function bodyHeaders(headers: Headers): Headers {
  const copy = new Headers(headers)
  copy.delete('content-encoding')
  copy.delete('content-length')
  return copy
}
