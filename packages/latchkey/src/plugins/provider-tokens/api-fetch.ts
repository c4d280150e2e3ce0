import type { Host } from '../../entries/plugin.ts'
import { type GetOptions, ProviderTokenMissing, type TokenResult } from './tokens-api.ts'

/**
 * Sends a request to an API with a token, and repeats it once with a renewed token after a 401.
 *
 * @param token returns a token.
 * @throws {ProviderTokenMissing} if there is none.
 */
export async function fetchWithToken(
  provider: string,
  input: string | URL,
  { scopes, resource, ...init }: RequestInit & Pick<GetOptions, 'scopes' | 'resource'>,
  token: (options: GetOptions) => Promise<TokenResult>,
  { ports }: Pick<Host, 'ports'>,
): Promise<Response> {
  const url = new URL(input)
  if (!isSafe(url))
    throw new TypeError(
      `a token of the provider ${provider} is not sent to ${url.origin}: use an https address`,
    )
  const ask = async (force: boolean): Promise<Response> => {
    const result = await token({ scopes, resource, force })
    if (!result.ok) throw new ProviderTokenMissing(provider, result.error, result.reconnect)
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${result.access_token}`)
    const send = result.bound?.fetch(ports.fetch) ?? ports.fetch
    return send(url, { ...init, headers })
  }
  const response = await ask(false)
  if (response.status !== 401 || init.body instanceof ReadableStream) return response
  try {
    const again = await ask(true)
    await response.body?.cancel()
    return again
  } catch (error) {
    // The response of the API is more informative than the missing token.
    if (error instanceof ProviderTokenMissing) return response
    throw error
  }
}

/** A token must not be sent over plain http, except to this machine. */
function isSafe({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
  )
}
