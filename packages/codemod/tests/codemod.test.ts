import { describe, expect, test } from 'vitest'
import { moved, moved as moveFiles } from './support/applications.ts'

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

describe('imports are moved:', () => {
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
  ])('%j becomes %j', (before, expected) => {
    expect(after(before)).toEqual({ text: expected, notes: [] })
  })

  test.each([
    [
      "import { ExpressAuth, getSession } from '@auth/express'\napp.use('/auth', ExpressAuth(config))",
      "import { authHandler, getSession } from 'latchkey/express'\napp.use('/auth', authHandler(config))",
    ],
    [
      "import { auth, readSession } from 'latchkey/elysia'\napp.use(auth(latchkey)).resolve(readSession(latchkey))",
      "import { authHandler, authSession } from 'latchkey/elysia'\napp.use(authHandler(latchkey)).resolve(authSession(latchkey))",
    ],
    [
      "import { fastifyAuth, sessionOf } from 'latchkey/fastify'\nawait app.register(fastifyAuth, { latchkey })\nsessionOf(latchkey, request)",
      "import { authHandler, authSession } from 'latchkey/fastify'\nawait app.register(authHandler, { latchkey })\nauthSession(latchkey)(request)",
    ],
    [
      "import { getSession as read } from 'latchkey/h3'\nconst session = await read(event, latchkey)",
      "import { authSession } from 'latchkey/h3'\nconst session = await authSession(latchkey)(event)",
    ],
    [
      "import { fastifyAuth } from 'latchkey/nest/fastify'\nconst authHandler = fastifyAuth",
      "import { authHandler as fastifyAuth } from 'latchkey/nest/fastify'\nconst authHandler = fastifyAuth",
    ],
  ])('of renamed names are renamed: %j', (before, expected) => {
    expect(after(before)).toEqual({ text: expected, notes: [] })
  })

  test('of a function that is not only called are left to a person', () => {
    const text = "import { getSession } from 'latchkey/h3'\nexport const read = getSession"
    expect(after(text)).toEqual({
      text,
      notes: ['1: `getSession`: call `authSession(latchkey)`, and its result with the request'],
    })
  })

  test('are not found in text that looks like one', () => {
    const text =
      "// from 'next-auth'\nconst a = `import 'next-auth'`\nconst b = { 'next-auth/x': 1 }\n"
    expect(after(text)).toEqual({ text, notes: ['3: a string contains `next-auth/x`'] })
  })

  test('of components are found in their scripts only', () => {
    const text = `<script setup lang="ts">\nimport { signIn } from '@auth/sveltekit/client'\n</script>\n<p>from '@auth/sveltekit'</p>\n`
    expect(after(text, { path: 'a.vue' }).text).toBe(
      text.replace('@auth/sveltekit/client', 'latchkey/sveltekit/client'),
    )
  })

  test('of components are found in each script, also with attributes that contain ">"', () => {
    const text = `<script module>import 'next-auth'</script>\n<script lang="ts" generics="T extends Array<string>">\nimport 'next-auth/jwt'\n</script>\n<p>next-auth</p>\n`
    expect(after(text, { path: 'a.svelte' })).toEqual({
      text: text.replace("'next-auth'", "'latchkey/next'").replace('next-auth/jwt', 'latchkey/jwt'),
      notes: [],
    })
  })

  test('of an Astro page are found between its lines, of which there may be zero', () => {
    for (const end of ['\n', '\r\n']) {
      const text = `---${end}import '@auth/core'${end}---${end}<p>@auth/core --- </p>${end}`
      expect(after(text, { path: 'a.astro' }).text).toBe(text.replace('@auth/core', 'latchkey'))
    }
    const empty = `---\n---\n<p>import '@auth/core'</p>\n---\n`
    expect(after(empty, { path: 'a.astro' })).toEqual({ text: empty, notes: [] })
  })

  test('in a file that cannot be parsed are left to a person', () => {
    const { text, notes } = after("import 'next-auth'\n<<<<<<< HEAD\n")
    expect(text).toContain('next-auth')
    expect(notes[0]).toMatch(/^1: it cannot be parsed: /)
  })

  test('keep line ends and layout', () => {
    const text = "import {\r\n\tsignIn, // in\r\n\tsignOut,\r\n} from 'next-auth/react'\r\n"
    expect(after(text).text).toBe(text.replace('next-auth/react', 'latchkey/react'))
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
    [
      "import NeonAdapter from '@auth/neon-adapter'\nconst a = NeonAdapter(pool)",
      "import { sqlAdapter } from 'latchkey/adapters/sql'\nimport { pgStore } from 'latchkey/adapters/sql/pg'\nconst a = sqlAdapter(pgStore(pool), { naming: 'pg' })",
    ],
    [
      "import { DrizzleAdapter } from '@auth/drizzle-adapter'\nconst a = DrizzleAdapter(db, { usersTable: users, accountsTable, verificationTokensTable: tokens })",
      "import { drizzleAdapter } from 'latchkey/adapters/drizzle'\nconst a = drizzleAdapter(db, { user: users, account: accountsTable, verificationToken: tokens })",
    ],
  ])('are replaced with the option: %j', (before, expected) => {
    expect(after(before, replace)).toEqual({ text: expected, notes: [] })
  })

  test('without a counterpart are kept, and named', () => {
    const text = "import { FirestoreAdapter } from '@auth/firebase-adapter'\nFirestoreAdapter(db)"
    expect(after(text, replace)).toEqual({
      text,
      notes: [
        '1: `@auth/firebase-adapter` is kept; docs/reference/schema.md has the layout of Latchkey',
      ],
    })
  })

  test.each([
    'DrizzleAdapter(db)',
    'DrizzleAdapter(db, tables)',
    'DrizzleAdapter(db, { ...tables })',
    'DrizzleAdapter(db, { usersTable: users })',
    'DrizzleAdapter(db, { usersTable: users, accountsTable: accounts, teamsTable: teams })',
  ])('are kept if their tables are unknown: %s', (call) => {
    const text = `import { DrizzleAdapter } from '@auth/drizzle-adapter'\n${call}`
    expect(after(text, replace)).toEqual({
      text,
      notes: ['1: `@auth/drizzle-adapter` is kept, because a call does not name its tables'],
    })
  })
})

test('a route in `auth(…)` is left to a person if there is the callback `authorized`', () => {
  const route =
    "import { auth } from '@/auth'\nexport const GET = auth((request) => answer(request.auth))\n"
  const config = (callbacks: string): string =>
    `import NextAuth from 'next-auth'\nexport const { auth } = NextAuth({ callbacks: { ${callbacks} } })\n`
  const notesOf = (callbacks: string): string[] =>
    moved(
      new Map([
        ['app/api/route.ts', route],
        ['auth.ts', config(callbacks)],
        ['package.json', JSON.stringify({ dependencies: { 'next-auth': '5.0.0' } })],
      ]),
      'keep',
    ).notes.map(({ path, line, text }) => `${path}:${line}: ${text}`)
  expect(notesOf('authorized: ({ auth }) => !!auth')).toEqual([
    'app/api/route.ts:2: the handler of `GET` now runs only if `authorized` allows the request; if it decides itself, call `await auth()` in it instead',
  ])
  expect(notesOf('signIn: () => true')).toEqual([])
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

  describe('a function that checks a password', () => {
    const provider = (authorize: string): string =>
      `import Password from 'next-auth/providers/credentials'\nPassword({\n  credentials: { name: {}, password: {} },\n  ${authorize}\n})\n`
    const moved = (authorize: string, path = 'auth.ts') => {
      const { text, notes } = after(provider(authorize), { ...four, path })
      return { text: text?.split('\n').slice(3, -2).join('\n'), notes }
    }

    test('still reads its fields as strings', () => {
      expect(
        moved('async authorize(credentials) {\n    return find(credentials?.name)\n  },'),
      ).toEqual({
        text: "  async authorize(given) {\n    const credentials = given as Record<'name' | 'password', string>\n    return find(credentials?.name)\n  },",
        notes: [],
      })
    })

    test('is left as it is in JavaScript, and with a type of its own', () => {
      for (const [text, path] of [
        ['authorize(credentials) { return find(credentials.name) }', 'auth.js'],
        ['authorize(credentials: any) { return find(credentials.name) }', 'auth.ts'],
      ] as const)
        expect(moved(text, path)).toEqual({ text: `  ${text}`, notes: [] })
    })

    test('is left to a person if it destructures the fields or reads the request', () => {
      expect(moved('authorize: ({ name }) => find(name),').notes).toEqual([
        '4: `authorize` receives the fields as they were sent; a field may not be a string',
      ])
      expect(moved('authorize(_, req) { return find(req.body) },', 'auth.js').notes).toEqual([
        '4: `authorize` receives a standard `Request`, without `body` and `query`; read headers with `headers.get(…)`',
      ])
      expect(moved('authorize(_, req) { return null },', 'auth.js').notes).toEqual([])
    })
  })

  describe('a provider', () => {
    const moved = (members: string) => {
      const text = `import 'next-auth'\nconst a = { id: 'a', type: 'oauth', ${members} }\n`
      const { text: result, notes } = after(text, { ...four, path: 'auth.ts' })
      return { text: result?.split('\n')[1], notes }
    }
    const compared =
      '2: `issuer` must be the `issuer` in the metadata, with or without a slash at its end; compare them'

    test('with an ID token has the type of OpenID Connect', () => {
      expect(
        moved('wellKnown: `${host}/.well-known/openid-configuration`, idToken: true, clientId'),
      ).toEqual({
        text: "const a = { id: 'a', type: 'oidc', issuer: `${host}`, clientId }",
        notes: [compared],
      })
      expect(moved("idToken: true, issuer: 'https://a.example'")).toEqual({
        text: "const a = { id: 'a', type: 'oidc', issuer: 'https://a.example' }",
        notes: [],
      })
    })

    test('without an ID token is found by its issuer', () => {
      expect(
        moved("wellKnown: 'https://a.example/.well-known/openid-configuration', idToken: false"),
      ).toEqual({
        text: "const a = { id: 'a', type: 'oauth', issuer: 'https://a.example' }",
        notes: [compared],
      })
    })

    test('is left to a person if its issuer is not visible', () => {
      expect(moved('wellKnown: process.env.KNOWN, idToken: true')).toEqual({
        text: "const a = { id: 'a', type: 'oauth', wellKnown: process.env.KNOWN, idToken: true }",
        notes: [
          '2: `wellKnown` also needs `issuer`, which the metadata contains',
          "2: `idToken`: set the type `'oidc'` and `issuer` of the provider instead",
        ],
      })
    })
  })

  describe('the id of a user', () => {
    const moved = (options: string, path = 'app/api/auth/[...nextauth]/route.ts') => {
      const text = `import NextAuth from 'next-auth'\nconst handler = NextAuth({ ${options} })\nexport { handler as GET, handler as POST }\n`
      const files = new Map([
        ['package.json', '{ "dependencies": { "next-auth": "4" } }'],
        [path, text],
      ])
      const outcome = moveFiles(files)
      const home = [...outcome.files].find(([name]) => /^auth\.|^app\/auth\./.test(name))?.[1]
      return { text: home, notes: outcome.notes.map((note) => note.text) }
    }
    const jwt = 'callbacks: { jwt({ token, user }) { if (user) token.id = user.id; return token } }'

    test.each([jwt, 'callbacks: { session: ({ token }) => ({ id: token.sub }) }'])(
      'without a store is another one: %s',
      (callbacks) => {
        expect(moved(callbacks).notes).toEqual([
          expect.stringContaining('use `account.providerAccountId`'),
        ])
      },
    )
  })

  describe('APP-4: a sign-in whose error version 4 showed', () => {
    const shown = 'version 4 showed the message of this error as `error`'

    test('has each `throw` of `authorize` named', () => {
      const text =
        "import Password from 'next-auth/providers/credentials'\nPassword({ async authorize({ name }) {\n  if (!name) throw new Error('name')\n  return find(name).catch(() => {\n    throw new Error('gone')\n  })\n} })\n"
      const notes = after(text, { ...four, path: 'auth.js' }).notes
      expect(notes.map((note) => note.slice(0, 3 + shown.length))).toEqual([
        `3: ${shown}`,
        `5: ${shown}`,
      ])
      expect(notes[0]).toContain('`CredentialsSignin` with a `code`')
    })

    test('has `authorize` itself named if it is elsewhere', () => {
      const text =
        "import Password from 'next-auth/providers/credentials'\nimport { check } from './check'\nPassword({ authorize: check })\n"
      expect(after(text, { ...four, path: 'auth.js' }).notes).toEqual([
        expect.stringContaining('3: `authorize`: look for each `throw`: '),
      ])
      const here = text.replace("import { check } from './check'", 'function check() { throw e }')
      expect(after(here, { ...four, path: 'auth.js' }).notes).toEqual([
        expect.stringContaining(`2: ${shown}`),
      ])
    })

    test('has each `throw` of the `signIn` callback named', () => {
      const files = new Map([
        ['package.json', '{ "dependencies": { "next-auth": "4" } }'],
        [
          'app/api/auth/[...nextauth]/route.js',
          "import NextAuth from 'next-auth'\nconst handler = NextAuth({ callbacks: { signIn({ user }) {\n  if (user.banned) throw new Error('banned')\n  return true\n} } })\nexport { handler as GET, handler as POST }\n",
        ],
      ])
      const { notes } = moveFiles(files)
      expect(notes.map(({ line, text }) => `${line}: ${text}`)).toEqual([
        expect.stringMatching(/^3: .*it is now `AccessDenied`/),
      ])
    })
  })

  describe('APP-4: `getToken`', () => {
    const check = expect.stringContaining('`getToken`: set `AUTH_URL`, or `secureCookie: true`')

    test.each([
      [
        "import { getToken } from 'next-auth/jwt'\ngetToken({ req })\n",
        "getToken({ secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET, acceptSessionsFrom: ['next-auth@4'], req })",
      ],
      [
        "import { getToken as read } from 'next-auth/jwt'\nread({ req, secret })\n",
        "read({ acceptSessionsFrom: ['next-auth@4'], req, secret })",
      ],
      [
        "const jwt = require('next-auth/jwt')\njwt.getToken({ ...shared })\n",
        "jwt.getToken({ acceptSessionsFrom: ['next-auth@4'], ...shared })",
      ],
      [
        "const { getToken } = require('next-auth/jwt')\ngetToken({ req, secret, raw: true })\n",
        "getToken({ acceptSessionsFrom: ['next-auth@4'], req, secret, raw: true })",
      ],
    ])('reads tokens of version 4, and each is named: %j', (before, expected) => {
      const { text, notes } = after(before, { ...four, path: 'lib/a.js' })
      expect(text?.split('\n')[1]).toBe(expected)
      expect(notes).toEqual([check])
    })

    test('is named if its parameters are elsewhere', () => {
      const before = "import { getToken } from 'next-auth/jwt'\ngetToken(params)\n"
      const { text, notes } = after(before, { ...four, path: 'lib/a.js' })
      expect(text).toContain('getToken(params)')
      expect(notes).toEqual([check, expect.stringContaining('needs `secret`')])
    })

    test('of version 5, or of another package, stays', () => {
      const five = "import { getToken } from 'next-auth/jwt'\ngetToken({ req })\n"
      expect(after(five).notes).toEqual([])
      const other = "import 'next-auth'\nimport { getToken } from './own'\ngetToken({ req })\n"
      expect(after(other, { ...four, path: 'lib/a.js' }).notes).toEqual([])
    })
  })

  test('marks `getCsrfToken` in code of the server', () => {
    const text =
      "import { getCsrfToken } from 'next-auth/react'\nexport const a = (context) => getCsrfToken(context)\n"
    expect(after(text, { ...four, path: 'pages/in.js' }).notes).toEqual([
      expect.stringContaining('2: `getCsrfToken` is for the browser; remove it here'),
    ])
  })

  test.each([
    [
      'a handler that makes options from the request',
      "import NextAuth from 'next-auth'\nexport default (req, res) => NextAuth(req, res, { providers: [], debug: req.query.debug })",
      'NextAuth has other arguments than the options',
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

  test('counts a function that only passes its parameters on as the handler', () => {
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
  ])('rewrites a guard that only asks whether there is a user: %s', (guard, expected) => {
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

  describe('the options of sessions are passed to a guard', () => {
    const guard = "export { default } from 'next-auth/middleware'\n"
    const guardBeside = (session: string): string | undefined => guarded(guard, session).text

    test('that are written in place: the guard receives a copy of them', () => {
      const session = "session: { strategy: 'jwt', maxAge: 60 * 60 }"
      expect(guardBeside(session)).toContain(`  ${session},\n`)
    })

    test.each([
      'session: { maxAge: HOUR }',
      'session',
      '...base',
      'cookies: cookiesOf(process.env.HOST)',
    ])('except for options that come from elsewhere, which are left to a person: %s', (session) => {
      expect(guardBeside(session)).toBe(guard)
    })
  })
})
