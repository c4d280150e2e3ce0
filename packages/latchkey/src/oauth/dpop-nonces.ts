import { isJsonObject } from '../encoding/json.ts'
import { oncePer } from '../once.ts'

/** Milliseconds for which a nonce is sent again. */
const LIFETIME = 5 * 60_000

/** Servers whose nonce is kept; the one that was used longest ago makes room. */
const LIMIT = 1000

/** The latest nonce that each server named for proofs (RFC 9449 sections 8 and 9). */
export interface DpopNonces {
  /** @param now milliseconds since the epoch. */
  of(origin: string, now: number): string | undefined
  /** Keeps the nonce of an answer, if it has one. */
  keep(origin: string, answer: Response, now: number): void
}

/** Nonces are kept for each network: what one answered says nothing about another. */
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

/** Does the server want the request once more, with the nonce that it names? */
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
