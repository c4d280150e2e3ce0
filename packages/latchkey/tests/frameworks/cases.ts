import { request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type AuthConfig, type ConfigSource, customFetch } from '../../src/entries/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import { createGitHub } from '../support/github.ts'
import { unlikeFetch } from './unlike-fetch.ts'

/** What an application of a framework is made with. */
export interface Site {
  readonly config: ConfigSource<AuthConfig>
  /** As the framework writes it. */
  readonly mount: string
  /** Do parsers of bodies stand before the actions? */
  readonly parses: boolean
  /** Is the framework told that there is a proxy to be trusted? */
  readonly trustsProxy: boolean
  /** Is the session read, and extended, for every request before anything else is done with it? */
  readonly readsFirst: boolean
}

/**
 * A framework, with an application that has, besides the actions:
 *
 * - `GET /who`: who is signed in, as JSON; the session is extended, and caches are told {@link FOR_EVERYBODY}
 * - `GET /private`: for those who are signed in, answers `only for <e-mail>`
 * - `POST /begin`: begins a sign-in with GitHub that leads back to `/private`
 * - `POST /leave`: signs out and goes to `/`
 */
export interface Framework {
  readonly name: string
  /** All ways to mount the actions at `/auth`. */
  readonly mounts: readonly string[]
  /** How they are mounted at `/api/auth`. */
  readonly elsewhere: string
  /** Has it parsers that may stand before the actions? */
  readonly hasParsers: boolean
  /** Is a setting of its own what says which proxy is trusted, whatever ours says of the host? */
  readonly judgesProxies?: boolean
  /** What the log says to set, where a proxy is not trusted. @default 'AUTH_TRUST_HOST=true' */
  readonly proxySetting?: string
  /** Does its server take a path that is a whole address for the address? Only proxies are sent one. */
  readonly takesAbsolutePaths?: boolean
  /** Is `GET session` answered without a `Request`? */
  readonly answersDirectly?: boolean
  /** Hosts that make no address, and that it makes one of all the same. */
  readonly mendsHosts?: readonly string[]
  /** Whether reading the session of such a request is no error, but finds none. */
  readonly readsNobody?: boolean
  start(site: Site): Promise<Running>
}

/** What an application may say of a page that it takes for one for everybody. */
export const FOR_EVERYBODY: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=60',
  'cdn-cache-control': 'max-age=60',
  'surrogate-control': 'max-age=60',
}

export interface Running {
  readonly origin: string
  close(): unknown
}

const secret = 'a secret of these tests, 0123456789abcdef'

/** As much of a browser as keeps cookies. */
class Browser {
  readonly jar = new Map<string, string>()
  readonly origin: string
  readonly #headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin
    this.#headers = headers
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...this.#headers, ...(init.headers as object) })
    const cookie = Array.from(this.jar, ([name, value]) => `${name}=${value}`).join('; ')
    if (cookie) headers.set('cookie', cookie)
    const url = new URL(path, this.origin)
    const response = await unlikeFetch(url, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) this.jar.delete(name)
      else this.jar.set(name, pair.slice(name.length + 1))
    }
    return response
  }

  async json(path: string): Promise<unknown> {
    return (await this.send(path)).json()
  }

  /** Sends a form of the actions. */
  async post(path: string, fields: Record<string, string> = {}, base = '/auth'): Promise<Response> {
    const { csrfToken } = (await this.json(`${base}/csrf`)) as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, ...fields })
    return this.send(path, { method: 'POST', body })
  }

  async who(): Promise<unknown> {
    return this.json('/who')
  }
}

function location(response: Response): string {
  return response.headers.get('location') ?? ''
}

/** All three ways to sign in, and what was logged and sent. Nothing can be written to the configuration. */
/** What a proxy sends along. */
const PROXY = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }

export function setUp(more: Partial<AuthConfig> = {}) {
  const logged: string[] = []
  const mails: string[] = []
  const { fetch } = createGitHub()
  const config: AuthConfig = {
    secret,
    trustHost: true,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    logger: {
      error: (error) => void logged.push(`${error.name}: ${error.message}`),
      warn: (code, detail) => void logged.push(`${code}: ${detail}`),
      debug() {},
    },
    providers: [
      GitHub({ clientId: 'id', clientSecret: 'secret', [customFetch]: fetch }),
      Credentials({
        credentials: { name: {}, password: {} },
        authorize: ({ name, password }) =>
          password === 'right' ? { id: '1', email: `${String(name)}@example.com` } : null,
      }),
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        sendVerificationRequest: ({ url }) => void mails.push(url),
      },
    ],
    ...more,
  }
  return { logged, mails, config: Object.freeze(config) }
}

/** One table of cases, run with each framework. */
export function describeFramework(framework: Framework): void {
  const running: Running[] = []

  afterEach(async () => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    for (const each of running.splice(0)) await each.close()
  })

  async function start(
    config: ConfigSource<AuthConfig>,
    site: Partial<Site> = {},
  ): Promise<Browser> {
    const [mount = '/auth'] = framework.mounts
    const usual = { mount, parses: false, trustsProxy: false, readsFirst: false }
    const started = await framework.start({ config, ...usual, ...site })
    running.push(started)
    return new Browser(started.origin)
  }

  const signIn = (browser: Browser, name = 'ada'): Promise<Response> =>
    browser.post('/auth/callback/credentials', { name, password: 'right', callbackUrl: '/who' })

  describe.each(framework.hasParsers ? [false, true] : [false])(
    `${framework.name}, bodies parsed before: %s`,
    (parses) => {
      test.each(framework.mounts)('has its base path, mounted at %s', async (mount) => {
        const browser = await start(setUp().config, { mount, parses })
        expect(await browser.json('/auth/providers')).toMatchObject({
          github: { callbackUrl: `${browser.origin}/auth/callback/github` },
        })
        expect(location(await signIn(browser))).toBe(`${browser.origin}/who`)
        expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
      })

      const direct = framework.answersDirectly ? ['session, CSRF token and pages'] : []
      test.each(direct)('the most frequent requests need no `Request`: %s', async () => {
        const browser = await start(setUp().config, { parses })
        await signIn(browser)
        const made = vi.fn()
        const Plain = globalThis.Request
        class Counted extends Plain {
          constructor(...given: ConstructorParameters<typeof Plain>) {
            super(...given)
            made()
          }
        }
        vi.stubGlobal('Request', Counted)
        const session = await browser.send('/auth/session')
        expect(await session.json()).toMatchObject({ user: { email: 'ada@example.com' } })
        expect(session.headers.get('cache-control')).toMatch(/private.*no-store/)
        expect(session.headers.get('content-type')).toBe('application/json')
        expect(
          (await browser.send('/auth/csrf?callbackUrl=/private')).headers.getSetCookie(),
        ).toHaveLength(1)
        expect(await (await browser.send('/auth/signin?callbackUrl=/')).text()).toContain('<form')
        expect(made).not.toHaveBeenCalled()
        await browser.post('/auth/signout')
        expect(made).toHaveBeenCalled()
      })

      test('works at another base path', async () => {
        const { config, logged } = setUp({ basePath: '/api/auth' })
        const browser = await start(config, { mount: framework.elsewhere, parses })
        const fields = { name: 'ada', password: 'right', callbackUrl: '/who' }
        await browser.post('/api/auth/callback/credentials', fields, '/api/auth')
        expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
        const strange = await new Browser(browser.origin).send('/private')
        expect(new URL(location(strange)).pathname).toBe('/api/auth/signin')
        expect(logged).toEqual([])
      })

      test('signs in with a provider', async () => {
        const browser = await start(setUp().config, { parses })
        const begin = await browser.post('/auth/signin/github', { callbackUrl: '/private' })
        const asked = new URL(location(begin)).searchParams
        expect(asked.get('redirect_uri')).toBe(`${browser.origin}/auth/callback/github`)
        const back = await browser.send(`/auth/callback/github?code=c&state=${asked.get('state')}`)
        expect(location(back)).toBe(`${browser.origin}/private`)
        const page = await browser.send('/private')
        expect(await page.text()).toBe('only for ada@example.com')
      })

      test('signs in with a mailed link', async () => {
        const { config, mails } = setUp()
        const browser = await start(config, { parses })
        await browser.post('/auth/signin/email', { email: 'eve@example.com' })
        expect(mails).toHaveLength(1)
        await browser.send(mails[0] ?? '')
        expect(await browser.who()).toMatchObject({ user: { email: 'eve@example.com' } })
      })

      test('refuses a wrong password', async () => {
        const browser = await start(setUp().config, { parses })
        const fields = { name: 'ada', password: 'wrong' }
        const answer = await browser.post('/auth/callback/credentials', fields)
        expect(location(answer)).toContain('/auth/signin?error=CredentialsSignin')
        expect(await browser.who()).toBeNull()
      })

      test('refuses a form without its CSRF token', async () => {
        const browser = await start(setUp().config, { parses })
        const body = new URLSearchParams({ name: 'ada', password: 'right' })
        const answer = await browser.send('/auth/callback/credentials', { method: 'POST', body })
        expect(location(answer)).toContain('error=MissingCSRF')
        expect(await browser.who()).toBeNull()
      })

      test('accepts JSON', async () => {
        const callbacks: AuthConfig['callbacks'] = {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? { ...token, ...(session as object) } : token,
        }
        const browser = await start(setUp({ callbacks }).config, { parses })
        await signIn(browser)
        const { csrfToken } = (await browser.json('/auth/csrf')) as { csrfToken: string }
        const answer = await browser.send('/auth/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ csrfToken, data: { name: 'Countess Ada' } }),
        })
        expect(await answer.json()).toMatchObject({ user: { name: 'Countess Ada' } })
      })

      test('signs out by the form of the actions', async () => {
        const browser = await start(setUp().config, { parses })
        await signIn(browser)
        await browser.post('/auth/signout')
        expect(await browser.who()).toBeNull()
        expect([...browser.jar.keys()].filter((name) => name.includes('session'))).toEqual([])
      })

      test('signs in and out in code of the server', async () => {
        const browser = await start(setUp().config, { parses })
        const begin = await browser.send('/begin', {
          method: 'POST',
          body: new URLSearchParams('a=b'),
        })
        const asked = new URL(location(begin)).searchParams
        expect(asked.get('redirect_uri')).toBe(`${browser.origin}/auth/callback/github`)
        const back = await browser.send(`/auth/callback/github?code=c&state=${asked.get('state')}`)
        expect(location(back)).toBe(`${browser.origin}/private`)
        expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
        const left = await browser.send('/leave', { method: 'POST' })
        expect(location(left)).toBe(`${browser.origin}/`)
        expect(await browser.who()).toBeNull()
      })
    },
  )

  describe(`${framework.name}, bodies as they come`, () => {
    test('reads the session before any action was called', async () => {
      const browser = await start(setUp().config)
      expect(await browser.who()).toBeNull()
    })

    test.each(['jwt', 'database'] as const)(
      'extends a session (%s) when it is read',
      async (strategy) => {
        const config = setUp({ session: { strategy, updateAge: 0 } }).config
        const browser = await start(config)
        const begin = await browser.post('/auth/signin/github')
        const state = new URL(location(begin)).searchParams.get('state')
        await browser.send(`/auth/callback/github?code=c&state=${state}`)
        for (const path of ['/who', '/private']) {
          const answer = await browser.send(path)
          const set = answer.headers.getSetCookie()
          expect(set, path).toHaveLength(1)
          expect(set[0]).toMatch(/^authjs\.session-token=[^;]+; Path=\/; Expires=/)
          expect(answer.headers.get('cache-control'), path).toBe('private, no-store')
          for (const name of ['cdn-cache-control', 'surrogate-control']) {
            expect([null, 'no-store']).toContain(answer.headers.get(name))
          }
        }
      },
    )

    test.each(['jwt', 'database'] as const)(
      'signs out of a session (%s) that the same response extended',
      async (strategy) => {
        const callbacks: AuthConfig['callbacks'] = {
          jwt: ({ token }) => ({ ...token, much: String(token['much']).padEnd(3900, 'x') }),
        }
        const more = { session: { strategy, updateAge: 0 }, callbacks }
        for (const leave of ['/auth/signout', '/leave']) {
          const browser = await start(setUp(more).config, { readsFirst: true })
          const begin = await browser.post('/auth/signin/github')
          const state = new URL(location(begin)).searchParams.get('state')
          await browser.send(`/auth/callback/github?code=c&state=${state}`)
          expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
          const left = await browser.post(leave)
          const names = left.headers.getSetCookie().map((line) => line.split('=')[0])
          expect(new Set(names).size).toBe(names.length)
          expect(await browser.who()).toBeNull()
        }
      },
    )

    test('sends cookies separately, with their attributes', async () => {
      const callbacks: AuthConfig['callbacks'] = {
        jwt: ({ token }) => ({ ...token, much: 'x'.repeat(9000) }),
      }
      const browser = await start(setUp({ callbacks }).config)
      const set = (await signIn(browser)).headers.getSetCookie()
      const session = set.filter((line) => line.startsWith('authjs.session-token'))
      expect(session.map((line) => line.split('=')[0])).toEqual([
        'authjs.session-token.0',
        'authjs.session-token.1',
        'authjs.session-token.2',
        'authjs.session-token.3',
      ])
      for (const line of session)
        expect(line).toMatch(/; Path=\/; Expires=\w+, [^;]+; HttpOnly; SameSite=Lax$/)
      expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
      await browser.post('/auth/signout')
      expect(await browser.who()).toBeNull()
    })

    test('protects a page', async () => {
      const browser = await start(setUp().config)
      const page = await browser.send('/private?page=2')
      expect(page.status).toBe(307)
      const target = new URL(location(page))
      expect(target.origin + target.pathname).toBe(`${browser.origin}/auth/signin`)
      expect(target.searchParams.get('callbackUrl')).toBe(`${browser.origin}/private?page=2`)
      const asScript = await browser.send('/private', { headers: { accept: 'application/json' } })
      expect([asScript.status, await asScript.json()]).toEqual([401, { message: 'Unauthorized' }])
      await signIn(browser)
      expect(await (await browser.send('/private')).text()).toBe('only for ada@example.com')
    })

    test('trusts a proxy that the framework is configured to trust', async () => {
      const { config } = setUp()
      const { origin } = await start(config, { trustsProxy: true })
      const forwarded = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' }
      const browser = new Browser(origin, forwarded)
      expect(await browser.json('/auth/providers')).toMatchObject({
        github: { signinUrl: 'https://app.example/auth/signin/github' },
      })
      await signIn(browser)
      expect([...browser.jar.keys()]).toContain('__Secure-authjs.session-token')
      expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
      const page = await new Browser(origin, forwarded).send('/private')
      expect(new URL(location(page)).origin).toBe('https://app.example')
    })

    test('ignores the headers of a proxy that the framework does not trust', async () => {
      const { config } = setUp({ trustHost: framework.judgesProxies ? true : undefined })
      const { origin } = await start(config)
      const browser = new Browser(origin, {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      })
      expect(await browser.json('/auth/providers')).toMatchObject({
        github: { signinUrl: `${origin}/auth/signin/github` },
      })
      expect(new URL(location(await browser.send('/private'))).origin).toBe(origin)
    })

    test('logs once that a proxy is not trusted', async () => {
      const { config, logged } = setUp({ trustHost: framework.judgesProxies ? true : undefined })
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const { origin } = await start(config)
      const browser = new Browser(origin, PROXY)
      for (let i = 0; i < 2; i++) await browser.json('/auth/providers')
      const lines = [...logged, ...said.mock.calls.map(String)]
      expect(lines.filter((line) => line.includes('proxy-not-trusted'))).toEqual([
        expect.stringContaining(
          `not \`Secure\`; set ${framework.proxySetting ?? 'AUTH_TRUST_HOST=true'}`,
        ),
      ])
      vi.stubEnv('AUTH_URL', 'https://app.example')
      const known = await start({ ...config, trustHost: undefined })
      await new Browser(known.origin, PROXY).json('/auth/providers')
      expect([...logged, ...said.mock.calls.map(String)]).toHaveLength(lines.length)
    })

    test('accepts a configuration that depends on the request', async () => {
      const { config } = setUp()
      const seen: (string | undefined)[] = []
      const browser = await start((request) => {
        seen.push(request && new URL(request.url).pathname)
        return config
      })
      await signIn(browser)
      expect(await browser.who()).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(seen).toContain('/auth/callback/credentials')
      expect(seen).toContain('/who')
    })

    test('responds to an unknown action with 400, and continues', async () => {
      const { config, logged } = setUp()
      const browser = await start(config)
      expect((await browser.send('/auth/nothing')).status).toBe(400)
      expect(logged).toEqual([
        expect.stringContaining('/auth/nothing is not the path of an action'),
      ])
      expect((await browser.send('/auth/csrf')).status).toBe(200)
    })

    const mended = framework.mendsHosts ?? []
    const hosts = ['localhost/evil', 'a b', 'user@evil.example']
    test.each(hosts.filter((host) => !mended.includes(host)))(
      'responds to a request for the host %j with 400',
      async (host) => {
        const { origin } = await start(setUp().config)
        for (const path of ['/auth/csrf', '/who', '/private']) {
          const status = path === '/who' && framework.readsNobody ? 200 : 400
          expect((await sendRaw(origin, path, { host })).status, path).toBe(status)
        }
      },
    )

    test('ignores a host in the path', async () => {
      const { origin } = await start(setUp().config)
      const { host } = new URL(origin)
      const paths = ['//evil.example/auth/providers']
      if (!framework.takesAbsolutePaths) paths.push('http://evil.example/auth/providers')
      for (const path of paths) {
        const { body } = await sendRaw(origin, path, { host })
        expect(body).not.toContain('//evil.example/auth/signin')
      }
    })

    test('T-HOST-4: guards the page that the framework shows, for any reading of the path', async () => {
      const { origin } = await start(setUp().config)
      const { host } = new URL(origin)
      for (const path of [
        '/private/../auth/session',
        '/auth/../private',
        '/auth/session/../../private',
        '/private?/../auth/session',
        '/private/%2e%2e/auth/session',
        '/private\\..\\auth\\session',
      ]) {
        const { body } = await sendRaw(origin, path, { host })
        expect([path, body.includes('only for')]).toEqual([path, false])
      }
    })

    test('responds to a body that is too long, and continues', async () => {
      const browser = await start(setUp().config)
      const body = new URLSearchParams({ name: 'x'.repeat(3_000_000) })
      const answer = await browser.send('/auth/callback/credentials', { method: 'POST', body })
      expect([400, 413]).toContain(answer.status)
      expect((await browser.send('/auth/csrf')).status).toBe(200)
    })

    // What is wrong with a set-up: the environment, the configuration, and what the log says of it.
    test.each([
      [
        'no secret',
        {},
        { secret: undefined },
        /InvalidSecret.*AUTH_SECRET|MissingSecret.*AUTH_SECRET/,
      ],
      [
        'a host that nobody trusts',
        { NODE_ENV: 'production' },
        { trustHost: undefined },
        /^UntrustedHost: set AUTH_URL to the URL of the site/,
      ],
    ] as const)('reports in one line what is wrong: %s', async (_what, env, more, line) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      const { config, logged } = setUp(more)
      const browser = await start(() => config)
      const answer = await browser.send('/auth/signin')
      expect(answer.status).toBeGreaterThan(399)
      expect(await answer.text()).not.toMatch(/AUTH_SECRET|trustHost| {4}at /)
      expect(logged).toEqual([expect.stringMatching(line)])
    })

    test('reports that AUTH_URL is invalid', async () => {
      vi.stubEnv('AUTH_URL', 'app.example')
      const said = vi.spyOn(console, 'error').mockImplementation(() => {})
      let refusal: unknown
      try {
        const browser = await start(setUp().config)
        expect((await browser.send('/auth/signin')).status).toBe(500)
      } catch (error) {
        refusal = error
      }
      expect(`${String(refusal)} ${said.mock.calls.join()}`).toContain(
        'AUTH_URL must be an http or https URL, got "app.example"; set AUTH_URL=https://app.example',
      )
    })

    test('uses AUTH_URL, also if headers name another host', async () => {
      vi.stubEnv('AUTH_URL', 'https://app.example')
      const { origin } = await start(setUp({ trustHost: undefined }).config)
      const browser = new Browser(origin, { 'x-forwarded-host': 'evil.example' })
      expect(await browser.json('/auth/providers')).toMatchObject({
        github: { signinUrl: 'https://app.example/auth/signin/github' },
      })
      expect(new URL(location(await browser.send('/private'))).origin).toBe('https://app.example')
    })

    test('leaves unknown methods unanswered', async () => {
      const browser = await start(setUp().config)
      for (const method of ['OPTIONS', 'PUT', 'DELETE'])
        expect((await browser.send('/auth/session', { method })).status, method).toBeGreaterThan(
          399,
        )
    })
  })
}

/** As no browser would send it. */
function sendRaw(
  origin: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    send({ hostname, port, path, headers, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}
