import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { withClientAddress } from 'latchkey/plugins/limits'
import type { Log } from '../observe/log.ts'
import { type Exchange, failed, follow } from './exchange.ts'
import { lazyBody } from './late-continue.ts'
import { limitRefusal } from './limits/limits.ts'
import type { OriginRule, PublicOrigin } from './origin.ts'
import { draw, messagePage, type Page } from './page.ts'

/** Answers a request of Node.js with the standing headers; returns `false` to leave it to the next handler. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  place: Place,
) => Promise<boolean>

/** The address of a request, and the address of its client. */
export interface Place extends PublicOrigin {
  /** Path and query. */
  readonly target: string
  /** The target without its query. */
  readonly path: string
  /** The address of the client; `null` if it is not known. */
  readonly client: string | null
}

/** The handlers of requests that passed all checks. */
export interface Handlers {
  readonly originOf: OriginRule
  readonly fetch: (request: Request, exchange: Exchange) => Response | Promise<Response>
  /** Finds the address of a client from the connection and the headers. */
  readonly clientOf?: ClientOf | undefined
  /** Handlers that need the request and response of Node.js. They are called in this order. */
  readonly node?: readonly NodeHandler[] | undefined
}

export type ClientOf = (
  connection: string | undefined,
  header: (name: string) => string | undefined,
) => string | undefined

/** Paths for machines that may not know the public name. */
const NAMELESS = new Set(['/healthz', '/readyz'])
const NAMELESS_SITE: PublicOrigin = { origin: 'http://localhost', host: 'localhost' }
/** Headers in which a request names its own address; the origin rule has already read them. */
const SELF_DESCRIPTIONS = [
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-for',
  'x-forwarded-prefix',
  'x-forwarded-server',
  'x-original-url',
  'x-rewrite-url',
]

/** Headers of every answer, in addition to the id of the request. */
const STANDING: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/**
 * Returns the standing headers as a list for `writeHead`.
 *
 * @param has whether the answer itself has a header of this name.
 */
export function standingHeaders({ id }: Exchange, has: (name: string) => boolean): string[] {
  const list = ['x-request-id', id]
  for (const name in STANDING) if (!has(name)) list.push(name, STANDING[name] ?? '')
  return list
}

/** Sets the headers of every answer. */
export function setStandingHeaders(response: ServerResponse, { id }: Exchange): void {
  response.setHeader('x-request-id', id)
  for (const name in STANDING) response.setHeader(name, STANDING[name] ?? '')
}

/**
 * Returns the listener of the server. It determines path and origin of each request, logs one line for it, and always
 * sends an answer.
 */
export function createListener(
  { originOf, fetch, node = [], clientOf }: Handlers,
  log: Log,
): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request.url ?? '')
    const [path = ''] = (target ?? request.url ?? '').split('?', 1)
    const exchange = follow(request, response, target === undefined ? '(unusable)' : path, log)
    try {
      const limit = limitRefusal(request)
      if (limit) {
        response.setHeader('connection', 'close')
        return refuse(response, exchange, limit.status, limit.outcome)
      }
      if (target === undefined) return refuse(response, exchange, 400, 'bad-path')
      if (request.method === 'TRACE') return refuse(response, exchange, 405, 'bad-method')
      const found = originOf(request.headers)
      if ('refused' in found && !NAMELESS.has(path)) {
        const status = found.refused === 'unknown' ? 421 : 400
        return refuse(response, exchange, status, `${found.refused}-host`)
      }
      const site = 'refused' in found ? NAMELESS_SITE : found
      exchange.ownHost = request.headers.host?.toLowerCase() === site.host
      const client =
        clientOf?.(request.socket.remoteAddress, (name) => headerOf(request, name)) ?? null
      withoutClaims(request, site)
      const place = { origin: site.origin, host: site.host, target, path, client }
      for (const handle of node) if (await handle(request, response, exchange, place)) return
      setStandingHeaders(response, exchange)
      await webListener((asked) => fetch(asked, exchange), place)(request, response)
    } catch (error) {
      failed(exchange, error, log)
      if (response.headersSent) return void response.destroy()
      setStandingHeaders(response, exchange)
      sendPage(response, messagePage(500, 'Something went wrong', 'Try again in a moment.'))
    }
  }

  return (request, response) => void answer(request, response)
}

/** Returns a listener that answers with what `fetch` returns for a request to a place. */
function webListener(
  fetch: (request: Request) => Response | Promise<Response>,
  place: Place,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(
    (request) => fetch(withClientAddress(publicRequest(request, place), place.client ?? undefined)),
    { overrideGlobalObjects: false },
  )
}

/**
 * Returns the path and query of a request line, if there is only one way to read the path.
 *
 * @returns `undefined` if a URL parser would change the path (`/a/../b`, `/%2e/`, `\`), and if the line has no path.
 */
export function targetOf(line: string): string | undefined {
  if (PLAIN.test(line)) return line
  const own = /^https?:\/\/[^/?#]*(\/.*)$/i.exec(line)?.[1] ?? line
  if (!own.startsWith('/') || own.includes('#')) return undefined
  const [path = ''] = own.split('?')
  if (!URL.canParse(`http://localhost${own}`)) return undefined
  const url = new URL(`http://localhost${own}`)
  return url.pathname === path ? own : undefined
}

/** A path and a query of characters that no URL parser changes, without dots in the path. */
const PLAIN = /^(?:\/[\w~-]+)+(?:\?[\w\-.~!$&()*+,;:=@/?%]*)?$/

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return (typeof value === 'object' ? value.join(',') : value) || undefined
}

/** Returns the request with the public address, without the headers in which it names its own address. */
function publicRequest(request: Request, { origin, host, target }: Place): Request {
  const href = origin + target
  const headers = new Headers(request.headers)
  for (const name of SELF_DESCRIPTIONS) headers.delete(name)
  headers.set('host', host)
  const { method, signal } = request
  if (method === 'GET' || method === 'HEAD') return new Request(href, { method, headers, signal })
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal,
    // A client that waits for `100 Continue` gets it when the body is read.
    body: headers.has('expect') ? lazyBody(request) : request.body,
    duplex: 'half',
  }
  return new Request(href, init)
}

/** Removes from the headers of Node.js those in which the request names its own address, and sets the public host. */
function withoutClaims({ headers }: IncomingMessage, { host }: PublicOrigin): void {
  // Most requests have none of them, and reading an object is slower after a `delete`.
  for (const name of SELF_DESCRIPTIONS) if (name in headers) delete headers[name]
  headers.host = host
}

const refusals: Readonly<Record<number, readonly [title: string, message: string]>> = {
  400: ['Bad request', 'The URL of this request is invalid.'],
  405: ['Method not allowed', 'This page does not support the method of the request.'],
  414: ['Address too long', 'The URL of this request is too long.'],
  431: ['Headers too long', 'The headers of this request are too long.'],
  421: ['Not here', 'This server is not available under this host name.'],
}

function refuse(
  response: ServerResponse,
  exchange: Exchange,
  status: number,
  outcome: string,
): void {
  exchange.outcome = outcome
  setStandingHeaders(response, exchange)
  const [title, message] = refusals[status] ?? ['Bad request', '']
  sendPage(response, messagePage(status, title, message))
}

/** Sends a page from code that has no `Response` to return. */
export function sendPage(response: ServerResponse, page: Page): void {
  const { text, headers } = draw(page)
  response.writeHead(page.status ?? 200, {
    ...headers,
    'content-length': Buffer.byteLength(text),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}
