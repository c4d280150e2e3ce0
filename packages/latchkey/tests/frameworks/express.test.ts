import { type RequestListener, request as send } from 'node:http'
import { createRequire } from 'node:module'
import { afterEach, describe, expect, test } from 'vitest'
import {
  ExpressAuth,
  type ExpressHandler,
  type ExpressRequest,
  type ExpressResponse,
  getSession,
  requireAuth,
  type Session,
  signIn,
  signOut,
} from '../../src/integrations/express.ts'
import { describeFramework, FOR_EVERYBODY, type Running, type Site, setUp } from './cases.ts'
import { listen } from './listen.ts'

const installed = createRequire(new URL('../../../../examples/express/server.ts', import.meta.url))

type Handler = (
  request: ExpressRequest,
  response: ExpressResponse<{ session: Session }> & {
    send(body: string): void
    json(body: unknown): void
    set(headers: Readonly<Record<string, string>>): void
  },
  next: (error?: unknown) => void,
) => unknown

/** What is used of Express here. */
interface Application extends RequestListener {
  set(setting: string, value: unknown): void
  use(
    ...handlers: (
      | string
      | Handler
      | ExpressHandler
      | ReturnType<typeof requireAuth>
      | Application
    )[]
  ): void
  all(path: string, handler: ExpressHandler): void
  get(path: string, ...handlers: Handler[]): void
  post(path: string, ...handlers: Handler[]): void
}

interface Express {
  (): Application
  json(): Handler
  urlencoded(options: object): Handler
  Router(options?: object): Application
}

/** An application with each kind of use of the integration. */
function applicationOf(
  express: Express,
  { config, mount, parses, trustsProxy, readsFirst }: Site,
): Application {
  const app = express()
  app.set('env', 'test')
  if (trustsProxy) app.set('trust proxy', true)
  if (parses) app.use(express.json(), express.urlencoded({ extended: true }))
  const reading: Handler = async (request, _response, next) => {
    await getSession(request, config)
    next()
  }
  if (readsFirst) app.use(reading)
  app.use(mount, ExpressAuth(config))
  app.get('/who', async (request, response, next) => {
    try {
      const session = await getSession(request, config)
      response.set(FOR_EVERYBODY)
      response.json(session)
    } catch (error) {
      next(error)
    }
  })
  app.get('/private', requireAuth(config), (_request, response) => {
    response.send(`only for ${response.locals.session.user?.email}`)
  })
  app.post('/begin', (request, response) =>
    signIn(request, response, config, 'github', { redirectTo: '/private' }),
  )
  app.post('/leave', (request, response) => signOut(request, response, config, { redirectTo: '/' }))
  return app
}

const versions = [
  { name: 'Express 4', module: 'express-4', wildcards: ['/auth/*'], elsewhere: '/api/auth/*' },
  {
    name: 'Express 5',
    module: 'express',
    wildcards: ['/auth/*splat', '/auth/{*any}'],
    elsewhere: '/api/auth/*splat',
  },
]

for (const { name, module, wildcards, elsewhere } of versions) {
  const express = installed(module) as Express
  describeFramework({
    name,
    mounts: ['/auth', ...wildcards],
    elsewhere,
    hasParsers: true,
    answersDirectly: true,
    readsNobody: true,
    judgesProxies: true,
    proxySetting: "app.set('trust proxy', 1)",
    start: (site) => listen(applicationOf(express, site)),
  })

  describe(`${name} by itself`, () => {
    const running: Running[] = []

    afterEach(async () => {
      for (const each of running.splice(0)) await each.close()
    })

    async function serve(build: (app: Application) => void): Promise<string> {
      const app = express()
      app.set('env', 'test')
      build(app)
      const started = await listen(app)
      running.push(started)
      return started.origin
    }

    const signInUrl = async (origin: string, base: string): Promise<string> => {
      const answer = await fetch(`${origin}${base}/providers`)
      expect(answer.status).toBe(200)
      const { github } = (await answer.json()) as { github: { signinUrl: string } }
      return github.signinUrl.slice(origin.length)
    }

    const [wildcard = ''] = wildcards
    const { Router } = express

    test.each<[string, string, (app: Application) => void]>([
      ['nowhere', '/auth', (app) => app.use(ExpressAuth(setUp().config))],
      [
        'nowhere, with a base path',
        '/a/b',
        (app) => app.use(ExpressAuth(setUp({ basePath: '/a/b' }).config)),
      ],
      ['as a route', '/auth', (app) => app.all(wildcard, ExpressAuth(setUp().config))],
      [
        'as a route of a router',
        '/de/auth',
        (app) => {
          const router = Router()
          router.all(wildcard, ExpressAuth(setUp().config))
          app.use('/de', router)
        },
      ],
      [
        'in a router with a parameter',
        '/acme/auth',
        (app) => {
          const router = Router({ mergeParams: true })
          router.use(wildcard, ExpressAuth(setUp().config))
          app.use('/:tenant', router)
        },
      ],
      [
        'with other letters',
        '/b%C3%BCro/auth',
        (app) => app.use('/b%C3%BCro/auth', ExpressAuth(setUp().config)),
      ],
      [
        'in an application within an application',
        '/inner/auth',
        (app) => {
          const inner = express()
          inner.use('/auth', ExpressAuth(setUp().config))
          app.use('/inner', inner)
        },
      ],
    ])('has its base path: mounted %s', async (_how, base, build) => {
      const origin = await serve((app) => {
        build(app)
        app.get('/', (_request, response) => response.send('home'))
      })
      expect(await signInUrl(origin, base)).toBe(`${base}/signin/github`)
      expect(await (await fetch(origin)).text()).toBe('home')
    })

    test('T-HOST-4: an aliased path opens no guarded router', async () => {
      const reached: string[] = []
      const origin = await serve((app) => {
        const guarded: Handler = (request, response) => {
          reached.push(request.originalUrl)
          response.send('secret')
        }
        app.use('/admin', requireAuth(setUp({ pages: { signIn: '/login' } }).config), guarded)
      })
      for (const path of ['/admin/../auth/session', '/admin/../login', '/admin/%2e%2e/login']) {
        expect([path, await statusOf(origin, path)]).toEqual([path, 400])
      }
      expect(reached).toEqual([])
    })

    test('finds its mount point in a path of slashes in linear time', async () => {
      const origin = await serve((app) => app.all(wildcard, ExpressAuth(setUp().config)))
      const cost = async (length: number): Promise<number> => {
        let least = Number.POSITIVE_INFINITY
        for (let i = 0; i < 25; i++) {
          const from = performance.now()
          await statusOf(origin, `/auth/${'/'.repeat(length)}x`)
          least = Math.min(least, performance.now() - from)
        }
        return least
      }
      await cost(1000)
      const [half, whole] = [await cost(7000), await cost(14_000)]
      expect(whole / Math.max(half, 5)).toBeLessThan(3)
    })

    test('without error handling survives requests for invalid and untrusted hosts', async () => {
      const { config } = setUp({ trustHost: ['localhost'] })
      const origin = await serve((app) => {
        app.get('/', async (request, response) => {
          response.send((await getSession(request, config)) ? 'somebody' : 'nobody')
        })
      })
      for (const host of ['a b', 'evil.example', 'user@evil.example'])
        expect(await bodyFor(origin, host)).toBe('nobody')
    })

    test('passes requests on at paths that cannot be actions', async () => {
      const origin = await serve((app) => {
        app.use('/auth', ExpressAuth(setUp().config))
        app.get('/auth', (_request, response) => response.send('about'))
      })
      expect(await (await fetch(`${origin}/auth`)).text()).toBe('about')
    })

    test('logs once that the mount point is not the base path', async () => {
      const { config, logged } = setUp({ basePath: '/api/auth' })
      const origin = await serve((app) => app.use('/auth', ExpressAuth(config)))
      for (let i = 0; i < 2; i++) expect((await fetch(`${origin}/auth/signin`)).status).toBe(400)
      expect(logged.filter((line) => line.startsWith('mount-point'))).toEqual([
        'mount-point: mounted at "/auth", but the base path is "/api/auth"; make both the same (mount point, `basePath`, path of AUTH_URL)',
      ])
    })

    test('logs that a guard leads to a path without a handler', async () => {
      const { config, logged } = setUp()
      const origin = await serve((app) => {
        app.use('/api/auth', ExpressAuth(config))
        app.use(requireAuth(config))
      })
      await fetch(`${origin}/api/auth/csrf`)
      expect(logged).toEqual([expect.stringMatching(/^mount-point: mounted at "\/api\/auth"/)])
    })

    test('logs once that a proxy is not trusted', async () => {
      const { config, logged } = setUp()
      const origin = await serve((app) => app.use('/auth', ExpressAuth(config)))
      for (let i = 0; i < 2; i++)
        await fetch(`${origin}/auth/csrf`, { headers: { 'x-forwarded-proto': 'https' } })
      expect(logged).toEqual([
        expect.stringMatching(/^proxy-not-trusted: .*; set app\.set\('trust proxy', 1\)$/),
      ])
    })

    test('returns the result of a sign-in, and leaves the response to the application', async () => {
      const { config } = setUp()
      const origin = await serve((app) => {
        app.post('/enter/:password', async (request, response) => {
          const options = { name: 'ada', password: request.params['password'], redirectTo: '/in' }
          response.json(await signIn.result(request, response, config, 'credentials', options))
        })
      })
      const enter = (password: string): Promise<Response> =>
        fetch(`${origin}/enter/${password}`, { method: 'POST' })
      const [wrong, right] = [await enter('wrong'), await enter('right')]
      expect(await wrong.json()).toEqual({
        url: `${origin}/auth/signin?error=CredentialsSignin&code=credentials`,
        error: 'CredentialsSignin',
        code: 'credentials',
      })
      expect(wrong.headers.getSetCookie().join()).not.toContain('session-token')
      expect(await right.json()).toEqual({ url: `${origin}/in` })
      expect(right.headers.getSetCookie().join()).toContain('authjs.session-token=')
    })

    test('reads a session once for each request', async () => {
      let times = 0
      const { config } = setUp({
        session: { strategy: 'jwt', updateAge: 0 },
        callbacks: {
          jwt: ({ token }) => {
            times++
            return token
          },
        },
      })
      const { encode } = await import('../../src/verifier/jwt.ts')
      const origin = await serve((app) => {
        const before: Handler = async (request, _response, next) => {
          await getSession(request, config)
          next()
        }
        app.use(before)
        app.get('/', async (request, response) => response.json(await getSession(request, config)))
      })
      const salt = 'authjs.session-token'
      const token = await encode({ secret: String(config.secret), salt, token: { name: 'Ada' } })
      const answer = await fetch(origin, { headers: { cookie: `${salt}=${token}` } })
      expect(await answer.json()).toMatchObject({ user: { name: 'Ada' } })
      expect(answer.headers.getSetCookie()).toHaveLength(1)
      expect(times).toBe(1)
    })
  })
}

/** Of the answer to a path as no browser would send it. */
function statusOf(origin: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    send({ hostname, port, path, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

/** Returns the body of the response to a request with another `Host`. */
function bodyFor(origin: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = send(origin, { headers: { host } }, (answer) => {
      let body = ''
      answer.on('data', (part) => (body += part))
      answer.on('end', () => resolve(body))
    })
    sent.on('error', reject)
    sent.end()
  })
}
