/**
 * The functions of the plugin `providerTokens` for a page.
 *
 * @module
 */

import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import { inOneTab, type TabsPage } from './one-tab.ts'
import type { ProviderStatus } from './tokens-api.ts'

export type { ProviderStatus } from './tokens-api.ts'

/** The part of the client that is used. `createAuthClient` of `latchkey/client` creates one. */
export interface AskingClient {
  ask(path: string, fields?: object): Promise<unknown>
}

/** The part of the browser that is used. */
export interface ConnectionsPage extends TabsPage {
  location?: Pick<Location, 'href' | 'assign'>
  fetch?: typeof fetch
  document?: Pick<Document, 'visibilityState'>
}

/** Connections to providers. Each function throws a `ClientError` if it is refused. No response has a token. */
export interface ProviderTokensClient {
  /** Returns the state of the connections, by provider. */
  status(): Promise<Record<string, ProviderStatus>>
  /**
   * Redirects the browser to a provider, to reconnect the account or to request more scopes.
   *
   * @param options `scopes`: scopes in addition to the usual ones; `callbackUrl`: the target afterwards, by default
   * this page.
   */
  connect(
    provider: string,
    options?: { scopes?: readonly string[]; callbackUrl?: string },
  ): Promise<void>
  /**
   * Renews tokens that are about to expire. @returns when the new ones expire, in seconds since the epoch, if known.
   */
  refresh(provider: string): Promise<{ expires_at?: number }>
  /**
   * Renews tokens shortly before they expire, while the page is visible. One tab renews for all. Use it with `cookie: {
   * refresh: 'browser' }`.
   *
   * @returns a function that stops it.
   */
  keepFresh(provider: string): () => void
  /**
   * Sends a request to a route of the application. If the route responds with 401 and the code `refresh_elsewhere`,
   * tokens are renewed and the request is repeated once.
   */
  fetch(provider: string, input: string | URL, init?: RequestInit): Promise<Response>
  /** Deletes tokens. @returns whether the provider has confirmed that it revoked them. */
  disconnect(provider: string): Promise<{ revoked: boolean }>
}

/** Milliseconds before the expiry of a token at which it is renewed. It is within the margin of the server. */
const MARGIN = 50_000

/** The shortest and the longest pause between two checks, in milliseconds. */
const [PAUSE, LONGEST_PAUSE] = [5_000, 60_000]

/** Creates the functions for a page. */
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
  /** Another tab may have renewed them meanwhile. */
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
          // If the browser is offline or the connection has ended, the next request of the page reports it.
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
