import { createRequire } from 'node:module'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import { ExpressAuth, requireAuth as requireExpress } from '../../src/integrations/express.ts'
import { authHandler, requireAuth } from '../../src/integrations/hono.ts'
import { toNodeListener } from '../../src/integrations/node.ts'
import { setUp } from './cases.ts'
import { listen } from './listen.ts'
import { unlikeFetch } from './unlike-fetch.ts'

// A guard on a route, and whether this process has a handler at all.

const installed = (example: string): NodeJS.Require =>
  createRequire(new URL(`../../../../examples/${example}/server.ts`, import.meta.url))

/** What is used of Hono. */
interface Application {
  use(path: string, ...handlers: unknown[]): void
  get(path: string, ...handlers: unknown[]): void
  request(path: string): Promise<Response>
}

const { Hono } = installed('hono')('hono') as { Hono: new () => Application }

function site(more: Partial<AuthConfig> = {}) {
  const { config, logged } = setUp()
  const basePath = '/unmounted'
  const complete = { ...config, basePath, ...more }
  const app = new Hono()
  const guard = (latchkey = createLatchkey(complete)) => {
    app.get('/page', requireAuth(latchkey), () => new Response('page'))
    return latchkey
  }
  return { app, basePath, config: complete, guard, logged }
}

const leads = (base: string): string =>
  `mount-point: a guard redirects to "${base}/signin", but no handler is mounted there; mount the handler at "${base}", or set \`basePath\` to its mount point`

describe('a guard on a route', () => {
  // What the process has noted of handlers.
  beforeEach(() => void Reflect.deleteProperty(globalThis, Symbol.for('latchkey.mounted')))
  afterEach(() => vi.unstubAllEnvs())

  test('warns once without a handler, through the logger of the configuration', async () => {
    const { app, basePath, guard, logged } = site()
    guard()
    for (let i = 0; i < 3; i++) expect((await app.request('/page')).status).toBe(307)
    expect(logged).toEqual([leads(basePath)])
  })

  test('warns about a handler at another base path', async () => {
    const { app, basePath, config, guard, logged } = site()
    guard()
    const other = createLatchkey({ ...config, basePath: `${basePath}-other` })
    app.use(`${basePath}-other/*`, authHandler(other))
    await app.request('/page')
    expect(logged).toEqual([leads(basePath)])
  })

  test.each<[string, (made: ReturnType<typeof site>) => void]>([
    [
      'before it',
      ({ app, basePath, guard, config }) => {
        const latchkey = createLatchkey(config)
        app.use(`${basePath}/*`, authHandler(latchkey))
        guard(latchkey)
      },
    ],
    ['after it', ({ app, basePath, guard }) => app.use(`${basePath}/*`, authHandler(guard()))],
    [
      'twice',
      ({ app, basePath, guard }) => {
        const latchkey = guard()
        app.use(`${basePath}/*`, authHandler(latchkey))
        app.use(`${basePath}/*`, authHandler(latchkey))
      },
    ],
    [
      'of another instance',
      ({ app, basePath, guard, config }) => {
        guard()
        app.use(`${basePath}/*`, authHandler(createLatchkey({ ...config })))
      },
    ],
    [
      'of the application',
      ({ app, basePath, guard }) => {
        const { handler } = guard()
        app.use(`${basePath}/*`, ({ req }: { req: { raw: Request } }) => handler(req.raw))
      },
    ],
    ['of a server of Node.js', ({ guard }) => void toNodeListener(guard())],
  ])('does not warn with a handler %s', async (_, mount) => {
    const made = site()
    mount(made)
    await made.app.request('/page')
    expect(made.logged).toEqual([])
  })

  test('does not warn for a page of the application, and in production', async () => {
    const own = site({ pages: { signIn: '/own/signin' } })
    own.guard()
    await own.app.request('/page')
    const other = site()
    other.guard()
    vi.stubEnv('NODE_ENV', 'production')
    await other.app.request('/page')
    expect([own.logged, other.logged]).toEqual([[], []])
  })

  test('warns in Express without a handler, and not with a handler', async () => {
    // oxlint-disable-next-line typescript/no-explicit-any
    const app = (installed('express')('express') as () => any)()
    const { basePath, config, logged } = site()
    app.get('/page', requireExpress(config))
    const server = await listen(app)
    await unlikeFetch(`${server.origin}/page`)
    expect(logged).toEqual([leads(basePath)])
    const mounted = site()
    app.get('/other', requireExpress(mounted.config))
    app.use(`${mounted.basePath}/*path`, ExpressAuth(mounted.config))
    await unlikeFetch(`${server.origin}/other`)
    await server.close()
    expect(mounted.logged).toEqual([])
  })
})
