import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { withClientAddress } from 'latchkey/plugins/limits'
import type { Log } from '../observe/log.ts'
import { type Exchange, failed, follow } from './exchange.ts'
import { lazyBody } from './late-continue.ts'
import { limitRefusal } from './limits.ts'
import type { OriginRule } from './origin.ts'
import { draw, messagePage, type Page } from './page.ts'

/** Answers a request of Node.js, with the headers that every answer has; `false` leaves it to the next one. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  place: Place,
) => Promise<boolean>

/** Where a request was sent to and by whom, once that is known. */
export interface Place {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly target: string
  /** The address of the client; `null` where nobody knows. */
  readonly client: string | null
}

/** What answers, once a request is known to be usable. */
export interface Handlers {
  readonly originOf: OriginRule
  readonly fetch: (request: Request, exchange: Exchange) => Response | Promise<Response>
  /** Finds out where a client is, from the connection and the headers; `undefined` where nobody knows. */
  readonly clientOf?: ClientOf | undefined
  /** For what needs Node.js's own request and response. Each is asked in turn. */
  readonly node?: readonly NodeHandler[] | undefined
}

export type ClientOf = (
  connection: string | undefined,
  header: (name: string) => string | undefined,
) => string | undefined

/** Paths that are asked for by machines that may not know the public name. */
const NAMELESS = new Set(['/healthz', '/readyz'])
/** Headers by which a request says of itself where it was sent to; the origin rule has read them. */
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

/** Headers of every answer, beside the id of the request. */
const STANDING: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/**
 * Returns the headers that every answer has, as a list for `writeHead`.
 *
 * @param has whether the answer has a header of its own.
 */
export function standingHeaders({ id }: Exchange, has: (name: string) => boolean): string[] {
  const list = ['x-request-id', id]
  for (const name in STANDING) if (!has(name)) list.push(name, STANDING[name] ?? '')
  return list
}

/** Sets the headers that every answer has. */
export function setStandingHeaders(response: ServerResponse, { id }: Exchange): void {
  response.setHeader('x-request-id', id)
  for (const name in STANDING) response.setHeader(name, STANDING[name] ?? '')
}

/**
 * What stands between Node.js's server and the pages: one path, one origin, one log line for each
 * request, and an answer whatever happens.
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
      const origin = 'refused' in found ? 'http://localhost' : found.origin
      exchange.ownHost = request.headers.host?.toLowerCase() === hostOf(origin)
      const client =
        clientOf?.(request.socket.remoteAddress, (name) => headerOf(request, name)) ?? null
      withoutClaims(request, origin)
      const place = { origin, target, client }
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
  { origin, target, client }: Place,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(
    (request) =>
      fetch(withClientAddress(publicRequest(request, origin + target), client ?? undefined)),
    { overrideGlobalObjects: false },
  )
}

/**
 * The path and query of a request line, if the path has one spelling only.
 *
 * @returns `undefined` for what a URL parser would read as another path (`/a/../b`, `/%2e/`, `\`), and
 *   for what is no path at all.
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

/** The request as it was meant: at the public address, and without what it claims about it. */
function publicRequest(request: Request, href: string): Request {
  const headers = new Headers(request.headers)
  for (const name of SELF_DESCRIPTIONS) headers.delete(name)
  headers.set('host', new URL(href).host)
  const { method, signal } = request
  if (method === 'GET' || method === 'HEAD') return new Request(href, { method, headers, signal })
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal,
    // Whoever waits for `100 Continue` is told so when the body is read.
    body: headers.has('expect') ? lazyBody(request) : request.body,
    duplex: 'half',
  }
  return new Request(href, init)
}

/** The host of an origin, which is written as the URL parser has it. */
function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2)
}

/** Removes from the headers of Node.js what a request claims about its address. The host becomes the public one. */
function withoutClaims({ headers }: IncomingMessage, origin: string): void {
  // Most have none of them, and an object that something was deleted from is slow to read.
  for (const name of SELF_DESCRIPTIONS) if (name in headers) delete headers[name]
  headers.host = hostOf(origin)
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

/** Answers with a page where there is no `Response` to return. */
export function sendPage(response: ServerResponse, page: Page): void {
  const { text, headers } = draw(page)
  response.writeHead(page.status ?? 200, {
    ...headers,
    'content-length': Buffer.byteLength(text),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}
