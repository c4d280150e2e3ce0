import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createLatchkey } from '../../../src/entries/index.ts'
import { webRequestOf as ofFastify } from '../../../src/integrations/fastify.ts'
import { type KoaContext, webRequestOf } from '../../../src/integrations/koa.ts'
import { setUp } from '../cases.ts'
import { listen } from '../listen.ts'
import { unlikeFetch } from '../unlike-fetch.ts'

// A page of the application that signs out, opened by another site.

const installed = (example: string): unknown =>
  createRequire(new URL(`../../../../../examples/${example}/server.ts`, import.meta.url))(example)

const headers = { 'sec-fetch-site': 'cross-site' }

test('Koa responds with 403 to a form of another site', async () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  const app = new (installed('koa') as new () => any)()
  const latchkey = createLatchkey(setUp().config)
  app.silent = true
  app.use(async (context: KoaContext) => void (await latchkey.signOut(webRequestOf(context))))
  const { origin, close } = await listen(app.callback())
  expect((await unlikeFetch(`${origin}/leave`, { headers })).status).toBe(403)
  await close()
})

test('Fastify responds with 403 to a form of another site', async () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  const app = (installed('fastify') as () => any)()
  const latchkey = createLatchkey(setUp().config)
  app.get('/leave', async (request: Parameters<typeof ofFastify>[0]) =>
    latchkey.signOut(ofFastify(request)),
  )
  const { statusCode } = await app.inject({ url: '/leave', headers })
  expect(statusCode).toBe(403)
  await app.close()
})
