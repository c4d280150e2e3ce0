import type { Latchkey } from '../entries/index.ts'
import { withoutBlanks } from '../http/cookies/cookies.ts'
import { type DirectAnswer, directOf, type PlainAnswer } from '../http/direct.ts'
import { sentBySame, withClientAddress } from '../http/origin/client-address.ts'
import { hasOneSpelling } from '../http/paths/path.ts'
import { type HeaderReader, PendingRequest } from '../http/pending-request.ts'
import { isOfOne, keepNodeFromCaches, tellsCaches, toldOfOne } from './caching.ts'
import {
  answer,
  appendLines,
  FORWARDED,
  type NodeRequest,
  type NodeResponse,
  ownOrigin,
  sendWebResponse,
  untilGone,
  withoutAddress,
} from './node-http.ts'

// The most frequent requests are handled without the web classes `Request` and `Response`: a request of Node.js becomes
// plain data for the core, and the response is written in one piece. Every unusual request goes to the usual handler,
// so that both handlers always read a request in the same way.

/** The address of a request, if a framework or a proxy knows it better than the headers. */
export interface Address {
  /** Scheme, host and port. The headers of proxies are then omitted, since the framework has already checked them. */
  readonly origin?: string | undefined
  /** Path and query, before a framework removed the mount point. */
  readonly target?: string | undefined
  /** The address of the client; `null` if it is unknown. @default the address of the connection */
  readonly client?: string | null | undefined
}

/**
 * Handles a request without the web classes, if that is possible.
 *
 * @returns `undefined` if the usual handler has to handle the request. Nothing is then written to the response.
 */
export function directAnswer(
  { handler }: Pick<Latchkey, 'handler'>,
  request: NodeRequest,
  response: NodeResponse,
  address: Address = {},
): Promise<DirectAnswer> | undefined {
  const direct = directOf(handler)
  const pending = direct && pendingRequest(request, response, address)
  return pending && direct(pending)
}

/** A path whose last segment has a direct handler, and a query, of characters that URL parsers keep. */
const DIRECT =
  /^\/(?:[\w\-.~/]*\/)?(?:session|csrf|providers|signin|signout|error|verify-request|jwks)(?:\?[\w\-.~!$&()*+,;:=@/?%]*)?$/

/** Returns the request for the core; `undefined` if it has a body or is unusual. */
function pendingRequest(
  request: NodeRequest,
  response: NodeResponse,
  { origin, target = request.originalUrl ?? request.url ?? '/', client }: Address,
): PendingRequest | undefined {
  const { headers, httpVersion, method } = request
  if (method !== 'GET' || httpVersion !== '1.1' || !DIRECT.test(target)) return undefined
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
    return undefined
  }
  const site = usableOrigin(origin ?? ownOrigin(request))
  if (site === undefined || !hasOneSpelling(target)) return undefined
  // Read now, because a closed connection has no address.
  const known = client === undefined ? (request.ip ?? request.socket.remoteAddress) : client
  return new PendingRequest(
    method,
    site + target,
    new NodeHeaders(headers, origin !== undefined),
    () => {
      const sent = withClientAddress(withoutAddress(request, origin, target), known ?? undefined)
      return sentBySame(new Request(sent, { signal: untilGone(response) }), sent)
    },
  )
}

/** Maximum number of cached origins, since the client chooses the host. */
const MOST_ORIGINS = 64
const origins = new Map<string, string>()

/** Returns an origin in the form of the URL parser; `undefined` if it is invalid. */
function usableOrigin(given: string): string | undefined {
  const known = origins.get(given)
  if (known !== undefined) return known
  const address = URL.canParse(given) ? new URL(given) : undefined
  if (!address?.host || address.href !== `${address.origin}/`) return undefined
  if (origins.size >= MOST_ORIGINS) origins.clear()
  origins.set(given, address.origin)
  return address.origin
}

/** The headers of Node.js, with the methods of `Headers`. */
class NodeHeaders implements HeaderReader {
  readonly #values: NodeRequest['headers']
  readonly #isJudged: boolean

  /** @param isJudged whether the headers of proxies are already checked, and therefore omitted. */
  constructor(values: NodeRequest['headers'], isJudged: boolean) {
    this.#values = values
    this.#isJudged = isJudged
  }

  get(name: string): string | null {
    const value = this.#values[name]
    if (value === undefined || (this.#isJudged && FORWARDED.test(name))) return null
    return typeof value === 'string' ? withoutBlanks(value) : value.map(withoutBlanks).join(', ')
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }
}

/** Writes a response, unless the client has disconnected. */
export function sendAnswer(
  answer: DirectAnswer['answer'],
  to: NodeResponse,
): Promise<void> | undefined {
  if (answer instanceof Response) return sendWebResponse(answer, to)
  if (to.destroyed) return undefined
  const { body } = answer
  to.statusCode = answer.status
  if (!isUntouched(to)) {
    setHeaders(answer, to, (name, value) => to.setHeader(name, value))
    to.end(body ?? undefined)
    return undefined
  }
  setFirstHeaders(answer, to)
  // ASCII is the same in both encodings, and this encoding copies it without a conversion.
  if (body !== null && isAscii(body)) (to as InLatin1).end(body, 'latin1')
  else to.end(body ?? undefined)
  return undefined
}

interface InLatin1 {
  end(body: string, encoding: 'latin1'): unknown
}

/** Returns whether no other code has set a header of the response, or waits for them. */
function isUntouched(to: NodeResponse): boolean {
  return (
    typeof to.writeHead === 'function' &&
    !Object.hasOwn(to, 'writeHead') &&
    !Object.hasOwn(to, 'end') &&
    to.getHeaderNames?.().length === 0
  )
}

/**
 * Sets the headers of a response that has none, with the cache headers of a response for one user. One by one: what a
 * list for `writeHead` contains is in the response, but not in `getHeaders`, which monitors and adapters for functions
 * of a cloud read.
 */
function setFirstHeaders({ headers, cookies }: PlainAnswer, to: NodeResponse): void {
  const told = headers['cache-control'] ?? ''
  const isPrivate = isOfOne(cookies, told)
  if (isPrivate) to.setHeader('cache-control', toldOfOne(told))
  for (const name in headers) {
    if (!isPrivate || !tellsCaches(name)) to.setHeader(name, headers[name] ?? '')
  }
  if (cookies.length > 0) to.setHeader('set-cookie', [...cookies])
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/**
 * Sets the headers of a response, and keeps existing headers.
 *
 * @param set the function of the framework that sets a header.
 */
export function setHeaders(
  { headers, cookies }: PlainAnswer,
  to: NodeResponse,
  set: (name: string, value: string) => unknown,
): void {
  for (const name in headers) set(name, headers[name] ?? '')
  appendLines(to, cookies)
  if (isOfOne(cookies, headers['cache-control'] ?? '')) keepNodeFromCaches(to)
}

/** Handles a request of the server of Node.js: directly if possible, otherwise with the web classes. */
export async function answerNode(
  latchkey: Pick<Latchkey, 'handler'>,
  request: NodeRequest & { readonly body?: unknown },
  response: NodeResponse,
  origin?: string,
): Promise<void> {
  const answering = directAnswer(latchkey, request, response, { origin })
  if (!answering) return answer(request, response, latchkey.handler, origin, request.body)
  return sendAnswer((await answering).answer, response)
}
