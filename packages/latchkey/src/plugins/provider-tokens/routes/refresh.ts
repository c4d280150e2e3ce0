import { definedOnly } from '../../../encoding/defined-only.ts'
import { type Answer, type Call, Problem } from '../../../plugin-kit.ts'
import type { Own } from '../own.ts'

/** Seconds after which a program may ask again. */
const AGAIN = '5'

/** `POST provider-tokens/refresh`: renews tokens that are about to end; says when the next ones do. */
export async function refresh(
  { current, input, callbackUrl }: Call<{ provider: string }>,
  { tokens }: Own,
): Promise<Answer> {
  const result = await (await tokens()).get(current?.user.id ?? '', input.provider)
  if (result.ok)
    return {
      json: definedOnly({ expires_at: result.expires_at }) as { expires_at: number },
      to: callbackUrl,
    }
  const { error, reconnect } = result
  if (error === 'ProviderUnavailable')
    throw new Problem('provider_unavailable', 'the provider could not be asked', {
      headers: { 'retry-after': AGAIN },
    })
  throw new Problem('refresh_token_error', `no token can be had: ${error}`, {
    ...(reconnect !== undefined && { members: { reconnect } }),
  })
}
