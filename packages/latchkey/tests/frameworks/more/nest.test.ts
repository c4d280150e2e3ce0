import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import {
  AuthGuard,
  ExpressAuth,
  getSession,
  type NestContext,
  Public,
  sessionOf,
  signIn,
  signOut,
} from '../../../src/integrations/nest.ts'
import { describeFramework, type Site, setUp } from '../cases.ts'

const installed = createRequire(new URL('../../../../../examples/nest/main.ts', import.meta.url))

type Request = Parameters<typeof getSession>[0]
type Response = Parameters<typeof signIn>[1] & {
  json(body: unknown): void
  status(code: number): Response
}

type Decorator = (target: object, key?: string, descriptor?: PropertyDescriptor) => void
type ParameterDecorator = (target: object, key: string, index: number) => void

interface Common {
  Controller(): Decorator
  Get(path: string): Decorator
  Post(path: string): Decorator
  Module(parts: object): Decorator
  Req(): ParameterDecorator
  Res(): ParameterDecorator
  createParamDecorator(
    factory: (data: unknown, context: NestContext) => unknown,
  ): () => ParameterDecorator
}

interface Application {
  set(setting: string, value: unknown): void
  use(...handlers: unknown[]): void
  useGlobalGuards(...guards: unknown[]): void
  listen(port: number): Promise<unknown>
  getUrl(): Promise<string>
  close(): Promise<void>
}

installed('reflect-metadata')
const nest = installed('@nestjs/common') as Common
const { NestFactory } = installed('@nestjs/core') as {
  NestFactory: { create(module: unknown, options: object): Promise<Application> }
}

/** As `@Decorator() method(…)` would do, which Node.js does not understand. */
function decorate(target: { prototype: object }, key: string, ...decorators: Decorator[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, key)
  for (const each of decorators) each(target.prototype, key, descriptor)
}

async function applicationOf({
  config,
  mount,
  parses,
  trustsProxy,
  readsFirst,
}: Site): Promise<Application> {
  class Pages {
    async who(request: Request, response: Response): Promise<void> {
      response.json(await getSession(request, config))
    }
    page(session: { user?: { email?: string } }): string {
      return `only for ${session.user?.email}`
    }
    begin(request: Request, response: Response): Promise<void> {
      return signIn(request, response, config, 'github', { redirectTo: '/private' })
    }
    leave(request: Request, response: Response): Promise<void> {
      return signOut(request, response, config, { redirectTo: '/' })
    }
  }
  decorate(Pages, 'who', nest.Get('/who'), Public())
  decorate(Pages, 'page', nest.Get('/private'))
  decorate(Pages, 'begin', nest.Post('/begin'), Public())
  decorate(Pages, 'leave', nest.Post('/leave'), Public())
  for (const key of ['who', 'begin', 'leave']) {
    nest.Req()(Pages.prototype, key, 0)
    nest.Res()(Pages.prototype, key, 1)
  }
  const Session = nest.createParamDecorator((_data, context) => sessionOf(context))
  Session()(Pages.prototype, 'page', 0)
  nest.Controller()(Pages)
  // oxlint-disable-next-line typescript/no-extraneous-class
  class AppModule {}
  nest.Module({ controllers: [Pages] })(AppModule)

  const app = await NestFactory.create(AppModule, { logger: false, bodyParser: true })
  if (trustsProxy) app.set('trust proxy', true)
  if (readsFirst) {
    app.use(async (request: Request, _response: Response, next: () => void) => {
      await getSession(request, config)
      next()
    })
  }
  if (parses) {
    const express = createRequire(installed.resolve('@nestjs/platform-express'))(
      'express',
    ) as Record<'json' | 'urlencoded', (options?: object) => unknown>
    app.use(express.json(), express.urlencoded({ extended: true }))
  }
  app.use(mount, ExpressAuth(config))
  app.useGlobalGuards(new AuthGuard(config))
  await app.listen(0)
  return app
}

describeFramework({
  name: 'NestJS 12',
  mounts: ['/auth', '/auth/*splat'],
  elsewhere: '/api/auth',
  hasParsers: true,
  answersDirectly: true,
  judgesProxies: true,
  proxySetting: "app.set('trust proxy', 1)",
  async start(site) {
    const app = await applicationOf(site)
    const { port } = new URL(await app.getUrl())
    return { origin: `http://localhost:${port}`, close: () => app.close() }
  },
})

test('the guard of NestJS handles only http', async () => {
  const guard = new AuthGuard(setUp().config)
  const handler = (): void => {}
  const context: NestContext = {
    getType: () => 'rpc',
    getHandler: () => handler,
    getClass: () => AuthGuard,
    switchToHttp: () => {
      throw new Error('there is no http')
    },
  }
  expect(await guard.canActivate(context)).toBe(false)
})
