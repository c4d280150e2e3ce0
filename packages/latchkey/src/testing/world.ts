import { type Ports, systemPorts } from '../base/ports.ts'
import { type AuthCore, createAuth } from '../core/auth.ts'
import type { AuthConfig } from '../options/auth-config.ts'

/** A message that was logged. */
export interface Logged {
  readonly level: 'error' | 'warn' | 'debug'
  readonly message: string
  /** The error or the metadata. */
  readonly detail?: unknown
}

/** The options of a world, in addition to the configuration. */
export interface WorldOptions {
  /** The origin of the application. @default 'https://app.example' */
  origin?: string
  /** The time at the start, in milliseconds since the epoch. @default 2030-01-01T00:00:00Z */
  startsAt?: number
  /** Answers the requests to providers. */
  fetch?: typeof fetch
  /**
   * How passwords and recovery codes are hashed: `cheap` takes less than a millisecond, `configured` as long as in
   * production.
   *
   * @default 'cheap'
   */
  hashing?: 'cheap' | 'configured'
  /** The seed of random values. Worlds that share a store need different ones. @default 0 */
  seed?: number
}

/** A browser, a clock and a network around one configuration. */
export interface World {
  readonly core: AuthCore
  readonly config: AuthConfig
  readonly origin: string
  /** The browser's cookies, by name. */
  readonly jar: Map<string, string>
  readonly log: Logged[]
  /** Advances the clock. */
  advance(seconds: number): void
  now(): number
  /** Sends a request with the cookies of the browser, and stores the cookies of the response. */
  request(path: string, init?: RequestInit): Promise<Response>
  get(path: string, init?: RequestInit): Promise<Response>
  /** Posts a form with the CSRF token of this browser. */
  post(path: string, fields?: Record<string, string>, init?: RequestInit): Promise<Response>
  /** Posts JSON, as a script of the site does. */
  json(path: string, fields?: object, init?: RequestInit): Promise<Response>
  postWithoutCsrf(path: string, fields?: Record<string, string>): Promise<Response>
  csrfToken(): Promise<string>
  /** The body of `GET session`. */
  session(): Promise<{ user?: Record<string, unknown>; expires?: string } | null>
  /** Returns another browser in the same world. */
  otherBrowser(): World
  /** Returns this browser without its session: of its cookies, it keeps the one by which `limits()` knows it. */
  sameDevice(): World
}

/** The least that argon2id allows (RFC 9106 section 3.1). */
const CHEAP: Ports['hashCosts'] = { memory: 8, passes: 1, parallelism: 1 }

/**
 * Creates a world for a configuration: repeatable random values, a clock that only `advance` changes, a browser with
 * cookies, and no network except `fetch`.
 */
export function createWorld(config: Partial<AuthConfig>, options: WorldOptions = {}): World {
  const { origin = 'https://app.example', startsAt = Date.UTC(2030, 0, 1), hashing } = options
  let now = startsAt
  const log: Logged[] = []
  const ports: Ports = {
    fetch: options.fetch ?? refuse,
    now: () => now,
    monotonic: () => now,
    random: seededRandom(options.seed),
    console: systemPorts.console,
    hashCosts: hashing === 'configured' ? undefined : CHEAP,
  }
  const core = createAuth(ports)
  const complete: AuthConfig = {
    trustHost: true,
    secret: 'a secret for tests, 0123456789abcdef',
    providers: [],
    logger: {
      error: (error) => log.push({ level: 'error', message: error.message, detail: error }),
      warn: (code, detail) => log.push({ level: 'warn', message: code, detail }),
      debug: (message, detail) => log.push({ level: 'debug', message, detail }),
    },
    ...config,
  }
  const shared = {
    core,
    config: complete,
    origin,
    log,
    now: (): number => now,
    advance: (seconds: number): void => {
      now += seconds * 1000
    },
  }
  return browse(shared)
}

type Shared = Pick<World, 'core' | 'config' | 'origin' | 'log' | 'now' | 'advance'> & {
  /** Receives the `Set-Cookie` headers of each response. */
  readonly received?: (setCookies: readonly string[]) => void
}

/** Returns a browser. It shares everything but its cookies. */
export function browse({ received, ...shared }: Shared): World {
  const { core, config, origin } = shared
  const base = core.plan(config).basePath
  const jar = new Map<string, string>()
  const world: World = {
    ...shared,
    jar,
    async request(path, init = {}) {
      const headers = new Headers(init.headers)
      if (jar.size > 0 && !headers.has('cookie')) headers.set('cookie', cookieHeader(jar))
      const response = await core.auth(
        new Request(new URL(path, origin), { ...init, headers }),
        config,
      )
      const set = response.headers.getSetCookie()
      for (const cookie of set) keep(jar, cookie, shared.now())
      received?.(set)
      return response
    },
    get: (path, init) => world.request(path, init),
    async post(path, fields = {}, init = {}) {
      const csrfToken = await world.csrfToken()
      return world.request(path, { ...init, ...form({ csrfToken, ...fields }, init.headers) })
    },
    json(path, fields = {}, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('content-type', 'application/json')
      headers.set('sec-fetch-site', 'same-origin')
      return world.request(path, { method: 'POST', body: JSON.stringify(fields), ...init, headers })
    },
    postWithoutCsrf: (path, fields = {}) => world.request(path, form(fields)),
    async csrfToken() {
      const answer = await world.get(`${base}/csrf`)
      const text = await answer.text()
      // With `skipCSRFCheck`, there is no token.
      return text === '' ? '' : (JSON.parse(text) as { csrfToken: string }).csrfToken
    },
    async session() {
      return (await (await world.get(`${base}/session`)).json()) as Awaited<
        ReturnType<World['session']>
      >
    },
    otherBrowser: () => browse(shared),
    sameDevice() {
      const same = world.otherBrowser()
      for (const [name, value] of jar) if (name.endsWith(DEVICE)) same.jar.set(name, value)
      return same
    },
  }
  return world
}

const DEVICE = 'latchkey.device'

function form(fields: Record<string, string>, headers?: HeadersInit): RequestInit {
  const all = new Headers(headers)
  all.set('content-type', 'application/x-www-form-urlencoded')
  return { method: 'POST', headers: all, body: new URLSearchParams(fields).toString() }
}

function cookieHeader(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** Stores a cookie as a browser does, as far as a single site needs it. */
function keep(jar: Map<string, string>, header: string, now: number): void {
  const [pair = '', ...attributes] = header.split('; ')
  const at = pair.indexOf('=')
  const attribute = (name: string): string | undefined =>
    attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)
  const expires = attribute('expires')
  const isGone =
    attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= now)
  if (isGone) jar.delete(pair.slice(0, at))
  else jar.set(pair.slice(0, at), pair.slice(at + 1))
}

/** Returns a source of random values that repeats: the same world gets the same values. */
function seededRandom(seed: number = 0): Ports['random'] {
  let state = 0x2545f491 + Math.imul(seed, 0x9e3779b1)
  return (length) => {
    const bytes = new Uint8Array(length)
    for (let i = 0; i < length; i++) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
      bytes[i] = (state ^ (state >>> 13)) & 0xff
    }
    return bytes
  }
}

const refuse: typeof fetch = async (input) => {
  throw new TypeError(
    `this world has no network: ${input instanceof Request ? input.url : String(input)}`,
  )
}
