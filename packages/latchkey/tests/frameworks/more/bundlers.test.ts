import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { run } from '../../package/packed.ts'
import { inFolder, install, patient, type Versions } from './installed.ts'
import { expectSignIn, type Startable } from './sign-in.ts'

// The package as bundlers and minifiers of applications write it, in production: each build signs in and out.

interface Build extends Startable {
  readonly dependencies: Versions
  readonly files: Versions
  readonly build: readonly string[]
}

const CONFIG = `{
  secret: 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaEuVtXkMbNqJw',
  trustHost: true,
  providers: [
    GitHub({ clientId: 'id', clientSecret: 'secret' }),
    Credentials({
      credentials: { name: { label: 'Name' } },
      authorize: ({ name }) => (name === 'ada' ? { id: '1', name: 'Ada' } : null),
    }),
  ],
  callbacks: {
    authorized: ({ auth, request }) =>
      !!auth || !new URL(request.url).pathname.startsWith('/private'),
  },
}`

const IMPORTS = `
import Credentials from 'latchkey/providers/credentials'
import GitHub from 'latchkey/providers/github'`

/** An application of Next.js with a guard in front of all pages, and one around a route. */
const next = (guard: 'middleware' | 'proxy'): Versions => ({
  // Next.js 14.0 does not find its own names from a module of type "module".
  'package.json': JSON.stringify({ private: true }),
  'auth.js': `${IMPORTS}
import NextAuth from 'latchkey/next'
export const { handlers, auth } = NextAuth(${CONFIG})
`,
  [`${guard}.js`]: `
export { auth as ${guard} } from './auth'
export const config = { matcher: ['/((?!api|_next/static).*)'] }
`,
  'app/api/auth/[...nextauth]/route.js': `
import { handlers } from '../../../../auth'
export const { GET, POST } = handlers
`,
  'app/api/me/route.js': `
import { NextResponse } from 'next/server'
import { auth } from '../../../auth'
export const GET = auth((request) => NextResponse.json(request.auth?.user.name ?? null))
`,
  'app/layout.js': `
export default function Layout({ children }) {
  return <html><body>{children}</body></html>
}
`,
  'app/page.js': `
import { auth } from '../auth'
export default async function Page() {
  return <p>{'who: ' + ((await auth())?.user?.name ?? 'nobody')}</p>
}
`,
  'app/private/page.js': `
import { auth } from '../../auth'
export default async function Page() {
  return <p>{'only for ' + (await auth())?.user?.name}</p>
}
`,
})

const nextOf = (version: string, react: string, ...flags: readonly string[]): Build => ({
  dependencies: { next: version, react, 'react-dom': react },
  files: next(version.startsWith('16') ? 'proxy' : 'middleware'),
  build: ['next', 'build', ...flags],
  start: ['node_modules/next/dist/bin/next', 'start'],
  base: '/api/auth',
  api: '/api/me',
})

/** A server of Node.js with much of the package in one file. */
const server: Versions = {
  'server.js': `${IMPORTS}
import { createServer } from 'node:http'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { toNodeListener } from 'latchkey/node'
import { limits } from 'latchkey/plugins/limits'
import { sessions } from 'latchkey/plugins/sessions'

const latchkey = createLatchkey({
  ...${CONFIG},
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  plugins: [limits(), sessions()],
})
const listener = toNodeListener(latchkey)
createServer(async (request, response) => {
  if (request.url.startsWith('/auth/')) return listener(request, response)
  const url = new URL(request.url, 'http://' + request.headers.host)
  const asked = new Request(url, { headers: { cookie: request.headers.cookie ?? '' } })
  const { session } = await latchkey.getSession(asked)
  if (url.pathname === '/api') response.end(JSON.stringify(session?.user?.name ?? null))
  else if (url.pathname === '/') response.end('who: ' + (session?.user?.name ?? 'nobody'))
  else if (session) response.end('only for ' + session.user.name)
  else response.writeHead(307, { location: '/auth/signin' }).end()
}).listen(Number(process.env.PORT))
`,
}

const bundled = (
  dependencies: Versions,
  build: readonly string[],
  files: Versions = {},
): Build => ({
  dependencies,
  files: { ...server, ...files },
  build,
  start: ['out/server.mjs'],
  api: '/api',
})

const webpack = (minify: string, dependencies: Versions): Build =>
  bundled(
    { webpack: '5.102.1', 'terser-webpack-plugin': '5.3.14', ...dependencies },
    ['node', 'build.js'],
    {
      'build.js': `
import Minify from 'terser-webpack-plugin'
import webpack from 'webpack'
webpack({
  mode: 'production',
  target: 'node22',
  entry: './server.js',
  experiments: { outputModule: true },
  output: { path: import.meta.dirname + '/out', filename: 'server.mjs', module: true, chunkFormat: 'module' },
  optimization: { minimizer: [new Minify({ minify: ${minify} })] },
}, (error, stats) => {
  if (!error && !stats.hasErrors()) return
  console.error(error ?? stats.toString())
  process.exitCode = 1
})
`,
    },
  )

const builds: Readonly<Record<string, Build>> = {
  'Next.js 14.0': nextOf('14.0.4', '18.2.0'),
  'Next.js 14.1': nextOf('14.1.4', '18.2.0'),
  'Next.js 14.2': nextOf('14.2.35', '18.2.0'),
  'Next.js 15': nextOf('15.5.4', '19.1.1'),
  'Next.js 16': nextOf('16.0.10', '19.2.3'),
  'Next.js 16 with webpack': nextOf('16.0.10', '19.2.3', '--webpack'),
  'webpack with terser': webpack('Minify.terserMinify', {}),
  'webpack with SWC': webpack('Minify.swcMinify', { '@swc/core': '1.15.3' }),
  'webpack with SWC of the year 2023': webpack('Minify.swcMinify', { '@swc/core': '1.3.85' }),
  esbuild: bundled({ esbuild: '0.25.12' }, [
    'esbuild',
    'server.js',
    '--bundle',
    '--minify',
    '--platform=node',
    '--format=esm',
    '--outfile=out/server.mjs',
  ]),
  'Rollup with terser': bundled(
    {
      rollup: '4.53.3',
      '@rollup/plugin-commonjs': '29.0.0',
      '@rollup/plugin-node-resolve': '16.0.3',
      '@rollup/plugin-terser': '0.4.4',
    },
    ['rollup', '--config'],
    {
      'rollup.config.js': `
import commonjs from '@rollup/plugin-commonjs'
import resolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
export default {
  input: 'server.js',
  output: { dir: 'out', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  plugins: [resolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs(), terser()],
}
`,
    },
  ),
  Parcel: {
    ...bundled({ parcel: '2.16.1' }, ['parcel', 'build', '--no-cache', '--no-source-maps'], {
      'package.json': JSON.stringify({
        private: true,
        type: 'module',
        dependencies: { latchkey: 'file:latchkey.tgz' },
        '@parcel/resolver-default': { packageExports: true },
        targets: {
          server: {
            source: './server.js',
            distDir: './out',
            context: 'node',
            engines: { node: '>=22' },
            outputFormat: 'esmodule',
            includeNodeModules: true,
            optimize: true,
          },
        },
      }),
    }),
    start: ['out/server.js'],
  },
}

test.for(Object.entries(builds))(
  'APP-1: the production build of %s signs in and out',
  patient,
  async ([
    name,
    {
      dependencies,
      files,
      build: [command = '', ...args],
      ...app
    },
  ]) => {
    const folder = install(name.replace(/\W+/g, '-').toLowerCase(), dependencies, true)
    for (const [file, text] of Object.entries(files)) writeFileSync(inFolder(folder, file), text)
    const binary = command === 'node' ? command : join(folder, 'node_modules/.bin', command)
    run(binary, args, folder)
    await expectSignIn(app, folder)
  },
)
