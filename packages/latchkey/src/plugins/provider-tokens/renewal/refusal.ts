import type { Host } from '../../../entries/plugin.ts'
import { reconnectPath } from '../connections/ended.ts'
import type { ProviderTokenError, TokenResult } from '../tokens-api.ts'

/** Returns why there is no token, and where to reconnect the account if that helps. */
export function refusal(
  host: Host,
  provider: string,
  error: ProviderTokenError,
): Extract<TokenResult, { ok: false }> {
  const helps = error === 'NoToken' || error === 'RefreshTokenError' || error === 'ScopeMissing'
  return {
    ok: false,
    error,
    ...(helps &&
      host.providers.ids().includes(provider) && { reconnect: reconnectPath(host, provider) }),
  }
}
