import { concat } from '../../base/encoding/concat.ts'
import { toError } from '../../base/errors.ts'

/** Maximum time of a request to a provider, in milliseconds. */
const TIME_LIMIT = 10_000

/** Maximum size of a response of a provider, in bytes. */
const SIZE_LIMIT = 1024 * 1024

/**
 * Maximum number of concurrent requests to one provider, so that a slow provider does not use all memory and sockets.
 */
export const MOST_AT_ONCE = 100

/** Options of requests to a provider. */
export interface ProviderFetchOptions {
  /** The application's own `fetch` for this provider. It may use plain http, and proxies. */
  readonly custom?: typeof fetch | undefined
  /**
   * Returns whether a request may be sent to this URL, without a `fetch` of the application.
   *
   * @default `isSecureAddress`
   */
  readonly accepts?: ((url: URL) => boolean) | undefined
}

/** The `User-Agent` of requests to providers. */
export const USER_AGENT: string = 'latchkey'

/**
 * Returns a `fetch` for requests to one provider: it limits time, size and number, follows no redirects, and uses plain
 * http only on this machine.
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
        `requests to ${url.origin} over plain http are not allowed; use https, configure the URL itself if it is on this machine, or set a \`customFetch\` for the provider (latchkey/docs/how-to/troubleshoot.md#a-provider-in-docker-is-reached-over-http)`,
      )
    }
    const headers = new Headers(init.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT)
    const limit = AbortSignal.timeout(TIME_LIMIT)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    if (underWay >= MOST_AT_ONCE) {
      throw new TypeError(
        `${MOST_AT_ONCE} requests to ${url.origin} are already waiting for a response`,
      )
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

/** Rejects with the reason of the signal, since a `fetch` of the application may ignore the signal. */
function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(toError(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    // Also handles a late rejection.
    void work.then(resolve, reject).then(() => signal.removeEventListener('abort', stop))
  })
}

/** Returns whether tokens may be sent to this URL: over https, or on this machine. */
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
 * Returns a check of the URLs of one provider. It allows plain http on this machine only if the application configured
 * the URL, or if the metadata is on this machine: the metadata of another host must not send tokens and the client
 * secret to a port of this machine.
 *
 * @param metadata URL of the provider's metadata.
 * @param configured URLs from the configuration.
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

/** Reads the complete response, up to the size limit. The signal stops the reading. */
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
      throw new TypeError(`the response is longer than ${SIZE_LIMIT} bytes`)
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

/** Removes headers that do not fit the decoded body. */
function bodyHeaders(headers: Headers): Headers {
  const copy = new Headers(headers)
  copy.delete('content-encoding')
  copy.delete('content-length')
  return copy
}
