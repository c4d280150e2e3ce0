/**
 * The plugin `providerTokens` as a page uses it.
 *
 * @module
 */

import { definedOnly } from '../../encoding/defined-only.ts'
import type { ProviderStatus } from './tokens-api.ts'

export type { ProviderStatus } from './tokens-api.ts'

/** What is needed of the client: `createAuthClient` of `latchkey/client` makes one. */
export interface AskingClient {
  ask(path: string, fields?: object): Promise<unknown>
}

/** What is needed of the browser. */
export interface LeavingPage {
  location?: Pick<Location, 'href' | 'assign'>
}

/** Connections to providers. Each function throws a `ClientError` when it is refused; no answer has a token. */
export interface ProviderTokensClient {
  /** What is known of the connections, by provider. */
  status(): Promise<Record<string, ProviderStatus>>
  /**
   * Leads the browser to a provider, to connect the account again or for more.
   *
   * @param options `scopes`: those that are needed beside the usual ones; `callbackUrl`: where to go then, this page if left
   *   out.
   */
  connect(
    provider: string,
    options?: { scopes?: readonly string[]; callbackUrl?: string },
  ): Promise<void>
  /** Has tokens renewed that are about to end. @returns when the next ones end, seconds since the epoch, if that is known. */
  refresh(provider: string): Promise<{ expires_at?: number }>
  /** Forgets tokens. @returns whether the provider said already that it revoked them. */
  disconnect(provider: string): Promise<{ revoked: boolean }>
}

/** Makes the functions for a page. */
export function providerTokensClient(
  client: AskingClient,
  page: LeavingPage = globalThis,
): ProviderTokensClient {
  const ask = async <Answer>(path: string, fields?: object): Promise<Answer> =>
    (await client.ask(`provider-tokens/${path}`, fields)) as Answer
  return {
    status: async () =>
      (await ask<{ providers: Record<string, ProviderStatus> }>('status')).providers,
    async connect(provider, { scopes, callbackUrl = page.location?.href } = {}) {
      const path = `connect/${encodeURIComponent(provider)}`
      const { url } = await ask<{ url: string }>(path, definedOnly({ scopes, callbackUrl }))
      page.location?.assign(url)
    },
    refresh: (provider) => ask('refresh', { provider }),
    disconnect: (provider) => ask('disconnect', { provider }),
  }
}
