import { createLatchkey } from '../../../src/entries/index.ts'
import * as fastify from '../../../src/integrations/fastify.ts'
import * as nest from '../../../src/integrations/nest.ts'
import * as nestFastify from '../../../src/integrations/nest-fastify.ts'
import { DAY, describeGuards, FRESH, installedFor, type Make, visiting } from '../proof-cases.ts'

type Decorator = (target: object, key?: string, descriptor?: PropertyDescriptor) => void

interface NestApplication {
  set?(setting: string, value: unknown): void
  listen(port: number): Promise<unknown>
  getUrl(): Promise<string>
  close(): Promise<void>
}

/** An application of Nest whose handlers have these guards. @param adapter of Fastify; without it Nest uses Express. */
async function nestWith(
  example: string,
  guards: Readonly<Record<string, object>>,
  adapter?: object,
): ReturnType<Make> {
  const installed = installedFor(example)
  installed('reflect-metadata')
  const common = installed('@nestjs/common') as {
    Controller(): Decorator
    Get(path: string): Decorator
    UseGuards(...all: object[]): Decorator
    Module(parts: object): Decorator
  }
  const { NestFactory } = installed('@nestjs/core') as {
    NestFactory: { create(module: unknown, ...more: unknown[]): Promise<NestApplication> }
  }
  // oxlint-disable-next-line typescript/no-extraneous-class
  class Pages {}
  for (const [path, guard] of Object.entries(guards)) {
    const key = path.slice(1)
    Object.defineProperty(Pages.prototype, key, { value: () => 'open', configurable: true })
    const descriptor = Object.getOwnPropertyDescriptor(Pages.prototype, key)
    for (const each of [common.Get(path), common.UseGuards(guard)])
      each(Pages.prototype, key, descriptor)
  }
  common.Controller()(Pages)
  // oxlint-disable-next-line typescript/no-extraneous-class
  class App {}
  common.Module({ controllers: [Pages] })(App)
  const app = await NestFactory.create(App, ...(adapter ? [adapter] : []), { logger: false })
  app.set?.('trust proxy', true)
  await app.listen(0)
  return { visit: visiting(new URL(await app.getUrl()).port), close: () => app.close() }
}

const frameworks: Readonly<Record<string, Make>> = {
  async nest(config) {
    return nestWith('nest', {
      '/fresh': new nest.FreshGuard(config, FRESH),
      '/day': new nest.FreshGuard(config, DAY),
      '/two': new nest.FactorsGuard(config, 2),
    })
  },
  async 'nest-fastify'(config) {
    const latchkey = createLatchkey(config)
    const { FastifyAdapter } = installedFor('nest-fastify')('@nestjs/platform-fastify') as {
      FastifyAdapter: new (options: { trustProxy: boolean }) => object
    }
    const guards = {
      '/fresh': new nestFastify.FreshGuard(latchkey, FRESH),
      '/day': new nestFastify.FreshGuard(latchkey, DAY),
      '/two': new nestFastify.FactorsGuard(latchkey, 2),
    }
    return nestWith('nest-fastify', guards, new FastifyAdapter({ trustProxy: true }))
  },
  async fastify(config) {
    const latchkey = createLatchkey(config)
    interface App {
      get(path: string, options: object, handler: () => Promise<string>): void
      listen(options: { port: number }): Promise<string>
      addresses(): { port: number }[]
      close(): Promise<void>
    }
    const app = (installedFor('fastify')('fastify') as (options: object) => App)({
      trustProxy: true,
    })
    const guards = {
      '/fresh': fastify.requireFresh(latchkey, FRESH),
      '/day': fastify.requireFresh(latchkey, DAY),
      '/two': fastify.requireFactors(latchkey, 2),
    }
    for (const [path, preHandler] of Object.entries(guards))
      app.get(path, { preHandler }, async () => 'open')
    await app.listen({ port: 0 })
    return { visit: visiting(String(app.addresses()[0]?.port)), close: () => app.close() }
  },
}

for (const [name, make] of Object.entries(frameworks)) describeGuards(name, make)
