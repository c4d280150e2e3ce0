import {
  type Cookie,
  type CookieSpec,
  clearCookie,
  definedOnly,
  encodeBase64url,
  type Host,
  type JsonObject,
  type KindRecord,
  type PendingSignIn,
  type RecordKind,
  recordKind,
  type SiteRequest,
  setCookie,
} from '../../../entries/plugin.ts'

/** Users of one browser. The one who signed in longest ago is dropped first. */
const MOST_USERS = 5
/** Names of one user: typed identifiers, and the address. */
const MOST_NAMES = 4
/** In seconds: 400 days, the longest lifetime of a cookie (RFC 6265bis section 5.5). */
const MAX_AGE: number = 400 * 24 * 60 * 60
/**
 * Milliseconds for which the value from before a sign-in still says that the browser is known, for sign-ins of other tabs that
 * are under way. What plugins keep with it, such as that it is trusted, is over at once.
 */
const UNDER_WAY = 60_000

/** In characters of base64url: 16 bytes, which keeps the cookie small. */
const HASH_LENGTH = 22
/** Bytes of the random value that stands for a browser of one user. */
const DEVICE_LENGTH = 16

const SEALED_FOR = { key: 'browser' }

/** A user who signed in with the browser. */
type Known = {
  /** The keyed hash of the user's id. */
  readonly u: string
  /** The keyed hashes of the names with which the user signs in. */
  readonly n: readonly string[]
  /** The random value of this browser for this user, new after each sign-in. Cookies of earlier versions have none. */
  readonly d?: string
}

/** What is stored of a browser of a user. Other plugins may add members. */
interface Device {
  /** In milliseconds since the epoch. */
  readonly firstAt: number
  readonly lastAt: number
  /** The name under which attempts of this browser are counted. @default the key of the record */
  readonly pool?: string
  /** The key of the record that replaced this one, which expires soon. */
  readonly next?: string
}

/** A browser that is known to a user. */
export interface KnownBrowser {
  /** The key of its record. Each sign-in makes a new one. */
  readonly key: string
  /** The name under which attempts are counted. It stays the same, so a sign-in buys no further attempts. */
  readonly pool: string
}

interface Found extends KnownBrowser {
  /** Without records, there is none. */
  readonly data?: Device
}

/** What became of a sign-in. */
interface Remembered {
  readonly cookies: readonly Cookie[]
  /** Whether this browser was not known to the user, and another one is. */
  readonly isFurther: boolean
  /** Whether this browser was not known to the user. */
  readonly isNew: boolean
}

/** Stores in a cookie which users signed in with a browser, and in records which of these are still valid. */
export interface KnownBrowsers {
  /** @param names the names with which the user signed in. */
  remember(
    signIn: PendingSignIn,
    names: readonly string[],
    request: SiteRequest,
  ): Promise<Remembered>
  /** Returns the user who signed in with this browser and one of these names; `undefined` if there is none. */
  userOf(names: readonly string[], request: SiteRequest): Promise<string | undefined>
  /**
   * Returns this browser as one of the user; `undefined` if the user did not sign in with it, or it was forgotten. For an
   * unknown user it does the same work.
   */
  deviceOf(userId: string | undefined, request: SiteRequest): Promise<KnownBrowser | undefined>
  /** Drops what plugins keep with one browser of a user, which stays known. */
  withdraw(userId: string, browser: KnownBrowser): Promise<void>
  /** Forgets one browser of a user. */
  forget(userId: string, browser: KnownBrowser): Promise<void>
  /** Returns whether a plugin keeps something with this browser of the user. */
  isMarked(userId: string, request: SiteRequest): Promise<boolean>
  /**
   * Forgets the requesting browser of a user.
   *
   * @param userId without one, the browser itself forgets all users.
   * @returns the cookies of the response, and whether it was known.
   */
  forgetHere(
    userId: string | undefined,
    request: SiteRequest,
  ): Promise<{ readonly cookies: readonly Cookie[]; readonly isForgotten: boolean }>
  /** Forgets all browsers of a user. @param except the request of one that stays */
  forgetAll(userId: string, except?: SiteRequest): Promise<void>
}

export function createKnownBrowsers(host: Host): KnownBrowsers {
  const { keys, ports, hasRecords } = host
  const devices = deviceKind(host)

  const hashesOf = async (purpose: string, text: string): Promise<string[]> =>
    (await keys.hashes(purpose, text)).map((hash) => hash.slice(0, HASH_LENGTH))

  async function read(request: SiteRequest): Promise<readonly Known[]> {
    const value = request.cookies.get(deviceCookie(request).name)
    const opened = value && (await keys.sealer('device').open(value, SEALED_FOR))
    return opened ? (opened['known'] as unknown as readonly Known[]) : []
  }

  /** Returns the browser for which an entry of the cookie stands, if it is still known, with what is stored of it. */
  async function find(userId: string, d: string): Promise<Found | undefined> {
    const [current = '', ...older] = await keys.hashes('device', userId, d)
    if (!hasRecords) return { key: current, pool: current }
    for (const key of [current, ...older]) {
      const data = (await devices.get(key))?.data
      if (data) return { key, pool: data.pool ?? key, data }
    }
    return undefined
  }

  /**
   * Stores that a browser is one of the user, with what plugins keep of it, under a new value.
   *
   * @param before the same browser until now. What is kept of it goes on.
   * @returns the new value.
   */
  async function store(userId: string, further: JsonObject, before?: Found): Promise<string> {
    const now = ports.now()
    const d = encodeBase64url(ports.random(DEVICE_LENGTH))
    if (!hasRecords) return d
    const key = await keys.hash('device', userId, d)
    const expires = new Date(now + MAX_AGE * 1000)
    // Another tab may have been faster, and has what is kept.
    const latest = before?.data?.next === undefined ? null : await devices.get(before.data.next)
    const { next: _, ...kept } = latest?.data ?? before?.data ?? {}
    const pool = before && { pool: before.pool }
    const data = { firstAt: now, ...kept, ...pool, ...further, lastAt: now }
    await devices.create({ key, userId, data, expires })
    if (before) await replaced(before.key, key)
    return d
  }

  /** The value from before stands for nothing but a browser that is known, and soon for nothing. */
  async function replaced(key: string, next: string): Promise<void> {
    const expires = new Date(ports.now() + UNDER_WAY)
    await devices.update(key, ({ firstAt, lastAt, pool = key, next: earlier }) =>
      earlier === undefined ? { data: { firstAt, lastAt, pool, next }, expires } : undefined,
    )
  }

  async function cookieWith(known: readonly Known[], request: SiteRequest): Promise<Cookie> {
    const sealed = await keys.sealer('device').seal({ known }, { ...SEALED_FOR, maxAge: MAX_AGE })
    const expires = new Date(ports.now() + MAX_AGE * 1000)
    return setCookie(deviceCookie(request), sealed, expires)
  }

  async function deviceOf(
    userId: string | undefined,
    request: SiteRequest,
  ): Promise<Found | undefined> {
    const known = await read(request)
    const [first] = known
    if (!first) return undefined
    const ids = userId === undefined ? [] : await hashesOf('device-user', userId)
    const own = known.find(({ u, d }) => d !== undefined && ids.includes(u))
    // The same look-up for an unknown user, who would otherwise be told apart by the time.
    const found = await find(userId ?? '', own?.d ?? first.u)
    return own && found
  }

  async function forget(userId: string, browser: KnownBrowser): Promise<void> {
    if (!hasRecords) return
    for await (const { key } of recordsOf(devices, userId, browser)) await devices.delete(key)
  }

  return {
    async remember({ user, account, browser = {} }, names, request) {
      const userId = String(user.id ?? account.providerAccountId)
      if (names.length === 0 && !hasRecords) {
        return { cookies: [], isNew: false, isFurther: false }
      }
      const earlier = await read(request)
      const ids = await hashesOf('device-user', userId)
      const [u = ''] = ids
      const now = await Promise.all(names.map((name) => hashesOf('device-name', name)))
      const before = earlier.find((each) => ids.includes(each.u))
      const all = new Set([...now.flatMap(([current = '']) => current), ...(before?.n ?? [])])
      const same = before?.d === undefined ? undefined : await find(userId, before.d)
      // A cookie of an earlier version says that the browser is known, too.
      const isNew = hasRecords && same === undefined && (!before || before.d !== undefined)
      const isFurther = isNew && (await devices.some(userId, 1)).length > 0
      // A new value each time: a copy of the cookie from before stands for nothing, and nobody can have planted the new one.
      // Without records, nothing tells one value from another.
      const d = same && !hasRecords ? before?.d : await store(userId, browser, same)
      const entry: Known = { u, n: [...all].slice(0, MOST_NAMES), ...(d !== undefined && { d }) }
      const known = [entry, ...earlier.filter((each) => each !== before)].slice(0, MOST_USERS)
      return { cookies: [await cookieWith(known, request)], isNew, isFurther }
    },
    async userOf(names, request) {
      const known = names.length === 0 ? [] : await read(request)
      if (known.length === 0) return undefined
      const hashed = await Promise.all(names.map((name) => hashesOf('device-name', name)))
      return known.find(({ n }) => hashed.every((any) => any.some((hash) => n.includes(hash))))?.u
    },
    deviceOf,
    async withdraw(userId, browser) {
      if (!hasRecords) return
      for await (const record of recordsOf(devices, userId, browser)) {
        await devices.update(record, (data) =>
          hasMarks(data) ? { data: withoutMarks(data) } : undefined,
        )
      }
    },
    forget,
    async isMarked(userId, request) {
      const data = (await deviceOf(userId, request))?.data
      return data !== undefined && hasMarks(data)
    },
    async forgetHere(userId, request) {
      const known = await read(request)
      const ids =
        userId === undefined ? known.map(({ u }) => u) : await hashesOf('device-user', userId)
      const others = known.filter(({ u }) => !ids.includes(u))
      if (others.length === known.length) return { cookies: [], isForgotten: false }
      const browser = userId === undefined ? undefined : await deviceOf(userId, request)
      if (browser && userId !== undefined) await forget(userId, browser)
      const cookie =
        others.length > 0 ? await cookieWith(others, request) : clearCookie(deviceCookie(request))
      return { cookies: [cookie], isForgotten: browser !== undefined }
    },
    async forgetAll(userId, except) {
      if (!hasRecords) return
      const kept = except && (await deviceOf(userId, except))?.pool
      for await (const { key, data } of devices.each(userId))
        if ((data.pool ?? key) !== kept) await devices.delete(key)
    },
  }
}

/** Returns the records of one browser: several, if tabs signed in at once. */
async function* recordsOf(
  devices: RecordKind<Device>,
  userId: string,
  { pool }: KnownBrowser,
): AsyncGenerator<KindRecord<Device>> {
  for await (const record of devices.each(userId)) {
    if ((record.data.pool ?? record.key) === pool) yield record
  }
}

function deviceKind(host: Host): RecordKind<Device> {
  return recordKind<Device>(host, 'device', {
    shape({ firstAt, lastAt, pool, next, ...marks }) {
      if (typeof firstAt !== 'number' || typeof lastAt !== 'number') return undefined
      if (!isTextOrNone(pool) || !isTextOrNone(next)) return undefined
      return { ...marks, firstAt, lastAt, ...definedOnly({ pool, next }) }
    },
    onDamaged: 'the browser counts as unknown',
    hasSecretKeys: true,
  })
}

const isTextOrNone = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string'

/** Returns what is stored of a browser without what plugins keep with it. */
const withoutMarks = ({ firstAt, lastAt, pool, next }: Device): Device => ({
  firstAt,
  lastAt,
  ...definedOnly({ pool, next }),
})

/** Returns whether plugins keep something with a browser. */
const hasMarks = (data: Device): boolean =>
  Object.keys(data).length > Object.keys(withoutMarks(data)).length

function deviceCookie({ secure }: SiteRequest): CookieSpec {
  return {
    name: secure ? '__Host-latchkey.device' : 'latchkey.device',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge: MAX_AGE },
  }
}
