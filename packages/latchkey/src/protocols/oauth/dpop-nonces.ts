import { isJsonObject } from '../../base/encoding/json.ts'
import { oncePer } from '../../base/once.ts'

/** Milliseconds for which a nonce is used. */
const LIFETIME = 5 * 60_000

/** Maximum number of servers with a stored nonce; the least recently used one is removed. */
const LIMIT = 1000

/** The latest DPoP nonce of each server (RFC 9449 sections 8 and 9). */
export interface DpopNonces {
  /** @param now milliseconds since the epoch. */
  of(origin: string, now: number): string | undefined
  /** Stores the nonce of a response, if it has one. */
  keep(origin: string, answer: Response, now: number): void
}

/** Returns the nonces of a `fetch`, since another one may reach another network. */
export const noncesOf: (network: typeof fetch) => DpopNonces = oncePer(
  createNonces,
  new WeakMap<typeof fetch, DpopNonces>(),
)

function createNonces(): DpopNonces {
  const kept = new Map<string, { nonce: string; until: number }>()
  return {
    of(origin, now) {
      const found = kept.get(origin)
      kept.delete(origin)
      if (!found || found.until <= now) return undefined
      kept.set(origin, found)
      return found.nonce
    },
    keep(origin, { headers }, now) {
      const nonce = headers.get('dpop-nonce')
      if (!nonce) return
      kept.delete(origin)
      kept.set(origin, { nonce, until: now + LIFETIME })
      if (kept.size > LIMIT) kept.delete(kept.keys().next().value as string)
    },
  }
}

/** Returns whether the server requests a repetition with its nonce. */
export async function wantsNonce(answer: Response): Promise<boolean> {
  const { status, headers } = answer
  if ((status !== 400 && status !== 401) || !headers.has('dpop-nonce')) return false
  if (headers.get('www-authenticate')?.includes('use_dpop_nonce')) return true
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return isJsonObject(body) && body['error'] === 'use_dpop_nonce'
}
