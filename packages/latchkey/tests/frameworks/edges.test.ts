import { readdirSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { encode } from '../../src/verifier/jwt.ts'
import type { Application } from './edge-applications.ts'

// What the core promises holds at every edge: whichever integration an application has.

vi.mock('next/headers.js', () => ({
  headers: async () => nextRequest.headers,
  cookies: async () => ({
    set: (name: string, value: string) => void nextRequest.set.push(`${name}=${value}`),
  }),
}))
vi.mock('next/navigation', () => ({ redirect: () => undefined }))
vi.mock('next/server.js', async () => ({
  NextRequest: (await import('../support/next-request.ts')).NextRequest,
  NextResponse: { next: () => new Response(null) },
}))
vi.mock('$app/paths', () => ({ resolve: () => '/' }))
vi.mock('$env/dynamic/private', () => ({ env: {} }))
vi.mock('@sveltejs/kit', () => ({
  VERSION: '3.0.0',
  isRedirect: () => false,
  redirect(status: number, location: string): never {
    throw Object.assign(new Error('a redirect'), { status, location })
  },
}))
vi.mock('@builder.io/qwik/build', () => ({ isServer: true }))
vi.mock('@builder.io/qwik', () => ({
  inlinedQrl: <T>(fn: T) => fn,
  implicit$FirstArg: <T>(fn: T) => fn,
}))
vi.mock('@builder.io/qwik-city', () => ({
  routeLoaderQrl: <T>(fn: T) => fn,
  globalActionQrl: <T>(fn: T) => fn,
}))
vi.mock('react-router', () => ({ createContext: (defaultValue: unknown) => ({ defaultValue }) }))

// The tests of single integrations have other stand-ins, and files share their modules.
vi.resetModules()
afterAll(() => void vi.resetModules())
const { applications, GUARDED, nextRequest, PLUGIN } = await import('./edge-applications.ts')

const whoAmI = definePlugin({
  name: 'whoAmI',
  setUp: (host) => ({
    api: {
      name: async (request: Request) => (await host.sessions.current(request))?.user.name,
    },
  }),
})

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: AuthConfig = {
  secret,
  basePath: '/auth',
  trustHost: true,
  session: { strategy: 'jwt', updateAge: 0 },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    {
      id: 'password',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize: ({ name }) => ({ id: '2', name: String(name) }),
    },
    {
      id: 'acme',
      name: 'Acme',
      type: 'oauth',
      clientId: 'a',
      clientSecret: 'b',
      authorization: 'https://acme.example/authorize',
      token: 'https://acme.example/token',
      userinfo: 'https://acme.example/me',
    },
  ],
}

const told: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=60, s-maxage=600',
  'cdn-cache-control': 'max-age=60',
  'cloudflare-cdn-cache-control': 'max-age=60',
  'netlify-cdn-cache-control': 'public, durable, max-age=60',
  'vercel-cdn-cache-control': 'max-age=60',
  'surrogate-control': 'max-age=60',
  'edge-control': 'max-age=60',
  'x-accel-expires': '60',
  expires: 'Fri, 31 Dec 2100 00:00:00 GMT',
}

async function ada(): Promise<{ cookie: string }> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return { cookie: `${SESSION}=${token}` }
}

/** What an answer tells caches, of all that would have them keep it. */
function keptBy({ headers }: Response): [string, string][] {
  return Object.keys(told).flatMap((name) => {
    const value = headers.get(name)
    return value === null || /no-store|^0$/.test(value) ? [] : [[name, value]]
  })
}

const setsSession = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((line) => line.startsWith(`${SESSION}=`))

test('every integration is in the table', () => {
  const parts = [
    'built',
    'caching',
    'forbidden',
    'mounted',
    'nest-open',
    'node-direct',
    'node-http',
    'notices',
    'parts',
    'per-event',
    'well-known',
  ]
  const files = readdirSync(new URL('../../src/integrations/', import.meta.url))
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
  expect([...Object.keys(applications), ...parts].sort()).toEqual(files.sort())
})

/** Integrations that are asked over a connection here, and tell where a client is. */
const KNOWING: ReadonlySet<string> = new Set([
  'express',
  'nest',
  'koa',
  'fastify',
  'nest-fastify',
  'node',
  'h3, version 1',
  'nuxt',
  'nuxt-app',
  'solid-start, with a route',
])

const rows = Object.entries(applications).flatMap(([name, ways]) =>
  Object.entries(ways).map(([way, build]) => [name, way, build] as const),
)

describe.each(rows)('latchkey/%s, %s', (name, way, build) => {
  const open: Application[] = []

  async function start(site: { told?: typeof told } = {}): Promise<Application> {
    const application = await build({ config, told: site.told ?? {} })
    open.push(application)
    return application
  }

  afterEach(async () => {
    for (const each of open.splice(0)) await each.close?.()
  })

  test('T-SESS-6: a page that extends a session is kept by no cache, with any header of its own', async () => {
    const { send } = await start({ told })
    const page = await send('/page', { headers: await ada() })
    expect(await page.text()).toBe('Ada')
    expect(setsSession(page)).toBe(true)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(keptBy(page)).toEqual([])
  })

  test('T-SESS-6: a response of an action that sets a session is kept by no cache', async () => {
    const { send } = await start({ told })
    const session = await send('/auth/session', { headers: await ada() })
    expect(await session.json()).toMatchObject({ user: { name: 'Ada' } })
    expect(setsSession(session)).toBe(true)
    expect(session.headers.get('cache-control')).toMatch(/^private, (no-cache, )?no-store$/)
    expect(keptBy(session)).toEqual([])
  })

  test('T-HOST-4: an action has one spelling', async () => {
    const { send } = await start()
    const headers = await ada()
    expect((await send('/auth/session', { headers })).status).toBe(200)
    for (const path of ['/auth//session', '/auth/sessio%6e', '/auth/signin//acme']) {
      const body = await (await send(path, { headers })).text()
      expect([path, /"expires"|<form/.test(body)]).toEqual([path, false])
    }
  })

  test('T-HOST-4: a page below the base path that is not an action is for signed-in users', async () => {
    const { send } = await start()
    const answer = await send(GUARDED)
    expect(await answer.text()).not.toContain('secret')
  })

  test.each([
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as Record<string, string>[])(
    'T-WEB-2: another site signs nobody in or out: %j',
    async (foreign) => {
      const { send } = await start()
      expect(setsSession(await send('/enter', { method: 'POST', headers: foreign }))).toBe(false)
      const headers = { ...foreign, ...(await ada()) }
      const left = await send('/leave', { method: 'POST', headers })
      expect(left.headers.getSetCookie().join()).not.toMatch(/session-token=(?:;|$)/m)
      const own = await send('/enter', { method: 'POST' })
      expect(setsSession(own)).toBe(true)
      const away = await send('/leave', { method: 'POST', headers: await ada() })
      expect(away.headers.getSetCookie().join()).toMatch(/session-token=(?:;|$)/m)
    },
  )

  test('LIM-1: sign-ins are counted, by client if the framework knows the address', async () => {
    const rules = { post: [{ by: 'network', limit: 2, window: 60 }] as const }
    const application = await build({
      told: {},
      config: {
        ...config,
        // What a process counts is told apart by the secret.
        secret: `${secret} of ${name}, ${way}`,
        plugins: [limits({ store: 'process', rules })],
      },
    })
    open.push(application)
    let allowed = 0
    for (let i = 0; i < 25; i++) {
      if (setsSession(await application.send('/enter', { method: 'POST' }))) allowed++
    }
    // Clients whose address nobody knows share ten times as many.
    expect(allowed).toBe(KNOWING.has(name) || KNOWING.has(`${name}, ${way}`) ? 2 : 20)
  })

  test('a response of a plugin is passed on', async () => {
    const application = await build({ told: {}, config: { ...config, plugins: [whoAmI] } })
    open.push(application)
    const answer = await application.send(PLUGIN, { headers: await ada() })
    expect(await answer.text()).toBe('Ada')
  })

  test('a link of another site may lead to a provider', async () => {
    const { send } = await start()
    const answer = await send('/begin', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.headers.get('location')).toContain('https://acme.example/authorize')
  })
})
