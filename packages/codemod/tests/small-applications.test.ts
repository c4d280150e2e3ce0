import { describe, expect, test } from 'vitest'
import { moved } from './support/applications.ts'

function manifest(dependencies: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ dependencies }, null, 2)}\n`
}

const FOUR = manifest({ 'next-auth': '^4.24.0' })
const FIVE = manifest({ 'next-auth': '5.0.0-beta.25' })

/** What becomes of files beside a package.json. */
function play(files: Readonly<Record<string, string>>, manifest: string = FIVE) {
  const outcome = moved(new Map(Object.entries({ 'package.json': manifest, ...files })), 'replace')
  const notes = outcome.notes.map(({ path, line, text }) => `${path}:${line}: ${text}`)
  return { files: outcome.files, notes }
}

describe('APP-5: names of Object.prototype', () => {
  const names = ['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf']

  test.each(names)('are not modules: %s', (name) => {
    const text = `import 'next-auth'\nimport '${name}'\nconst a = ['${name}']\nvi.mock('${name}')\n`
    const { files, notes } = play({ 'a.ts': text })
    expect(files.get('a.ts')).toBe(text.replace('next-auth', 'latchkey/next'))
    expect(notes).toEqual([])
  })

  test.each(names)('are not packages, names or tables: %s', (name) => {
    const text = `import { ${name} as own } from 'next-auth'\nimport { DrizzleAdapter } from '@auth/drizzle-adapter'\nDrizzleAdapter(db, { ${name}: own, usersTable, accountsTable })\n`
    const { files, notes } = play({ 'a.ts': text }, manifest({ [name]: '1.0.0', 'next-auth': '5' }))
    expect(files.get('a.ts')).toBe(text.replace("'next-auth'", "'latchkey/next'"))
    expect(notes).toEqual([
      'a.ts:2: `@auth/drizzle-adapter` is kept, because a call does not name its tables',
    ])
    expect(files.get('package.json')).toContain(`"${name}": "1.0.0"`)
  })
})

test('APP-5: variables of the application itself keep their names', () => {
  const env =
    'NEXTAUTH_URL=https://app.example\nNEXTAUTH_URL_INTERNAL=x\nNEXTAUTH_DATABASE_URL=postgres://\nNEXTAUTH_SECRET_ARN=x\nNEXTAUTH_SECRET=x\n'
  expect(play({ '.env': env }).notes).toEqual([
    '.env:1: `NEXTAUTH_URL`: rename it to `AUTH_URL`, here and where it is set in production',
    '.env:2: `NEXTAUTH_URL_INTERNAL`: it is no longer used; remove it',
    '.env:5: `NEXTAUTH_SECRET`: rename it to `AUTH_SECRET`, here and where it is set in production',
  ])
})

test.each(['next-auth', '@auth/core', '@auth/sveltekit'])(
  'APP-5: the package.json of %s has a counterpart',
  (name) => {
    const text = `import { version } from '${name}/package.json'\n`
    const { files, notes } = play({ 'a.ts': text })
    expect(files.get('a.ts')).toBe("import { version } from 'latchkey/package.json'\n")
    expect(notes).toEqual([])
  },
)

describe('APP-5: a route whose handler is kept', () => {
  const page =
    "import { getServerSession } from 'next-auth'\nimport { authOptions } from './api/auth/[...nextauth]'\n\nexport const getServerSideProps = (context) => getServerSession(context.req, context.res, authOptions)\n"

  test.each([
    [
      'pages/api/auth/[...nextauth].js',
      "import NextAuth from 'next-auth'\n\nexport const authOptions = { providers: [] }\n\nexport default function handler(req, res) {\n  log(req)\n  return NextAuth(req, res, authOptions)\n}\n",
    ],
    [
      'pages/api/auth/[...nextauth].js',
      "import NextAuth from 'next-auth'\n\nexport const authOptions = { providers: [] }\n\nexport default (req, res) => NextAuth(req, res, optionsOf(req))\n",
    ],
  ])('gets no `auth`, since the file must be removed: %s', (path, route) => {
    const { files, notes } = play({ [path]: route, 'pages/index.js': page }, FOUR)
    expect(files.get(path)).not.toContain('handlers')
    expect(files.get('pages/index.js')).toContain('getServerSession(context.req')
    expect(notes.join('\n')).toContain('NextAuth has other arguments than the options')
    expect(notes).toContainEqual(
      'pages/index.js:4: call `auth` here, which `NextAuth(options)` returns',
    )
  })

  test('gets no `auth` in the app directory, which may export nothing else', () => {
    const path = 'app/api/auth/[...nextauth]/route.js'
    const route =
      "import NextAuth from 'next-auth'\n\nexport const authOptions = { providers: [] }\n\nexport async function GET(req, context) {\n  return NextAuth(req, context, { ...authOptions, debug: true })\n}\n"
    const asking =
      "import { getServerSession } from 'next-auth'\nimport { authOptions } from './api/auth/[...nextauth]/route'\n\nexport const who = () => getServerSession(authOptions)\n"
    const { files, notes } = play({ [path]: route, 'app/who.js': asking }, FOUR)
    expect(files.get(path)).not.toContain('handlers')
    expect(notes).toContainEqual(
      'app/who.js:4: call `auth` here, which `NextAuth(options)` returns',
    )
  })
})

describe('APP-5: versions that do not work are reported:', () => {
  const page = "<script>\n  import { SignIn } from '@auth/sveltekit/components'\n</script>\n"
  const kit = (svelte: string): string => manifest({ '@auth/sveltekit': '^1.0.0', svelte })

  test('Svelte 4 with the components', () => {
    expect(play({ 'a.svelte': page }, kit('^4.2.0')).notes).toEqual([
      'a.svelte:2: `SignIn` and `SignOut` need Svelte 5; with Svelte 4, write the two forms (docs/how-to/use-with-sveltekit.md)',
    ])
    expect(play({ 'a.svelte': page }, kit('^5.0.0')).notes).toEqual([])
    const other = page.replace('components', 'client')
    expect(play({ 'a.svelte': other }, kit('^4.2.0')).notes).toEqual([])
  })

  test('an adapter that is older than the tested ones', () => {
    const of = (range: string): string[] =>
      play({}, manifest({ 'next-auth': '5', '@auth/prisma-adapter': range })).notes
    expect(of('^1.6.0')).toEqual([
      'package.json:4: `@auth/prisma-adapter` 1 was not tried with Latchkey; update it to `^2.11.3`',
    ])
    expect(of('^2.4.0')).toEqual([])
    expect(of('latest')).toEqual([])
  })
})

test.each([
  ['{ auth, update }', '{ auth, unstable_update: update }'],
  ['{ auth, update: change }', '{ auth, unstable_update: change }'],
  ['{ auth, unstable_update: update }', '{ auth, unstable_update: update }'],
])('APP-5: `update` of early betas is renamed: %s', (before, expected) => {
  const text = (names: string): string =>
    `import NextAuth from 'next-auth'\nexport const ${names} = NextAuth({ providers: [] })\nconst { update } = useSession()\n`
  const { files, notes } = play({ 'auth.ts': text(before) })
  expect(files.get('auth.ts')).toBe(text(expected).replace('next-auth', 'latchkey/next'))
  expect(notes).toEqual([])
})

test('APP-5: `user.id` gets no type assertion, since a sign-in has an id', () => {
  const route =
    "import NextAuth from 'next-auth'\nconst handler = NextAuth({ adapter, callbacks: { jwt({ token, user }) { token.id = user.id } } })\nexport { handler as GET, handler as POST }\n"
  const { files } = play({ 'app/api/auth/[...nextauth]/route.ts': route }, FOUR)
  expect(files.get('auth.ts')).toContain('token.id = user.id }')
})

describe('APP-6: types and members of version 4', () => {
  test('are moved: `SessionStrategy` is in latchkey/types', () => {
    const text = "import type { NextAuthOptions, SessionStrategy } from 'next-auth'\n"
    const { files, notes } = play({ 'a.ts': text }, FOUR)
    expect(files.get('a.ts')).toBe(
      "import type { NextAuthConfig } from 'latchkey/next'\nimport type { SessionStrategy } from 'latchkey/types'\n",
    )
    expect(notes).toEqual([])
  })

  test.each([
    ["Twitter({ clientId, version: '2.0' })", 'Twitter({ clientId })'],
    ["Twitter({ version: '2.0', clientId })", 'Twitter({ clientId })'],
    [
      "own = { id: 'a', type: 'oauth', version: '2.0', idToken: false, clientId }",
      "own = { id: 'a', type: 'oauth', clientId }",
    ],
    ["own = { id: 'a', version: '2.0' }", "own = { id: 'a', version: '2.0' }"],
  ])('are removed: the `version` of a provider: %s', (before, expected) => {
    const text = (provider: string): string =>
      `import Twitter from 'next-auth/providers/twitter'\n${provider}\n`
    const { files, notes } = play({ 'a.ts': text(before) }, FOUR)
    expect(files.get('a.ts')).toBe(text(expected).replace('next-auth', 'latchkey'))
    expect(notes).toEqual([])
  })
})
