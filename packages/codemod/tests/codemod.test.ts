import { describe, expect, test } from 'vitest'
import { moved } from './support/applications.ts'

/** What becomes of one file, beside a package.json that has the version of next-auth. */
function after(text: string, { version = '5.0.0', path = 'app.tsx', adapters = 'keep' } = {}) {
  const manifest = JSON.stringify({ dependencies: { 'next-auth': version } })
  const files = new Map([
    [path, text],
    ['package.json', manifest],
  ])
  const outcome = moved(files, adapters as 'keep' | 'replace')
  return {
    text: outcome.files.get(path),
    notes: outcome.notes.map((note) => `${note.line}: ${note.text}`),
  }
}

describe('imports', () => {
  test.each([
    ["import 'next-auth'", "import 'latchkey/next'"],
    ["export * from 'next-auth/react'", "export * from 'latchkey/react'"],
    ["const a = await import('next-auth/jwt')", "const a = await import('latchkey/jwt')"],
    ["const a = require('next-auth').default", "const a = require('latchkey/next').default"],
    ["import a = require('next-auth/react')", "import a = require('latchkey/react')"],
    ["type A = import('next-auth').Session", "type A = import('latchkey/next').Session"],
    ["vi.mock('next-auth/react')", "vi.mock('latchkey/react')"],
    ["export type { Session } from 'next-auth'", "export type { Session } from 'latchkey/next'"],
    [
      "export type { NextAuthOptions } from 'next-auth'",
      "export type { NextAuthConfig as NextAuthOptions } from 'latchkey/next'",
    ],
    [
      "import type { NextAuthOptions as Options } from 'next-auth'\nlet a: Options",
      "import type { NextAuthConfig as Options } from 'latchkey/next'\nlet a: Options",
    ],
    [
      "import type { NextAuthOptions } from 'next-auth'\nlet NextAuthConfig: NextAuthOptions",
      "import type { NextAuthConfig as NextAuthOptions } from 'latchkey/next'\nlet NextAuthConfig: NextAuthOptions",
    ],
    [
      "import type { Awaitable, User, Theme } from 'next-auth'",
      "import type { User } from 'latchkey/next'\nimport type { Awaitable, Theme } from 'latchkey/types'",
    ],
    [
      "import NextAuth, { type Theme } from 'next-auth';",
      "import NextAuth from 'latchkey/next';\nimport { type Theme } from 'latchkey/types';",
    ],
  ])('%j', (before, expected) => {
    expect(after(before)).toEqual({ text: expected, notes: [] })
  })

  test('are left where a text only looks like one', () => {
    const text =
      "// from 'next-auth'\nconst a = `import 'next-auth'`\nconst b = { 'next-auth/x': 1 }\n"
    expect(after(text)).toEqual({ text, notes: ['3: a text names `next-auth/x`'] })
  })

  test('of components are found in their scripts only', () => {
    const text = `<script setup lang="ts">\nimport { signIn } from '@auth/sveltekit/client'\n</script>\n<p>from '@auth/sveltekit'</p>\n`
    expect(after(text, { path: 'a.vue' }).text).toBe(
      text.replace('@auth/sveltekit/client', 'latchkey/sveltekit/client'),
    )
  })

  test('in a file that cannot be read are left to a person', () => {
    const { text, notes } = after("import 'next-auth'\n<<<<<<< HEAD\n")
    expect(text).toContain('next-auth')
    expect(notes[0]).toMatch(/^1: it cannot be read: /)
  })

  test('keep line ends and layout', () => {
    const text = "import {\r\n\tsignIn, // in\r\n\tsignOut,\r\n} from 'next-auth/react'\r\n"
    expect(after(text).text).toBe(text.replace('next-auth/react', 'latchkey/react'))
  })
})

describe('a pages directory', () => {
  const withPages = (config: string): { text: string | undefined; notes: readonly unknown[] } => {
    const { files, notes } = moved(
      new Map([
        ['package.json', '{ "dependencies": { "next-auth": "5" } }'],
        ['pages/index.js', "import 'next-auth/react'\n"],
        ['next.config.mjs', config],
      ]),
    )
    return { text: files.get('next.config.mjs'), notes }
  }

  test.each([
    ['export default {}', "export default { transpilePackages: ['latchkey'] }"],
    [
      "export default { transpilePackages: ['a'] }",
      "export default { transpilePackages: ['a', 'latchkey'] }",
    ],
    [
      'const config = { transpilePackages: [] }\nexport default config',
      "const config = { transpilePackages: ['latchkey'] }\nexport default config",
    ],
  ])('has Latchkey compiled: %j', (before, expected) => {
    expect(withPages(before)).toEqual({ text: expected, notes: [] })
  })

  test('is named where its configuration is made', () => {
    const config = 'export default make()'
    expect(withPages(config)).toEqual({
      text: config,
      notes: [
        { path: 'next.config.mjs', line: 1, text: expect.stringContaining('transpilePackages') },
      ],
    })
  })
})

describe('adapters', () => {
  const replace = { adapters: 'replace' }

  test.each([
    [
      "import { PrismaAdapter } from '@auth/prisma-adapter'\nconst a = PrismaAdapter(prisma)",
      "import { prismaAdapter } from 'latchkey/adapters/prisma'\nconst a = prismaAdapter(prisma)",
    ],
    [
      "import { PrismaAdapter } from '@next-auth/prisma-adapter'\nconst a = PrismaAdapter(prisma)",
      "import { prismaAdapter } from 'latchkey/adapters/prisma'\nconst a = prismaAdapter(prisma)",
    ],
    [
      'import Pg from "@auth/pg-adapter";\nconst a = Pg(new Pool({ max: 1 }));',
      'import { sqlAdapter } from "latchkey/adapters/sql";\nimport { pgStore } from "latchkey/adapters/sql/pg";\nconst a = sqlAdapter(pgStore(new Pool({ max: 1 })), { naming: \'pg\' });',
    ],
  ])('are replaced when that is asked for: %j', (before, expected) => {
    expect(after(before, replace)).toEqual({ text: expected, notes: [] })
  })

  test('that have no counterpart are kept, and named', () => {
    const text = "import { DrizzleAdapter } from '@auth/drizzle-adapter'\nDrizzleAdapter(db)"
    expect(after(text, replace)).toEqual({
      text,
      notes: ['1: `@auth/drizzle-adapter` is kept: see docs/reference/schema.md for ours'],
    })
  })
})

/** What becomes of a guard, beside options that say this of sessions. */
function guarded(guard: string, session = ''): { text: string | undefined; notes: string[] } {
  const options = `export const authOptions = { providers: [], ${session} }`
  const files = new Map([
    ['package.json', '{ "dependencies": { "next-auth": "4" } }'],
    [
      'lib/auth.js',
      `import { getServerSession } from 'next-auth'\n${options}\nexport const who = () => getServerSession(authOptions)\n`,
    ],
    ['middleware.js', guard],
  ])
  const outcome = moved(files)
  return {
    text: outcome.files.get('middleware.js'),
    notes: outcome.notes
      .filter(({ path }) => path === 'middleware.js')
      .map(({ line, text }) => `${line}: ${text}`),
  }
}

describe('version 4', () => {
  const four = { version: '^4.24.0' }

  test.each([
    [
      'a handler that makes options from the request',
      "import NextAuth from 'next-auth'\nexport default (req, res) => NextAuth(req, res, { providers: [], debug: req.query.debug })",
      'NextAuth is not called with options alone',
    ],
    [
      'options that are not found',
      "import { getServerSession } from 'next-auth'\nexport const who = () => getServerSession(optionsOf(1))",
      'call `auth` here',
    ],
  ])('leaves %s to a person', (_, text, note) => {
    const { notes } = after(text, { ...four, path: 'pages/api/auth/[...nextauth].js' })
    expect(notes.join('\n')).toContain(note)
  })

  test('takes a function that only hands its parameters on for the handler', () => {
    const files = new Map([
      ['package.json', '{ "dependencies": { "next-auth": "4" } }'],
      ['lib/auth.js', "export const authOptions = { providers: [], secret: 'x' }\n"],
      [
        'pages/api/auth/[...nextauth].js',
        "import NextAuth from 'next-auth'\nimport { authOptions } from '../../../lib/auth'\n\nexport default async function auth(req, res) {\n  return await NextAuth(req, res, authOptions)\n}\n",
      ],
    ])
    const outcome = moved(files)
    expect(outcome.notes).toEqual([])
    expect([...outcome.files.keys()]).toEqual([
      'package.json',
      'lib/auth.js',
      'app/api/auth/[...nextauth]/route.js',
    ])
    expect(outcome.files.get('lib/auth.js')).toBe(
      "import NextAuth from 'latchkey/next'\nexport const authOptions = { acceptSessionsFrom: ['next-auth@4'], providers: [], secret: 'x' }\n\nexport const { handlers, auth } = NextAuth(authOptions)\n",
    )
  })

  test.each([
    ['export default withAuth', 'auth !== null'],
    ["export default withAuth({ pages: { signIn: '/in' } })", "pages: { signIn: '/in' }"],
    [
      'export default withAuth({ callbacks: { authorized: ({ token }) => Boolean(token) } })',
      'authorized: ({ auth: token }) => Boolean(token)',
    ],
    [
      'export default withAuth(function go(req) { return log(req.url) })',
      '}).auth(function go(req)',
    ],
  ])('rewrites a guard that only asks whether there is somebody: %s', (guard, expected) => {
    const { text, notes } = guarded(`import { withAuth } from 'next-auth/middleware'\n\n${guard}\n`)
    expect(text).toContain("import NextAuth from 'latchkey/next'")
    expect(text).toContain(expected)
    expect(text).not.toContain('withAuth')
    expect(notes).toEqual([])
  })

  test.each([
    'export default withAuth({ callbacks: { authorized: ({ token }) => token?.role === 1 } })',
    'export default withAuth((req) => log(req.nextauth.token), {})',
    'export default (req, event) => withAuth(req, event)',
  ])('leaves a guard that reads the token to a person: %s', (guard) => {
    const before = `import { withAuth } from 'next-auth/middleware'\n\n${guard}\n`
    const { text, notes } = guarded(before)
    expect(text).toBe(before)
    expect(notes).toEqual([expect.stringContaining('1: `next-auth/middleware`')])
  })

  describe('a guard extends sessions as the options say', () => {
    const guard = "export { default } from 'next-auth/middleware'\n"
    const guardBeside = (session: string): string | undefined => guarded(guard, session).text

    test('which it is given, too', () => {
      const session = "session: { strategy: 'jwt', maxAge: 60 * 60 }"
      expect(guardBeside(session)).toContain(`  ${session},\n`)
    })

    test.each([
      'session: { maxAge: HOUR }',
      'session',
      '...base',
      'cookies: cookiesOf(process.env.HOST)',
    ])('or is left to a person, if they are made elsewhere: %s', (session) => {
      expect(guardBeside(session)).toBe(guard)
    })
  })
})
