import type { Starting } from './application.ts'

export interface Scenario extends Starting {
  /** Base path of the actions. */
  readonly basePath: string
  /** Whether the first page also shows the user that the browser client reports, and has a button that signs in. */
  readonly client?: boolean
  /** Whether the framework passes forms of other sites to the service. @default true */
  readonly takesPosts?: boolean
  /** The page with forms that are components of the library. */
  readonly components?: string
}

/** How each example is built and started, by the name of its folder. */
export const scenarios = {
  astro: {
    basePath: '/api/auth',
    client: true,
    takesPosts: false,
    build: ['astro', 'build'],
    start: ['node', 'dist/server/entry.mjs'],
    env: { ASTRO_TELEMETRY_DISABLED: '1' },
  },
  elysia: { basePath: '/auth', start: ['node', 'server.ts'] },
  express: { basePath: '/auth', start: ['node', 'server.ts'] },
  fastify: { basePath: '/auth', start: ['node', 'server.ts'] },
  h3: { basePath: '/auth', start: ['node', 'server.ts'] },
  hono: { basePath: '/auth', start: ['node', 'server.ts'] },
  koa: { basePath: '/auth', start: ['node', 'server.ts'] },
  nest: { basePath: '/auth', build: ['tsc'], start: ['node', 'dist/main.js'] },
  'nest-fastify': { basePath: '/auth', build: ['tsc'], start: ['node', 'dist/main.js'] },
  next: { basePath: '/api/auth', client: true, build: ['next', 'build'], start: ['next', 'start'] },
  'next-15': {
    basePath: '/api/auth',
    client: true,
    build: ['next', 'build'],
    start: ['next', 'start'],
    env: { NEXT_IGNORE_INCORRECT_LOCKFILE: '1' },
  },
  nuxt: {
    basePath: '/auth',
    client: true,
    build: ['nuxt', 'build'],
    start: ['node', '.output/server/index.mjs'],
    env: { NUXT_TELEMETRY_DISABLED: '1' },
  },
  qwik: {
    basePath: '/auth',
    build: ['npm', 'run', 'build'],
    start: ['node', 'server/entry.node-server.js'],
  },
  'react-router': {
    basePath: '/auth',
    client: true,
    build: ['react-router', 'build'],
    start: ['react-router-serve', './build/server/index.js'],
  },
  'solid-start': {
    basePath: '/api/auth',
    client: true,
    build: ['vite', 'build'],
    start: ['node', '.output/server/index.mjs'],
  },
  'solid-start-1': {
    basePath: '/api/auth',
    client: true,
    build: ['vinxi', 'build'],
    start: ['node', '.output/server/index.mjs'],
  },
  sveltekit: {
    basePath: '/auth',
    client: true,
    components: '/components',
    build: ['vite', 'build'],
    start: ['node', 'build'],
  },
  'tanstack-start': {
    basePath: '/auth',
    client: true,
    build: ['vite', 'build'],
    start: ['srvx', 'serve', '--prod', '--static', '../client', '--entry', 'dist/server/server.js'],
  },
} as const satisfies Record<string, Scenario>

export type ExampleName = keyof typeof scenarios
