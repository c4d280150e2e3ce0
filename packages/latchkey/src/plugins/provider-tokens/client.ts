/**
 * The plugin `providerTokens` as a page uses it.
 *
 * @module
 */

import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import { inOneTab, type TabsPage } from './one-tab.ts'
import type { ProviderStatus } from './tokens-api.ts'

export type { ProviderStatus } from './tokens-api.ts'

/** What is needed of the client: `createAuthClient` of `latchkey/client` makes one. */
export interface AskingClient {
  ask(path: string, fields?: object): Promise<unknown>
}

/** What is needed of the browser. */
export interface ConnectionsPage extends TabsPage {
  location?: Pick<Location, 'href' | 'assign'>
  fetch?: typeof fetch
  document?: Pick<Document, 'visibilityState'>
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
  /**
   * Has tokens renewed shortly before they end, for as long as the page is seen: one tab asks for all. For
   * `cookie: { refresh: 'browser' }`.
   *
   * @returns ends it.
   */
  keepFresh(provider: string): () => void
  /**
   * Asks a route of the application. Where that answers 401 with the code `refresh_elsewhere`, tokens are renewed, and it is
   * asked once more.
   */
  fetch(provider: string, input: string | URL, init?: RequestInit): Promise<Response>
  /** Forgets tokens. @returns whether the provider said already that it revoked them. */
  disconnect(provider: string): Promise<{ revoked: boolean }>
}

/** Milliseconds before the end of a token from which on it is renewed: within the margin that the server has. */
const MARGIN = 50_000

/** Milliseconds between two looks, at least and at most. */
const [PAUSE, LONGEST_PAUSE] = [5_000, 60_000]

/** Makes the functions for a page. */
export function providerTokensClient(
  client: AskingClient,
  page: ConnectionsPage = globalThis,
): ProviderTokensClient {
  const ask = async <Answer>(path: string, fields?: object): Promise<Answer> =>
    (await client.ask(`provider-tokens/${path}`, fields)) as Answer
  const status = async (): Promise<Record<string, ProviderStatus>> =>
    (await ask<{ providers: Record<string, ProviderStatus> }>('status')).providers
  const refresh: ProviderTokensClient['refresh'] = (provider) => ask('refresh', { provider })
  const isDue = (end: number | undefined): boolean =>
    end !== undefined && end * 1000 - Date.now() < MARGIN
  /** Another tab may have been faster. */
  const renew = (provider: string): Promise<{ expires_at?: number }> =>
    inOneTab(async () => {
      const known = (await status())[provider]
      const { expires_at } = known ?? {}
      if (isDue(expires_at)) return refresh(provider)
      return expires_at === undefined ? {} : { expires_at }
    }, page)

  return {
    status,
    refresh,
    keepFresh(provider) {
      let isOver = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = async (): Promise<void> => {
        let pause = LONGEST_PAUSE
        try {
          if (page.document?.visibilityState !== 'hidden') {
            const { expires_at } = await renew(provider)
            if (expires_at === undefined) return
            pause = Math.min(
              Math.max(expires_at * 1000 - Date.now() - MARGIN, PAUSE),
              LONGEST_PAUSE,
            )
          }
        } catch {
          // Offline, or the connection has ended: the page asks for it where it needs it.
        }
        if (!isOver) timer = setTimeout(() => void look(), pause)
      }
      void look()
      return () => {
        isOver = true
        clearTimeout(timer)
      }
    },
    async fetch(provider, input, init) {
      const send = page.fetch ?? fetch
      const answer = await send(input, init)
      if (answer.status !== 401 || init?.body instanceof ReadableStream) return answer
      const problem: unknown = await answer
        .clone()
        .json()
        .catch(() => undefined)
      if (!isJsonObject(problem) || problem['code'] !== 'refresh_elsewhere') return answer
      await renew(provider)
      return send(input, init)
    },
    async connect(provider, { scopes, callbackUrl = page.location?.href } = {}) {
      const path = `connect/${encodeURIComponent(provider)}`
      const { url } = await ask<{ url: string }>(path, definedOnly({ scopes, callbackUrl }))
      page.location?.assign(url)
    },
    disconnect: (provider) => ask('disconnect', { provider }),
  }
}
