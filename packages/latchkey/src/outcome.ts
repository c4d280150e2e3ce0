import { type Cookie, serializeCookie } from './http/cookies.ts'
import type { DirectAnswer, PlainAnswer } from './http/direct.ts'
import type { Html } from './http/html.ts'
import type { SafeUrl } from './http/safe-url.ts'

/** What a flow decided, as data. Nothing is sent until {@link toResponse}. */
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
  /** The body as text, where it is known already. */
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
  /** Its type is among the headers. */
  readonly body: Uint8Array<ArrayBuffer>
}

export interface RedirectOutcome extends Common {
  readonly kind: 'redirect'
  readonly to: SafeUrl
  /** What went wrong, if the visitor is led to where they are told. */
  readonly error?: PublicError
  /** Is there a step before the sign-in is finished, which is asked for at this address? */
  readonly detour?: true
}

/** An error as the visitor is told of it, in the parameters of an address. */
export interface PublicError {
  /** `CredentialsSignin`, `AccessDenied`, `Configuration` … */
  readonly error: string
  /** What a credentials provider says of it. */
  readonly code?: string
}

export interface EmptyOutcome extends Common {
  readonly kind: 'empty'
  readonly status: number
}

/** The answer before it becomes a `Response`, for framework authors. */
export interface ResponseInternal {
  /** @default 200, or 302 with `redirect` */
  status?: number
  headers?: Headers
  // Whoever takes it over narrows it by the action that was asked for.
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

/** Sets further cookies, in front; one that the outcome sets itself is not set twice (RFC 6265 section 4.1.1). */
export function withCookies(outcome: Outcome, cookies: readonly Cookie[]): Outcome {
  if (cookies.length === 0) return outcome
  const own = outcome.cookies ?? []
  const further = cookies.filter(({ name }) => !own.some((cookie) => cookie.name === name))
  return { ...outcome, cookies: [...further, ...own] }
}

type HeaderRecord = Record<string, string>

/** Answers of this service are never kept by a cache. */
const NEVER_CACHED: HeaderRecord = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
}

/**
 * Pages hold tokens: no frame, no guessing of types, no address handed on but the site's own origin.
 * Without that, browsers send our forms with `Origin: null`, which frameworks refuse that check it.
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
  // An answer that caches may keep says so in one place.
  const { expires: _, pragma: __, ...cached } = headers
  return cached
}

/**
 * The answer to the browser.
 *
 * @param base with an origin the answer to a redirect is JSON, `{ url }`, for our browser client, and
 *   its status 200; the address in it is always absolute.
 */
export function toResponse(outcome: Outcome, base?: string): Response {
  return responseOf(render(outcome, base))
}

/** The same for a server that writes it itself. */
export function toDirectAnswer(outcome: Outcome, base?: string): DirectAnswer {
  const answer = render(outcome, base)
  const error = outcome.kind === 'redirect' ? outcome.error?.error : undefined
  return { answer: isSentAsItIs(answer) ? answer : responseOf(answer), error }
}

/** An answer before it is written; its body may be bytes. */
interface Rendered extends Omit<PlainAnswer, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

function render(outcome: Outcome, base: string | undefined): Rendered {
  const body = bodyOf(outcome, base)
  const headers = headersOf(outcome, typeof body === 'string')
  let { status = 200 } = outcome
  if (outcome.kind === 'redirect') {
    headers['location'] = outcome.to
    // Addresses may carry codes and tokens.
    headers['referrer-policy'] ??= 'no-referrer'
    status = body === null ? (outcome.status ?? 302) : 200
  }
  return { status, headers, cookies: (outcome.cookies ?? []).map(serializeCookie), body }
}

function responseOf({ status, headers, cookies, body }: Rendered): Response {
  // A copy: the `Response` of some servers keeps and changes what it is given.
  const response = new Response(body, { status, headers: { ...headers } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/**
 * Returns whether `Response` would take the answer and change nothing. It refuses some, such as a text with a
 * status that has none, and trims headers.
 */
function isSentAsItIs(answer: Rendered): answer is PlainAnswer {
  const { status, headers, cookies, body } = answer
  return (
    !(body instanceof Uint8Array) &&
    SENDABLE.has(status) &&
    Object.values(headers).every((value) => VISIBLE.test(value)) &&
    cookies.every((value) => VISIBLE.test(value))
  )
}

const SENDABLE: ReadonlySet<number> = new Set([200, 302, 303, 400, 401, 403, 404, 429, 500, 503])

/** A header's value in ASCII, without blanks around it. */
const VISIBLE = /^[!-~](?:[\t -~]*[!-~])?$/

function bodyOf(
  outcome: Outcome,
  base: string | undefined,
): string | Uint8Array<ArrayBuffer> | null {
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

/** The answer for framework authors, who set the cookies themselves. */
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
