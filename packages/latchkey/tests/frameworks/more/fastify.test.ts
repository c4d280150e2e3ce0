import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { createLatchkey, type Latchkey } from '../../../src/entries/index.ts'
import {
  type FastifyAuthOptions,
  fastifyAuth,
  requireAuth,
  sendReply,
  sessionOf,
  webRequestOf,
} from '../../../src/integrations/fastify.ts'
import { AuthGuard } from '../../../src/integrations/nest-fastify.ts'
import { describeFramework, FOR_EVERYBODY, type Site, setUp } from '../cases.ts'

const example = new URL('../../../../../examples/fastify/server.ts', import.meta.url)
const installed = createRequire(example)

type Request = Parameters<typeof webRequestOf>[0]
type Reply = Parameters<typeof sendReply>[1]
type Handler = (request: Request, reply: Reply) => Promise<unknown>

/** What is used of Fastify here. */
interface Application {
  register(plugin: unknown, options?: object): Promise<unknown>
  addHook(name: 'onRequest' | 'onSend', hook: Handler): void
  addContentTypeParser(type: string, options: object, parser: Handler): void
  get(path: string, options: object, handler: Handler): void
  post(path: string, options: object, handler: Handler): void
  inject(request: object): Promise<{ statusCode: number; body: string }>
  listen(options: { port: number }): Promise<string>
  addresses(): { port: number }[]
  close(): Promise<void>
}

const fastify = installed('fastify') as (options: { trustProxy: boolean }) => Application

async function applicationOf(site: Site): Promise<Application> {
  const { config, mount, parses, trustsProxy, readsFirst } = site
  const latchkey: Latchkey = createLatchkey(config)
  const app = fastify({ trustProxy: trustsProxy })
  if (parses) await app.register(installed('@fastify/formbody'))
  const options: FastifyAuthOptions = { latchkey, basePath: mount }
  await app.register(fastifyAuth, options)
  if (readsFirst) app.addHook('onRequest', (request) => request.auth())
  app.get('/who', {}, async (request, reply) => {
    const session = await sessionOf(latchkey, request)
    for (const [name, value] of Object.entries(FOR_EVERYBODY)) reply.header(name, value)
    return reply.header('content-type', 'application/json').send(JSON.stringify(session))
  })
  app.get('/private', { preHandler: requireAuth(latchkey) }, async (request) => {
    const session = await request.auth()
    return `only for ${session?.user?.email}`
  })
  app.post('/begin', {}, async (request, reply) => {
    const target = { redirectTo: '/private' }
    return sendReply(await latchkey.signIn(webRequestOf(request), 'github', target), reply)
  })
  app.post('/leave', {}, async (request, reply) =>
    sendReply(await latchkey.signOut(webRequestOf(request), { redirectTo: '/' }), reply),
  )
  if (!parses) app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
  return app
}

describeFramework({
  name: 'Fastify 5',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: true,
  answersDirectly: true,
  judgesProxies: true,
  proxySetting: 'the option `trustProxy` of Fastify',
  async start(site) {
    const app = await applicationOf(site)
    await app.listen({ port: 0 })
    const port = app.addresses()[0]?.port
    return { origin: `http://localhost:${port}`, close: () => app.close() }
  },
})

describe('Fastify by itself', () => {
  test('keeps its own parsers outside of the actions', async () => {
    const latchkey: Latchkey = createLatchkey(setUp().config, {})
    const app = fastify({ trustProxy: false })
    await app.register(fastifyAuth, { latchkey })
    app.post('/form', {}, async ({ body }) => body)
    const body = { method: 'POST', url: '/form', headers: {}, payload: 'a=b' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await app.inject({ ...body, headers: form })).statusCode).toBe(415)
    const json = { 'content-type': 'application/json' }
    const answer = await app.inject({ ...body, headers: json, payload: '{"a":"b"}' })
    expect(JSON.parse(answer.body)).toEqual({ a: 'b' })
    await app.close()
  })

  const guards: Record<string, (latchkey: Latchkey) => Handler> = {
    'its hook': requireAuth,
    'the guard of Nest': (latchkey) => async (request, reply) => {
      const isIn = await new AuthGuard(latchkey).canActivate({
        getType: () => 'http',
        getHandler: () => ({}),
        getClass: () => ({}),
        switchToHttp: () => ({
          getRequest: <T>() => request as T,
          getResponse: <T>() => reply as T,
        }),
      })
      // As Nest does.
      if (!isIn) throw new Error('Forbidden')
    },
  }
  test.each(Object.entries(guards))(
    'lets nobody in who leaves before the response: %s',
    async (_which, guard) => {
      const app = fastify({ trustProxy: false })
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      app.addHook('onSend', async () => {
        asked.resolve()
        await answered.promise
      })
      const settled = vi.fn()
      const check = guard(createLatchkey(setUp().config, {}))
      const preHandler: Handler = (request, reply) => check(request, reply).finally(settled)
      const remove = vi.fn(async () => 'removed')
      app.post('/remove', { preHandler }, remove)
      await app.listen({ port: 0 })
      const browser = connect(app.addresses()[0]?.port ?? 0, 'localhost')
      browser.write('POST /remove HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
      await asked.promise
      browser.destroy()
      await expect.poll(() => settled).toHaveBeenCalled()
      answered.resolve()
      await app.close()
      expect(remove).not.toHaveBeenCalled()
    },
  )
})
