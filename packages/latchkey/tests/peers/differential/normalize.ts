import { decode } from 'latchkey/jwt'
import { CSRF_TOKEN, SECRET } from './known.ts'

/** An answer without what is random. */
export interface NormalAnswer {
  status: number
  type?: string | null
  location?: unknown
  /** May a cache keep it? */
  cache?: string
  cookie?: Record<string, unknown>
  body?: unknown
  /** In raw mode: what the entry point gave or threw. */
  raw?: unknown
}

/**
 * @param answer a `Response`, an internal response, or the name of the error that was thrown
 * @param url what was asked for
 */
export async function normalAnswer(answer: unknown, url: string): Promise<NormalAnswer> {
  if (!(answer instanceof Response)) return { status: 0, raw: await normalRaw(answer) }
  const { headers, status } = answer
  const type = headers.get('content-type')
  const location = headers.get('location')
  return {
    status,
    type,
    cache: [headers.get('cache-control'), headers.get('expires'), headers.get('pragma')].join(' '),
    ...(location === null ? {} : { location: await normal(location) }),
    cookie: await normalCookies(headers.getSetCookie()),
    body: await normalBody(await answer.text(), type ?? '', url),
  }
}

async function normalBody(text: string, type: string, url: string): Promise<unknown> {
  if (type.startsWith('text/html')) return page(text, url)
  if (!type.startsWith('application/json')) return text
  const body: unknown = JSON.parse(text)
  // The wording is free.
  const isMessage = /^\{"message":"[^"]+"\}$/.test(text)
  return isMessage ? { message: '<a message>' } : normal(body)
}

/** Headers in lower case and cookies by name, because in either form they are the same. */
async function normalRaw(answer: unknown): Promise<unknown> {
  if (typeof answer === 'string') return answer
  const { headers, cookies, ...rest } = answer as {
    headers?: HeadersInit
    cookies?: { name: string; value: string; options: object }[]
  }
  return normal(
    plain({
      ...rest,
      ...(headers ? { headers: new Headers(headers) } : {}),
      ...(cookies
        ? {
            cookies: Object.fromEntries(
              cookies.map(({ name, ...cookie }) => [normalName(name), cookie]),
            ),
          }
        : {}),
    }),
  )
}

/** By name, because their order says nothing. */
async function normalCookies(lines: readonly string[]): Promise<Record<string, unknown>> {
  const cookies: Record<string, unknown> = {}
  const joined = new Map<string, string>()
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const name = normalName(pair.slice(0, at))
    const value = decodeURIComponent(pair.slice(at + 1))
    const piece = /^(.+)\.\d+$/.exec(name)?.[1]
    if (piece) joined.set(piece, (joined.get(piece) ?? '') + value)
    cookies[name in cookies ? `${name} again` : name] = {
      value: piece && value ? '<a piece>' : await normal(value),
      attributes: attributes.map((attribute) => attribute.toLowerCase()).sort(),
    }
  }
  for (const [name, value] of joined) cookies[`${name} in pieces`] = await normal(value)
  return cookies
}

/** The cookie of a sign-in is named after its state; that of a challenge has another prefix (D-164). */
function normalName(name: string): string {
  return name
    .replace(/(latchkey\.sign-in)\.[\w-]{16}$/, '$1.<digest>')
    .replace('__Host-authjs.challenge', '__Secure-authjs.challenge')
}

/** What a page lets its visitor do, whatever it looks like. */
function page(html: string, url: string): unknown {
  const forms = [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gis)].map(
    ([, attributes = '', inner = '']) => ({
      method: attribute(attributes, 'method')?.toLowerCase() ?? 'get',
      action: new URL(attribute(attributes, 'action') ?? '', url).pathname,
      fields: [...inner.matchAll(/<input([^>]*)>/gi)].map(([, input = '']) =>
        [
          attribute(input, 'name') ?? '(no name)',
          attribute(input, 'type') ?? 'text',
          secretless(attribute(input, 'value') ?? ''),
        ]
          .join(' ')
          .trim(),
      ),
      // Not those of scripts, such as one that shows a password.
      buttons: [...inner.matchAll(/<button(?![^>]* type="button")/gi)].length,
    }),
  )
  // Neither the mark of the site, which is on every page, nor a link to a field is a way on.
  const links = [...html.matchAll(/<a\s(?!class="brand"|href="#)([^>]*)>/gi)].map(
    ([, a = '']) => new URL(attribute(a, 'href') ?? '', url).href,
  )
  // An error page says nothing else.
  const complains =
    forms.length > 0 && /role="alert"|class="error"/.test(html.replace(/<style.*?<\/style>/gis, ''))
  return { forms, links: links.sort(), complains }
}

function attribute(text: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}(?:="([^"]*)"|=([^\\s>]*)|(?=[\\s/>]|$))`, 'i').exec(
    text,
  )
  return found ? (found[1] ?? found[2] ?? '').replaceAll('&amp;', '&') : undefined
}

/** What was given, as plain data, as it is now: later changes of it do not show. */
export function plain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (value instanceof Request) return requestOf(value)
  if (value instanceof Headers) return Object.fromEntries(value)
  if (value instanceof Error) return value.name
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, plain(member)]),
  )
}

function requestOf({ method, url, headers }: Request): object {
  return { method, path: new URL(url).pathname, type: headers.get('content-type') }
}

/** Plain data with a placeholder for each random value, and sealed values opened. */
export async function normal(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return normalText(value)
  if (Array.isArray(value)) return Promise.all(value.map(normal))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await normal(member)])
  return Object.fromEntries(await Promise.all(members)) as Record<string, unknown>
}

async function normalText(text: string): Promise<unknown> {
  if (/^eyJ[\w-]*\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return opened(text)
  if (/^https?:[^ ]*\?/.test(text) && URL.canParse(text)) return normalUrl(text)
  return secretless(text)
}

function secretless(text: string): string {
  if (text === CSRF_TOKEN) return '<the CSRF token>'
  const kind = KINDS.find(([, pattern]) => pattern.test(text))
  return kind ? `<${kind[0]}>` : text
}

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['a CSRF token and its hash', /^[\da-f]{64}\|[\da-f]{64}$/],
  ['32 bytes in hex', /^[\da-f]{64}$/],
  ['hash of a session token', /^lk1_[\w-]{43}$/],
  ['32 bytes in base64', /^[\w+/]{43}=$/],
  ['public key', /^[\w+/]{80,}={0,2}$/],
  ['32 bytes in base64url', /^[\w-]{43}$/],
  ['ID token', /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*$/],
]

async function normalUrl(text: string): Promise<unknown> {
  const url = new URL(text)
  const query = await normal(Object.fromEntries(url.searchParams))
  // Parsed, since an empty port may or may not be written.
  return { to: url.href.slice(0, url.href.indexOf('?')), query }
}

/** Purposes for which something is sealed. */
const PURPOSES = ['session-token', 'state', 'nonce', 'pkce.code_verifier', 'challenge'].flatMap(
  (name) => [`__Secure-authjs.${name}`, `authjs.${name}`],
)

async function opened(token: string): Promise<unknown> {
  for (const salt of [
    ...PURPOSES,
    '__Host-authjs.challenge',
    'encodedState',
    'encodedWebauthnChallenge',
    'latchkey.sign-in',
    'my-session',
    'my-state',
    'my-nonce',
  ]) {
    try {
      const claims = await decode({ token, secret: SECRET, salt })
      if (claims) return { sealed: normalName(salt), ...((await normal(plain(claims))) as object) }
    } catch {
      // Sealed for another purpose.
    }
  }
  return '<sealed>'
}
