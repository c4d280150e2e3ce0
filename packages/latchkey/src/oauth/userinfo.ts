import { isJsonObject } from '../encoding/json.ts'

/** How a plain OAuth provider is asked who a token belongs to. */
export interface UserinfoRequest {
  readonly url: string
  readonly params?: Record<string, unknown> | undefined
  readonly method?: 'GET' | 'POST' | undefined
  readonly headers?: Record<string, string> | undefined
  readonly body?: Record<string, unknown> | undefined
  readonly unwrap?: string | undefined
}

/**
 * Asks a plain OAuth provider who the token belongs to (RFC 6750 section 2.1).
 *
 * @param tokens stand where a text has `{tokens.name}`.
 * @throws when the answer is not 2xx or no JSON object: a token that does not work is no proof.
 */
export async function fetchUserInfo(
  { url, params = {}, method = 'GET', headers = {}, body, unwrap }: UserinfoRequest,
  tokens: Readonly<Record<string, unknown>>,
  send: typeof fetch,
): Promise<Record<string, unknown>> {
  const target = new URL(fill(url, tokens, encodeURIComponent))
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) target.searchParams.set(name, fill(String(value), tokens))
  }
  const given = {
    accept: 'application/json',
    authorization: `Bearer ${String(tokens['access_token'])}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, tokens)]),
    ),
  }
  const all = toHeaders(given)
  const response = await send(target, {
    method,
    headers: all,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new TypeError(`the userinfo endpoint answered ${response.status}`)
  const profile = inside(await response.json(), unwrap)
  if (!isJsonObject(profile)) throw new TypeError('the userinfo endpoint answered no JSON object')
  return profile
}

/** An empty value leaves the header out. @throws without the values: they hold the token. */
function toHeaders(given: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(Object.entries(given).filter(([, value]) => value !== ''))
  } catch {
    throw new TypeError('the access token has characters that no header can hold')
  }
}

function fill(
  text: string,
  tokens: Readonly<Record<string, unknown>>,
  encode: (text: string) => string = (value) => value,
): string {
  return text.replace(/\{tokens\.(\w+)\}/g, (_, name: string) => {
    const value = tokens[name]
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`the token response has no ${name}, which the userinfo request needs`)
    }
    return encode(String(value))
  })
}

/** What lies at a path of names and indexes. */
function inside(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value
  return path.split('.').reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return (at as unknown[])[Number(name)]
    return isJsonObject(at) ? at[name] : undefined
  }, value)
}
