import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { stringifySetCookie } from 'cookie'
import type { RequestEvent } from 'solid-js/web'
import { provideRequestEvent } from 'solid-js/web/storage'
import { type AuthConfig, createLatchkey, type Latchkey } from '../../src/entries/index.ts'
import { AstroAuth, type AstroContext } from '../../src/integrations/astro.ts'
import * as elysia from '../../src/integrations/elysia.ts'
import * as express from '../../src/integrations/express.ts'
import * as fastify from '../../src/integrations/fastify.ts'
import * as h3 from '../../src/integrations/h3.ts'
import * as hono from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import * as nest from '../../src/integrations/nest.ts'
import * as nestFastify from '../../src/integrations/nest-fastify.ts'
import NextAuth from '../../src/integrations/next.ts'
import { appendCookies, toNodeListener, toWebRequest } from '../../src/integrations/node.ts'
import { sendWebResponse } from '../../src/integrations/node-http.ts'
import { QwikAuth$ } from '../../src/integrations/qwik.ts'
import * as router from '../../src/integrations/react-router.ts'
import * as solid from '../../src/integrations/solid-start.ts'
import { SvelteKitAuth } from '../../src/integrations/sveltekit.ts'
import * as tanstack from '../../src/integrations/tanstack-start.ts'
import { listen } from './listen.ts'

// One small application of each integration. Frameworks that `npm test` installs are the real ones; of the others there
// is as much as makes requests and answers go the same ways.

/** What the application is made with. */
export interface Site {
  readonly config: AuthConfig
  /** What it tells caches, before the session is read and once more after it. */
  readonly told: Readonly<Record<string, string>>
}

/**
 * An application that has, besides the actions at `/auth`:
 *
 * - `GET /page`: reads the session, which is extended, between setting the headers for caches twice
 * - `GET /auth/providers/1/tokens`: `secret`, for those who are signed in
 * - `POST /enter`: signs somebody in; `GET /begin`: begins a sign-in with a provider; `POST /leave`: signs out
 */
export interface Application {
  send(path: string, init?: RequestInit): Promise<Response>
  close?(): unknown
}

type Build = (site: Site) => Application | Promise<Application>

/** Where an application calls what its plugin offers. */
export const PLUGIN = '/plugin'
export const GUARDED = '/auth/providers/1/tokens'
const SECRET = 'secret'
const EVE = { name: 'Eve', redirectTo: '/' }

const ORIGIN = 'http://app.example'

/** Calls the plugin of the application. */
async function nameOf(api: object, request?: Request): Promise<Response> {
  return new Response((await (api as Any).whoAmI.name(request)) as string)
}

function inProcess(answer: (request: Request) => Promise<Response>): Application {
  return { send: (path, init) => answer(new Request(ORIGIN + path, init)) }
}

async function overHttp(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Application> {
  const { origin, close } = await listen(listener)
  return {
    send: (path, init) => fetch(origin + path, { redirect: 'manual', ...init }),
    close,
  }
}

/** What a framework answers when a handler throws. */
function failed(error: { type?: string }): Response {
  return new Response(error.type ?? String(error), { status: 500 })
}

function latchkeyOf({ config }: Site): Latchkey {
  return createLatchkey(config, {})
}

/** With what asks a visitor to sign in, for those that have no guard but that. */
function guardedBy({ config }: Site): AuthConfig {
  const authorized = ({ request, auth }: { request: Request; auth: unknown }): boolean =>
    auth !== null || !new URL(request.url).pathname.startsWith('/auth/')
  return { ...config, callbacks: { authorized } }
}

/** What a program of its own has besides the pages: the sign-in and the sign-out. */
function programmatic(latchkey: Latchkey, request: Request): Promise<Response> | undefined {
  const { pathname } = new URL(request.url)
  if (pathname === '/enter') return latchkey.signIn(request, 'password', EVE)
  if (pathname === '/begin') return latchkey.signIn(request, 'acme')
  if (pathname === '/leave') return latchkey.signOut(request)
  if (pathname === PLUGIN) return nameOf(latchkey.api, request)
  return undefined
}

const exampleOf = (name: string): NodeRequire =>
  createRequire(new URL(`../../../../examples/${name}/server.ts`, import.meta.url))

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a framework has
type Any = any

/** Every integration, by its file, in each of its ways. */
export const applications: Readonly<Record<string, Readonly<Record<string, Build>>>> = {
  hono: {
    'that sets headers around': honoApplication,
    'with a response of its own': honoResponses,
  },
  express: { 'version 5': expressApplication },
  nest: { 'on Express': nestApplication },
  koa: { 'version 3': koaApplication },
  fastify: { 'as it sends headers': fastifyApplication },
  'nest-fastify': { 'as it sends headers': nestFastifyApplication },
  node: { 'of its own': nodeApplication },
  h3: {
    'version 1': h3Version1,
    'version 2': h3Version2,
    'version 2, its own response': h3Responses,
  },
  nuxt: { 'which is h3 1': h3Version1 },
  'nuxt-app': { 'which is h3 1': h3Version1 },
  elysia: { 'with its headers': elysiaApplication, 'with a response of its own': elysiaResponses },
  next: { 'a route': nextApplication, 'a page of the pages directory': nextPages },
  sveltekit: { 'as it answers': svelteKitApplication },
  'solid-start': { 'with headers of the event': solidApplication, 'with a route': solidRoutes },
  astro: { 'as it answers': astroApplication },
  qwik: { 'with headers of the event': qwikApplication },
  'react-router': { 'as it answers': reactRouterApplication },
  'tanstack-start': { 'as it answers': tanStackApplication },
}

function honoApplication(site: Site): Application {
  const { Hono } = exampleOf('hono')('hono') as { Hono: Any }
  const latchkey = latchkeyOf(site)
  const app = new Hono()
  app.onError(failed)
  const tell = (context: Any): void => {
    for (const [name, value] of Object.entries(site.told)) context.header(name, value)
  }
  app.use(async (context: Any, next: Any) => {
    tell(context)
    await next()
    tell(context)
    for (const [name, value] of Object.entries(site.told)) context.res.headers.set(name, value)
  })
  app.get(GUARDED, hono.requireAuth(latchkey), (context: Any) => context.text(SECRET))
  app.use('/auth/*', hono.authHandler(latchkey))
  app.get('/page', hono.authSession(latchkey), (context: Any) => {
    tell(context)
    return context.text(context.get('session')?.user?.name)
  })
  app.all('*', ({ req }: Any) => programmatic(latchkey, req.raw))
  return inProcess(async (request) => app.fetch(request))
}

function honoResponses(site: Site): Application {
  const { Hono } = exampleOf('hono')('hono') as { Hono: Any }
  const latchkey = latchkeyOf(site)
  const app = new Hono()
  app.onError(failed)
  app.get(GUARDED, hono.requireAuth(latchkey), () => new Response(SECRET))
  app.use('/auth/*', hono.authHandler(latchkey))
  app.get('/page', hono.requireAuth(latchkey), (context: Any) => {
    return new Response(context.get('session').user.name, { headers: site.told })
  })
  app.all('*', ({ req }: Any) => programmatic(latchkey, req.raw))
  return inProcess(async (request) => app.fetch(request))
}

function expressWith(
  site: Site,
  guard: (request: Any, response: Any, next: Any) => unknown,
): Promise<Application> {
  const { config } = site
  const app = exampleOf('express')('express')()
  const tell = (response: Any): void => response.set(site.told)
  app.use((_request: Any, response: Any, next: Any) => {
    tell(response)
    next()
  })
  app.get(GUARDED, guard, (_request: Any, response: Any) => response.send(SECRET))
  app.use('/auth', express.ExpressAuth(config))
  app.get('/page', async (request: Any, response: Any) => {
    const session = await express.getSession(request, config)
    tell(response)
    response.send(session?.user?.name)
  })
  app.post('/enter', (request: Any, response: Any) =>
    express.signIn(request, response, config, 'password', EVE),
  )
  app.get('/begin', (request: Any, response: Any) =>
    express.signIn(request, response, config, 'acme'),
  )
  app.get(PLUGIN, async (request: Any, response: Any) =>
    response.send(await (express.apiOf(request, config) as Any).whoAmI.name()),
  )
  app.post('/leave', (request: Any, response: Any) => express.signOut(request, response, config))
  // The log is of no interest.
  app.use((error: Any, _request: Any, response: Any, _next: Any) =>
    response.status(error.status ?? 500).send(error.type),
  )
  return overHttp(app)
}

function expressApplication(site: Site): Promise<Application> {
  return expressWith(site, express.requireAuth(site.config))
}

/** What Nest tells a guard. */
function nestContext(request: object, response: object): Any {
  return {
    getType: () => 'http',
    getHandler: () => nestContext,
    getClass: () => Object,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
  }
}

function nestApplication(site: Site): Promise<Application> {
  const guard = new nest.AuthGuard(site.config)
  return expressWith(site, async (request, response, next) => {
    if (await guard.canActivate(nestContext(request, response))) next()
  })
}

function koaApplication(site: Site): Promise<Application> {
  const Koa = createRequire(import.meta.url)('koa').default
  const latchkey = latchkeyOf(site)
  const app = new Koa()
  app.silent = true
  const guard = koa.requireAuth(latchkey)
  app.use(async (context: Any, next: Any) => {
    context.set(site.told)
    if (context.path === GUARDED) {
      return guard(context, async () => {
        context.body = SECRET
      })
    }
    await next()
    context.set(site.told)
  })
  app.use(koa.authHandler(latchkey))
  app.use(async (context: Any, next: Any) => {
    const answer = programmatic(latchkey, koa.webRequestOf(context))
    if (answer) return koa.sendAnswer(await answer, context)
    await koa.authSession(latchkey)(context, next)
  })
  app.use(async (context: Any) => {
    context.set(site.told)
    context.body = context.state.session?.user?.name
  })
  return overHttp(app.callback())
}

/** A reply as Fastify has it: its headers are its own until all of them are written at once. */
class Reply {
  readonly raw: ServerResponse
  readonly #headers: Record<string, unknown> = {}
  #status = 200
  sent = false

  constructor(raw: ServerResponse) {
    this.raw = raw
  }

  code(status: number): this {
    this.#status = status
    return this
  }

  header(name: string, value: unknown): this {
    const before = this.#headers[name]
    const isAdded = name === 'set-cookie' && before !== undefined
    this.#headers[name] = isAdded ? [before, value].flat() : value
    return this
  }

  getHeader(name: string): Any {
    return this.#headers[name]
  }

  removeHeader(name: string): this {
    delete this.#headers[name]
    return this
  }

  send(payload?: Any): this {
    this.sent = true
    this.raw.writeHead(this.#status, this.#headers as Any)
    if (payload instanceof ReadableStream) {
      void new Response(payload).text().then((text) => this.raw.end(text))
    } else this.raw.end(payload)
    return this
  }

  hijack(): void {}
}

async function fastifyWith(
  site: Site,
  guard: (latchkey: Latchkey) => (request: Any, reply: Any) => Promise<unknown>,
): Promise<Application> {
  const latchkey = latchkeyOf(site)
  const hooks: Any[] = []
  let actions: Any
  const scope = {
    decorateRequest() {},
    addHook: (_name: string, hook: Any) => void hooks.push(hook),
    removeAllContentTypeParsers() {},
    addContentTypeParser() {},
    route: ({ handler }: Any) => (actions = handler),
    register: (plugin: Any) => plugin(scope),
  }
  await fastify.fastifyAuth(scope, { latchkey })
  const requireAuth = guard(latchkey)
  return overHttp(async (raw, response) => {
    const { host = '' } = raw.headers
    const request: Any = { raw, originalUrl: raw.url, protocol: 'http', host, body: undefined }
    const reply: Any = new Reply(response)
    const tell = (): void => {
      for (const [name, value] of Object.entries(site.told)) reply.header(name, value)
    }
    tell()
    try {
      for (const hook of hooks) await hook(request, reply)
      const answer = programmatic(latchkey, fastify.webRequestOf(request))
      if (answer) await fastify.sendReply(await answer, reply)
      else if (raw.url === GUARDED) {
        await requireAuth(request, reply)
        if (!reply.sent) reply.send(SECRET)
      } else if (raw.url?.startsWith('/auth/')) {
        for await (const chunk of raw) request.body = Buffer.concat([request.body ?? '', chunk])
        await actions(request, reply)
      } else {
        const session = await request.auth()
        tell()
        reply.send(session?.user?.name)
      }
    } catch (error) {
      reply.code((error as Any).status ?? 500).send((error as Any).type)
    }
  })
}

function fastifyApplication(site: Site): Promise<Application> {
  return fastifyWith(site, (latchkey) => fastify.requireAuth(latchkey))
}

function nestFastifyApplication(site: Site): Promise<Application> {
  return fastifyWith(site, (latchkey) => {
    const guard = new nestFastify.AuthGuard(latchkey)
    return (request, reply) => guard.canActivate(nestContext(request, reply))
  })
}

function nodeApplication(site: Site): Promise<Application> {
  const latchkey = latchkeyOf(site)
  const actions = toNodeListener(latchkey)
  const authorized = ({ auth }: { auth: unknown }): boolean => auth !== null
  return overHttp(async (request, response) => {
    const tell = (): void => {
      for (const [name, value] of Object.entries(site.told)) response.setHeader(name, value)
    }
    tell()
    const asked = toWebRequest(request)
    try {
      const answer = await programmatic(latchkey, asked)
      if (answer) return await sendWebResponse(answer, response)
      if (request.url === GUARDED) {
        const verdict = await latchkey.protect(asked, { authorized })
        if (verdict.response) return await sendWebResponse(verdict.response, response)
        return response.end(SECRET)
      }
      if (request.url?.startsWith('/auth/')) return actions(request, response)
      const { session, headers } = await latchkey.session(asked)
      appendCookies(response, headers)
      tell()
      response.writeHead(200, site.told)
      return response.end(session?.user?.name)
    } catch (error) {
      response.statusCode = 500
      return response.end((error as Any).type)
    }
  })
}

/** What is the same in both versions of h3. */
function h3Handlers(site: Site): Record<string, (event: Any) => unknown> {
  const latchkey = latchkeyOf(site)
  const guard = h3.requireAuth(latchkey)
  const act = async (event: Any): Promise<Response | undefined> => {
    const answer = await programmatic(latchkey, h3.webRequestOf(event))
    return answer && h3.answerOf(answer, event)
  }
  return {
    [GUARDED]: async (event) => (await guard(event)) ?? SECRET,
    '/auth/**': h3.authHandler(latchkey),
    '/page': async (event) => (await h3.getSession(event, latchkey))?.user?.name,
    '/enter': act,
    '/begin': act,
    [PLUGIN]: act,
    '/leave': act,
  }
}

function h3Version1(site: Site): Promise<Application> {
  const {
    createApp,
    createRouter,
    eventHandler,
    setResponseHeaders,
    toNodeListener: listener,
  } = createRequire(import.meta.url)('h3')
  const app = createApp({ onError: (error: Any) => void (error.unhandled = false) })
  const routes = createRouter()
  const tell = (event: Any): void => setResponseHeaders(event, site.told)
  app.use(eventHandler(tell))
  for (const [path, handler] of Object.entries(h3Handlers(site))) {
    const told = async (event: Any): Promise<unknown> => {
      const answer = await handler(event)
      tell(event)
      return answer
    }
    routes.use(path, eventHandler(told))
  }
  app.use(routes)
  return overHttp(listener(app))
}

function h3With(site: Site, page: (answer: unknown, event: Any) => unknown): Application {
  const { H3 } = exampleOf('solid-start')('h3')
  const app = new H3({ silent: true })
  const tell = ({ res }: Any): void => {
    for (const [name, value] of Object.entries(site.told)) res.headers.set(name, value)
  }
  app.use(tell)
  for (const [path, handler] of Object.entries(h3Handlers(site))) {
    app.all(path, async (event: Any) => {
      const answer = await handler(event)
      tell(event)
      return page(answer, event)
    })
  }
  return inProcess(async (request) => app.fetch(request))
}

function h3Version2(site: Site): Application {
  return h3With(site, (answer) => answer)
}

function h3Responses(site: Site): Application {
  return h3With(site, (answer) =>
    typeof answer === 'string' ? new Response(answer, { headers: site.told }) : answer,
  )
}

/** Elysia's way: what a response says of itself stands above what was set, cookies are added. */
function elysiaWith(site: Site, page: (name: string, context: Any) => Any): Application {
  const latchkey = latchkeyOf(site)
  let actions: Any
  const mappers: Any[] = []
  elysia.auth(latchkey)({
    all: (_path: string, handler: Any) => (actions = handler),
    mapResponse: (_how: object, mapper: Any) => void mappers.push(mapper),
  })
  const guard = elysia.requireAuth(latchkey)
  const run = async (context: Any): Promise<unknown> => {
    const { request } = context
    const { pathname } = new URL(request.url)
    Object.assign(context.set.headers, site.told)
    const answer = await programmatic(latchkey, request)
    if (answer) return elysia.answerOf(answer, context)
    if (pathname === GUARDED) return (await guard(context)) ?? SECRET
    if (pathname.startsWith('/auth/')) return actions(context)
    const { session } = await elysia.readSession(latchkey)(context)
    Object.assign(context.set.headers, site.told)
    return page(session?.user?.name ?? '', context)
  }
  return inProcess(async (request) => {
    const context: Any = { request, set: { headers: {} } }
    let response: Any
    try {
      response = await run(context)
    } catch (error) {
      response = new Response((error as Any).type, { status: 500 })
    }
    for (const mapper of mappers) response = mapper({ ...context, response }) ?? response
    const own = response instanceof Response ? response : new Response(response)
    const answer = new Response(own.body, own)
    for (const [name, value] of Object.entries(context.set.headers) as [string, Any][]) {
      if (name === 'set-cookie')
        for (const line of [value].flat()) answer.headers.append(name, line)
      else if (!own.headers.has(name)) answer.headers.set(name, value)
    }
    return answer
  })
}

function elysiaApplication(site: Site): Application {
  return elysiaWith(site, (name) => name)
}

function elysiaResponses(site: Site): Application {
  return elysiaWith(site, (name) => new Response(name, { headers: site.told }))
}

/** What the mocks of Next.js know of the request that is under way. */
export const nextRequest: { headers: Headers; set: string[] } = { headers: new Headers(), set: [] }

function nextWith(
  site: Site,
  page: (next: ReturnType<typeof NextAuth>, request: Request) => Promise<Response>,
): Application {
  const next = NextAuth({ ...guardedBy(site), basePath: '/auth' })
  const guarded = next.auth(() => new Response(SECRET))
  return inProcess(async (request) => {
    const { pathname } = new URL(request.url)
    Object.assign(nextRequest, { headers: request.headers, set: [] })
    const server = async (work: Promise<Any>): Promise<Response> => {
      const headers = new Headers({ location: String(await work) })
      for (const line of nextRequest.set) headers.append('set-cookie', line)
      return new Response(null, { status: 303, headers })
    }
    try {
      if (pathname === '/enter')
        return await server(next.signIn('password', { ...EVE, redirect: false }))
      if (pathname === '/begin') return await server(next.signIn('acme', { redirect: false }))
      if (pathname === '/leave') return await server(next.signOut({ redirect: false }))
      if (pathname === PLUGIN) return await nameOf(next.api)
      if (pathname === GUARDED) return await guarded(request, {})
      if (pathname.startsWith('/auth/')) return around(await next.handlers.GET(request), site)
      return await page(next, request)
    } catch (error) {
      return new Response((error as Any).type, { status: 500 })
    }
  })
}

/** What stands around a page tells caches once more. */
function around(answer: Response, { told }: Site): Response {
  for (const [name, value] of Object.entries(told)) answer.headers.set(name, value)
  return answer
}

function nextApplication(site: Site): Application {
  return nextWith(site, async (next, request) => {
    const route = next.auth(
      (asked: Any) => new Response(asked.auth?.user?.name, { headers: site.told }),
    )
    return around(await route(request, {}), site)
  })
}

/** With a response of Node.js, as pages of that directory have it. */
function nextPages(site: Site): Application {
  return nextWith(site, async (next, { headers }) => {
    const started = await listen(async (request, response) => {
      const tell = (): void => {
        for (const [name, value] of Object.entries(site.told)) response.setHeader(name, value)
      }
      tell()
      const session = await next.auth(request as Any, response as Any)
      tell()
      response.end(session?.user?.name)
    })
    const answer = await fetch(started.origin, { headers })
    const copy = new Response(await answer.text(), answer)
    await started.close()
    return copy
  })
}

function svelteKitApplication(site: Site): Application {
  const { api, handle, signIn, signOut } = SvelteKitAuth(guardedBy(site), { env: {} })
  return inProcess(async (request) => {
    const url = new URL(request.url)
    const set: string[] = []
    const pairs = (request.headers.get('cookie') ?? '').split('; ').filter(Boolean)
    const event: Any = {
      request,
      url,
      locals: {},
      cookies: {
        getAll: () =>
          pairs.map((pair) => ({
            name: pair.split('=')[0] ?? '',
            value: pair.slice(pair.indexOf('=') + 1),
          })),
        set: (name: string, value: string, options: Any) =>
          void set.push(stringifySetCookie({ name, value, ...options })),
      },
    }
    const run = async (work: Promise<unknown>): Promise<Response> => {
      const { location } = (await work.catch((error: unknown) => error)) as Any
      return location
        ? new Response(null, { status: 303, headers: { location } })
        : new Response('failed', { status: 500 })
    }
    const form = async (fields: Record<string, string>): Promise<Any> => ({
      ...event,
      request: Object.assign(new Request(request), { formData: async () => toForm(fields) }),
    })
    const resolve = async (): Promise<Response> => {
      let answer = new Response('nobody', { headers: site.told })
      if (url.pathname === '/enter')
        answer = await run(signIn(await form({ providerId: 'password', ...EVE })))
      else if (url.pathname === '/begin')
        answer = await run(signIn(await form({ providerId: 'acme' })))
      else if (url.pathname === '/leave') answer = await run(signOut(await form({})))
      else if (url.pathname === GUARDED) answer = new Response(SECRET)
      else if (url.pathname === PLUGIN) answer = await nameOf(api, request)
      else answer = new Response((await event.locals.auth())?.user?.name, { headers: site.told })
      for (const line of set) answer.headers.append('set-cookie', line)
      return answer
    }
    return around(await handle({ event, resolve }), site)
  })
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

function solidWith(site: Site, page: (name: string, event: Any) => Response): Application {
  const { GET } = solid.SolidAuth(site.config)
  return inProcess(async (request) => {
    const { pathname } = new URL(request.url)
    const event: Any = { request, locals: {}, response: { headers: new Headers(site.told) } }
    const work = async (): Promise<Response> => {
      if (pathname === '/enter') return solid.signIn(request, site.config, 'password', EVE)
      if (pathname === '/begin') return solid.signIn(request, site.config, 'acme')
      if (pathname === '/leave') return solid.signOut(request, site.config)
      if (pathname === PLUGIN) return nameOf(solid.apiOf(site.config), request)
      const session = await solid.getSession(request, site.config)
      if (pathname === GUARDED) {
        return session ? new Response(SECRET) : solid.signIn(request, site.config)
      }
      if (pathname.startsWith('/auth/')) return GET(event)
      return page(session?.user?.name ?? '', event)
    }
    const own = await provideRequestEvent(event as RequestEvent, work).catch(
      (error: Any) => new Response(error.type, { status: 500 }),
    )
    const answer = pathname.startsWith('/auth/') ? around(own, site) : own
    const headers = new Headers(answer.headers)
    for (const [name, value] of event.response.headers) {
      if (name === 'set-cookie') headers.append(name, value)
      else if (pathname === '/page') headers.set(name, value)
    }
    return new Response(answer.body, { status: answer.status, headers })
  })
}

function solidApplication(site: Site): Application {
  return solidWith(site, (name, { response }) => {
    for (const [header, value] of Object.entries(site.told)) response.headers.set(header, value)
    return new Response(name)
  })
}

function solidRoutes(site: Site): Promise<Application> {
  const { GET } = solid.SolidAuth(site.config)
  return overHttp(async (raw, nodeResponse) => {
    const request = toWebRequest(raw)
    const { pathname } = new URL(request.url)
    const event: Any = {
      request,
      locals: {},
      response: { headers: new Headers() },
      nativeEvent: { node: { res: nodeResponse } },
    }
    const work = async (): Promise<Response> => {
      if (pathname === '/enter') return solid.signIn(request, site.config, 'password', EVE)
      if (pathname === '/begin') return solid.signIn(request, site.config, 'acme')
      if (pathname === '/leave') return solid.signOut(request, site.config)
      if (pathname === PLUGIN) return nameOf(solid.apiOf(site.config), request)
      if (pathname === GUARDED) return new Response('for others')
      if (pathname.startsWith('/auth/')) return GET(event)
      const session = await solid.getSession(request, site.config)
      return new Response(session?.user?.name, { headers: site.told })
    }
    const answer = await provideRequestEvent(event as RequestEvent, work).catch(
      (error: Any) => new Response(error.type, { status: 500 }),
    )
    for (const [name, value] of event.response.headers) nodeResponse.appendHeader(name, value)
    await sendWebResponse(answer, nodeResponse)
  })
}

function astroApplication(site: Site): Application {
  const { api, GET, onRequest, signIn, signOut } = AstroAuth(
    { ...guardedBy(site), basePath: '/auth' },
    {},
  )
  return inProcess(async (request) => {
    const { pathname } = new URL(request.url)
    const context: AstroContext & { locals: Any } = { request, locals: {} }
    const next = async (): Promise<Response> => {
      if (pathname === '/enter') return signIn(context, 'password', EVE)
      if (pathname === '/begin') return signIn(context, 'acme')
      if (pathname === '/leave') return signOut(context)
      if (pathname === PLUGIN) return nameOf(api, request)
      if (pathname === GUARDED) return new Response(SECRET)
      if (pathname.startsWith('/auth/')) return around(await GET(context), site)
      return new Response((await context.locals.auth())?.user?.name, { headers: site.told })
    }
    try {
      return around(await onRequest(context, next), site)
    } catch (error) {
      return new Response((error as Any).type, { status: 500 })
    }
  })
}

function qwikApplication(site: Site): Application {
  const { api, onRequest, useSignIn, useSignOut } = QwikAuth$(() => guardedBy(site)) as Any
  return inProcess(async (request) => {
    const url = new URL(request.url)
    const headers = new Headers(site.told)
    let answer: Response | undefined
    const end = (response: Response): Error => {
      answer = response
      return new Error('the end')
    }
    const event: Any = {
      request,
      url,
      method: request.method,
      headers,
      env: { get: () => undefined },
      cookie: {
        set: (name: string, value: string) => headers.append('set-cookie', `${name}=${value}`),
      },
      sharedMap: new Map(),
      // Its headers are added to those of the event.
      send(response: Response) {
        for (const [name, value] of response.headers) headers.append(name, value)
        return end(response)
      },
      text: (status: number, text: string) => end(new Response(text, { status })),
      redirect(status: number, location: string) {
        headers.delete('cache-control')
        headers.set('location', location)
        return end(new Response(null, { status }))
      },
      fail: (status: number) => end(new Response('failed', { status })),
    }
    const page = async (): Promise<void> => {
      if (url.pathname === '/enter') {
        await useSignIn({ providerId: 'password', options: EVE }, event)
      } else if (url.pathname === '/begin') await useSignIn({ providerId: 'acme' }, event)
      else if (url.pathname === '/leave') await useSignOut({}, event)
      else {
        await onRequest(event)
        for (const [name, value] of Object.entries(site.told)) headers.set(name, value)
        if (url.pathname === PLUGIN) answer = await nameOf(api, request)
        else
          answer = new Response(
            url.pathname === GUARDED ? SECRET : event.sharedMap.get('session')?.user.name,
          )
      }
    }
    await page().catch((error: unknown) => {
      answer ??= new Response((error as Any).type, { status: 500 })
    })
    return new Response(answer?.body, { status: answer?.status ?? 500, headers })
  })
}

function reactRouterApplication(site: Site): Application {
  const latchkey = latchkeyOf(site)
  return inProcess(async (request) => {
    const { pathname } = new URL(request.url)
    const known = new Map<unknown, Any>()
    const page = async (): Promise<Response> =>
      new Response(known.get(router.sessionContext)?.user?.name, { headers: site.told })
    const work = async (): Promise<Response> => {
      const answer = programmatic(latchkey, request)
      if (answer) return answer
      if (pathname === GUARDED) {
        const guard = router.requireAuth(latchkey)
        return guard({ request, context: known }, async () => new Response(SECRET))
      }
      if (pathname.startsWith('/auth/')) {
        return around(await router.authHandler(latchkey)({ request }), site)
      }
      return around(await router.authSession(latchkey)({ request, context: known }, page), site)
    }
    return work().catch((thrown: Any) =>
      thrown instanceof Response ? thrown : new Response(thrown.type, { status: 500 }),
    )
  })
}

function tanStackApplication(site: Site): Application {
  const latchkey = latchkeyOf(site)
  return inProcess(async (request) => {
    const { pathname } = new URL(request.url)
    const answerWith =
      (text?: string) =>
      ({ context }: Any): Any => ({
        context,
        response: new Response(text ?? context.session?.user?.name, { headers: site.told }),
      })
    try {
      const answer = await programmatic(latchkey, request)
      if (answer) return answer
      if (pathname === GUARDED) {
        const guard = tanstack.requireAuth(latchkey)
        return ((await guard({ request, next: answerWith(SECRET) })) as Any).response
      }
      if (pathname.startsWith('/auth/')) {
        return around(await tanstack.authHandler(latchkey)({ request }), site)
      }
      const session = tanstack.authSession(latchkey)
      return around(((await session({ request, next: answerWith() })) as Any).response, site)
    } catch (error) {
      return new Response((error as Any).type, { status: 500 })
    }
  })
}
