import { isJsonObject } from '../../base/encoding/json.ts'

/** The userinfo request of a plain OAuth provider. */
export interface UserinfoRequest {
  readonly url: string
  readonly params?: Record<string, unknown> | undefined
  readonly method?: 'GET' | 'POST' | undefined
  readonly headers?: Record<string, string> | undefined
  readonly body?: Record<string, unknown> | undefined
  readonly unwrap?: string | undefined
}

/**
 * Returns the profile from a plain OAuth provider (RFC 6750 section 2.1).
 *
 * @param tokens values for `{tokens.name}` in strings.
 * @throws if the status is not 2xx, or the response is not a JSON object.
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
  if (!response.ok) throw new TypeError(`the userinfo endpoint returned status ${response.status}`)
  const profile = inside(await response.json(), unwrap)
  if (!isJsonObject(profile))
    throw new TypeError('the userinfo endpoint did not return a JSON object')
  return profile
}

/**
 * Returns the headers, without empty ones.
 *
 * @throws without the values, which contain the token.
 */
function toHeaders(given: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(Object.entries(given).filter(([, value]) => value !== ''))
  } catch {
    throw new TypeError('the access token has characters that are not allowed in a header')
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

/** Returns the value at a path of names and indexes. */
function inside(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value
  return path.split('.').reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return (at as unknown[])[Number(name)]
    return isJsonObject(at) ? at[name] : undefined
  }, value)
}
