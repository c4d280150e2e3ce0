import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { createLatchkey, type Latchkey } from '../../src/entries/index.ts'
import { authHandler, authSession, requireAuth } from '../../src/integrations/hono.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { describeFramework, FOR_EVERYBODY, type Running, type Site, setUp } from './cases.ts'

const installed = createRequire(new URL('../../../../examples/hono/server.ts', import.meta.url))

/** What is used of Hono here. */
interface Context {
  readonly res: Response
  readonly req: { readonly raw: Request; json(): Promise<unknown>; parseBody(): Promise<unknown> }
  get(key: 'session'): { user?: { email?: string | null } } | null
  json(body: unknown): Response
  text(body: string): Response
}

type Handler = (context: Context, next: () => Promise<void>) => unknown

interface Application {
  fetch(request: Request, env?: object): Promise<Response>
  use(...handlers: (string | Handler | ReturnType<typeof authHandler>)[]): void
  get(path: string, ...handlers: (Handler | ReturnType<typeof authHandler>)[]): void
  post(path: string, handler: Handler): void
  onError(handler: () => Response): void
}

const { Hono } = installed('hono') as { Hono: new () => Application }
const { serve } = installed('@hono/node-server') as {
  serve(
    options: { fetch: Application['fetch']; port: number },
    listening: (at: { port: number }) => void,
  ): { close(): void; closeAllConnections(): void }
}

function applicationOf({ config, mount, parses, trustsProxy, readsFirst }: Site): Application {
  const env = { ...process.env, ...(trustsProxy ? { AUTH_TRUST_HOST: 'true' } : {}) }
  const latchkey: Latchkey = createLatchkey(config, env)
  const app = new Hono()
  const parse: Handler = async ({ req }, next) => {
    if (req.raw.method === 'POST') {
      const isJson = req.raw.headers.get('content-type')?.includes('json')
      await (isJson ? req.json() : req.parseBody())
    }
    await next()
  }
  if (parses) app.use(parse)
  if (readsFirst) app.use(authSession(latchkey))
  app.use(mount, authHandler(latchkey))
  const who: Handler = ({ get }) => Response.json(get('session'), { headers: FOR_EVERYBODY })
  app.get('/who', authSession(latchkey), who)
  const page: Handler = (context) => context.text(`only for ${context.get('session')?.user?.email}`)
  app.get('/private', requireAuth(latchkey), page)
  app.post('/begin', ({ req }) => latchkey.signIn(req.raw, 'github', { redirectTo: '/private' }))
  app.post('/leave', ({ req }) => latchkey.signOut(req.raw, { redirectTo: '/' }))
  return app
}

function listen(app: Application): Promise<Running> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0 }, ({ port }) =>
      resolve({
        origin: `http://localhost:${port}`,
        close() {
          server.closeAllConnections()
          server.close()
        },
      }),
    )
  })
}

describeFramework({
  name: 'Hono',
  mounts: ['/auth/*'],
  elsewhere: '/api/auth/*',
  hasParsers: true,
  takesAbsolutePaths: true,
  start: async (site) => listen(applicationOf(site)),
})

describe('Hono by itself', () => {
  const { config } = setUp({ session: { strategy: 'jwt', updateAge: 0 } })
  const latchkey: Latchkey = createLatchkey(config, {})

  async function asAda(path: string, init: RequestInit = {}): Promise<Request> {
    const salt = 'authjs.session-token'
    const token = await encode({ secret: String(config.secret), salt, token: { name: 'Ada' } })
    const headers = { ...(init.headers as object), cookie: `${salt}=${token}` }
    return new Request(`http://localhost${path}`, { ...init, headers })
  }

  const namesOf = (answer: Response): (string | undefined)[] =>
    answer.headers.getSetCookie().map((line) => line.split('=')[0])

  test('keeps the cookies of other middleware', async () => {
    const app = new Hono()
    const another: Handler = async ({ res }, next) => {
      res.headers.append('set-cookie', 'before=1')
      await next()
    }
    app.use(another)
    app.use('/auth/*', authHandler(latchkey))
    const page: Handler = () => new Response('', { headers: { 'set-cookie': 'page=1' } })
    app.get('/page', authSession(latchkey), page)
    const csrf = await app.fetch(new Request('http://localhost/auth/csrf'))
    expect(namesOf(csrf)).toEqual(['before', 'authjs.csrf-token', 'authjs.callback-url'])
    // Those of the page itself are lost between Hono and the first middleware.
    expect(namesOf(await app.fetch(await asAda('/page')))).toEqual([
      'authjs.session-token',
      'before',
    ])
  })

  test('extends a session even if the page fails', async () => {
    const app = new Hono()
    app.onError(() => new Response('failed', { status: 500 }))
    const page: Handler = () => {
      throw new Error('failed')
    }
    app.get('/page', authSession(latchkey), page)
    const answer = await app.fetch(await asAda('/page'))
    expect([answer.status, namesOf(answer)]).toEqual([500, ['authjs.session-token']])
  })

  test('lets in the signed-in users whom `authorized` accepts', async () => {
    const app = new Hono()
    const page: Handler = (context) => context.text('welcome')
    app.get(
      '/open',
      requireAuth(latchkey, () => true),
      page,
    )
    app.get(
      '/closed',
      requireAuth(latchkey, () => false),
      page,
    )
    app.get(
      '/elsewhere',
      requireAuth(latchkey, () => Response.redirect('http://localhost/pay')),
      page,
    )
    const statuses: number[] = []
    for (const path of ['/open', '/closed', '/elsewhere']) {
      statuses.push((await app.fetch(new Request(`http://localhost${path}`))).status)
      statuses.push((await app.fetch(await asAda(path))).status)
    }
    expect(statuses).toEqual([307, 200, 307, 403, 307, 302])
  })

  test('T-HOST-4: guards paths below the base path that are not actions', async () => {
    const app = new Hono()
    const reached: string[] = []
    const page: Handler = (context) => {
      reached.push(new URL(context.req.raw.url).pathname)
      return context.text('secret')
    }
    app.get('/auth/providers/:id/tokens', requireAuth(latchkey), page)
    app.get('/session/:id', requireAuth(createLatchkey({ ...config, basePath: '/' }, {})), page)
    for (const path of ['/auth/providers/1/tokens', '/session/1']) {
      const answer = await app.fetch(new Request(`http://localhost${path}`))
      expect([path, answer.status]).toEqual([path, 307])
    }
    expect(reached).toEqual([])
    expect((await app.fetch(await asAda('/auth/providers/1/tokens'))).status).toBe(200)
  })

  test('lets nobody in without a session, also if `protect` returns no response', async () => {
    const app = new Hono()
    const page: Handler = (context) => context.text('secret')
    const verdict = { response: undefined, session: null, headers: new Headers() }
    app.get('/private', requireAuth({ protect: async () => verdict }), page)
    const answer = await app.fetch(new Request('http://localhost/private'))
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthorized' }])
  })

  test('reads Latchkey from the context, where the secrets of Workers are', async () => {
    const app = new Hono()
    const { secret, ...open } = config
    const given: (context: { env: unknown }) => Latchkey = ({ env }) =>
      createLatchkey(open, env as Record<string, string>)
    app.use('/auth/*', authHandler(given))
    const request = new Request('http://localhost/auth/csrf')
    const answer = await app.fetch(request, { AUTH_SECRET: String(secret) })
    expect(answer.status).toBe(200)
  })
})
