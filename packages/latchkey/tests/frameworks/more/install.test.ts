import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Compiler,
  type CompilerOptions,
  compile,
  compilers,
  typeCheck,
} from '../../package/compilers.ts'
import { run } from '../../package/packed.ts'
import { cookiesOf, inFolder, install, installInto, patient, type Versions } from './installed.ts'

/** What each version of TypeScript says, declarations included. */
function check(folder: string, files: Versions, options: CompilerOptions = {}): string {
  const emit = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    outDir: 'types',
    rootDir: '.',
  }
  return (Object.keys(compilers) as Compiler[])
    .map((compiler) => compile(compiler, folder, files, { ...emit, ...options }))
    .join('')
}

const next: Versions = {
  'auth.ts': `
import NextAuth, { type DefaultSession, type NextAuthConfig } from 'latchkey/next'
import { memoryAdapter } from 'latchkey/adapters/memory'
import Credentials from 'latchkey/providers/credentials'
import GitHub from 'latchkey/providers/github'

declare module 'latchkey' {
  interface Session { user: { id: string } & DefaultSession['user'] }
}
export const authConfig = {
  adapter: memoryAdapter(),
  providers: [GitHub, Credentials({ authorize: () => ({ id: '1' }) })],
  session: { strategy: 'jwt' },
  callbacks: {
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: String(token.sub) } }),
    authorized: ({ auth, request }) => !!auth || request.url.endsWith('/open'),
  },
} satisfies NextAuthConfig
export const { handlers, auth, signIn, signOut } = NextAuth(authConfig)
`,
  'middleware.ts': `
export { auth as middleware } from './auth'
export const config = { matcher: ['/((?!api|_next/static).*)'] }
`,
  'app/api/auth/[...nextauth]/route.ts': `
import { handlers } from '../../../../auth'
export const { GET, POST } = handlers
`,
  'app/api/me/route.ts': `
import { NextResponse } from 'next/server'
import { auth } from '../../../auth'
export const GET = auth((request) => NextResponse.json(request.auth?.user.id ?? null))
`,
  'app/layout.tsx': `
import type { ReactNode } from 'react'
import { SessionProvider } from 'latchkey/react'
import { auth } from '../auth'
export default async function Layout({ children }: { children: ReactNode }) {
  return <html><body><SessionProvider session={await auth()}>{children}</SessionProvider></body></html>
}
`,
  'app/page.tsx': `
import { auth, signIn } from '../auth'
export default async function Page() {
  const session = await auth()
  const enter = async (form: FormData) => { 'use server'; await signIn('credentials', form) }
  return <form action={enter}>{session?.user.name}</form>
}
`,
  'pages/old.tsx': `
import type { GetServerSideProps } from 'next'
import { useSession } from 'latchkey/react'
import { auth } from '../auth'
export const getServerSideProps: GetServerSideProps = async (context) => ({ props: { session: await auth(context) } })
export default function Old() { return <p>{useSession().data?.user.id}</p> }
`,
}

const svelteKit: Versions = {
  'src/auth.ts': `
import { SvelteKitAuth, type SvelteKitAuthConfig } from 'latchkey/sveltekit'
import Credentials from 'latchkey/providers/credentials'
import GitHub from 'latchkey/providers/github'
const config = {
  providers: [GitHub, Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) })],
  secret: 'a secret of thirty-two characters',
  trustHost: true,
} satisfies SvelteKitAuthConfig
export const { handle, signIn, signOut } = SvelteKitAuth(config)
`,
  'src/hooks.server.ts': `
import type { Handle } from '@sveltejs/kit'
import { handle as auth } from './auth'
export const handle: Handle = auth
`,
  'src/routes/+page.server.ts': `
import type { Actions, ServerLoad } from '@sveltejs/kit'
import { signIn } from '../auth'
export const load: ServerLoad = async ({ locals }) => ({ session: await locals.auth() })
export const actions: Actions = { signIn }
`,
  'src/lib/buttons.ts': `
import { signIn, signOut } from 'latchkey/sveltekit/client'
export const enter = () => signIn('github', { redirectTo: '/' })
export const leave = () => signOut()
`,
}

const express: Versions = {
  'server.ts': `
import express, { type NextFunction, type Request, type Response } from 'express'
import { ExpressAuth, getSession, type ExpressAuthConfig } from 'latchkey/express'
import GitHub from 'latchkey/providers/github'
const config: ExpressAuthConfig = { providers: [GitHub] }
export const app: express.Express = express()
app.use('/auth', ExpressAuth(config))
export async function session(request: Request, response: Response, next: NextFunction) {
  response.locals.session = await getSession(request, config)
  next()
}
app.use(session)
`,
}

/** What applications have beside, of the versions that Auth.js asks for. */
const passkeys = { '@simplewebauthn/server': '9.0.3', '@simplewebauthn/browser': '9.0.1' }
const react18 = { react: '18.3.1', 'react-dom': '18.3.1', '@types/react': '18.3.12' }
const react19 = { react: '19.1.1', 'react-dom': '19.1.1', '@types/react': '19.1.9' }
const jsx: CompilerOptions = { jsx: 'preserve' }
const node20 = { '@types/node': '20.14.10' }

const matrix: Readonly<Record<string, readonly [Versions, Versions, CompilerOptions?]>> = {
  'Next.js 14 and React 18': [{ next: '14.2.35', ...react18, ...node20, ...passkeys }, next, jsx],
  'Next.js 14, React 18.2, next-auth 4 and React Email (APP-2)': [
    {
      next: '14.2.35',
      react: '18.2.0',
      'react-dom': '18.2.0',
      '@types/react': '18.2.0',
      '@react-email/components': '0.0.14',
      'next-auth': '4.24.7',
      nodemailer: '6.9.14',
      ...node20,
    },
    next,
    jsx,
  ],
  'Next.js 15 and React 18': [
    { next: '15.5.4', ...react18, ...node20, nodemailer: '6.10.1' },
    next,
    jsx,
  ],
  'Next.js 15, React 19 and Auth.js': [
    {
      next: '15.5.4',
      ...react19,
      ...node20,
      ...passkeys,
      'next-auth': '5.0.0-beta.32',
      nodemailer: '7.0.7',
    },
    next,
    jsx,
  ],
  'Next.js 16 and React 19': [
    { next: '16.0.0', ...react19, ...node20, kysely: '0.27.6' },
    next,
    jsx,
  ],
  'SvelteKit 2.8 and Svelte 4': [
    {
      '@sveltejs/kit': '2.8.5',
      '@sveltejs/vite-plugin-svelte': '3.1.2',
      svelte: '4.2.19',
      vite: '5.4.11',
      ...passkeys,
    },
    svelteKit,
  ],
  'SvelteKit 2.70, Svelte 5 and Auth.js': [
    {
      '@auth/sveltekit': '1.11.1',
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/vite-plugin-svelte': '6.2.3',
      svelte: '5.57.3',
      vite: '7.3.8',
      ...passkeys,
    },
    svelteKit,
  ],
  'Express 4': [{ express: '4.21.2', '@types/express': '4.17.21', ...node20 }, express],
  'Express 5 and Auth.js': [
    {
      express: '5.1.0',
      '@types/express': '5.0.3',
      '@auth/express': '0.12.1',
      ...node20,
      ...passkeys,
    },
    express,
  ],
}

describe(
  'npm, strict about peers, installs the library and an application compiles',
  patient,
  () => {
    test.for(Object.entries(matrix))('beside %s', ([name, [dependencies, files, options = {}]]) => {
      const folder = install(name.replace(/\W+/g, '-').toLowerCase(), dependencies)
      const types = Object.keys(dependencies)
        .filter((each) => each === '@types/node')
        .map(() => 'node')
      expect(check(folder, files, { types, esModuleInterop: true, ...options })).toBe('')
    })

    test.for(['drizzle', 'prisma'])('in an application of create-t3-app with %s', (store) => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-t3-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
      run('npm', ['install', 'create-t3-app@7.40.0', '--ignore-scripts', ...quiet], folder)
      const flags = [
        '--CI',
        '--nextAuth',
        `--${store}`,
        '--trpc',
        '--appRouter',
        '--noGit',
        '--noInstall',
      ]
      const cli = 'node_modules/create-t3-app/dist/index.js'
      run('node', [cli, 'app', ...flags, '--dbProvider', 'sqlite'], folder)
      const app = join(folder, 'app')

      const moved = moveOver(app)
      expect(moved).toEqual(expect.arrayContaining(['src/server/auth/config.ts']))
      const { dependencies, devDependencies, ...manifest } = JSON.parse(
        readFileSync(join(app, 'package.json'), 'utf8'),
      ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
      delete dependencies['next-auth']
      // The lowest version of each range: what the template was made with.
      const pinned = Object.entries({ ...dependencies, ...devDependencies })
      const exact = Object.fromEntries(
        pinned.map(([name, range]) => [name, range.replace('^', '')]),
      )
      installInto(app, { ...manifest, dependencies: exact }, false)
      if (store === 'prisma') writeFileSync(inFolder(app, 'generated/prisma/index.d.ts'), PRISMA)
      // What TypeScript 6 and 7 say of the template itself: `baseUrl`, and style sheets without types.
      const compilerOptions = { baseUrl: null, noUncheckedSideEffectImports: false, noEmit: true }
      const later = { extends: './tsconfig.json', compilerOptions }
      writeFileSync(join(app, 'tsconfig.later.json'), JSON.stringify(later))
      for (const compiler of Object.keys(compilers) as Compiler[])
        expect(typeCheck(compiler, join(app, 'tsconfig.later.json')), compiler).toBe('')
    })
  },
)

test.for([
  ['pnpm', { pnpm: '10.20.0' }, 'node_modules/pnpm/bin/pnpm.cjs', []],
  [
    'Yarn',
    { '@yarnpkg/cli-dist': '4.10.3' },
    'node_modules/@yarnpkg/cli-dist/bin/yarn.js',
    ['node'],
  ],
] as const)(
  'APP-2: with %s, the library finds a framework that is no peer of npm',
  patient,
  ([, manager, cli, loader]) => {
    const folder = install('managers', manager)
    const app = join(folder, 'app')
    cpSync(join(folder, 'latchkey.tgz'), inFolder(app, 'latchkey.tgz'))
    const dependencies = {
      'react-router': '7.9.6',
      react: '18.2.0',
      'react-dom': '18.2.0',
      latchkey: 'file:./latchkey.tgz',
    }
    const manifest = { name: 'app', private: true, type: 'module', dependencies }
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
    // Without it, Yarn takes the folder for a part of the project around it.
    writeFileSync(join(app, 'yarn.lock'), '')
    run('node', [join(folder, cli), 'install'], app)
    const program = `console.log(typeof (await import('latchkey/react-router')).authHandler)`
    writeFileSync(join(app, 'program.js'), program)
    const before = loader.length > 0 ? [join(folder, cli), ...loader] : []
    expect(run('node', [...before, 'program.js'], app)).toContain('function')
  },
)

/** The client that `prisma generate` would make, for which it loads a program. */
const PRISMA =
  'export type PrismaClient = any\nexport declare const PrismaClient: new (options: object) => any\n'

/** Changes the imports as the guide says. @returns the files that had any. */
function moveOver(app: string): string[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: app }).filter((file) => {
    const text = readFileSync(join(app, file), 'utf8')
    const moved = text
      .replaceAll(/(["'])next-auth\/(adapters|jwt|providers\/)/g, '$1latchkey/$2')
      .replaceAll('from "next-auth"', 'from "latchkey/next"')
      .replaceAll('declare module "next-auth"', 'declare module "latchkey"')
    writeFileSync(join(app, file), moved)
    return moved !== text
  })
}

test('SvelteKit 2.8 with Svelte 4 signs in', patient, async () => {
  const versions = {
    '@sveltejs/adapter-node': '5.2.9',
    '@sveltejs/kit': '2.8.5',
    '@sveltejs/vite-plugin-svelte': '3.1.2',
    svelte: '4.2.19',
    vite: '5.4.11',
  }
  const folder = install('svelte-4', versions, true)
  const page =
    '<script>export let data</script>\n<p>who: {data.session?.user?.name ?? "nobody"}</p>\n'
  const files = {
    ...svelteKit,
    'src/app.html':
      '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    'src/routes/+page.svelte': page,
    'svelte.config.js': `import adapter from '@sveltejs/adapter-node'\nexport default { kit: { adapter: adapter() } }\n`,
    'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite'\nexport default { plugins: [sveltekit()] }\n`,
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(inFolder(folder, file), text)
  run('node', ['node_modules/vite/bin/vite.js', 'build'], folder)

  const program = `
    import { createServer } from 'node:http'
    import { handler } from './build/handler.js'
    const server = createServer(handler).listen(0, () => console.log(server.address().port))`
  const args = ['--input-type=module', '--eval', program]
  const server = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill())
  const [port] = (await once(server.stdout, 'data')) as [Buffer]
  const site = `http://localhost:${String(port).trim()}`
  const form = await fetch(`${site}/auth/csrf`)
  const { csrfToken } = (await form.json()) as { csrfToken: string }
  // Without ORIGIN, the adapter takes it that a proxy has https.
  const origin = site.replace('http:', 'https:')
  const answer = await fetch(`${site}/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ csrfToken }),
  })
  const shown = await fetch(site, { headers: { cookie: cookiesOf(answer) } })
  expect(await shown.text()).toContain('who: Ada')
})
