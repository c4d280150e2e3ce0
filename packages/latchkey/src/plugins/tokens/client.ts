/** Milliseconds before its expiry from which a token is not returned any more. */
const MARGIN = 30_000

/** The part of a client of `latchkey/client` that is used. */
export interface AskingClient {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store?: { readonly state: { readonly data: unknown } }
}

/** Signed tokens in a page. */
export interface TokensClient {
  /**
   * Returns a token for an API, to send as `Authorization: Bearer`. It is kept in memory until 30 seconds before its
   * expiry, and never stored.
   *
   * @param audience the API; by default the only configured one.
   * @throws {ClientError} `unauthenticated` without a session.
   */
  get(audience?: string): Promise<string>
}

interface Kept {
  readonly token: string
  /** In milliseconds since the epoch. */
  readonly until: number
}

/** Creates the functions of the plugin `tokens` for a page. Tokens are dropped when the session changes. */
export function tokensClient(
  { ask, store }: AskingClient,
  now: () => number = () => Date.now(),
): TokensClient {
  let user: unknown
  const asked = new Map<string, Promise<Kept>>()

  /** Tokens of one user must not be returned to the next. */
  const forgetOthers = (): void => {
    const data = store?.state.data as { user?: unknown } | null | undefined
    const next = JSON.stringify(data?.user ?? null)
    if (data !== undefined && next !== user) asked.clear()
    if (data !== undefined) user = next
  }

  const load = async (audience: string | undefined): Promise<Kept> => {
    const query = audience === undefined ? '' : `?audience=${encodeURIComponent(audience)}`
    const answer = (await ask(`token${query}`)) as { access_token: string; expires_in: number }
    return { token: answer.access_token, until: now() + answer.expires_in * 1000 }
  }

  const take = async (audience: string | undefined): Promise<Kept> => {
    const name = audience ?? ''
    let running = asked.get(name)
    const kept = await running
    if (!running || !kept || now() >= kept.until - MARGIN) {
      // Another call may have replaced the request meanwhile.
      if (asked.get(name) === running) {
        const fresh = load(audience)
        asked.set(name, fresh)
        fresh.catch(() => asked.get(name) === fresh && asked.delete(name))
      }
      running = asked.get(name) ?? load(audience)
    }
    return running
  }

  return {
    async get(audience) {
      for (;;) {
        forgetOthers()
        const before = user
        const { token } = await take(audience)
        forgetOthers()
        // The user changed meanwhile, so the owner of the token is unknown.
        if (user === before) return token
      }
    },
  }
}
