import type { JsonObject } from '../model/json.ts'
import { type Cookie, serializeCookie } from './cookies/cookies.ts'
import type { DirectAnswer, PlainAnswer } from './direct.ts'
import type { Html } from './html.ts'
import type { SafeUrl } from './safe-url.ts'

/** The result of a flow as data. {@link toResponse} turns it into a response. */
export type Outcome = JsonOutcome | PageOutcome | BytesOutcome | RedirectOutcome | EmptyOutcome

interface Common {
  readonly status?: number
  readonly cookies?: readonly Cookie[]
  /** Further headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonOutcome extends Common {
  readonly kind: 'json'
  readonly body: unknown
  /** The body as a string, if it is already known. */
  readonly text?: string
}

export interface PageOutcome extends Common {
  readonly kind: 'page'
  readonly html: Html
  /** The page's Content-Security-Policy. */
  readonly policy: string
}

export interface BytesOutcome extends Common {
  readonly kind: 'bytes'
  /** The headers have its content type. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
}

export interface RedirectOutcome extends Common {
  readonly kind: 'redirect'
  readonly to: SafeUrl
  /** The error, if the redirect leads to a page that reports it. */
  readonly error?: PublicError
  /** Whether the URL leads to a further step before the sign-in is complete. */
  readonly detour?: true
  /** Further members of the answer to a program. */
  readonly members?: JsonObject
}

/** An error as query parameters for the visitor. */
export interface PublicError {
  /** `CredentialsSignin`, `AccessDenied`, `Configuration` … */
  readonly error: string
  /** The code of a credentials provider. */
  readonly code?: string
}

export interface EmptyOutcome extends Common {
  readonly kind: 'empty'
  readonly status: number
}

/** The response before it becomes a `Response`, for authors of framework integrations. */
export interface ResponseInternal {
  /** @default 200, or 302 with `redirect` */
  status?: number
  headers?: Headers
  // The caller narrows the type by the requested action.
  // oxlint-disable-next-line typescript/no-explicit-any
  body?: any
  redirect?: string
  cookies?: Cookie[]
}

export function json(body: unknown, cookies: readonly Cookie[] = []): JsonOutcome {
  return { kind: 'json', body, cookies }
}

export function redirect(to: SafeUrl, cookies: readonly Cookie[] = []): RedirectOutcome {
  return { kind: 'redirect', to, cookies }
}

/** Adds cookies before those of the outcome, except cookies that the outcome sets itself (RFC 6265 section 4.1.1). */
export function withCookies(outcome: Outcome, cookies: readonly Cookie[]): Outcome {
  if (cookies.length === 0) return outcome
  const own = outcome.cookies ?? []
  const further = cookies.filter(({ name }) => !own.some((cookie) => cookie.name === name))
  return { ...outcome, cookies: [...further, ...own] }
}

type HeaderRecord = Record<string, string>

/** Responses must not be cached. */
const NEVER_CACHED: HeaderRecord = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
}

/**
 * Pages contain tokens: they allow no frames, no content sniffing, and only the origin as the referrer.
 * Without a referrer, browsers send forms with `Origin: null`, which some frameworks refuse.
 */
const PAGE_HEADERS: HeaderRecord = {
  ...NEVER_CACHED,
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin',
}

const JSON_HEADERS: HeaderRecord = { ...NEVER_CACHED, 'content-type': 'application/json' }

function headersOf(outcome: Outcome, asJson: boolean): HeaderRecord {
  if (outcome.kind === 'page') {
    return { ...PAGE_HEADERS, 'content-security-policy': outcome.policy, ...outcome.headers }
  }
  const headers = { ...(asJson ? JSON_HEADERS : NEVER_CACHED), ...outcome.headers }
  if (outcome.headers?.['cache-control'] === undefined) return headers
  // A response that may be cached has its own `cache-control` header.
  const { expires: _, pragma: __, ...cached } = headers
  return cached
}

/**
 * Returns the response to the browser.
 *
 * @param base with an origin, a redirect becomes the JSON `{ url }` for the browser client, and
 *   its status is 200; the URL is always absolute.
 */
export function toResponse(outcome: Outcome, base?: string): Response {
  return responseOf(render(outcome, base))
}

/** The same for a server that writes the response itself. */
export function toDirectAnswer(outcome: Outcome, base?: string): DirectAnswer {
  const answer = render(outcome, base)
  const error = outcome.kind === 'redirect' ? outcome.error?.error : undefined
  return { answer: isSentAsItIs(answer) ? answer : responseOf(answer), error }
}

/** A response before it is written; its body may be bytes. */
interface Rendered extends Omit<PlainAnswer, 'body'> {
  readonly body: string | BytesOutcome['body'] | null
}

function render(outcome: Outcome, base: string | undefined): Rendered {
  const body = bodyOf(outcome, base)
  const headers = headersOf(outcome, typeof body === 'string')
  let { status = 200 } = outcome
  if (outcome.kind === 'redirect') {
    headers['location'] = outcome.to
    // URLs may contain codes and tokens.
    headers['referrer-policy'] ??= 'no-referrer'
    status = body === null ? (outcome.status ?? 302) : 200
  }
  return { status, headers, cookies: (outcome.cookies ?? []).map(serializeCookie), body }
}

function responseOf({ status, headers, cookies, body }: Rendered): Response {
  // The constructor gets all of them, and a copy: the `Response` of some servers keeps its arguments, changes
  // them, and forgets what was set later when it is copied.
  if (cookies.length < 2) {
    const [cookie] = cookies
    const all = cookie === undefined ? { ...headers } : { ...headers, 'set-cookie': cookie }
    return new Response(body, { status, headers: all })
  }
  // One by one, since a record of headers is read twice.
  const written = new Headers()
  for (const name in headers) written.append(name, headers[name] as string)
  for (const cookie of cookies) written.append('set-cookie', cookie)
  return new Response(body, { status, headers: written })
}

/**
 * Returns whether `Response` would accept the response without changes. It refuses some, such as a body with a
 * status that allows no body, and trims headers.
 */
function isSentAsItIs(answer: Rendered): answer is PlainAnswer {
  const { status, headers, cookies, body } = answer
  return (
    (body === null || typeof body === 'string') &&
    SENDABLE.has(status) &&
    Object.values(headers).every((value) => VISIBLE.test(value)) &&
    cookies.every((value) => VISIBLE.test(value))
  )
}

const SENDABLE: ReadonlySet<number> = new Set([200, 302, 303, 400, 401, 403, 404, 429, 500, 503])

/** Matches a header value in ASCII without surrounding spaces. */
const VISIBLE = /^[!-~](?:[\t -~]*[!-~])?$/

function bodyOf(outcome: Outcome, base: string | undefined): string | BytesOutcome['body'] | null {
  switch (outcome.kind) {
    case 'json':
      return outcome.text ?? JSON.stringify(outcome.body)
    case 'page':
      return outcome.html
    case 'bytes':
      return outcome.body
    case 'empty':
      return null
    case 'redirect': {
      if (base === undefined) return null
      const url = URL.canParse(outcome.to) ? outcome.to : new URL(outcome.to, base).href
      return JSON.stringify({ url, detour: outcome.detour })
    }
  }
}

/** Returns the response for authors of framework integrations, who set the cookies themselves. */
export function toInternal(outcome: Outcome): ResponseInternal {
  const headers = new Headers(headersOf(outcome, outcome.kind === 'json'))
  const cookies = [...(outcome.cookies ?? [])]
  const status = outcome.status === undefined ? {} : { status: outcome.status }
  switch (outcome.kind) {
    case 'json':
    case 'bytes':
      return { ...status, headers, cookies, body: outcome.body }
    case 'page':
      return { ...status, headers, cookies, body: outcome.html }
    case 'empty':
      return { ...status, headers, cookies }
    case 'redirect':
      return { ...status, headers, cookies, redirect: outcome.to }
  }
}
