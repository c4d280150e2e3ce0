import { encodeUtf8 } from '../encoding/utf8.ts'
import { sentBySame, withClientAddress } from '../http/client-address.ts'
import { withoutBlanks } from '../http/cookies.ts'
import { type DirectAnswer, directOf, type PlainAnswer } from '../http/direct.ts'
import { hasOneSpelling } from '../http/path.ts'
import { type HeaderReader, PendingRequest } from '../http/pending-request.ts'
import type { Latchkey } from '../index.ts'
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

// What is asked for most is answered without the classes of the web: a request of Node.js becomes plain data for
// the core, and its answer is written in one piece. Every request that is out of the ordinary goes the usual way,
// so that nothing is read here in another way than there.

/** Where a request was sent to, if a framework or a proxy knows that better than its headers. */
export interface Address {
  /** Scheme, host and port. The headers of proxies are left out then: they have been judged. */
  readonly origin?: string | undefined
  /** Path and query before a framework cut off where it is mounted. */
  readonly target?: string | undefined
  /** The address of the client; `null` if it is not known. @default that of the connection */
  readonly client?: string | null | undefined
}

/**
 * Answers a request without the classes of the web, if it is one of those that can be.
 *
 * @returns `undefined` if the request has to go the usual way. Nothing is written to the response.
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

/** A path whose last segment is answered directly, and a query, of characters that no URL parser changes. */
const DIRECT =
  /^\/(?:[\w\-.~/]*\/)?(?:session|csrf|providers|signin|signout|error|verify-request|jwks)(?:\?[\w\-.~!$&()*+,;:=@/?%]*)?$/

/** The request as the core needs it; `undefined` if it has a body or anything about it is unusual. */
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
  // Read now: a connection that is closed has no address any more.
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

/** Most origins that are remembered: the host is what the client says. */
const MOST_ORIGINS = 64
const origins = new Map<string, string>()

/** An origin as the URL parser writes it; `undefined` if it is none. */
function usableOrigin(given: string): string | undefined {
  const known = origins.get(given)
  if (known !== undefined) return known
  const address = URL.canParse(given) ? new URL(given) : undefined
  if (!address?.host || address.href !== `${address.origin}/`) return undefined
  if (origins.size >= MOST_ORIGINS) origins.clear()
  origins.set(given, address.origin)
  return address.origin
}

/** Headers of Node.js, read as `Headers` has them. */
class NodeHeaders implements HeaderReader {
  readonly #values: NodeRequest['headers']
  readonly #isJudged: boolean

  /** @param isJudged have the headers of proxies been judged, so that they are left out? */
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

/** Writes an answer. Whoever has left is sent nothing. */
export function sendAnswer(
  answer: DirectAnswer['answer'],
  to: NodeResponse,
): Promise<void> | undefined {
  if (answer instanceof Response) return sendWebResponse(answer, to)
  if (to.destroyed) return undefined
  const { status, body } = answer
  if (!isUntouched(to)) {
    to.statusCode = status
    setHeaders(answer, to, (name, value) => to.setHeader(name, value))
    to.end(body ?? undefined)
    return undefined
  }
  const length = body === null ? 0 : lengthOf(body)
  to.writeHead(status, rawHeaders(answer, length))
  // ASCII is the same in both encodings, and is copied as it is in this one.
  if (body !== null && length === body.length) to.end(body, 'latin1')
  else to.end(body ?? undefined)
  return undefined
}

/** A response whose headers nobody else has set or waits for. */
type Untouched = NodeResponse & {
  writeHead(status: number, headers: readonly string[]): unknown
  end(body: string, encoding: 'latin1'): unknown
}

function isUntouched(to: NodeResponse): to is Untouched {
  return (
    typeof to.writeHead === 'function' &&
    !Object.hasOwn(to, 'writeHead') &&
    to.getHeaderNames?.().length === 0
  )
}

/**
 * Names and values in turns. Caches are told in one place what is for one person.
 *
 * @param length of the body, bytes.
 */
function rawHeaders({ headers, cookies }: PlainAnswer, length: number): string[] {
  const told = headers['cache-control'] ?? ''
  const isPrivate = isOfOne(cookies, told)
  const raw = isPrivate ? ['cache-control', toldOfOne(told)] : []
  for (const name in headers) {
    if (!isPrivate || !tellsCaches(name)) raw.push(name, headers[name] ?? '')
  }
  for (const cookie of cookies) raw.push('set-cookie', cookie)
  raw.push('content-length', String(length))
  return raw
}

/** Length of a text in UTF-8, bytes. */
function lengthOf(text: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 0x7f) return encodeUtf8(text).length
  }
  return text.length
}

/**
 * Sets the headers of an answer beside those that are set already.
 *
 * @param set as the framework does it.
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

/** Answers a request of Node.js's server: directly if it can be, else the way the web does. */
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
