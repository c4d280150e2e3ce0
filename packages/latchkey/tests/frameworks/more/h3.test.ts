import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { createLatchkey, type Latchkey } from '../../../src/entries/index.ts'
import {
  answerOf,
  authHandler,
  getSession,
  type H3Event,
  requireAuth,
  webRequestOf,
} from '../../../src/integrations/h3.ts'
import { describeFramework, FOR_EVERYBODY, type Site } from '../cases.ts'
import { listen } from '../listen.ts'

const installed = createRequire(new URL('../../../../../examples/h3/server.ts', import.meta.url))

type Handler = (event: H3Event) => unknown

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

interface Routes {
  /** A middleware, or what answers below a path. */
  use(...handler: [Handler] | [string, Handler]): void
  on(method: 'get' | 'post', path: string, handler: Handler): void
}

/** An application with each kind of use of the integration. */
function fill(app: Routes, { config, mount, parses, trustsProxy, readsFirst }: Site): void {
  const env = { ...process.env, ...(trustsProxy ? { AUTH_TRUST_HOST: 'true' } : {}) }
  const latchkey: Latchkey = createLatchkey(config, env)
  if (parses) app.use(parse)
  if (readsFirst) app.use(async (event) => void (await getSession(event, latchkey)))
  app.use(mount, authHandler(latchkey))
  app.on('get', '/who', async (event) => {
    const session = await getSession(event, latchkey)
    return Response.json(session, { headers: FOR_EVERYBODY })
  })
  const guard = requireAuth(latchkey)
  app.on('get', '/private', async (event) => {
    const refusal = await guard(event)
    return refusal ?? `only for ${(await getSession(event, latchkey))?.user?.email}`
  })
  app.on('post', '/begin', async (event) => {
    const target = { redirectTo: '/private' }
    return answerOf(await latchkey.signIn(webRequestOf(event), 'github', target), event)
  })
  app.on('post', '/leave', async (event) =>
    answerOf(await latchkey.signOut(webRequestOf(event), { redirectTo: '/' }), event),
  )
}

/** As a platform that has read the body before h3 sees it. */
async function parse(event: H3Event): Promise<void> {
  if (!('node' in event)) return
  const { req } = event.node
  if (req.method !== 'POST') return
  const chunks: Uint8Array[] = []
  for await (const chunk of req) chunks.push(chunk as Uint8Array)
  req.body = Buffer.concat(chunks)
}

interface Version2 {
  H3: new (
    options: object,
  ) => {
    use(...handler: unknown[]): void
    get(path: string, handler: Handler): void
    post(path: string, handler: Handler): void
    all(path: string, handler: Handler): void
  }
  toNodeHandler(app: unknown): Listener
}

function version2(site: Site): Listener {
  const { H3, toNodeHandler } = installed('h3') as Version2
  const app = new H3({ silent: true })
  const routes: Routes = {
    use: (...[path, handler]) =>
      typeof path === 'string' ? app.all(`${path}/**`, handler as Handler) : app.use(path),
    on: (method, path, handler) => app[method](path, handler),
  }
  fill(routes, site)
  return toNodeHandler(app)
}

interface Version1 {
  createApp(options: object): { use(...handler: unknown[]): void }
  createRouter(): {
    get(path: string, handler: unknown): void
    post(path: string, handler: unknown): void
  }
  defineEventHandler(handler: Handler): unknown
  toNodeListener(app: unknown): Listener
}

function version1(site: Site): Listener {
  const { createApp, createRouter, defineEventHandler, toNodeListener } = installed(
    'h3-1',
  ) as Version1
  const app = createApp({ debug: false, onError() {} })
  const router = createRouter()
  const routes: Routes = {
    use: (...handlers) =>
      app.use(
        ...handlers.map((each) => (typeof each === 'string' ? each : defineEventHandler(each))),
      ),
    on: (method, path, handler) => router[method](path, defineEventHandler(handler)),
  }
  fill(routes, site)
  app.use(router)
  return toNodeListener(app)
}

describeFramework({
  name: 'h3 2',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: false,
  takesAbsolutePaths: true,
  mendsHosts: ['localhost/evil', 'a b', 'user@evil.example'],
  start: (site) => listen(version2(site)),
})

describeFramework({
  name: 'h3 1',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: true,
  start: (site) => listen(version1(site)),
})
