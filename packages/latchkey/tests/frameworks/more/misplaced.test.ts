import { createRequire } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { createLatchkey } from '../../../src/entries/index.ts'
import { fastifyAuth, requireAuth as requireFastify } from '../../../src/integrations/fastify.ts'
import { authHandler, requireAuth } from '../../../src/integrations/koa.ts'
import { setUp } from '../cases.ts'
import { listen } from '../listen.ts'
import { unlikeFetch } from '../unlike-fetch.ts'

const LEADS =
  'mount-point: a guard redirects to "/auth/signin", but no handler is mounted there; mount the handler at "/auth", or set `basePath` to its mount point'

const installed = (example: string): unknown =>
  createRequire(new URL(`../../../../../examples/${example}/server.ts`, import.meta.url))(example)

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

test('a guard in Koa logs that its target has no handler', async () => {
  const { config, logged } = setUp()
  // oxlint-disable-next-line typescript/no-explicit-any
  const app = new (installed('koa') as new () => any)()
  const latchkey = createLatchkey(config)
  app.use(requireAuth(latchkey))
  app.use(authHandler(latchkey, '/api/auth'))
  const { origin, close } = await listen(app.callback())
  closing.push(close)
  for (let i = 0; i < 2; i++) {
    const led = await unlikeFetch(`${origin}/page`)
    expect((await unlikeFetch(led.headers.get('location') ?? '')).status).toBe(404)
  }
  expect(logged).toEqual([LEADS])
})

test('a guard in Fastify logs that its target has no handler', async () => {
  const { config, logged } = setUp()
  // oxlint-disable-next-line typescript/no-explicit-any
  const app = (installed('fastify') as () => any)()
  const latchkey = createLatchkey(config)
  app.addHook('preHandler', requireFastify(latchkey))
  await app.register(fastifyAuth, { latchkey, basePath: '/api/auth' })
  for (let i = 0; i < 2; i++) {
    const { statusCode } = await app.inject('/auth/signin')
    expect(statusCode).toBe(404)
  }
  await expect.poll(() => logged).toEqual([LEADS])
  await app.close()
})
