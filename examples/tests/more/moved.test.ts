import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run as runCodemod } from '../../../packages/codemod/src/run.ts'
import { projectWithLatchkey, run } from '../../../packages/latchkey/tests/package/packed.ts'
import { freePort, serve } from '../application.ts'

// Applications on the packages that Latchkey takes the place of, as they were published. What signs in before the
// codemod signs in after it.

const patient = { timeout: 10 * 60_000 }

interface Predecessor {
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  readonly basePath: string
  readonly build?: readonly [command: string, ...args: string[]]
  readonly start: readonly [command: string, ...args: string[]]
  /** What is left to a person, without its file. */
  readonly left?: readonly string[]
}

const react18 = { react: '18.3.1', 'react-dom': '18.3.1' }
const react19 = { react: '19.1.1', 'react-dom': '19.1.1' }

/** Lets in whoever knows the password. */
const authorize = `authorize: ({ name, password }) => password === 'right' ? { id: '7', name } : null`
const credentials = `Credentials({ credentials: { name: {}, password: {} }, ${authorize} })`

const predecessors: Readonly<Record<string, Predecessor>> = {
  'next-auth 4 in a pages directory of Next.js 14': {
    dependencies: { next: '14.2.35', 'next-auth': '4.24.13', ...react18 },
    basePath: '/api/auth',
    build: ['next', 'build'],
    start: ['next', 'start'],
    files: {
      'lib/auth.js': `
import Credentials from 'next-auth/providers/credentials'
export const authOptions = { providers: [${credentials}] }
`,
      'pages/api/auth/[...nextauth].js': `
import NextAuth from 'next-auth'
import { authOptions } from '../../../lib/auth'
export default NextAuth(authOptions)
`,
      'pages/_app.js': `
import { SessionProvider } from 'next-auth/react'
export default function App({ Component, pageProps }) {
  return <SessionProvider><Component {...pageProps} /></SessionProvider>
}
`,
      'pages/index.js': `
import { getServerSession } from 'next-auth/next'
import { authOptions } from '../lib/auth'
export const getServerSideProps = async ({ req, res }) => {
  const session = await getServerSession(req, res, authOptions)
  return { props: { who: session?.user?.name ?? 'nobody' } }
}
export default function Page({ who }) { return <p>{\`who: \${who}\`}</p> }
`,
      'pages/private.js': `export default function Page() { return <p>private</p> }`,
      'middleware.js': `
export { default } from 'next-auth/middleware'
export const config = { matcher: ['/private'] }
`,
    },
  },
  'next-auth 5 in an app directory of Next.js 15': {
    dependencies: { next: '15.5.4', 'next-auth': '5.0.0-beta.30', ...react19 },
    basePath: '/api/auth',
    build: ['next', 'build'],
    start: ['next', 'start'],
    files: {
      'auth.js': `
import NextAuth from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [${credentials}],
  callbacks: { authorized: ({ auth, request }) => !!auth || request.nextUrl.pathname === '/' },
})
`,
      'app/api/auth/[...nextauth]/route.js': `export { GET, POST } from '../../../../handlers'`,
      'handlers.js': `import { handlers } from './auth'\nexport const { GET, POST } = handlers`,
      'middleware.js': `
export { auth as middleware } from './auth'
export const config = { matcher: ['/', '/private'] }
`,
      'app/layout.js': `
export default function Layout({ children }) { return <html><body>{children}</body></html> }
`,
      'app/page.js': `
import { auth } from '../auth'
export default async function Page() {
  const session = await auth()
  return <p>{\`who: \${session?.user?.name ?? 'nobody'}\`}</p>
}
`,
      'app/private/page.js': `export default function Page() { return <p>private</p> }`,
    },
  },
  '@auth/express': {
    dependencies: { express: '5.1.0', '@auth/express': '0.12.1' },
    basePath: '/auth',
    start: ['node', 'server.js'],
    files: {
      'server.js': `
import express from 'express'
import { ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
const config = { trustHost: true, providers: [${credentials}] }
const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.send(\`who: \${session?.user?.name ?? 'nobody'}\`)
})
app.get('/private', async (request, response) => {
  if (await getSession(request, config)) response.send('private')
  else response.redirect('/auth/signin')
})
app.listen(process.env.PORT)
`,
    },
  },
  '@auth/sveltekit': {
    dependencies: {
      '@auth/sveltekit': '1.11.1',
      '@sveltejs/adapter-node': '5.2.9',
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/vite-plugin-svelte': '6.2.3',
      svelte: '5.57.3',
      vite: '7.3.8',
    },
    basePath: '/auth',
    build: ['vite', 'build'],
    start: ['node', 'build'],
    files: {
      'src/auth.js': `
import { SvelteKitAuth } from '@auth/sveltekit'
import Credentials from '@auth/sveltekit/providers/credentials'
export const { handle, signIn, signOut } = SvelteKitAuth({ trustHost: true, providers: [${credentials}] })
`,
      'src/hooks.server.js': `
import { redirect } from '@sveltejs/kit'
import { sequence } from '@sveltejs/kit/hooks'
import { handle as auth } from './auth'
const guard = async ({ event, resolve }) => {
  if (event.url.pathname === '/private' && !(await event.locals.auth())) redirect(303, '/auth/signin')
  return resolve(event)
}
export const handle = sequence(auth, guard)
`,
      'src/routes/+page.server.js': `export const load = async ({ locals }) => ({ session: await locals.auth() })`,
      'src/routes/+page.svelte': `
<script>
  import { SignOut } from '@auth/sveltekit/components'
  let { data } = $props()
</script>
<p>{\`who: \${data.session?.user?.name ?? 'nobody'}\`}</p>
<SignOut />
`,
      'src/routes/private/+page.svelte': `<p>private</p>`,
      'src/app.html': `<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
      'svelte.config.js': `
import adapter from '@sveltejs/adapter-node'
export default { kit: { adapter: adapter() } }
`,
      'vite.config.js': `
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit()] }
`,
    },
  },
}

test.for(Object.entries(predecessors))(
  'one cookie signs in before the codemod and after it: %s',
  patient,
  async ([, predecessor]) => {
    const { dependencies, files, left = [] } = predecessor
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-moved-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const isNext = 'next' in dependencies
    const manifest = { private: true, ...(isNext ? {} : { type: 'module' }), dependencies }
    for (const [file, text] of Object.entries({
      ...files,
      'package.json': JSON.stringify(manifest, null, 2),
      ...(isNext ? { 'next.config.js': 'module.exports = {}\n' } : {}),
    })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const port = await freePort()
    const site: Site = { folder, predecessor, port, origin: `http://localhost:${port}` }
    const cookie = await started(site, async () => {
      expect(await shown(site, '')).toEqual({ who: 'nobody', private: 'elsewhere' })
      const kept = await signIn(site, 'ada')
      expect(await shown(site, kept)).toEqual({ who: 'ada', private: 'here' })
      return kept
    })

    const { code, out } = runCodemod([folder, '--force'])
    expect(code).toBe(0)
    expect(out.split('Remaining steps:')[1]?.match(/(?<=:\d+: ).*/g) ?? []).toEqual(left)
    const [tarball = ''] = globSync('*.tgz', { cwd: projectWithLatchkey() })
    const moved = readFileSync(join(folder, 'package.json'), 'utf8')
    expect(moved).not.toMatch(/next-auth|@auth\//)
    writeFileSync(
      join(folder, 'package.json'),
      moved.replace(
        /"latchkey": ".*?"/,
        `"latchkey": "file:${join(projectWithLatchkey(), tarball)}"`,
      ),
    )
    // What was built before is not for now.
    for (const built of ['.next', '.svelte-kit', 'build'])
      rmSync(join(folder, built), { recursive: true, force: true })

    await started(site, async () => {
      expect(await shown(site, '')).toEqual({ who: 'nobody', private: 'elsewhere' })
      expect(await shown(site, cookie)).toEqual({ who: 'ada', private: 'here' })
      expect(await shown(site, await signIn(site, 'bob'))).toEqual({ who: 'bob', private: 'here' })
    })
  },
)

interface Site {
  readonly folder: string
  readonly predecessor: Predecessor
  readonly port: number
  readonly origin: string
}

/** Installs what the manifest says, builds, and does something while the application runs. */
async function started<T>(site: Site, work: () => Promise<T>): Promise<T> {
  const { folder, predecessor, port, origin } = site
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', '--ignore-scripts', ...quiet], folder)
  const env = {
    ...process.env,
    PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    NODE_ENV: 'production' as const,
    NODE_OPTIONS: '',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
    PORT: String(port),
    ORIGIN: origin,
    AUTH_SECRET: 'h8Vt3Zk6Rw1Yq9Nb4Mx7Cp2Jd5Gf0Ls',
    NEXTAUTH_SECRET: 'h8Vt3Zk6Rw1Yq9Nb4Mx7Cp2Jd5Gf0Ls',
    // The others take it for the path of the actions, too.
    ...('next' in predecessor.dependencies ? { AUTH_URL: origin, NEXTAUTH_URL: origin } : {}),
  }
  if (predecessor.build) {
    const [program, ...args] = predecessor.build
    execFileSync(program, args, { cwd: folder, env, stdio: 'pipe' })
  }
  await using server = await serve(origin, { command: predecessor.start, folder, env })
  try {
    return await work()
  } catch (error) {
    throw new Error(`${String(error)}\n${server.output()}`, { cause: error })
  }
}

/** What the pages show to who has a cookie. */
async function shown({ origin }: Site, cookie: string): Promise<{ who: string; private: string }> {
  const ask = (path: string): Promise<Response> =>
    fetch(origin + path, { headers: { cookie }, redirect: 'manual' })
  const who = /who: (?:<!-- -->)?(\w+)/.exec(await (await ask('/')).text())?.[1] ?? ''
  const page = await ask('/private')
  return { who, private: page.status === 200 ? 'here' : 'elsewhere' }
}

/** Signs in with the form. @returns the session cookie. */
async function signIn({ origin, predecessor }: Site, name: string): Promise<string> {
  const base = origin + predecessor.basePath
  const form = await fetch(`${base}/csrf`)
  // Where SvelteKit looks at the origin of forms, its predecessor has no token.
  const { csrfToken = '' } = JSON.parse((await form.text()) || '{}') as { csrfToken?: string }
  const answer = await fetch(`${base}/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ csrfToken, name, password: 'right' }),
  })
  const session = cookiesOf(answer)
    .split('; ')
    .filter((pair) => pair.includes('session-token'))
  expect(session).toHaveLength(1)
  return session.join('; ')
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
