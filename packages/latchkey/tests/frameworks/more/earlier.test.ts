import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../package/compilers.ts'
import { run } from '../../package/packed.ts'
import { inFolder, install, patient, type Versions } from './installed.ts'
import { expectSignIn, type Startable } from './sign-in.ts'

// The oldest major versions that are supported, each with the application of its start page: installed as npm does when
// it is strict about peers, compiled or built, and used to sign in and out.

interface Earlier extends Startable {
  readonly dependencies: Versions
  readonly files: Versions
  /** How it is built: by a command, or a compiler that also checks its types. */
  readonly build: readonly string[] | 'types'
}

const OPTIONS = `
  secret: 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaEuVtXkMbNqJw',
  trustHost: true,
  providers: [
    GitHub({ clientId: 'id', clientSecret: 'secret' }),
    Credentials({
      credentials: { name: { label: 'Name' } },
      authorize: ({ name }) => (name === 'ada' ? { id: '1', name: 'Ada' } : null),
    }),
  ],`

const PROVIDERS = `
import Credentials from 'latchkey/providers/credentials'
import GitHub from 'latchkey/providers/github'`

const auth: Versions = {
  'auth.ts': `${PROVIDERS}
import type { AuthConfig } from 'latchkey'
export const config = {${OPTIONS}
} satisfies AuthConfig
`,
}

const koa: Versions = {
  ...auth,
  'server.ts': `
import Router from '@koa/router'
import Koa from 'koa'
import { createLatchkey } from 'latchkey'
import { authHandler, authSession, requireAuth } from 'latchkey/koa'
import { config } from './auth.js'

const latchkey = createLatchkey(config)
const app = new Koa()
const router = new Router()
router.get('/', authSession(latchkey), (context) => {
  context.body = 'who: ' + (context.state.session?.user.name ?? 'nobody')
})
router.get('/private', requireAuth(latchkey), (context) => {
  context.body = 'only for ' + context.state.session.user.name
})
app.use(authHandler(latchkey)).use(router.routes())
app.listen(Number(process.env.PORT))
`,
}

const fastify: Versions = {
  ...auth,
  'server.ts': `
import fastify from 'fastify'
import { createLatchkey } from 'latchkey'
import { fastifyAuth, requireAuth, sessionOf } from 'latchkey/fastify'
import { config } from './auth.js'

const latchkey = createLatchkey(config)
const app = fastify()
await app.register(fastifyAuth, { latchkey })
app.get('/', async (request) => 'who: ' + ((await sessionOf(latchkey, request))?.user?.name ?? 'nobody'))
app.get('/private', { preHandler: requireAuth(latchkey) }, async (request) => {
  return 'only for ' + (await sessionOf(latchkey, request))?.user?.name
})
await app.listen({ port: Number(process.env.PORT) })
`,
}

const nest: Versions = {
  ...auth,
  'server.ts': `
import 'reflect-metadata'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Request } from 'express'
import { AuthGuard, ExpressAuth, getSession, Public } from 'latchkey/nest'
import { config } from './auth.js'

@Controller()
class Pages {
  @Public()
  @Get('/')
  async home(@Req() request: Request) {
    return 'who: ' + ((await getSession(request, config))?.user?.name ?? 'nobody')
  }

  @Get('/private')
  async private(@Req() request: Request) {
    return 'only for ' + (await getSession(request, config))?.user?.name
  }
}

@Module({ controllers: [Pages] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] })
app.use('/auth', ExpressAuth(config))
app.useGlobalGuards(new AuthGuard(config))
await app.listen(Number(process.env.PORT))
`,
}

const nestOnFastify: Versions = {
  ...auth,
  'server.ts': `
import 'reflect-metadata'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { createLatchkey } from 'latchkey'
import { AuthGuard, fastifyAuth, Public } from 'latchkey/nest/fastify'
import { config } from './auth.js'

interface Visit {
  auth(): Promise<{ user?: { name?: string | null } } | null>
}

@Controller()
class Pages {
  @Public()
  @Get('/')
  async home(@Req() request: Visit) {
    return 'who: ' + ((await request.auth())?.user?.name ?? 'nobody')
  }

  @Get('/private')
  async private(@Req() request: Visit) {
    return 'only for ' + (await request.auth())?.user?.name
  }
}

@Module({ controllers: [Pages] })
class AppModule {}

const latchkey = createLatchkey(config)
const adapter = new FastifyAdapter()
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: ['error'] })
await app.register(fastifyAuth, { latchkey })
app.useGlobalGuards(new AuthGuard(latchkey))
await app.listen(Number(process.env.PORT))
`,
}

const elysia: Versions = {
  ...auth,
  'server.ts': `
import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
import { createLatchkey } from 'latchkey'
import { auth, readSession, requireAuth } from 'latchkey/elysia'
import { config } from './auth.js'

const latchkey = createLatchkey(config)
new Elysia({ adapter: node() })
  .use(auth(latchkey))
  .resolve(readSession(latchkey))
  .get('/', ({ session }) => 'who: ' + (session?.user?.name ?? 'nobody'))
  .get('/private', ({ session }) => 'only for ' + session?.user?.name, {
    beforeHandle: requireAuth(latchkey),
  })
  .listen(Number(process.env.PORT))
`,
}

const reactRouter: Versions = {
  'app/auth.server.ts': `${PROVIDERS}
import { createLatchkey } from 'latchkey/react-router'
export const latchkey = createLatchkey({${OPTIONS}
})
`,
  'app/routes/auth.ts': `
import { authHandler } from 'latchkey/react-router'
import { latchkey } from '../auth.server'
export const loader = authHandler(latchkey)
export const action = authHandler(latchkey)
`,
  'app/routes.ts': `
import { index, route } from '@react-router/dev/routes'
export default [index('routes/home.tsx'), route('private', 'routes/private.tsx'), route('auth/*', 'routes/auth.ts')]
`,
  'app/root.tsx': `
import { authSession } from 'latchkey/react-router'
import { Outlet } from 'react-router'
import { latchkey } from './auth.server'
export const middleware = [authSession(latchkey)]
export default () => <html><body><Outlet /></body></html>
`,
  'app/routes/home.tsx': `
import { sessionContext } from 'latchkey/react-router'
export const loader = ({ context }) => ({ who: context.get(sessionContext)?.user?.name ?? 'nobody' })
export default ({ loaderData }) => <p>{'who: ' + loaderData.who}</p>
`,
  'app/routes/private.tsx': `
import { requireAuth, sessionContext } from 'latchkey/react-router'
import { latchkey } from '../auth.server'
export const middleware = [requireAuth(latchkey)]
export const loader = ({ context }) => ({ who: context.get(sessionContext)?.user?.name })
export default ({ loaderData }) => <p>{'only for ' + loaderData.who}</p>
`,
  'react-router.config.ts': 'export default { future: { v8_middleware: true } }',
  'vite.config.ts': `
import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }
`,
}

const astro: Versions = {
  'src/auth.ts': `${PROVIDERS}
import { AstroAuth } from 'latchkey/astro'
export const auth = AstroAuth({${OPTIONS}
  callbacks: {
    authorized: ({ request, auth }) =>
      auth !== null || !new URL(request.url).pathname.startsWith('/private'),
  },
}, import.meta.env)
`,
  'src/pages/api/auth/[...latchkey].ts': `
import { auth } from '../../../auth'
export const { GET, POST } = auth
`,
  'src/middleware.ts': `
import { auth } from './auth'
export const { onRequest } = auth
`,
  'src/pages/index.astro': `---
const session = await Astro.locals.auth()
---
<p>{'who: ' + (session?.user?.name ?? 'nobody')}</p>
`,
  'src/pages/private.astro': `---
const session = await Astro.locals.auth()
---
<p>{'only for ' + session?.user?.name}</p>
`,
  'astro.config.mjs': `
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  security: { allowedDomains: [{ hostname: 'localhost' }] },
})
`,
}

const nuxt: Versions = {
  'nuxt.config.ts': `export default defineNuxtConfig({ modules: ['latchkey/nuxt'], telemetry: false })`,
  'server/latchkey.ts': `${PROVIDERS}
import { createLatchkey } from 'latchkey'
export default createLatchkey({${OPTIONS}
})
`,
  'pages/index.vue': `
<script setup lang="ts">
const session = useSession()
</script>
<template><p>{{ 'who: ' + (session.data?.user?.name ?? 'nobody') }}</p></template>
`,
  'pages/private.vue': `
<script setup lang="ts">
definePageMeta({ middleware: 'auth' })
const session = useSession()
</script>
<template><p>{{ 'only for ' + session.data?.user?.name }}</p></template>
`,
}

const node22 = { '@types/node': '22.19.0' }
const react = { react: '19.1.1', 'react-dom': '19.1.1' }
const compiled = { build: 'types', start: ['out/server.js'] } as const
const nestOf = (version: string, platform: string, files: Versions, types = {}): Earlier => ({
  dependencies: {
    '@nestjs/common': version,
    '@nestjs/core': version,
    [`@nestjs/platform-${platform}`]: version,
    'reflect-metadata': '0.2.2',
    rxjs: '7.8.2',
    ...types,
    ...node22,
  },
  files,
  ...compiled,
})
const astroOf = (version: string, adapter: string): Earlier => ({
  dependencies: { astro: version, '@astrojs/node': adapter },
  files: astro,
  build: ['astro', 'build'],
  start: ['dist/server/entry.mjs'],
  base: '/api/auth',
})

const applications: Readonly<Record<string, Earlier>> = {
  'Koa 2': {
    dependencies: {
      koa: '2.16.4',
      '@koa/router': '13.1.0',
      '@types/koa': '2.15.0',
      '@types/koa__router': '12.0.5',
      ...node22,
    },
    files: koa,
    ...compiled,
  },
  'Fastify 4': { dependencies: { fastify: '4.29.1', ...node22 }, files: fastify, ...compiled },
  'NestJS 10': nestOf('10.4.22', 'express', nest, { '@types/express': '4.17.21' }),
  'NestJS 11': nestOf('11.1.6', 'express', nest, { '@types/express': '5.0.3' }),
  'NestJS 10 on Fastify': nestOf('10.4.22', 'fastify', nestOnFastify),
  'NestJS 11 on Fastify': nestOf('11.1.6', 'fastify', nestOnFastify),
  'Elysia 1.3': {
    dependencies: { elysia: '1.3.21', '@elysiajs/node': '1.3.1', ...node22 },
    files: elysia,
    ...compiled,
  },
  'React Router 7': {
    dependencies: {
      'react-router': '7.9.6',
      '@react-router/dev': '7.9.6',
      '@react-router/node': '7.9.6',
      '@react-router/serve': '7.9.6',
      isbot: '5.1.30',
      vite: '6.3.6',
      typescript: '5.9.3',
      ...react,
    },
    files: reactRouter,
    build: ['react-router', 'build'],
    start: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
  },
  'Astro 4': astroOf('4.16.19', '8.3.4'),
  'Astro 5': astroOf('5.18.2', '9.5.5'),
  'Astro 6': astroOf('6.4.8', '10.1.4'),
  'Nuxt 3': {
    dependencies: { nuxt: '3.21.11', vue: '3.5.45' },
    files: nuxt,
    build: ['nuxt', 'build'],
    start: ['.output/server/index.mjs'],
  },
}

test.for(Object.entries(applications))('%s signs in and out', patient, async ([name, app]) => {
  const folder = install(name.replace(/\W+/g, '-').toLowerCase(), app.dependencies, true)
  if (app.build === 'types') {
    const emit = {
      noEmit: false,
      outDir: 'out',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      esModuleInterop: true,
      types: ['node'],
    }
    expect(compile('5.9', folder, app.files, emit)).toBe('')
  } else {
    for (const [file, text] of Object.entries(app.files))
      writeFileSync(inFolder(folder, file), text)
    const [command = '', ...args] = app.build
    run(join(folder, 'node_modules/.bin', command), args, folder)
  }
  await expectSignIn(app, folder)
})
