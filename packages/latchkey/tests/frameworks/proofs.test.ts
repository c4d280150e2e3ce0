import type { RequestListener } from 'node:http'
import { parseCookie } from 'cookie'
import { Hono } from 'hono'
import { afterAll, vi } from 'vitest'
import { createAuthClient } from '../../src/client/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { AstroAuth, type AstroContext } from '../../src/integrations/astro.ts'
import * as elysia from '../../src/integrations/elysia.ts'
import * as express from '../../src/integrations/express.ts'
import * as h3 from '../../src/integrations/h3.ts'
import * as hono from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import * as nest from '../../src/integrations/nest.ts'
import NextAuth from '../../src/integrations/next.ts'
import * as nuxt from '../../src/integrations/nuxt-app.ts'
import { QwikAuth$ } from '../../src/integrations/qwik.ts'
import * as reactRouter from '../../src/integrations/react-router.ts'
import * as solidStart from '../../src/integrations/solid-start.ts'
import { SvelteKitAuth, type SvelteKitEvent } from '../../src/integrations/sveltekit.ts'
import * as tanstack from '../../src/integrations/tanstack-start.ts'
import {
  DAY,
  describeGuards,
  FRESH,
  fetching,
  installedFor,
  listening,
  type Make,
} from './proof-cases.ts'

// Middleware and handlers are called as these frameworks do it, which have no part in what a guard decides.
vi.mock('react-router', () => ({ createContext: (defaultValue: unknown) => ({ defaultValue }) }))
const ambient = vi.hoisted(() => {
  // Other files of tests have other frameworks.
  vi.resetModules()
  return {
    headers: new Headers(),
    /** The application of Nuxt and the event of its server. */
    nuxt: { app: {}, event: undefined as object | undefined },
  }
})
afterAll(() => {
  vi.resetModules()
})

vi.mock('next/headers.js', () => ({
  headers: async () => ambient.headers,
  cookies: async () => ({ set: () => {} }),
}))
vi.mock('next/navigation', () => ({
  redirect(location: string): never {
    throw new Response(null, { status: 303, headers: { location } })
  },
}))
vi.mock('next/server.js', async () => ({
  NextRequest: (await import('../support/next-request.ts')).NextRequest,
  NextResponse: { next: () => new Response(null) },
}))
vi.mock('nuxt/app', () => ({
  useNuxtApp: () => ({
    payload: {},
    runWithContext: (call: () => unknown) => call(),
    ...ambient.nuxt.app,
  }),
  useRequestEvent: () => ambient.nuxt.event,
  useRuntimeConfig: () => ({ app: { baseURL: '/' } }),
  navigateTo(location: string): never {
    throw new Response(null, { status: 303, headers: { location } })
  },
}))
vi.mock('$app/paths', () => ({ resolve: () => '/' }))
vi.mock('@sveltejs/kit', () => ({
  VERSION: '3.0.0',
  redirect(status: number, location: string): never {
    throw new Response(null, { status, headers: { location } })
  },
  error(status: number, body: object): never {
    throw Response.json(body, { status })
  },
  isRedirect: () => false,
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

/** Calls a guard that throws the response, as some frameworks end a request. */
async function orOpen(guard: Promise<unknown>): Promise<Response> {
  try {
    const refused = await guard
    return refused instanceof Response ? refused : new Response('open')
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}

/** The guards of an application, by path. */
function guarded<Event>(
  guards: {
    requireFresh(event: Event, seconds: number): Promise<unknown>
    requireFactors(event: Event, factors: 2): Promise<unknown>
  },
  eventOf: (request: Request) => Event,
): Awaited<ReturnType<Make>> {
  return {
    visit: fetching(async (request) => {
      const event = eventOf(request)
      const { pathname } = new URL(request.url)
      return orOpen(
        pathname === '/two'
          ? guards.requireFactors(event, 2)
          : guards.requireFresh(event, pathname === '/fresh' ? FRESH : DAY),
      )
    }),
  }
}

function inSvelteKit(
  config: Parameters<Make>[0],
  more: Partial<SvelteKitEvent>,
): Awaited<ReturnType<Make>> {
  const auth = SvelteKitAuth(config, { env: { AUTH_TRUST_HOST: 'true' }, building: false })
  return guarded<SvelteKitEvent>(auth, (request) => ({
    request,
    url: new URL(request.url),
    locals: {},
    cookies: {
      getAll: () =>
        Object.entries(parseCookie(request.headers.get('cookie') ?? '')).map(
          ([name, value = '']) => ({ name, value }),
        ),
      set: () => {},
    },
    ...more,
  }))
}

function inSolidStart(
  config: Parameters<Make>[0],
  more: Readonly<Record<string, string>>,
): Awaited<ReturnType<Make>> {
  const site = { ...config, prefix: '/auth' }
  return guarded<Request>(
    {
      requireFresh: (request, seconds) => solidStart.requireFresh(request, site, seconds),
      requireFactors: (request, factors) => solidStart.requireFactors(request, site, factors),
    },
    ({ url, headers }) =>
      new Request(url, { headers: { ...Object.fromEntries(headers), ...more } }),
  )
}

function inNuxt(enter: (request: Request) => typeof ambient.nuxt): Awaited<ReturnType<Make>> {
  return guarded<Request>(
    {
      async requireFresh(request, seconds) {
        ambient.nuxt = enter(request)
        return nuxt.requireFresh(seconds)({ fullPath: new URL(request.url).pathname })
      },
      async requireFactors(request, factors) {
        ambient.nuxt = enter(request)
        return nuxt.requireFactors(factors)({ fullPath: new URL(request.url).pathname })
      },
    },
    (request) => request,
  )
}

const frameworks: Readonly<Record<string, Make>> = {
  async next(config) {
    return guarded<Request>(NextAuth({ ...config, basePath: '/auth' }), (request) => request)
  },
  async 'next, in a page'(config) {
    const { requireFresh, requireFactors } = NextAuth({ ...config, basePath: '/auth' })
    const entered = (request: Request): void => {
      ambient.headers = new Headers(request.headers)
      ambient.headers.set('host', new URL(request.url).host)
    }
    return guarded<Request>(
      {
        async requireFresh(request, seconds) {
          entered(request)
          return requireFresh(seconds)
        },
        async requireFactors(request, factors) {
          entered(request)
          return requireFactors(factors)
        },
      },
      (request) => request,
    )
  },
  async astro(config) {
    const env = { AUTH_TRUST_HOST: 'true' }
    return guarded<AstroContext>(AstroAuth({ ...config, basePath: '/auth' }, env), (request) => ({
      request,
      locals: {},
    }))
  },
  sveltekit: async (config) => inSvelteKit(config, {}),
  // Its router asks for the data of a page with a script.
  'sveltekit, for data': async (config) => inSvelteKit(config, { isDataRequest: true }),
  'solid-start': async (config) => inSolidStart(config, {}),
  'solid-start, in a server function': async (config) =>
    inSolidStart(config, { 'x-server-id': 'function', accept: '*/*' }),
  async qwik(config) {
    const auth = QwikAuth$(() => config)
    type Event = Parameters<typeof auth.requireFresh>[0]
    return guarded<Event>(auth, (request) => ({
      request,
      method: request.method,
      url: new URL(request.url),
      headers: new Headers(),
      env: { get: () => undefined },
      cookie: { set: () => {} },
      sharedMap: new Map(),
      send: (response) => response as unknown as Error,
      text: (status) => new Response(null, { status }) as unknown as Error,
      redirect: () => new Error('no redirect is expected'),
      fail: () => ({ failed: true }) as never,
    }))
  },
  async nuxt(config) {
    const latchkey = createLatchkey(config)
    return inNuxt((request) => {
      const event = { context: {}, req: request, res: { headers: new Headers() } }
      const latchkeyProof = (needed: Parameters<typeof h3.requireProof>[1]) =>
        h3.requireProof(latchkey, needed)(event)
      return { app: {}, event: { ...event, context: { latchkeyProof } } }
    })
  },
  // Its router shows a page without loading it.
  async 'nuxt, in the browser'(config) {
    const latchkey = createLatchkey(config)
    return inNuxt(({ url, headers: visitor }) => {
      const { origin } = new URL(url)
      const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
        const headers = new Headers(init?.headers)
        headers.set('sec-fetch-site', 'same-origin')
        headers.set('cookie', visitor.get('cookie') ?? '')
        return latchkey.handler(new Request(origin + String(input), { ...init, headers }))
      }
      const $latchkey = createAuthClient({ basePath: '/auth' }, { fetch })
      return { app: { $latchkey, $latchkeyPath: '/auth' }, event: undefined }
    })
  },
  async 'react-router'(config) {
    const latchkey = createLatchkey(config)
    const guards: Record<string, reactRouter.AuthMiddleware> = {
      '/fresh': reactRouter.requireFresh(latchkey, FRESH),
      '/day': reactRouter.requireFresh(latchkey, DAY),
      '/two': reactRouter.requireFactors(latchkey, 2),
    }
    return {
      visit: fetching(async (request) => {
        const args = { request, context: { set: () => {} } }
        try {
          const answer = await guards[new URL(request.url).pathname]?.(
            args,
            async () => new Response('open'),
          )
          return answer ?? new Response('no such page')
        } catch (thrown) {
          if (thrown instanceof Response) return thrown
          throw thrown
        }
      }),
    }
  },
  async hono(config) {
    const latchkey = createLatchkey(config)
    const app = new Hono()
    app.get('/fresh', hono.requireFresh(latchkey, FRESH), (context) => context.text('open'))
    // With a function, as at the edge, where the configuration comes with the request.
    app.get(
      '/day',
      hono.requireFresh(() => latchkey, DAY),
      (context) => context.text('open'),
    )
    app.get('/two', hono.requireFactors(latchkey, 2), (context) => context.text('open'))
    return { visit: fetching((request) => app.fetch(request)) }
  },
  // Nest itself runs beside the other frameworks of `more`.
  async 'nest on Express'(config) {
    const guards: Readonly<Record<string, nest.FreshGuard | nest.FactorsGuard>> = {
      '/fresh': new nest.FreshGuard(config, FRESH),
      '/day': new nest.FreshGuard(config, DAY),
      '/two': new nest.FactorsGuard(config, 2),
    }
    interface App extends RequestListener {
      set(setting: string, value: unknown): void
      use(handler: (...given: [{ path: string }, { send(text: string): void }]) => void): void
    }
    const app = (installedFor('express')('express') as () => App)()
    app.set('trust proxy', true)
    app.use((request, response) => {
      const context = {
        getType: () => 'http',
        getHandler: () => guards,
        getClass: () => Object,
        switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
      }
      guards[request.path]?.canActivate(context as nest.NestContext).then(
        (isLetIn) => isLetIn && response.send('open'),
        () => response.send('an error'),
      )
    })
    return listening(app)
  },
  async express(config) {
    interface App extends RequestListener {
      set(setting: string, value: unknown): void
      get(path: string, ...handlers: unknown[]): void
    }
    const app = (installedFor('express')('express') as () => App)()
    app.set('trust proxy', true)
    const page = (_: unknown, response: { send(text: string): void }) => response.send('open')
    app.get('/fresh', express.requireFresh(config, FRESH), page)
    app.get('/day', express.requireFresh(config, DAY), page)
    app.get('/two', express.requireFactors(config, 2), page)
    return listening(app)
  },
  async koa(config) {
    const latchkey = createLatchkey(config)
    type Middleware = (
      context: koa.KoaContext & { path: string; body: unknown },
      next: () => Promise<unknown>,
    ) => Promise<unknown>
    interface App {
      proxy: boolean
      silent: boolean
      use(middleware: Middleware): void
      callback(): RequestListener
    }
    const app = new (installedFor('koa')('koa') as { default: new () => App }).default()
    app.proxy = true
    app.silent = true
    const guards: Record<string, koa.KoaMiddleware> = {
      '/fresh': koa.requireFresh(latchkey, FRESH),
      '/day': koa.requireFresh(latchkey, DAY),
      '/two': koa.requireFactors(latchkey, 2),
    }
    app.use(async (context, next) => guards[context.path]?.(context, next))
    app.use(async (context) => void (context.body = 'open'))
    return listening(app.callback())
  },
  async elysia(config) {
    const latchkey = createLatchkey(config)
    const guards: Record<string, ReturnType<typeof elysia.requireFresh>> = {
      '/fresh': elysia.requireFresh(latchkey, FRESH),
      '/day': elysia.requireFresh(latchkey, DAY),
      '/two': elysia.requireFactors(latchkey, 2),
    }
    return {
      visit: fetching(async (request) => {
        const context = { request, set: { headers: {} } }
        const refused = await guards[new URL(request.url).pathname]?.(context)
        return refused ?? new Response('open')
      }),
    }
  },
  async h3(config) {
    const latchkey = createLatchkey(config)
    const guards: Record<string, ReturnType<typeof h3.requireFresh>> = {
      '/fresh': h3.requireFresh(latchkey, FRESH),
      '/day': h3.requireFresh(latchkey, DAY),
      '/two': h3.requireFactors(latchkey, 2),
    }
    return {
      visit: fetching(async (request) => {
        const event = { context: {}, req: request, res: { headers: new Headers() } }
        const refused = await guards[new URL(request.url).pathname]?.(event)
        return refused ?? new Response('open')
      }),
    }
  },
  async 'tanstack-start'(config) {
    const latchkey = createLatchkey(config)
    const guards: Record<string, ReturnType<typeof tanstack.requireFresh>> = {
      '/fresh': tanstack.requireFresh(latchkey, FRESH),
      '/day': tanstack.requireFresh(latchkey, DAY),
      '/two': tanstack.requireFactors(latchkey, 2),
    }
    return {
      visit: fetching(async (request) => {
        const next = async () => ({ response: new Response('open') })
        const visiting = { request, next, context: {}, pathname: '/' } as never
        const answer = await guards[new URL(request.url).pathname]?.(visiting)
        return (answer as { response: Response }).response
      }),
    }
  },
}

for (const [name, make] of Object.entries(frameworks)) describeGuards(name, make)
