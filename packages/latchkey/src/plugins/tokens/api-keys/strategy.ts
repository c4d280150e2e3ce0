import {
  bearerToken,
  definedOnly,
  type Host,
  Problem,
  publicSession,
  type Session,
  type SessionReading,
  type SessionRequest,
  type SessionServices,
  type SessionStrategy,
} from '../../../entries/plugin.ts'
import { headersOf, mayCarry, readable } from '../bearer/carried.ts'
import type { ApiKeys } from './keys.ts'

/** What it needs of the plugin. */
interface Keys {
  readonly host: Host
  readonly prefix: string
  /** Loaded with the first key. */
  keys(): Promise<ApiKeys>
  /** Origins of other sites whose pages may send keys. */
  readonly origins: readonly string[]
}

/** Milliseconds for which a session is told that has no end of its own. */
const TOLD = 86_400_000

/**
 * Who is signed in by a key. It is read, and nothing else: where somebody has to be signed in to change what they have, a key
 * is refused.
 */
export function withKeys(
  kept: SessionStrategy,
  { callbacks, logger }: SessionServices,
  { host, prefix, keys, origins }: Keys,
): SessionStrategy {
  const keyIn = (request: SessionRequest): string | undefined => {
    const headers = headersOf(request)
    const token = headers && bearerToken(headers)
    return token?.startsWith(`${prefix}_`) ? token : undefined
  }

  async function verified(request: SessionRequest, token: string) {
    if (!mayCarry(request, origins)) return undefined
    const verdict = await (await keys()).verify(keyRequest(request) ?? token)
    return verdict.ok ? verdict : undefined
  }

  async function read(request: SessionRequest, token: string): Promise<SessionReading> {
    const found = await verified(request, token)
    const user = found && (await host.store?.getUser(found.userId))
    if (!found || !user) return NOBODY
    const expires = new Date(found.key.expires ?? host.ports.now() + TOLD)
    const { name, email, image: picture, id: sub } = user
    const params = { session: { user, userId: sub, sessionToken: '', expires }, user }
    const told =
      kept.name === 'jwt'
        ? await publicSession(definedOnly({ name, email, picture, sub }), expires, callbacks)
        : await callbacks.session(params as unknown as Parameters<typeof callbacks.session>[0])
    const session: Session = Object.assign({}, told, { via: 'api-key' })
    return { session, cookies: [] }
  }

  return {
    ...kept,

    async read(request, how) {
      const token = keyIn(request)
      if (token === undefined) return kept.read(request, how)
      return readable(() => read(request, token), { logger })
    },

    async current(request) {
      const token = keyIn(request)
      if (token === undefined) return kept.current(request)
      if (!(await verified(request, token))) return null
      throw new Problem('forbidden', 'an API key is not a session')
    },

    currentUser: async (request) =>
      keyIn(request) === undefined ? kept.currentUser(request) : null,
    renew: async (request, proof) =>
      keyIn(request) === undefined ? kept.renew(request, proof) : null,
    revoke: async (request) =>
      keyIn(request) === undefined ? kept.revoke(request) : { cookies: [], ended: undefined },
    forget: (request) => (keyIn(request) === undefined ? kept.forget(request) : []),
    isCarried: (request) => keyIn(request) !== undefined || kept.isCarried?.(request) === true,
  }
}

const NOBODY = { session: null, cookies: [] } as const

/** The request itself, since a key may be for some networks only. */
function keyRequest(request: SessionRequest): Request | undefined {
  return request.original
}
