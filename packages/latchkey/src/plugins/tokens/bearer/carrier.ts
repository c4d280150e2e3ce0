import { type Carrier, type Host, toError } from '../../../entries/plugin.ts'
import { mayCarry, tokenIn } from './carried.ts'
import { PREFIX } from './prefix.ts'
import type { BearerStore, Held } from './store.ts'

/** The parts of the plugin that the carrier uses. */
interface Bearers extends Pick<Host, 'logger'> {
  /** Loaded with the first token. */
  store(): Promise<BearerStore>
  /** Origins of other sites whose pages may send tokens. */
  readonly origins: readonly string[]
}

/**
 * Carries the sessions of programs, which send a token. The value that a browser has in its cookie is stored sealed,
 * and found by the token. So the session is kept, read, extended and ended like any other.
 */
export function bearerCarrier({ store, origins, logger }: Bearers): Carrier<Held> {
  return {
    isInHeader: (request) => tokenIn(request, PREFIX) !== undefined,
    find(request) {
      const token = tokenIn(request, PREFIX)
      if (token === undefined) return undefined
      return mayCarry(request, origins) ? store().then((bearers) => bearers.find(token)) : null
    },
    async write(_request, written, held) {
      try {
        if (held) await (await store()).update(held, written)
      } catch (error) {
        // The next request extends the session.
        logger.error(toError(error))
      }
      return []
    },
    clear: () => [],
    forget: async ({ sid }) => (await store()).forget(sid),
  }
}
