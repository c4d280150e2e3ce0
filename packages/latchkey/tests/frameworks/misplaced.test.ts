import { createRequire } from 'node:module'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import { ExpressAuth, requireAuth as requireExpress } from '../../src/integrations/express.ts'
import { authHandler, requireAuth } from '../../src/integrations/hono.ts'
import { setUp } from './cases.ts'
import { listen } from './listen.ts'
import { unlikeFetch } from './unlike-fetch.ts'

// A guard that leads to where the actions are not: it knows another base path than the handler.

const LEADS =
  'a guard redirects to "/auth/signin", but no handler is mounted there; mount the handler at "/auth", or set `basePath` to its mount point'
const ASKED =
  'a guard received a request for "/api/auth/csrf", but the base path of the actions is "/auth"; make both the same (mount point, `basePath`, path of AUTH_URL)'

const installed = (example: string): NodeJS.Require =>
  createRequire(new URL(`../../../../examples/${example}/server.ts`, import.meta.url))

/** What is used of Hono. */
interface Application {
  use(...handlers: unknown[]): void
  request(path: string): Promise<Response>
}

const closing: (() => unknown)[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

describe('a guard in front of a handler with another base path', () => {
  test('logs both paths, in Express', async () => {
    // oxlint-disable-next-line typescript/no-explicit-any
    const app = (installed('express')('express') as () => any)()
    const { config, logged } = setUp()
    app.use(requireExpress(config))
    app.use('/api/auth', ExpressAuth(config))
    const { origin, close } = await listen(app)
    closing.push(close)
    for (let i = 0; i < 2; i++) {
      const led = await unlikeFetch(`${origin}/page`)
      const page = await unlikeFetch(led.headers.get('location') ?? '')
      expect(page.status).toBe(404)
      await unlikeFetch(`${origin}/api/auth/csrf`)
    }
    await vi.waitFor(
      () => expect(logged).toEqual([`mount-point: ${LEADS}`, `mount-point: ${ASKED}`]),
      30_000,
    )
  })

  test('logs both paths, in Hono', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { Hono } = installed('hono')('hono') as { Hono: new () => Application }
    const { config, logged } = setUp()
    const latchkey = createLatchkey(config)
    const app = new Hono()
    app.use(requireAuth(latchkey))
    app.use('/api/auth/*', authHandler(latchkey))
    expect((await app.request('/auth/signin')).status).toBe(404)
    await app.request('/auth/signin')
    await app.request('/api/auth/csrf')
    expect(warn.mock.calls).toEqual([])
    expect(logged).toEqual([`mount-point: ${LEADS}`, `mount-point: ${ASKED}`])
  })

  test('logs nothing for a page with the name of an action, or for a missing one', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { Hono } = installed('hono')('hono') as { Hono: new () => Application }
    const { config, logged } = setUp()
    const latchkey = createLatchkey(config)
    const app = new Hono()
    app.use(requireAuth(latchkey))
    app.use('/auth/*', authHandler(latchkey))
    for (const path of ['/shop/session', '/auth/signin', '/nothing']) await app.request(path)
    expect([warn.mock.calls, logged]).toEqual([[], []])
  })

  test('leaves the error to the handler, which names both paths', async () => {
    const { config, logged } = setUp()
    const answer = await createLatchkey(config).handler(
      new Request('http://localhost/api/auth/callback/github?code=x'),
    )
    expect(answer.status).toBe(400)
    expect(logged).toEqual([
      'UnknownAction: /api/auth/callback/github is not below the base path /auth/ (`basePath`, else the path of AUTH_URL); mount the handler there, or set `basePath` to "/api/auth"',
    ])
  })
})
