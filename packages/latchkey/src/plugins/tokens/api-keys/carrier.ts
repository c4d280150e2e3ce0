import { type Carrier, type Host, Problem, type SessionRequest } from '../../../entries/plugin.ts'
import { mayCarry, tokenIn } from '../bearer/carried.ts'
import type { ApiKeys } from './keys.ts'

/** The parts of the plugin that the carrier uses. */
interface Keys {
  readonly host: Pick<Host, 'store' | 'ports'>
  readonly prefix: string
  /** Loaded with the first key. */
  keys(): Promise<ApiKeys>
  /** Origins of other sites whose pages may send keys. */
  readonly origins: readonly string[]
}

/** Milliseconds until the reported expiry of a session for a key without an end. */
const SHOWN = 86_400_000

/** Finds the user of a request with an API key. A key is not a session, so nothing can be changed with it. */
export function keyCarrier({ host, prefix, keys, origins }: Keys): Carrier {
  async function verified(request: SessionRequest, token: string) {
    if (!mayCarry(request, origins)) return undefined
    // A key may be limited to networks, so the request is needed.
    const verdict = await (await keys()).verify(request.original ?? token)
    return verdict.ok ? verdict : undefined
  }
  return {
    isInHeader: (request) => tokenIn(request, `${prefix}_`) !== undefined,
    find(request) {
      const token = tokenIn(request, `${prefix}_`)
      if (token === undefined) return undefined
      return {
        via: 'api-key',
        async user() {
          const found = await verified(request, token)
          const user = found && (await host.store?.getUser(found.userId))
          if (!user) return null
          const { expires } = found.key
          return { user, expires: new Date(expires ?? host.ports.now() + SHOWN) }
        },
        async refuse() {
          if (!(await verified(request, token))) return null
          throw new Problem('forbidden', 'an API key is not a session')
        },
      }
    },
    write: () => [],
    clear: () => [],
  }
}
