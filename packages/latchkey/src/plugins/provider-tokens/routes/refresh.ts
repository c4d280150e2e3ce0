import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { connectionsOf, type Own } from '../own.ts'

/** Seconds after which a program may repeat the request. */
const AGAIN = '5'

/** `POST provider-tokens/refresh`: renews tokens that are about to expire, and returns when the new ones expire. */
export async function refresh(call: Call<{ provider: string }>, own: Own): Promise<Answer> {
  const connections = await connectionsOf(call, own)
  const { result, cookies } = await connections.get(call.input.provider)
  if (result.ok) {
    const { expires_at } = result
    const json = expires_at === undefined ? {} : { expires_at }
    return { json, to: call.callbackUrl, cookies }
  }
  const { error, reconnect } = result
  if (error === 'ProviderUnavailable')
    throw new Problem('provider_unavailable', 'the provider cannot be reached', {
      headers: { 'retry-after': AGAIN },
      cookies,
    })
  throw new Problem('refresh_token_error', `no token is available: ${error}`, {
    ...(reconnect !== undefined && { members: { reconnect } }),
    cookies,
  })
}
