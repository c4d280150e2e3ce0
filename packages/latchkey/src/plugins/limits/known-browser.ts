import {
  type Cookie,
  type CookieSpec,
  type Host,
  type JsonObject,
  type PendingSignIn,
  type SiteRequest,
  setCookie,
} from '../../entries/plugin.ts'

/** Users of one browser. The one who signed in longest ago is dropped first. */
const MOST_USERS = 5
/** Names of one user: typed identifiers, and the address. */
const MOST_NAMES = 4
/** In seconds: 400 days, the longest lifetime of a cookie (RFC 6265bis section 5.5). */
const MAX_AGE: number = 400 * 24 * 60 * 60

/** In characters of base64url: 16 bytes, which keeps the cookie small. */
const HASH_LENGTH = 22

const SEALED_FOR = { key: 'browser' }

/** A user who signed in with the browser. */
interface Known {
  /** The keyed hash of the user's id. */
  readonly u: string
  /** The keyed hashes of the names with which the user signs in. */
  readonly n: readonly string[]
}

/** Stores in a cookie which users signed in with a browser. */
export interface KnownBrowsers {
  /** @param names the names with which the user signed in. */
  remember(signIn: PendingSignIn, names: readonly string[], request: SiteRequest): Promise<Cookie[]>
  /** Returns the user who signed in with this browser and one of these names; `undefined` if there is none. */
  userOf(names: readonly string[], request: SiteRequest): Promise<string | undefined>
}

export function createKnownBrowsers(host: Host): KnownBrowsers {
  const { keys, ports } = host

  const hashesOf = async (purpose: string, text: string): Promise<string[]> =>
    (await keys.hashes(purpose, text)).map((hash) => hash.slice(0, HASH_LENGTH))

  async function read(request: SiteRequest): Promise<readonly Known[]> {
    const value = request.cookies.get(deviceCookie(request).name)
    const opened = value && (await keys.sealer('device').open(value, SEALED_FOR))
    return opened ? (opened['known'] as unknown as readonly Known[]) : []
  }

  return {
    async remember({ user, account }, names, request) {
      if (names.length === 0) return []
      const earlier = await read(request)
      const ids = await hashesOf('device-user', String(user.id ?? account.providerAccountId))
      const [u = ''] = ids
      const now = await Promise.all(names.map((name) => hashesOf('device-name', name)))
      const before = earlier.find((each) => ids.includes(each.u))
      const all = new Set([...now.flatMap(([current = '']) => current), ...(before?.n ?? [])])
      const own: Known = { u, n: [...all].slice(0, MOST_NAMES) }
      const known = [own, ...earlier.filter((each) => each !== before)].slice(0, MOST_USERS)
      const data = { known } as unknown as JsonObject
      const sealed = await keys.sealer('device').seal(data, { ...SEALED_FOR, maxAge: MAX_AGE })
      return [setCookie(deviceCookie(request), sealed, new Date(ports.now() + MAX_AGE * 1000))]
    },
    async userOf(names, request) {
      const known = names.length === 0 ? [] : await read(request)
      if (known.length === 0) return undefined
      const hashed = await Promise.all(names.map((name) => hashesOf('device-name', name)))
      return known.find(({ n }) => hashed.every((any) => any.some((hash) => n.includes(hash))))?.u
    },
  }
}

function deviceCookie({ secure }: SiteRequest): CookieSpec {
  return {
    name: secure ? '__Host-latchkey.device' : 'latchkey.device',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge: MAX_AGE },
  }
}
