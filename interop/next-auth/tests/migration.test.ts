import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { customFetch as peerFetch } from '@auth/core'
import { ExpressAuth as PeerExpressAuth } from '@auth/express'
import {
  getSession as getPeerSession,
  SolidAuth as PeerSolidAuth,
  customFetch as solidFetch,
} from '@auth/solid-start'
// @ts-expect-error: it comes without types
import express from 'express'
import type * as LatchkeyExpress from 'latchkey/express'
import type * as LatchkeyNext from 'latchkey/next'
import type * as Rollback from 'latchkey/plugins/auth-js-rollback'
import type * as LatchkeySolid from 'latchkey/solid-start'
import type * as LatchkeySvelteKit from 'latchkey/sveltekit'
import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../../packages/latchkey/src/adapters/memory/index.ts'
import { createTestProvider } from '../../../packages/latchkey/src/entries/testing.ts'
import { toNodeListener } from '../../../packages/latchkey/src/integrations/node.ts'
import { customFetch } from '../../../packages/latchkey/src/options/markers.ts'
import {
  inBrowser,
  launch,
  missingBrowser,
} from '../../../packages/server/tests/support/chromium.ts'
import { ensureBuilt } from '../../../tools/ensure-built.ts'
import { Browser, type Served } from './support/browser.ts'
import { withoutFrameworks } from './support/without-frameworks.ts'

const require = createRequire(import.meta.url)

/** Latchkey as it was built last, under the names that an application changes to. */
function ours<T>(name: string): T {
  ensureBuilt()
  // Not through Vite, which would look for the frameworks.
  return withoutFrameworks(() => require(name) as T)
}

const { default: PeerNextAuth } = await withoutFrameworks(() => import('next-auth'))
const { SvelteKitAuth: PeerSvelteKitAuth } = await withoutFrameworks(
  () => import('@auth/sveltekit'),
)
const { authJsRollback } = ours<typeof Rollback>('latchkey/plugins/auth-js-rollback')
const { default: NextAuth } = ours<typeof LatchkeyNext>('latchkey/next')
const { SolidAuth, getSession } = ours<typeof LatchkeySolid>('latchkey/solid-start')
const { SvelteKitAuth } = ours<typeof LatchkeySvelteKit>('latchkey/sveltekit')
const { ExpressAuth } = ours<typeof LatchkeyExpress>('latchkey/express')

type Strategy = 'jwt' | 'database'

/** The origin of the provider of the tests. */
const PROVIDER = 'https://provider.test'

const idp = createTestProvider()
const silent = { error() {}, warn() {}, debug() {} }

/** One configuration, for whoever serves it. They may write to theirs, so that each has a copy. */
function configuration(strategy: Strategy, adapter: object | undefined, name: string) {
  idp.profile = { sub: 'ada', name, email: 'ada@example.com' }
  const shared = {
    secret: 'a secret of an application that moves, 0123',
    trustHost: true,
    adapter,
    // Each read writes the session anew, so that what the one writes the other reads.
    session: { strategy, updateAge: 0 },
    logger: silent,
  }
  const send = idp.client[customFetch]
  return () => ({
    ...shared,
    providers: [{ ...idp.provider, [peerFetch]: send, [solidFetch]: send }],
  })
}

type Configuration = ReturnType<ReturnType<typeof configuration>>

/** Their types are those of `@auth/core`, the objects are the same. */
// oxlint-disable-next-line typescript/no-explicit-any
type Peers = any

interface Framework {
  readonly name: string
  published(config: Configuration): Promise<Served>
  latchkey(config: Configuration): Promise<Served>
}

type Handlers = Record<'GET' | 'POST', (request: Request) => Promise<Response>>

function nextServed(handlers: Handlers): Served {
  return {
    basePath: '/api/auth',
    answer: (request) => handlers[request.method as 'GET' | 'POST'](request),
  }
}

type Routes = Record<'GET' | 'POST', (event: Peers) => Promise<Response | undefined>>

function solidServed(routes: Routes): Served {
  return {
    basePath: '/api/auth',
    async answer(request) {
      const answer = await routes[request.method as 'GET' | 'POST']({ request })
      return answer ?? new Response(null, { status: 404 })
    },
  }
}

/** Where it is served has to be said twice there. */
const atSolidsPath = { basePath: '/api/auth', prefix: '/api/auth' }

interface Kit {
  handle(input: { event: Peers; resolve: () => Response }): Promise<Response> | Response
}

function kitServed({ handle }: Kit): Served {
  return {
    basePath: '/auth',
    async answer(request) {
      const cookies = { getAll: () => [], set: () => {} }
      const event = { request, url: new URL(request.url), locals: {}, cookies }
      return handle({ event, resolve: () => new Response(null, { status: 404 }) })
    },
  }
}

const servers: Server[] = []

/** A real server, behind a proxy that ends TLS. */
async function expressServed(auth: unknown): Promise<Served> {
  const app = express().set('trust proxy', true).use('/auth', auth)
  const server = app.listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    basePath: '/auth',
    async answer(request) {
      const { protocol, host, pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('x-forwarded-proto', protocol.slice(0, -1))
      headers.set('x-forwarded-host', host)
      const body = request.method === 'POST' ? await request.text() : null
      const { method } = request
      const url = `http://127.0.0.1:${port}${pathname}${search}`
      return fetch(url, { method, headers, body, redirect: 'manual' })
    },
  }
}

afterAll(() => {
  for (const server of servers) server.close()
})

const frameworks: readonly Framework[] = [
  {
    name: 'next-auth',
    published: async (config) => nextServed(PeerNextAuth(config as Peers).handlers as Handlers),
    latchkey: async (config) => nextServed(NextAuth(config as Peers).handlers),
  },
  {
    name: '@auth/sveltekit',
    published: async (config) => kitServed(PeerSvelteKitAuth(config as Peers)),
    latchkey: async (config) => kitServed(SvelteKitAuth(config as Peers, { env: {} })),
  },
  {
    name: '@auth/solid-start',
    published: async (config) =>
      solidServed(PeerSolidAuth({ ...config, ...atSolidsPath } as Peers)),
    latchkey: async (config) => solidServed(SolidAuth({ ...config, ...atSolidsPath })),
  },
  {
    name: '@auth/express',
    published: (config) => expressServed(PeerExpressAuth(config as Peers)),
    latchkey: (config) => expressServed(ExpressAuth(config as Peers)),
  },
]

async function bothServe(
  { published, latchkey }: Framework,
  config: () => Configuration,
): Promise<[theirs: Served, ours: Served]> {
  return [await published(config()), await latchkey(config())]
}

const LONG = 'A'.repeat(6000)

describe.each(frameworks)('an application on $name', (framework) => {
  for (const origin of ['http://app.example', 'https://app.example']) {
    for (const name of ['Ada', LONG]) {
      const size = name === LONG ? 'in pieces' : 'in one cookie'
      test(`${origin}: a sealed session ${size} stays, there and back`, async () => {
        const config = configuration('jwt', undefined, name)
        const [theirs, latchkey] = await bothServe(framework, config)
        for (const [first, second] of [
          [theirs, latchkey],
          [latchkey, theirs],
        ] as const) {
          const browser = new Browser(origin)
          await browser.signIn(first, idp)
          const cookies = browser.sessionCookies
          expect(cookies.length > 1).toBe(name === LONG)
          expect(cookies[0]?.startsWith('__Secure-')).toBe(origin.startsWith('https'))
          for (const served of [first, second, first, second]) {
            expect(await browser.user(served)).toMatchObject({ name, email: 'ada@example.com' })
            expect(browser.sessionCookies).toEqual(cookies)
          }
          await browser.signOut(second)
          expect(browser.sessionCookies).toEqual([])
          expect(await browser.user(first)).toBeUndefined()
        }
      })
    }

    test(`${origin}: a stored session comes over; users whose session Latchkey read sign in anew after going back`, async () => {
      const config = configuration('database', memoryAdapter(), 'Ada')
      const [theirs, latchkey] = await bothServe(framework, config)
      const [seen, unseen, fresh] = [0, 1, 2].map(() => new Browser(origin)) as [
        Browser,
        Browser,
        Browser,
      ]
      await seen.signIn(theirs, idp)
      await unseen.signIn(theirs, idp)
      const cookies = seen.sessionCookies
      const token = seen.cookies.get(cookies[0] ?? '')
      expect(await seen.user(theirs)).toMatchObject({ name: 'Ada' })
      for (const _again of [1, 2]) expect(await seen.user(latchkey)).toMatchObject({ name: 'Ada' })
      expect([seen.sessionCookies, seen.cookies.get(cookies[0] ?? '')]).toEqual([cookies, token])

      await fresh.signIn(latchkey, idp)
      expect(await fresh.user(latchkey)).toMatchObject({ name: 'Ada' })

      // What is stored has become a hash, which the published package does not look for.
      expect(await unseen.user(theirs)).toMatchObject({ name: 'Ada' })
      expect(await seen.user(theirs)).toBeUndefined()
      expect(await fresh.user(theirs)).toBeUndefined()
      await seen.signIn(theirs, idp)
      expect(await seen.user(theirs)).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
    })
  }
})

test('an application on @auth/solid-start reads the same session with the same call', async () => {
  const framework = frameworks.find(({ name }) => name === '@auth/solid-start')
  if (!framework) throw new Error('it is one of them')
  const config = { ...configuration('jwt', undefined, 'Ada')(), ...atSolidsPath } as Peers
  const browser = new Browser('http://app.example')
  await browser.signIn(await framework.published(config), idp)
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const request = new Request('http://app.example/page', { headers: { cookie } })
  for (const read of [getPeerSession, getSession]) {
    expect((await read(request, config))?.user).toMatchObject({ name: 'Ada' })
  }
})

test('the configuration on the page of @auth/solid-start works as it is written there', async () => {
  const written = {
    providers: [idp.provider],
    secret: 'a secret of an application',
    trustHost: true,
    logger: silent,
  }
  const at = 'http://app.example/api/auth/providers'
  const answers = []
  for (const { GET } of [PeerSolidAuth({ ...written } as Peers), SolidAuth(written)]) {
    const answer: Response | undefined = await GET({ request: new Request(at) } as Peers)
    answers.push(answer?.status)
  }
  // There, the core is not told where the route is.
  expect(answers).toEqual([400, 200])
})

describe('an application on next-auth, in a real browser', inBrowser, () => {
  let browser: Chromium
  beforeEach((context) => {
    if (missingBrowser !== undefined) context.skip(missingBrowser)
  })
  beforeAll(async () => {
    if (missingBrowser === undefined) browser = await launch()
  })
  afterAll(() => browser?.close())

  /** Somebody in front of an application that is served by one or the other, at one address. */
  interface Visit {
    readonly page: Page
    readonly context: BrowserContext
    readonly served: readonly [theirs: Served, ours: Served]
    serve(by: Served): void
    /** What happens while the visitor is at the provider. */
    atProvider(work: () => void): void
    signIn(): Promise<void>
    signOut(): Promise<void>
    user(): Promise<string | undefined>
  }

  async function visit(
    name: string,
    run: (visit: Visit) => Promise<void>,
    further: object = {},
  ): Promise<void> {
    const [framework] = frameworks
    if (!framework) throw new Error('next-auth is the first of them')
    const make = configuration('jwt', undefined, name)
    const served = await bothServe(framework, () => ({ ...make(), ...further }))
    let [current] = served
    let meanwhile = (): void => {}
    const handler = async (request: Request): Promise<Response> => {
      if (new URL(request.url).pathname.startsWith(current.basePath)) {
        const { status, headers, body } = await current.answer(request)
        const answered = new Headers(headers)
        const to = answered.get('location')
        // A browser has to get there, and it is another site than that of the application.
        if (to?.startsWith(PROVIDER)) answered.set('location', to.replace(PROVIDER, provider))
        return new Response(body, { status, headers: answered })
      }
      const headers = { 'content-type': 'text/html' }
      return new Response('<!doctype html><p>The application</p>', { headers })
    }
    const server = createServer(toNodeListener({ handler })).listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const idpServer = createServer((request, response) => {
      if (!request.url?.startsWith('/authorize')) return void response.writeHead(404).end()
      meanwhile()
      const back = idp.authorize(`${PROVIDER}${request.url}`).href
      response.setHeader('content-type', 'text/html')
      response.end(`<script>location.href = ${JSON.stringify(back)}</script>`)
    }).listen(0, '127.0.0.1')
    await once(idpServer, 'listening')
    servers.push(idpServer)
    const provider = `http://127.0.0.1:${(idpServer.address() as AddressInfo).port}`
    const context = await browser.newContext()
    try {
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      await run({
        page,
        context,
        served,
        serve: (by) => (current = by),
        atProvider: (work) => (meanwhile = work),
        async signIn() {
          await page.goto(`${origin}/api/auth/signin?callbackUrl=%2F`)
          await page.click('form[action$="/signin/test"] button')
          await page.waitForURL(`${origin}/`)
        },
        async signOut() {
          await page.goto(`${origin}/api/auth/signout`)
          await page.click('form button')
          await page.waitForURL((url) => !url.pathname.startsWith('/api/auth'))
        },
        async user() {
          const session = await page.evaluate(() =>
            fetch('/api/auth/session').then((answer) => answer.json()),
          )
          return (session as { user?: { name?: string } } | null)?.user?.name
        },
      })
    } finally {
      await context.close()
    }
  }

  const sessionCookies = async (context: BrowserContext): Promise<string[]> =>
    (await context.cookies())
      .filter(({ name }) => name.includes('session-token'))
      .map(({ name, httpOnly, sameSite, secure }) => [name, httpOnly, sameSite, secure].join())
      .sort()

  for (const [order, swapped] of [
    ['there and back', false],
    ['back and there', true],
  ] as const) {
    for (const name of ['Ada', LONG]) {
      const size = name === LONG ? 'in pieces' : 'in one cookie'
      test(`a user stays signed in, ${order}, with a session ${size}`, async () => {
        await visit(name, async ({ context, served, serve, signIn, signOut, user }) => {
          const [first, second] = swapped ? served.toReversed() : served
          if (!first || !second) throw new Error('both serve')
          serve(first)
          await signIn()
          const cookies = await sessionCookies(context)
          expect(cookies.length > 1).toBe(name === LONG)
          for (const by of [first, second, first, second]) {
            serve(by)
            expect(await user()).toBe(name)
            expect(await sessionCookies(context)).toEqual(cookies)
          }
          await signOut()
          expect(await sessionCookies(context)).toEqual([])
          serve(first)
          expect(await user()).toBeUndefined()
        })
      })
    }

    test(`a pending sign-in is completed, ${order}`, async () => {
      // Only then what Auth.js needs to finish it is written.
      const wayBack = { plugins: [authJsRollback()] }
      await visit(
        'Ada',
        async ({ served, serve, atProvider, signIn, user }) => {
          const [first, second] = swapped ? served.toReversed() : served
          if (!first || !second) throw new Error('both serve')
          serve(first)
          atProvider(() => serve(second))
          await signIn()
          expect(await user()).toBe('Ada')
        },
        swapped ? wayBack : {},
      )
    })
  }
})
