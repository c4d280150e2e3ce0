import { describe, expect, test } from 'vitest'
import { codemod, type Outcome } from '../src/codemod.ts'
import type { Installed } from '../src/users.ts'

function manifest(...names: readonly string[]): string {
  const dependencies = Object.fromEntries(names.map((name) => [name, '^1.0.0']))
  return `${JSON.stringify({ dependencies }, null, 2)}\n`
}

const nothing: Installed = () => []

function play(files: Readonly<Record<string, string>>, installed?: Installed): Outcome {
  return codemod(new Map(Object.entries(files)), 'replace', installed)
}

function notesOf({ notes }: Outcome): string[] {
  return notes.map(({ path, line, text }) => `${path}:${line}: ${text}`)
}

const HANDLER = `import GitHub from 'next-auth/providers/github'
import { PrismaAdapter } from '@next-auth/prisma-adapter'
import { NuxtAuthHandler } from '#auth'

export default NuxtAuthHandler({ adapter: PrismaAdapter(prisma), providers: [GitHub.default({})] })
`

describe('APP-3: an application on @sidebase/nuxt-auth', () => {
  const files = {
    'package.json': manifest('@sidebase/nuxt-auth', 'next-auth', '@next-auth/prisma-adapter'),
    'server/api/auth/[...].ts': HANDLER,
    'types.d.ts': "declare module 'next-auth' {\n  interface Session {}\n}\n",
    'server/token.ts': "import { getToken } from 'next-auth/jwt'\ngetToken({ req })\n",
    '.env': 'NEXTAUTH_URL=https://app.example\n',
  }

  test.each([undefined, nothing])('is unchanged, and each place is named', (installed) => {
    const outcome = play(files, installed)
    expect(outcome.changes).toEqual([])
    const why =
      'stays, because `@sidebase/nuxt-auth` uses `next-auth`; the guide is docs/how-to/move-from-nuxt-auth.md'
    expect(notesOf(outcome)).toEqual([
      `package.json:4: \`next-auth\` ${why}`,
      `package.json:5: \`@next-auth/prisma-adapter\` ${why}`,
      `server/api/auth/[...].ts:1: \`next-auth/providers/github\` ${why}`,
      `server/api/auth/[...].ts:2: \`@next-auth/prisma-adapter\` ${why}`,
      `server/token.ts:1: \`next-auth/jwt\` ${why}`,
      `types.d.ts:1: \`next-auth\` ${why}`,
    ])
  })

  test('is unchanged beside another application, which moves', () => {
    const outcome = play({
      'package.json': manifest('turbo'),
      'apps/nuxt/package.json': files['package.json'],
      'apps/nuxt/server/api/auth/[...].ts': HANDLER,
      'apps/next/package.json': manifest('next', 'next-auth'),
      'apps/next/page.tsx': "import { signIn } from 'next-auth/react'\n",
    })
    expect(outcome.changes.map(({ path }) => path)).toEqual([
      'apps/next/package.json',
      'apps/next/page.tsx',
    ])
  })
})

describe('APP-3: another package that uses a module of Auth.js', () => {
  const page = { 'page.tsx': "import { useSession } from 'next-auth/react'\n" }

  test('is found among the installed packages, and named', () => {
    const files = { 'package.json': manifest('guards', 'next-auth'), ...page }
    const outcome = play(files, (_, name) => (name === 'guards' ? ['react', 'next-auth'] : []))
    expect(outcome.changes).toEqual([])
    const why =
      'stays, because `guards` uses `next-auth`; replace `guards`, remove it from package.json, and run the codemod again'
    expect(notesOf(outcome)).toEqual([
      `package.json:4: \`next-auth\` ${why}`,
      `page.tsx:1: \`next-auth/react\` ${why}`,
    ])
    expect(play(files, nothing).changes).toHaveLength(2)
  })

  test('may be an adapter, which still works because its package stays installed', () => {
    const files = { 'package.json': manifest('next-auth-own-adapter', 'next-auth'), ...page }
    const { changes } = play(files, (_, name) => (/own/.test(name) ? ['next-auth'] : []))
    expect(changes.map(({ after }) => after)).toEqual([
      `{
  "dependencies": {
    "next-auth-own-adapter": "^1.0.0",
    "next-auth": "^1.0.0",
    "latchkey": "^0.3.0"
  }
}
`,
      "import { useSession } from 'latchkey/react'\n",
    ])
  })

  test('cannot be ruled out while nothing is installed, so a note says that', () => {
    const files = { 'package.json': manifest('next', 'react', 'react-dom', 'x', 'next-auth') }
    expect(notesOf(play(files, () => undefined))).toEqual([
      'package.json:1: the dependencies are not installed, so the codemod cannot see whether one of them (next, react, react-dom, …) uses Auth.js; install them, and run it again',
    ])
    expect(notesOf(play(files, nothing))).toEqual([])
  })

  test('is not an adapter of Auth.js, which brings its own core', () => {
    const files = { 'package.json': manifest('@auth/prisma-adapter', 'next-auth'), ...page }
    expect(play(files, () => ['@auth/core', 'next-auth']).changes).toHaveLength(2)
  })
})
