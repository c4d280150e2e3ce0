import { sentBySame, withClientAddress } from '../http/origin/client-address.ts'
import { hasOneSpelling } from '../http/paths/path.ts'
import { isForOne, keepNodeFromCaches } from './caching.ts'
import { inOrder } from './per-event.ts'

// Converts between the server of Node.js and the web classes. The types have only the members that are used, so that
// they need no declarations of Node.js, and fit the requests of frameworks.

/** A request of the server of Node.js. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before a framework removed the mount point. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly httpVersion?: string
  readonly httpVersionMajor: number
  /** Whether the whole request has been received. */
  readonly complete: boolean
  readonly readableDidRead: boolean
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** The client behind trusted proxies, if the framework determines it. */
  readonly ip?: string | undefined
}

/** A response of the server of Node.js. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writableFinished: boolean
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string | string[]): unknown
  getHeaderNames?(): string[]
  removeHeader?(name: string): void
  writeHead?(...given: never[]): unknown
  write(chunk: Uint8Array): boolean
  end(body?: string | Uint8Array): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
}

/** An error for which frameworks respond with its `status`. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status = 400
  readonly expose = true
  readonly statusCode = 400
}

/** Returns scheme, host and port of a request, from its connection and the header that names the host. */
export function ownOrigin({ headers, socket }: NodeRequest): string {
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  return `${scheme}://${first(headers[':authority'] ?? headers['host']) ?? ''}`
}

/**
 * Returns a request of the server of Node.js as a web `Request`, without its body.
 *
 * @param origin scheme, host and port, if a framework determines them. The headers of proxies are then omitted, since
 *   the framework has already checked them.
 * @param target path and query, before a framework removed the mount point.
 * @throws {BadRequest} if the host, which the client chooses, gives no valid URL, or if the path is ambiguous.
 */
export function toWebRequest(request: NodeRequest, origin?: string, target?: string): Request {
  const bare = withoutAddress(request, origin, target)
  return withClientAddress(bare, request.ip ?? request.socket.remoteAddress)
}

/** The same, with a given address of the client. */
export function withoutAddress(
  request: NodeRequest,
  origin: string | undefined,
  target: string = request.originalUrl ?? request.url ?? '/',
): Request {
  const { method = 'GET' } = request
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    throw new BadRequest(`the method ${method} is not supported`)
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headers)) {
    // `Headers` does not accept the pseudo-headers of HTTP/2.
    if (name.startsWith(':') || (origin !== undefined && FORWARDED.test(name))) continue
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return new Request(addressOf(target, origin ?? ownOrigin(request)), { method, headers })
}

/** Headers in which a proxy passes the address of the request. */
export const FORWARDED: RegExp = /^x-forwarded-(?:host|proto)$/

/** Returns the URL of a target. The host of an absolute target, or of one with two slashes, is ignored. */
function addressOf(target: string, origin: string): URL {
  const path = /^https?:\/\/[^/?#]*(.*)/is.exec(target)?.[1] ?? target
  // The framework routes by the path that was sent, so a guard must not check a different path.
  if (!hasOneSpelling(path)) throw new BadRequest('the path of the request is ambiguous')
  const address = URL.canParse(origin) ? new URL(origin) : undefined
  if (!address?.host || address.href !== `${address.origin}/`) {
    throw new BadRequest('the host of the request is invalid')
  }
  return new URL(address.origin + (path.startsWith('/') ? path : `/${path}`))
}

/** Returns the request with its body. If a parser has read the body, it is created again from the result. */
export function withBody(
  bare: Request,
  request: NodeRequest,
  parsed: unknown,
  isRead: boolean = request.readableDidRead,
): Request {
  if (bare.method === 'GET' || bare.method === 'HEAD') return bare
  if (!isRead) {
    const body = { body: streamOf(request), duplex: 'half' } as RequestInit
    return sentBySame(new Request(bare, body), bare)
  }
  const headers = new Headers(bare.headers)
  // It was the length of the received body.
  headers.delete('content-length')
  const body = encodeBody(parsed, headers.get('content-type') ?? '')
  const { method } = bare
  return sentBySame(new Request(bare, { method, headers, body }), bare)
}

/** Returns a stream of the body. Canceling it does not close the connection, which the response needs. */
function streamOf(request: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = request[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value instanceof Uint8Array ? value : bytesOf(String(value)))
      },
    },
    { highWaterMark: 0 },
  )
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Returns the result of a body parser as a body again; an empty one if it was neither JSON nor a form. */
function encodeBody(parsed: unknown, type: string): string | Uint8Array<ArrayBuffer> {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
  if (type.includes('json')) return JSON.stringify(parsed) ?? ''
  if (!type.includes('application/x-www-form-urlencoded')) return ''
  return new URLSearchParams([...fieldsOf(parsed)]).toString()
}

/** Returns the fields of a form. A list becomes a repeated field; a member of an object has its name in brackets. */
function* fieldsOf(value: unknown, name = ''): Generator<[string, string]> {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const item of value) yield* fieldsOf(item, name)
  else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      yield* fieldsOf(member, name === '' ? key : `${name}[${key}]`)
    }
  } else if (name !== '') yield [name, String(value)]
}

/** Handles a request of the server of Node.js with a handler of the web classes. */
export async function answer(
  request: NodeRequest,
  to: NodeResponse,
  respond: (request: Request) => Promise<Response>,
  origin?: string,
  parsed?: unknown,
): Promise<void> {
  const signal = untilGone(to)
  const sent = toWebRequest(request, origin)
  const bare = sentBySame(new Request(sent, { signal }), sent)
  const response = await respond(withBody(bare, request, parsed))
  // The rest of a body that was too long is not read.
  if (request.readableDidRead && !request.complete && request.httpVersionMajor < 2) {
    to.setHeader('connection', 'close')
  }
  await sendWebResponse(response, to)
}

/** Returns a signal that is aborted if the client disconnects before the response is sent. */
export function untilGone(to: NodeResponse): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => {
    if (!to.writableFinished) gone.abort()
  }
  if (to.destroyed) abort()
  else to.on('close', abort)
  return gone.signal
}

/** Writes a web `Response`, with each cookie in its own header. */
export async function sendWebResponse(response: Response, to: NodeResponse): Promise<void> {
  if (to.destroyed) return
  to.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') to.setHeader(name, value)
  }
  appendCookies(to, response.headers)
  if (isForOne(response.headers)) keepNodeFromCaches(to)
  if (response.body) await pump(response.body, to)
  else to.end()
}

/** Sends the body as fast as the client receives it. A body of one piece is sent with its length. */
async function pump(body: ReadableStream<Uint8Array>, to: NodeResponse): Promise<void> {
  let goOn = (): void => {}
  const proceed = (): void => goOn()
  to.on('drain', proceed)
  to.on('close', proceed)
  const reader = body.getReader()
  let reading = reader.read()
  for (let isFirst = true; ; isFirst = false) {
    const { done, value } = await reading
    if (isOver(to)) return reader.cancel()
    if (done) return void to.end()
    reading = reader.read()
    // It is awaited only when the client has received this piece, and an unhandled failure ends the process.
    reading.catch(() => {})
    const isWhole = isFirst && (await hasEnded(reading))
    if (isOver(to)) return reader.cancel()
    const chunk = asBuffer(value)
    if (isWhole) return void to.end(chunk)
    const drained = new Promise<void>((resolve) => (goOn = resolve))
    if (!to.write(chunk) && !to.destroyed) await drained
  }
}

/** Returns whether nothing can be written any more: the client has disconnected, or the application ended the response. */
function isOver(to: NodeResponse): boolean {
  return to.destroyed || to.writableEnded
}

/** Returns the same bytes as a `Buffer`, since middleware that logs or changes bodies calls its `toString`. */
function asBuffer(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as { Buffer?: { from(...given: unknown[]): Uint8Array } }
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes
}

/** Returns whether the body ends within some microtasks, as a text does. It does not wait for a slow body. */
async function hasEnded(reading: Promise<{ readonly done: boolean }>): Promise<boolean> {
  const end = reading.then(
    ({ done }) => done,
    () => false,
  )
  return Promise.race([end, falseInTurns(16)])
}

/** @param turns the number of microtasks to wait; the end of a text needs fewer. */
async function falseInTurns(turns: number): Promise<false> {
  for (let turn = 0; turn < turns; turn++) await undefined
  return false
}

/** Adds the cookies of a response to the existing ones, unless the headers are already sent, and prevents caching. */
export function appendCookies(to: NodeResponse, headers: Headers): void {
  appendLines(to, headers.getSetCookie())
}

/** The same for values of `Set-Cookie`. */
export function appendLines(to: NodeResponse, cookies: readonly string[]): void {
  if (cookies.length === 0 || to.headersSent) return
  const before = [to.getHeader('set-cookie') ?? []].flat().map(String)
  to.setHeader('set-cookie', inOrder(before, cookies))
  keepNodeFromCaches(to)
}

/** Returns the first value of a header. */
export function first(header: string | string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0]
  return value?.split(',', 1)[0]?.trim() || undefined
}
