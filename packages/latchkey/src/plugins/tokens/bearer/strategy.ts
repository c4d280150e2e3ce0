import {
  bearerToken,
  type Cookie,
  type CookieJar,
  jarOf,
  oncePer,
  type ReadingOptions,
  type SessionHolder,
  type SessionReading,
  type SessionRequest,
  type SessionServices,
  type SessionStrategy,
  toError,
  type WithMaxAge,
} from '../../../entries/plugin.ts'
import { headersOf, mayCarry, readable } from './carried.ts'
import { PREFIX } from './prefix.ts'
import type { BearerStore, Held } from './store.ts'

/** What it needs of the plugin. */
interface Bearers {
  /** Loaded with the first token. */
  store(): Promise<BearerStore>
  /** Origins of other sites whose pages may send tokens. */
  readonly origins: readonly string[]
  /** Seconds after which a session ends that is not used, by what holds it. */
  readonly maxAges: Readonly<Record<SessionHolder['via'], number>>
}

/** The token of a request, if it has one of ours; it may be wrong. */
export function tokenIn(request: SessionRequest): string | undefined {
  const headers = headersOf(request)
  const token = headers && bearerToken(headers)
  return token?.startsWith(PREFIX) ? token : undefined
}

/**
 * Sessions that a program holds by a token. What a browser would keep as the cookie of such a session is stored, sealed, and
 * found by the token: so it is kept, read, extended and ended as any other, whichever way sessions are kept.
 *
 * A request with such a token is known by it alone: its cookies are not looked at, also where the token is wrong.
 */
export function withBearers(
  kept: SessionStrategy,
  { cookies, logger }: SessionServices,
  withMaxAge: WithMaxAge,
  { store, origins, maxAges }: Bearers,
): SessionStrategy {
  const keptFor = oncePer((via: SessionHolder['via']) => withMaxAge(maxAges[via]))
  const nameOf = (secure: boolean): string => cookies(secure).sessionToken.name

  /** As a browser would ask that holds the session in its cookie. */
  const asBrowser = ({ value, secure }: Held): SessionRequest => {
    const jar: CookieJar = jarOf(new Map([[nameOf(secure), value]]))
    return { cookies: jar, secure }
  }

  /** @returns `null` for a token that is wrong, or comes from where it must not. */
  async function find(request: SessionRequest, token: string): Promise<Held | null> {
    if (!mayCarry(request, origins)) return null
    return (await store()).find(token)
  }

  /** What a browser would keep; where that cannot be stored, the next request brings it again. */
  async function keep(held: Held, set: readonly Cookie[]): Promise<void> {
    try {
      await (await store()).update(held, set, nameOf(held.secure))
    } catch (error) {
      logger.error(toError(error))
    }
  }

  async function read(
    request: SessionRequest,
    how: ReadingOptions | undefined,
    token: string,
  ): Promise<SessionReading> {
    const held = await find(request, token)
    if (!held) return NOBODY
    const { cookies: set, ...reading } = await keptFor(held.via).read(asBrowser(held), how)
    if (set.length > 0) await keep(held, set)
    return { ...reading, cookies: [] }
  }

  return {
    ...kept,

    issue: (signedIn, request, proof) =>
      (proof.holder ? keptFor(proof.holder.via) : kept).issue(signedIn, request, proof),

    async read(request, how) {
      const token = tokenIn(request)
      if (token === undefined) return kept.read(request, how)
      return readable(() => read(request, how, token), { logger })
    },

    async current(request) {
      // One that was just begun, before there is a token.
      if (request.holder) return keptFor(request.holder.via).current(request)
      const token = tokenIn(request)
      if (token === undefined) return kept.current(request)
      const held = await find(request, token)
      const current = held && (await keptFor(held.via).current(asBrowser(held)))
      return current && { ...current, holder: held.via }
    },

    async currentUser(request) {
      const token = tokenIn(request)
      if (token === undefined) return kept.currentUser(request)
      const held = await find(request, token)
      return held && keptFor(held.via).currentUser(asBrowser(held))
    },

    async revoke(request) {
      const token = tokenIn(request)
      if (token === undefined) return kept.revoke(request)
      const held = await find(request, token)
      if (!held) return { cookies: [], ended: undefined }
      const { ended } = await keptFor(held.via).revoke(asBrowser(held))
      await (await store()).forget(held.sid)
      return { cookies: [], ended }
    },

    // A token is renewed at its own path.
    renew: async (request, proof) =>
      tokenIn(request) === undefined ? kept.renew(request, proof) : null,

    forget: (request) => (tokenIn(request) === undefined ? kept.forget(request) : []),

    isCarried: (request) => tokenIn(request) !== undefined || kept.isCarried?.(request) === true,
  }
}

const NOBODY = { session: null, cookies: [] } as const
