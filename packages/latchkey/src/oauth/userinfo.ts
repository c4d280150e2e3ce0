import { isJsonObject } from '../encoding/json.ts'

/**
 * Asks a plain OAuth provider who the token belongs to (RFC 6750 section 2.1).
 *
 * @throws when the answer is not 2xx or no JSON object: a token that does not work is no proof.
 */
export async function fetchUserInfo(
  url: string,
  accessToken: string,
  send: typeof fetch,
): Promise<Record<string, unknown>> {
  const response = await send(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  })
  if (!response.ok) throw new TypeError(`the userinfo endpoint answered ${response.status}`)
  const profile: unknown = await response.json()
  if (!isJsonObject(profile)) throw new TypeError('the userinfo endpoint answered no JSON object')
  return profile
}
