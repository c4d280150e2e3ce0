/** Milliseconds before its end from which a token is not handed out any more. */
const MARGIN = 30_000

/** What it uses of a client of `latchkey/client`. */
export interface AskingClient {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store?: { readonly state: { readonly data: unknown } }
}

/** Signed tokens in a page. */
export interface TokensClient {
  /**
   * Returns a token for an API, to send as `Authorization: Bearer`. It is kept in memory until 30 seconds before its end,
   * and never stored.
   *
   * @param audience the API; the only one that is configured if left out.
   * @throws {ClientError} `unauthenticated` when nobody is signed in.
   */
  get(audience?: string): Promise<string>
}

interface Kept {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** What the plugin `tokens` offers to pages. Tokens are forgotten when another session is signed in, or none. */
export function tokensClient(
  { ask, store }: AskingClient,
  now: () => number = () => Date.now(),
): TokensClient {
  let user: unknown
  const asked = new Map<string, Promise<Kept>>()

  /** Whoever keeps tokens of one user must not hand them to the next. */
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
      // Another call may have asked meanwhile.
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
        // Somebody else signed in meanwhile, and nobody knows whose token it is.
        if (user === before) return token
      }
    },
  }
}
