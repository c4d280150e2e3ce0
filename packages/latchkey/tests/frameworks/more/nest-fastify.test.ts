import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createLatchkey, type Latchkey } from '../../../src/entries/index.ts'
import {
  AuthGuard,
  fastifyAuth,
  type NestContext,
  Public,
  sendReply,
  webRequestOf,
} from '../../../src/integrations/nest-fastify.ts'
import { describeFramework, type Site, setUp } from '../cases.ts'

const example = new URL('../../../../../examples/nest-fastify/main.ts', import.meta.url)
const installed = createRequire(example)

type Request = Parameters<typeof webRequestOf>[0]
type Reply = Parameters<typeof sendReply>[1]

type Decorator = (target: object, key?: string, descriptor?: PropertyDescriptor) => void
type ParameterDecorator = (target: object, key: string, index: number) => void

interface Common {
  Controller(): Decorator
  Get(path: string): Decorator
  Post(path: string): Decorator
  Module(parts: object): Decorator
  Req(): ParameterDecorator
  Res(): ParameterDecorator
}

interface Application {
  register(plugin: unknown, options: object): Promise<unknown>
  useGlobalGuards(...guards: unknown[]): void
  getHttpAdapter(): {
    getInstance(): { addHook(name: 'onRequest', hook: (request: Request) => unknown): void }
  }
  listen(port: number): Promise<unknown>
  getUrl(): Promise<string>
  close(): Promise<void>
}

installed('reflect-metadata')
const nest = installed('@nestjs/common') as Common
const { NestFactory } = installed('@nestjs/core') as {
  NestFactory: {
    create(module: unknown, adapter: unknown, options: object): Promise<Application>
  }
}
const { FastifyAdapter } = installed('@nestjs/platform-fastify') as {
  FastifyAdapter: new (options: { trustProxy: boolean }) => object
}

/** As `@Decorator() method(…)` would do, which Node.js does not understand. */
function decorate(target: { prototype: object }, key: string, ...decorators: Decorator[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, key)
  for (const each of decorators) each(target.prototype, key, descriptor)
}

/** How often the page was made that is not for everybody. */
let shown = 0

async function applicationOf({
  config,
  mount,
  trustsProxy,
  readsFirst,
}: Site): Promise<Application> {
  const latchkey: Latchkey = createLatchkey(config)
  class Pages {
    async who(request: Request, reply: Reply): Promise<void> {
      reply.header('content-type', 'application/json').send(JSON.stringify(await request.auth()))
    }
    async page(request: Request): Promise<string> {
      shown += 1
      return `only for ${(await request.auth())?.user?.email}`
    }
    async begin(request: Request, reply: Reply): Promise<void> {
      const target = { redirectTo: '/private' }
      await sendReply(await latchkey.signIn(webRequestOf(request), 'github', target), reply)
    }
    async leave(request: Request, reply: Reply): Promise<void> {
      await sendReply(await latchkey.signOut(webRequestOf(request), { redirectTo: '/' }), reply)
    }
  }
  decorate(Pages, 'who', nest.Get('/who'), Public())
  decorate(Pages, 'page', nest.Get('/private'))
  decorate(Pages, 'begin', nest.Post('/begin'), Public())
  decorate(Pages, 'leave', nest.Post('/leave'), Public())
  for (const key of ['who', 'page', 'begin', 'leave']) {
    nest.Req()(Pages.prototype, key, 0)
    if (key !== 'page') nest.Res()(Pages.prototype, key, 1)
  }
  nest.Controller()(Pages)
  // oxlint-disable-next-line typescript/no-extraneous-class
  class AppModule {}
  nest.Module({ controllers: [Pages] })(AppModule)

  const adapter = new FastifyAdapter({ trustProxy: trustsProxy })
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  await app.register(fastifyAuth, { latchkey, basePath: mount })
  if (readsFirst) {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', (request) => request.auth())
  }
  app.useGlobalGuards(new AuthGuard(latchkey))
  await app.listen(0)
  return app
}

describeFramework({
  name: 'NestJS 12 on Fastify',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: false,
  answersDirectly: true,
  judgesProxies: true,
  proxySetting: 'the option `trustProxy` of Fastify',
  async start(site) {
    const app = await applicationOf(site)
    const { port } = new URL(await app.getUrl())
    return { origin: `http://localhost:${port}`, close: () => app.close() }
  },
})

test('NestJS on Fastify renders no page for a visitor who is redirected to the sign-in page', async () => {
  const { config } = setUp()
  const site = { mount: '/auth', parses: false, trustsProxy: false, readsFirst: false }
  const app = await applicationOf({ config, ...site })
  const { port } = new URL(await app.getUrl())
  shown = 0
  const page = await fetch(`http://localhost:${port}/private`, { redirect: 'manual' })
  expect([page.status, shown]).toEqual([307, 0])
  await app.close()
})

test('the guard of NestJS on Fastify handles only http', async () => {
  const latchkey: Latchkey = createLatchkey(setUp().config, {})
  const handler = (): void => {}
  const context: NestContext = {
    getType: () => 'rpc',
    getHandler: () => handler,
    getClass: () => AuthGuard,
    switchToHttp: () => {
      throw new Error('there is no http')
    },
  }
  expect(await new AuthGuard(latchkey).canActivate(context)).toBe(false)
})
