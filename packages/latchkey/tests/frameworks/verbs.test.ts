import { expect, test } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import * as elysia from '../../src/integrations/elysia.ts'
import * as express from '../../src/integrations/express.ts'
import * as fastify from '../../src/integrations/fastify.ts'
import * as h3 from '../../src/integrations/h3.ts'
import * as hono from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import * as nestOnFastify from '../../src/integrations/nest-fastify.ts'

const config = { providers: [], secret: 'a secret of these tests, 0123456789abcdef' }

test.each(Object.entries({ elysia, express, fastify, h3, hono, koa }))(
  '%s exports authHandler, authSession, requireAuth, requireFresh and requireFactors',
  (_name, integration) => {
    const { authHandler, authSession, requireAuth, requireFresh, requireFactors } = integration
    const verbs = [authHandler, authSession, requireAuth, requireFresh, requireFactors]
    expect(verbs.map((each) => typeof each)).toEqual(verbs.map(() => 'function'))
  },
)

test('the earlier names are the same functions', () => {
  expect(elysia.auth).toBe(elysia.authHandler)
  expect(elysia.readSession).toBe(elysia.authSession)
  expect(express.ExpressAuth).toBe(express.authHandler)
  expect(fastify.fastifyAuth).toBe(fastify.authHandler)
  expect(nestOnFastify.fastifyAuth).toBe(fastify.authHandler)
})

test('authSession and getSession of h3 read the session of an event once', async () => {
  const request = new Request('https://app.example/')
  const event = { context: {}, req: request, res: { headers: new Headers() } }
  const latchkey = createLatchkey(config, {})
  const reading = h3.authSession(latchkey)(event)
  expect(h3.authSession(latchkey)(event)).toBe(reading)
  expect(h3.getSession(event, latchkey)).toBe(reading)
  expect(h3.authSession(createLatchkey(config, {}))(event)).not.toBe(reading)
  expect(h3.authSession(latchkey)({ ...event, req: new Request(request) })).not.toBe(reading)
  expect(await reading).toBeNull()
})

test('authSession of Express puts the session into the locals, and passes errors on', async () => {
  const request = {
    method: 'GET',
    url: '/',
    originalUrl: '/',
    headers: { host: 'app.example' },
    protocol: 'https',
    app: { get: () => () => false },
    socket: {},
  } as unknown as express.ExpressRequest
  const response = { locals: {} } as express.ExpressResponse<{ session: unknown }>
  const errors: unknown[] = []
  const next = (error?: unknown): void => void errors.push(error)
  await express.authSession(config)(request, response as never, next)
  expect(response.locals).toEqual({ session: null })
  await express.authSession({ providers: [{}] as never })(request, response as never, next)
  expect(errors).toEqual([undefined, expect.any(Error)])
})
