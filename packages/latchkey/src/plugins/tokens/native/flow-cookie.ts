import {
  type Cookie,
  type CookieSpec,
  clearCookie,
  encodeBase64url,
  type Host,
  isFromElsewhere,
  type SiteRequest,
} from '../../../entries/plugin.ts'

/** A sign-in of an app that began in this browser. */
export type Begun = {
  readonly client: string
  readonly redirectUri: string
  /** The code challenge of the app (RFC 7636). */
  readonly challenge: string
  readonly state: string
  /** When it began, in seconds since the epoch. */
  readonly at: number
  /** Whether the app requires a new proof of identity. */
  readonly mustSignIn: boolean
  /** Whether a page of another site began it. */
  readonly elsewhere?: boolean
}

/** The id of a sign-in of an app; `undefined` for one of an earlier version. */
export type FlowId = string | undefined

interface FlowCookie {
  /** Begins a sign-in beside pending ones in other windows. Each has a cookie of its own. */
  begin(
    begun: Begun,
    request: SiteRequest,
  ): Promise<{ readonly flow: string; readonly cookies: readonly Cookie[] }>
  /** @returns `undefined` if it did not begin in this browser, or too long ago. */
  read(flow: FlowId, request: SiteRequest): Promise<Begun | undefined>
  clear(flow: FlowId, request: SiteRequest): Cookie
}

/** In seconds. */
const MAX_AGE = 600

/**
 * The largest number of pending sign-ins in one browser. The oldest is removed first, but those of other sites before
 * it.
 */
const MOST = 5

/** Names of steps in the flows of accounts, which are shorter. */
const OF_ACCOUNTS = /\.[\w-]{8}$/

/** Keeps the sign-ins of apps sealed in cookies, so each continues in the browser where it began. */
export function flowCookie(host: Pick<Host, 'keys' | 'ports'>): FlowCookie {
  const sealer = host.keys.sealer('native-flow')
  const specOf = (flow: FlowId, { secure }: Pick<SiteRequest, 'secure'>): CookieSpec => ({
    name: `${secure ? '__Host-latchkey.flow' : 'latchkey.flow'}${flow === undefined ? '' : `.${flow}`}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  })

  async function opened(name: string, request: SiteRequest): Promise<Begun | undefined> {
    const value = request.cookies.get(name)
    return value === undefined ? undefined : ((await sealer.open(value, { key: name })) as Begun)
  }

  async function makeRoom(request: SiteRequest): Promise<readonly Cookie[]> {
    const { name, options } = specOf('', request)
    const names = request.cookies
      .names()
      .filter((each) => each.startsWith(name) && !OF_ACCOUNTS.test(each))
    const dated = await Promise.all(
      names.map(async (each) => {
        const { at = 0, elsewhere = false } = (await opened(each, request)) ?? {}
        return { name: each, at, rank: elsewhere ? 0 : 1 }
      }),
    )
    return dated
      .sort((one, other) => one.rank - other.rank || one.at - other.at)
      .slice(0, Math.max(0, names.length - MOST + 1))
      .map((each) => clearCookie({ name: each.name, options }))
  }

  return {
    async begin(begun, request) {
      const flow = encodeBase64url(host.ports.random(12))
      const { name, options } = specOf(flow, request)
      const elsewhere = isFromElsewhere(request.original.headers, request.origin)
      const value = await sealer.seal({ ...begun, elsewhere }, { key: name, maxAge: MAX_AGE })
      const cookie = { name, value, options: { ...options, maxAge: MAX_AGE } }
      return { flow, cookies: [...(await makeRoom(request)), cookie] }
    },
    async read(flow, request) {
      const begun = await opened(specOf(flow, request).name, request)
      // Exact to the second, since a sealed value stays valid for some seconds longer.
      return begun && host.ports.now() / 1000 < begun.at + MAX_AGE ? begun : undefined
    },
    clear: (flow, request) => clearCookie(specOf(flow, request)),
  }
}
