import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { systemPorts } from '../../src/base/ports.ts'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import { clientAddress } from '../../src/http/origin/client-address.ts'
import { directAnswer, toNodeListener } from '../../src/integrations/node.ts'
import { atomic } from '../../src/model/adapter.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import type { SessionRequest } from '../../src/session/strategy.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { type Dice, dice } from '../support/dice.ts'
import { wrapped } from '../support/recording.ts'

// Both ways of the listener are played the same requests, by the same clock and with the same random bytes.

const world = { now: 0, seed: 0 }

/** From now on until mocks are restored, the time and the randomness are those of `world`. */
function standStill(): void {
  vi.spyOn(Date, 'now').mockImplementation(() => world.now)
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const bytes = array as unknown as Uint8Array
    for (let at = 0; at < bytes.length; at++) {
      world.seed = (Math.imul(world.seed, 1664525) + 1013904223) >>> 0
      bytes[at] = world.seed >>> 24
    }
    return array
  })
}

/** Begins a row of random bytes. Those that are drawn in advance are used up first. */
function reseed(seed: number): void {
  const drawn = vi.mocked(crypto.getRandomValues)
  drawn.mockClear()
  while (drawn.mock.calls.length === 0) {
    world.seed = seed
    systemPorts.random(16)
  }
}

const NOW = Date.UTC(2026, 10, 23, 12)
const SECRET = 'a secret of these tests, 0123456789abcdef'
const PLAYED = Number(process.env['DIRECT_REQUESTS'] ?? 3000)

/** What goes wrong while a request is answered. */
type Fault = 'store' | 'jwt' | 'session' | 'redirect' | 'event' | 'judge' | undefined

/** One of two sites that are the same but for the way of their listener. */
interface Site {
  readonly server: Server
  /** Everything that was called, in order. */
  readonly calls: unknown[]
  fault: Fault
  port: number
}

/** A configuration of a site, and its environment. */
interface Setting {
  readonly config?: Partial<AuthConfig>
  readonly env?: Record<string, string>
  readonly stored?: boolean
  readonly hooked?: boolean
}

const settings: Readonly<Record<string, Setting>> = {
  sealed: {},
  'sealed, written again at each read': { config: { session: { updateAge: 0 } } },
  stored: { stored: true },
  'stored, with the hooks of a plugin': { stored: true, hooked: true },
  'sealed, with the hooks of a plugin': { hooked: true },
  'behind a proxy, for a list of hosts': {
    config: { trustHost: ['app.example', '*.app.example'] },
  },
  'behind a proxy that is trusted': { env: { AUTH_TRUST_HOST: 'true' }, config: {} },
  'at a configured address': { env: { AUTH_URL: 'https://app.example/auth' } },
  'with pages of its own': {
    config: {
      pages: { signIn: '/login', signOut: '/bye', error: '/oops', verifyRequest: '/mail' },
    },
  },
  'with slashes at the end': { config: { trailingSlash: true } },
}

function siteOf({ config, env = {}, stored = false, hooked = false }: Setting, direct: boolean) {
  const calls: unknown[] = []
  const note = (name: string, ...told: unknown[]): void => {
    calls.push([name, ...told.map((each) => JSON.stringify(each, withoutPort) ?? 'undefined')])
  }
  const site: Site = { server: createServer(), calls, fault: undefined, port: 0 }
  const failIf = (fault: Fault): void => {
    if (site.fault === fault) throw new Error(`a fault: ${fault}`)
  }
  const store = memoryAdapter()
  const adapter = wrapped(store, (name, method) => async (...args) => {
    note(name, ...args)
    failIf('store')
    return method(...args)
  })
  const latchkey = createLatchkey(
    {
      secret: SECRET,
      basePath: '/auth',
      providers: [
        GitHub({ clientId: 'id', clientSecret: 'secret' }),
        Credentials({ credentials: { name: {} }, authorize: () => null }),
      ],
      ...(env['AUTH_TRUST_HOST'] === undefined && { trustHost: true }),
      ...(stored && { adapter, session: { strategy: 'database' } }),
      plugins: hooked ? [hooks(note, failIf)] : [],
      callbacks: {
        jwt({ token }) {
          note('jwt', token)
          failIf('jwt')
          return token
        },
        session({ session }) {
          note('session', session)
          failIf('session')
          return session
        },
        redirect({ url, baseUrl }) {
          note('redirect', url, baseUrl)
          failIf('redirect')
          return url.startsWith('/') ? baseUrl + url : baseUrl
        },
      },
      events: {
        session(message) {
          note('event', message)
          failIf('event')
        },
      },
      logger: {
        error: (error) => note('error', error.name, error.message),
        warn: (code, detail) => note('warn', code, detail),
        debug: (message, metadata) => note('debug', message, metadata),
      },
      debug: true,
      ...config,
    } as AuthConfig,
    env,
  )
  const listener = toNodeListener(latchkey, { direct })
  site.server.on('request', listener)
  return { site, store }
}

/** The ports of the two servers are not the same. */
function withoutPort(_name: string, value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/(?:localhost|127\.0\.0\.1):\d+/g, 'local')
    : value
}

/** A plugin that looks at everything it is given. */
function hooks(note: (name: string, ...told: unknown[]) => void, failIf: (fault: Fault) => void) {
  const seen = (name: string, request: { readonly original?: Request | undefined }): void => {
    const { original } = request
    note(
      name,
      original instanceof Request,
      original === request.original,
      original?.url,
      original?.method,
      Array.from(original?.headers ?? []),
      original?.signal.aborted,
      original && clientAddress(original),
    )
  }
  return definePlugin({
    name: 'hooks',
    judgesSessions: true,
    routes: {
      jwks: {
        GET: { who: 'anyone', run: async () => async () => ({ json: { keys: [] } }) },
      },
    },
    setUp: () => ({
      api: {},
      session: {
        onRead(session, { request }) {
          seen('onRead', request)
          failIf('judge')
          return session.userId === 'gone' ? 'ended' : 'good'
        },
        onExtend(_session, until, request) {
          seen('onExtend', request)
          note('until', until)
          return 'extend'
        },
      },
      actions: { before: (request) => seen('before', request) },
    }),
  })
}

const tokens: string[] = []

beforeEach(standStill)

beforeAll(async () => {
  world.now = NOW
  standStill()
  const seal = (name: string, more: object, maxAge?: number): Promise<string> =>
    encode({
      token: { sub: 'u1', name: 'Ada', email: 'ada@example.com', ...more },
      secret: SECRET,
      salt: name,
      ...(maxAge !== undefined && { maxAge }),
    })
  for (const name of ['authjs.session-token', '__Secure-authjs.session-token']) {
    const long = await seal(name, { data: 'x'.repeat(5000) })
    tokens.push(
      `${name}=${await seal(name, {})}`,
      `${name}=${await seal(name, { sub: 'gone' })}`,
      `${name}=${await seal(name, {}, -1000)}`,
      `${name}=${(await seal(name, {})).slice(0, -2)}`,
      `${name}=nonsense`,
      `${name}=`,
      `${name}.0=${long.slice(0, 3900)}; ${name}.1=${long.slice(3900)}`,
      `${name}.1=${long.slice(3900)}; ${name}.0=${long.slice(0, 3900)}`,
      ...['live', 'due', 'over', 'nobody'].map((token) => `${name}=${token}-session`),
    )
  }
})

/** The same sessions in both stores. */
async function fill(store: ReturnType<typeof memoryAdapter>): Promise<void> {
  const day = 24 * 60 * 60 * 1000
  const user = { id: 'u1', email: 'ada@example.com', emailVerified: null, name: 'Ada' }
  const { id: userId } = (await store.createUser?.(user)) ?? user
  const ages = { live: 30 * day - 1000, due: 2 * day, over: -day }
  for (const [name, age] of Object.entries(ages)) {
    const expires = new Date(NOW + age)
    await store.createSession?.({ sessionToken: `${name}-session`, userId, expires })
  }
}

const ACTIONS = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request']
const PATHS = [
  '/auth/',
  '/auth//session',
  '/auth/session/',
  '/auth/./session',
  '/auth/%73ession',
  '/',
  '/auth/signin/github',
  '/auth/signin/error',
  '/auth/callback/github',
  '/auth/callback/error',
  '/auth/jwks',
  '/auth/webauthn-options',
  '/auth/SESSION',
  '/other/session',
  '/session',
  '/auth/x/../session',
  '//auth/session',
  '/auth\\session',
  '/auth/%2e/session',
  '/auth/csrf;x',
  '/auth/signin%2Ferror',
  '/auth/error#x',
  '/auth/session%00',
  '*',
  'auth/session',
  '/auth/ü',
]
const QUERIES = [
  '',
  '?',
  '?a=b',
  '?callbackUrl=/in',
  '?callbackUrl=https://evil.example/',
  '?error=Signin',
  '?error=AccessDenied&error=Configuration',
  '?callbackUrl=%2Fa%20b',
  '?callbackUrl=/%E0%A4%A',
  "?a='b'",
  '?a="b"',
  '?a=[b]',
  '?<x>',
  '?a=b#c',
  '?a=/../b',
  '??',
  '?callbackUrl=//x',
  '?ü',
]
const HOSTS = [
  'app.example',
  'APP.example',
  'app.example:443',
  'app.example:80',
  'a.app.example:8080',
  'evil.example',
  '[::1]:3000',
  'localhost:3000',
  '127.0.0.1',
  '',
  'a b',
  'a/b',
  'user@host',
  'app.example.',
  'app.example, evil.example',
  'x:99999',
  'xn--a',
  '%61pp.example',
  '0x7f.1',
]
const HEADERS = [
  'accept: text/html',
  'accept: */*',
  'accept-language: de, en;q=0.5',
  'accept-language: x',
  'x-forwarded-proto: https',
  'x-forwarded-proto: https, http',
  'x-forwarded-proto: ftp',
  'x-forwarded-host: app.example',
  'x-forwarded-host: evil.example',
  'x-forwarded-host: a b',
  'x-forwarded-for: 192.0.2.1',
  'forwarded: host=evil.example',
  'sec-fetch-site: cross-site',
  'origin: https://app.example',
  'origin: null',
  'sec-fetch-site: same-origin',
  'rsc: 1',
  'x-auth-return-redirect: 1',
  'x-auth-return-redirect:',
  'sec-purpose: prefetch',
  'X-ODD: ü',
  'x-odd:   blanks  \t',
  'authorization: Bearer x',
  'constructor: x',
  '__proto__: x',
  'te: x',
  'if-none-match: "x"',
  'content-type: text/plain',
  'user-agent: a\x80b',
  'expect: 200-ok',
]

/** The cookies of a request: in one line, or in several. */
function cookiesOf({ chance, one, upTo }: Dice): string[] {
  const pairs: string[] = []
  const most = chance(0.1) ? 60 : 5
  for (let left = upTo(most); left > 1; left--) {
    pairs.push(one([`c${left | 0}=v`, 'a', '=b', 'c=%E0%A4%A', 'd="q"', ' e = f ', '__proto__=x']))
  }
  if (chance(0.8)) pairs.push(one(tokens))
  if (chance(0.2)) pairs.push(one(tokens))
  if (chance(0.3)) pairs.push(`authjs.csrf-token=${one(['a%7Cb', 'a|b', '%', 'x'])}`)
  if (chance(0.3))
    pairs.push(`authjs.callback-url=${one(['/in', 'https%3A%2F%2Fapp.example', '%'])}`)
  if (pairs.length === 0) return []
  const cut = chance(0.2) ? Math.floor(upTo(pairs.length)) : pairs.length
  const lines = [pairs.slice(0, cut), pairs.slice(cut)].filter((line) => line.length > 0)
  return lines.map((line) => `${one(['cookie', 'Cookie', 'COOKIE'])}: ${line.join('; ')}`)
}

/** A request as it goes over the wire, the connection ending with it. */
function requestFrom(some: Dice): string {
  const { chance, one, upTo } = some
  const path = chance(0.7) ? `/auth/${one(ACTIONS)}` : one(PATHS)
  const target =
    (chance(0.05) ? `http://${one(HOSTS)}` : '') + path + (chance(0.5) ? one(QUERIES) : '')
  const method = chance(0.9) ? 'GET' : one(['HEAD', 'POST', 'OPTIONS', 'TRACE', 'DELETE', 'PUT'])
  const headers = chance(0.97) ? [`host: ${chance(0.7) ? 'app.example' : one(HOSTS)}`] : []
  for (let left = upTo(4); left > 1; left--) headers.push(one(HEADERS))
  headers.push(...cookiesOf(some))
  let body = ''
  if (chance(0.05)) {
    body = one(['csrfToken=x', '{"a":1}', ''])
    headers.push(`content-length: ${body.length}`)
  }
  const head = [`${method} ${target} HTTP/${chance(0.95) ? '1.1' : '1.0'}`, ...headers]
  return `${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`
}

/** Sends bytes, and returns what comes back until the connection ends. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const pieces: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return Buffer.concat(pieces).toString('latin1')
}

const NOT_COMPARED = /^(?:date|connection|keep-alive|x-request-id):/

/** An answer, its headers by name; those of one name stay in their order. */
function parsed(answer: string): object {
  const end = answer.indexOf('\r\n\r\n')
  const [status, ...lines] = answer.slice(0, end).split('\r\n')
  const headers = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !NOT_COMPARED.test(line))
  const nameOf = (line: string): string => line.slice(0, line.indexOf(':'))
  return {
    status,
    headers: headers.toSorted((a, b) =>
      nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0,
    ),
    body: answer.slice(end + 4),
  }
}

async function listen({ site }: { site: Site }): Promise<void> {
  site.server.listen(0, '127.0.0.1')
  await once(site.server, 'listening')
  site.port = (site.server.address() as AddressInfo).port
}

describe('HP-1, HP-3, T-HTTP-3: the direct response and that of the handler are equal, with the same calls and events:', () => {
  const servers: Server[] = []

  afterAll(() => {
    for (const server of servers) server.close()
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  const names = Object.keys(settings)

  test.each(names)('%s', { timeout: 600_000 }, async (name) => {
    const pair = [siteOf(settings[name] ?? {}, true), siteOf(settings[name] ?? {}, false)]
    for (const each of pair) {
      servers.push(each.site.server)
      await listen(each)
      await fill(each.store)
    }
    const thrown = vi.spyOn(console, 'error').mockImplementation(() => {})
    let made = 0
    const Plain = globalThis.Request
    vi.stubGlobal(
      'Request',
      class Counted extends Plain {
        constructor(...given: ConstructorParameters<typeof Plain>) {
          made += 1
          super(...given)
        }
      },
    )
    const some = dice(names.indexOf(name) + 1)
    const count = Math.ceil(PLAYED / names.length)
    const without = [0, 0]
    for (let index = 0; index < count; index++) {
      const sent = requestFrom(some)
      const fault = some.chance(0.15)
        ? some.one<Fault>(['store', 'jwt', 'session', 'redirect', 'event', 'judge'])
        : undefined
      world.now = NOW + index * 1000
      const played: unknown[] = []
      for (const [way, { site }] of pair.entries()) {
        reseed(index)
        site.fault = fault
        site.calls.length = 0
        thrown.mockClear()
        made = 0
        const answer = parsed(await exchange(site.port, sent))
        if (made === 0) without[way] = (without[way] ?? 0) + 1
        played.push({ sent, answer, calls: [...site.calls], thrown: thrown.mock.calls.map(String) })
      }
      expect(played[0]).toEqual(played[1])
    }
    const [direct = 0, web = 0] = without
    // Without the hooks of a plugin, which ask for a `Request`, most are answered without one.
    if (!settings[name]?.hooked) expect(direct - web).toBeGreaterThan(count / 4)
    const [left, right] = await Promise.all(pair.map(({ store }) => contentsOf(store)))
    expect(left).toEqual(right)
  })
})

/** Every session that may be in a store, by its tokens and their keys. */
async function contentsOf(store: ReturnType<typeof memoryAdapter>): Promise<unknown> {
  const user = await store.getUserByEmail?.('ada@example.com')
  const sessions = await store[atomic]?.listSessionsByUserId?.(user?.id ?? '')
  return { user, sessions }
}

describe.each([true, false])('HP-5: with `direct: %s`', (direct) => {
  const servers: Server[] = []

  afterEach(() => {
    vi.restoreAllMocks()
    for (const server of servers.splice(0)) server.close()
  })

  /** A server whose session callback waits for a promise, and sees what `look` does with the request. */
  async function serve(
    wait: Promise<unknown>,
    look: (request: SessionRequest) => void = () => {},
    before: (response: ServerResponse) => void = () => {},
  ): Promise<number> {
    const looks = definePlugin({
      name: 'looks',
      judgesSessions: true,
      setUp: () => ({
        api: {},
        session: {
          async onRead(_session, { request }) {
            await wait
            look(request)
            return 'good' as const
          },
        },
      }),
    })
    const listener = toNodeListener(
      createLatchkey(
        { secret: SECRET, basePath: '/auth', providers: [], trustHost: true, plugins: [looks] },
        {},
      ),
      { direct },
    )
    const server = createServer((request, response) => {
      before(response)
      listener(request, response)
    })
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  const request = (): string =>
    `GET /auth/session HTTP/1.1\r\nhost: a.example\r\ncookie: ${tokens[0]}\r\nconnection: close\r\n\r\n`

  test('HP-1, HP-4: a plugin receives a real `Request`, and always the same one', async () => {
    world.now = NOW
    const given: (Request | undefined)[] = []
    const port = await serve(
      Promise.resolve(),
      (request) => void given.push(request.original, request.original),
    )
    expect(await exchange(port, request())).toContain('"name":"Ada"')
    const [first, second] = given
    expect(first).toBeInstanceOf(Request)
    expect(second).toBe(first)
    expect(first?.url).toBe('http://a.example/auth/session')
    expect(first?.headers.get('cookie')).toBe(tokens[0]?.replace(/^cookie: /i, ''))
    // A method that only a real one lets be called.
    expect(new Request(first as Request).url).toBe(first?.url)
  })

  test('a request is aborted when the visitor leaves, also if its `Request` is created later', async () => {
    world.now = NOW
    const { promise, resolve } = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    const closed = Promise.withResolvers<void>()
    const port = await serve(
      promise,
      ({ original }) => void signals.push(...(original ? [original.signal] : [])),
      (response) => void response.on('close', closed.resolve),
    )
    const socket = connect(port, '127.0.0.1')
    socket.write(request())
    await new Promise((done) => setTimeout(done, 50))
    socket.destroy()
    await closed.promise
    resolve()
    await expect.poll(() => signals).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(true)
  })

  test('a `Request` is not aborted while the visitor waits, nor by the end of the response', async () => {
    world.now = NOW
    const signals: AbortSignal[] = []
    const port = await serve(Promise.resolve(), ({ original }) => {
      if (original) signals.push(original.signal)
    })
    expect(await exchange(port, request())).toContain('"name":"Ada"')
    await new Promise((done) => setTimeout(done, 20))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  test('a response that other code has sent meanwhile is not sent twice', async () => {
    world.now = NOW
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    const port = await serve(
      promise,
      () => {},
      (response) => {
        setTimeout(() => {
          response.writeHead(504).write('late')
          resolve()
        }, 20)
      },
    )
    const answer = await exchange(port, request())
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(answer).toContain('late')
    expect(answer).not.toContain('Ada')
    expect(said.mock.calls.map(String).join()).toContain('ERR_HTTP_HEADERS_SENT')
  })

  test('an error after the head was sent ends the connection', async () => {
    world.now = NOW
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const port = await serve(
      Promise.resolve(),
      () => {},
      (response) => {
        vi.spyOn(response, 'end').mockImplementation(() => {
          response.flushHeaders()
          throw new Error('the socket is full')
        })
      },
    )
    const answer = await exchange(port, request())
    expect(answer).not.toContain('Ada')
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  test('headers and cookies that were set earlier stay, and no cache keeps the response', async () => {
    world.now = NOW
    const port = await serve(
      Promise.resolve(),
      () => {},
      (response) => {
        response.setHeader('x-before', 'yes')
        response.setHeader('set-cookie', ['before=1', 'authjs.csrf-token=old'])
        response.setHeader('cdn-cache-control', 'max-age=60')
      },
    )
    const csrf = request().replace('/session', '/csrf')
    const answer = await exchange(port, csrf)
    expect(answer).toMatch(/\r\nx-before: yes\r\n/)
    expect(answer).toMatch(/\r\nset-cookie: before=1\r\n/)
    expect(answer.match(/\r\nset-cookie: authjs\.csrf-token=/g)).toHaveLength(1)
    expect(answer).not.toMatch(/authjs\.csrf-token=old|cdn-cache-control|expires/i)
    expect(answer).toMatch(/\r\ncache-control: private, no-cache, no-store\r\n/)
  })

  test('a wrapper of `writeHead` is called', async () => {
    world.now = NOW
    const port = await serve(
      Promise.resolve(),
      () => {},
      (response) => {
        const send = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
        const later = (...given: unknown[]): ServerResponse => {
          response.setHeader('x-later', 'yes')
          return send(...given)
        }
        Object.assign(response, { writeHead: later })
      },
    )
    expect(await exchange(port, request())).toMatch(/\r\nx-later: yes\r\n[\s\S]*"name":"Ada"/)
  })
})

describe('HP-2: a request is not answered directly', () => {
  const config: AuthConfig = { secret: SECRET, basePath: '/auth', providers: [], trustHost: true }
  const asked = { method: 'GET', url: '/auth/session', httpVersion: '1.1', httpVersionMajor: 1 }
  const headers = { host: 'a.example' }
  const rest = {
    complete: true,
    readableDidRead: false,
    socket: {},
    async *[Symbol.asyncIterator]() {},
  }
  const response = {} as ServerResponse

  test('with a configuration that is a function of the request', () => {
    const request = { ...asked, ...rest, headers }
    expect(directAnswer(createLatchkey(config, {}), request, response)).toBeDefined()
    expect(
      directAnswer(
        createLatchkey(() => config, {}),
        request,
        response,
      ),
    ).toBeUndefined()
  })

  test('with a wrapped handler, which must be called', () => {
    const { handler } = createLatchkey(config, {})
    const request = { ...asked, ...rest, headers }
    expect(directAnswer({ handler }, request, response)).toBeDefined()
    const wrapper = { handler: (request: Request) => handler(request) }
    expect(directAnswer(wrapper, request, response)).toBeUndefined()
  })

  test.each<[string, object]>([
    ['a method', { method: 'POST' }],
    ['HEAD', { method: 'HEAD' }],
    ['a body', { headers: { ...headers, 'content-length': '3' } }],
    ['a body in chunks', { headers: { ...headers, 'transfer-encoding': 'chunked' } }],
    ['HTTP/1.0', { httpVersion: '1.0' }],
    ['HTTP/2', { httpVersion: '2.0', httpVersionMajor: 2 }],
    ['no host', { headers: {} }],
    ['a host that is none', { headers: { host: 'a/b' } }],
    ['a callback', { url: '/auth/callback/github' }],
    ['a whole address', { url: 'http://a.example/auth/session' }],
    ['another spelling', { url: '/auth/./session' }],
    ['an escape', { url: '/auth/%73ession' }],
    ['what a URL parser escapes', { url: "/auth/session?a='b'" }],
  ])('with %s', (_what, more) => {
    const request = { ...asked, ...rest, headers, ...more }
    expect(directAnswer(createLatchkey(config, {}), request, response)).toBeUndefined()
  })

  test('under the host of a proxy header if the framework names its address', async () => {
    const seen: string[] = []
    const latchkey = createLatchkey(
      {
        ...config,
        pages: { signIn: '/login' },
        callbacks: {
          redirect({ url, baseUrl }) {
            seen.push(baseUrl)
            return url
          },
        },
      },
      {},
    )
    const proxied = { ...headers, 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'https' }
    const request = { ...asked, ...rest, url: '/cut/off', headers: proxied }
    const address = { origin: 'https://c.example', target: '/auth/signin?callbackUrl=/in' }
    await directAnswer(latchkey, request, response, address)
    await directAnswer(latchkey, { ...request, url: address.target }, response)
    expect(seen).toEqual(['https://c.example', 'https://b.example'])
  })
})
