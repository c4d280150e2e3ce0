import { sentBySame, withClientAddress } from '../http/client-address.ts'
import { hasOneSpelling } from '../http/path.ts'
import { isForOne, keepNodeFromCaches } from './caching.ts'
import { inOrder } from './set-cookies.ts'

// Between Node.js's server and the web. The types say no more than is used, so that they need no
// declarations of Node.js, and fit what frameworks make of its requests.

/** A request of Node.js's server. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Before a framework cut off where it is mounted. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly httpVersion?: string
  readonly httpVersionMajor: number
  /** Has all of it come in? */
  readonly complete: boolean
  readonly readableDidRead: boolean
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** Where a framework knows the client behind the proxies that it trusts. */
  readonly ip?: string | undefined
}

/** A response of Node.js's server. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly destroyed: boolean
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

/** What frameworks answer with the status that it says. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status = 400
  readonly expose = true
  readonly statusCode = 400
}

/** Scheme, host and port that a request was sent to, as the server itself sees it. */
export function ownOrigin({ headers, socket }: NodeRequest): string {
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  return `${scheme}://${first(headers[':authority'] ?? headers['host']) ?? ''}`
}

/**
 * A request of Node.js's server as one of the web. Its body is left to the application.
 *
 * @param origin scheme, host and port where a framework works them out; the headers of proxies, which
 *   it has judged, are left out then, so that nobody judges them again.
 * @param target path and query before a framework cut off where it is mounted.
 * @throws {BadRequest} when that is no address, since the host is what the client said, and when its path can
 *   be read in several ways.
 */
export function toWebRequest(request: NodeRequest, origin?: string, target?: string): Request {
  const bare = withoutAddress(request, origin, target)
  return withClientAddress(bare, request.ip ?? request.socket.remoteAddress)
}

/** The same where somebody else says where the client is. */
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
    // HTTP/2 has pseudo-headers, which are no headers of the web.
    if (name.startsWith(':') || (origin !== undefined && FORWARDED.test(name))) continue
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return new Request(addressOf(target, origin ?? ownOrigin(request)), { method, headers })
}

/** Headers in which a proxy says where a request was sent to. */
export const FORWARDED: RegExp = /^x-forwarded-(?:host|proto)$/

/** Absolute targets and those with two slashes name a host as well: it is not theirs to say. */
function addressOf(target: string, origin: string): URL {
  const path = /^https?:\/\/[^/?#]*(.*)/is.exec(target)?.[1] ?? target
  // The framework has routed it by what was sent: a guard must not judge another path.
  if (!hasOneSpelling(path)) throw new BadRequest('the path of the request is ambiguous')
  const address = URL.canParse(origin) ? new URL(origin) : undefined
  if (!address?.host || address.href !== `${address.origin}/`) {
    throw new BadRequest('the host of the request is invalid')
  }
  return new URL(address.origin + (path.startsWith('/') ? path : `/${path}`))
}

/** With its body; where a parser has read it, with what that made of it. */
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
  // The length was that of what came in.
  headers.delete('content-length')
  const body = encodeBody(parsed, headers.get('content-type') ?? '')
  const { method } = bare
  return sentBySame(new Request(bare, { method, headers, body }), bare)
}

/** Read as it is asked for. Who stops reading leaves the connection alone: the answer needs it. */
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

/** What a parser read, written again as it came; nothing where it was no form. */
function encodeBody(parsed: unknown, type: string): string | Uint8Array<ArrayBuffer> {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
  if (type.includes('json')) return JSON.stringify(parsed) ?? ''
  if (!type.includes('application/x-www-form-urlencoded')) return ''
  return new URLSearchParams([...fieldsOf(parsed)]).toString()
}

/** Fields of a form; a list is a repeated field, and one of an object has its name in brackets. */
function* fieldsOf(value: unknown, name = ''): Generator<[string, string]> {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const item of value) yield* fieldsOf(item, name)
  else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      yield* fieldsOf(member, name === '' ? key : `${name}[${key}]`)
    }
  } else if (name !== '') yield [name, String(value)]
}

/** Answers a request of Node.js's server the way the web does. */
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
  // Nobody is going to read the rest of a body that was too long.
  if (request.readableDidRead && !request.complete && request.httpVersionMajor < 2) {
    to.setHeader('connection', 'close')
  }
  await sendWebResponse(response, to)
}

/** Returns a signal that is aborted when the visitor leaves before the answer is sent. */
export function untilGone(to: NodeResponse): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => {
    if (!to.writableFinished) gone.abort()
  }
  if (to.destroyed) abort()
  else to.on('close', abort)
  return gone.signal
}

/** Writes an answer of the web, its cookies one by one. */
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

/** Sends what arrives, no faster than it is taken. A body of one piece is sent with its length. */
async function pump(body: ReadableStream<Uint8Array>, to: NodeResponse): Promise<void> {
  let goOn = (): void => {}
  const proceed = (): void => goOn()
  to.on('drain', proceed)
  to.on('close', proceed)
  const reader = body.getReader()
  let reading = reader.read()
  for (let isFirst = true; ; isFirst = false) {
    const { done, value } = await reading
    if (done) return void to.end()
    if (to.destroyed) return reader.cancel()
    reading = reader.read()
    if (isFirst && (await hasEnded(reading))) return void to.end(value)
    const drained = new Promise<void>((resolve) => (goOn = resolve))
    if (!to.write(value) && !to.destroyed) await drained
  }
}

/** Does the end of a body follow at once, as that of a text does? What takes time is not waited for. */
async function hasEnded(reading: Promise<{ readonly done: boolean }>): Promise<boolean> {
  const end = reading.then(
    ({ done }) => done,
    () => false,
  )
  return Promise.race([end, falseInTurns(16)])
}

/** @param turns of the queue of microtasks. The end of a text takes fewer. */
async function falseInTurns(turns: number): Promise<false> {
  for (let turn = 0; turn < turns; turn++) await undefined
  return false
}

/** Sets the cookies of an answer next to those that are set already, while that is possible. No cache keeps it then. */
export function appendCookies(to: NodeResponse, headers: Headers): void {
  appendLines(to, headers.getSetCookie())
}

/** The same of the values of `Set-Cookie`. */
export function appendLines(to: NodeResponse, cookies: readonly string[]): void {
  if (cookies.length === 0 || to.headersSent) return
  const before = [to.getHeader('set-cookie') ?? []].flat().map(String)
  to.setHeader('set-cookie', inOrder(before, cookies))
  keepNodeFromCaches(to)
}

/** The first of a header's values. */
export function first(header: string | string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0]
  return value?.split(',', 1)[0]?.trim() || undefined
}
