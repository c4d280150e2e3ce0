import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import { AstroAuth } from '../../src/integrations/astro.ts'
import {
  type ExpressRequest,
  type ExpressResponse,
  signIn,
  signOut,
} from '../../src/integrations/express.ts'
import { setUp } from './cases.ts'
import { listen } from './listen.ts'
import { unlikeFetch } from './unlike-fetch.ts'

// A page of the application that signs out, opened by another site: refused with 403, and no fault of the application.

const installed = (example: string): NodeJS.Require =>
  createRequire(new URL(`../../../../examples/${example}/server.ts`, import.meta.url))

const forged = { headers: { 'sec-fetch-site': 'cross-site', cookie: 'a=b' } }

/** What is used of Hono. */
interface Application {
  get(path: string, handler: (context: { req: { raw: Request } }) => Promise<Response>): void
  request(path: string, init: RequestInit): Promise<Response>
}

test('Hono responds with 403 to a form of another site', async () => {
  const { Hono } = installed('hono')('hono') as { Hono: new () => Application }
  const latchkey = createLatchkey(setUp().config)
  const app = new Hono()
  app.get('/leave', async ({ req }) => latchkey.signOut(req.raw))
  app.get('/enter', async ({ req }) => latchkey.signIn(req.raw, 'credentials', { name: 'Eve' }))
  for (const path of ['/leave', '/enter']) {
    const answer = await app.request(path, forged)
    expect([answer.status, await answer.text()]).toEqual([403, 'Forbidden'])
  }
})

test('Express responds with 403 to a form of another site', async () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  const app = (installed('express')('express') as () => any)()
  const { config } = setUp()
  app.get('/leave', async (request: ExpressRequest, response: ExpressResponse) =>
    signOut(request, response, config),
  )
  app.get('/enter', async (request: ExpressRequest, response: ExpressResponse) =>
    signIn(request, response, config, 'credentials', { name: 'Eve' }),
  )
  const { origin, close } = await listen(app)
  for (const path of ['/leave', '/enter'])
    expect((await unlikeFetch(origin + path, forged)).status).toBe(403)
  await close()
})

test('Astro responds with 403 to a form of another site', async () => {
  const auth = AstroAuth(setUp().config, {})
  const context = {
    request: new Request('http://localhost/leave', forged),
    locals: {},
  } as unknown as Parameters<typeof auth.signOut>[0]
  expect((await auth.signOut(context)).status).toBe(403)
  expect((await auth.signIn(context, 'credentials', { name: 'Eve' })).status).toBe(403)
})
