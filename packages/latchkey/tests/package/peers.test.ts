import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { projectWithLatchkey, root, run } from './packed.ts'

const MINUTE = 60_000

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { optional?: boolean }>>
}

const installed = (): string => join(projectWithLatchkey(), 'node_modules/latchkey')
const manifest = (): Manifest =>
  JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8')) as Manifest

/** A new folder with these packages in its `node_modules`, of versions that were never published. */
function projectWith(packages: Readonly<Record<string, readonly [version: string, code: string]>>) {
  const project = mkdtempSync(join(inject('runFolder'), 'peers-'))
  cpSync(join(projectWithLatchkey(), 'node_modules'), join(project, 'node_modules'), {
    recursive: true,
  })
  for (const [name, [version, code]] of Object.entries(packages)) {
    const [, owner = '', path = '.'] = /^(@[^/]+\/[^/]+|[^/]+)(?:\/(.*))?$/.exec(name) ?? []
    const folder = join(project, 'node_modules', owner)
    const file = path === '.' ? 'index.js' : path
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
    const exports = { '.': './index.js', './*': './*' }
    const described = { name: owner, version, type: 'module', exports }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(described))
  }
  return project
}

/** Modules that exist in an application of SvelteKit only. */
const KIT = `
  import { registerHooks } from 'node:module'
  const virtual = (code) => ({ url: 'data:text/javascript,' + code, shortCircuit: true })
  registerHooks({ resolve: (name, context, next) =>
    name === '$app/paths' ? virtual('export const base = ""')
    : name.endsWith('.svelte') ? virtual('export default 1')
    : next(name, context) })`

describe('the optional peers', { timeout: 2 * MINUTE }, () => {
  test('are all packages that the files name, in any version', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = manifest()
    const named = new Set<string>()
    for (const file of globSync('dist/**/*.{js,d.ts,svelte}', { cwd: installed() })) {
      // The code that a module of Nuxt makes is the application's.
      if (file.endsWith('integrations/nuxt.js')) continue
      const code = readFileSync(join(installed(), file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      for (const [, name = ''] of code.matchAll(
        /\b(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)[^'":]*['"]/g,
      ))
        named.add(name)
      // A package that a module looks for before it loads it.
      for (const name of Object.keys(peerDependenciesMeta))
        if (new RegExp(`['"]${name}['"]`).test(code)) named.add(name)
    }
    const bundled = Object.keys(dependencies)
    // pnpm and Yarn give the library each package that is optional here; npm reads only `peerDependencies`.
    expect([...named].filter((name) => !bundled.includes(name)).sort()).toEqual(
      Object.keys(peerDependenciesMeta).sort(),
    )
    for (const [name, meta] of Object.entries(peerDependenciesMeta))
      expect(meta, name).toEqual({ optional: true })
    expect(new Set(Object.values(peerDependencies))).toEqual(new Set(['*']))
    expect(Object.keys(peerDependenciesMeta)).toEqual(
      expect.arrayContaining(Object.keys(peerDependencies)),
    )
  })

  test('APP-2: bring no peers of their own, which might conflict with those of an application', () => {
    const { peerDependencies, peerDependenciesMeta } = manifest()
    const withPeers = Object.keys(peerDependenciesMeta).filter((name) => !peerDependencies[name])
    expect(withPeers).toEqual([
      '@builder.io/qwik',
      '@builder.io/qwik-city',
      '@sveltejs/kit',
      '@tanstack/react-start',
      'altcha-lib',
      'drizzle-orm',
      'next',
      'nuxt',
      'react-router',
    ])
    const folders = ['.', 'packages/latchkey', 'examples/fastify', 'interop/auth-js']
    const looked = Object.keys(peerDependencies).flatMap((name) => {
      const files = folders.map((folder) =>
        join(root, folder, 'node_modules', name, 'package.json'),
      )
      const file = files.find((each) => existsSync(each))
      return file
        ? [JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> & { name: string }]
        : []
    })
    expect(looked.length).toBeGreaterThan(6)
    for (const { name, peerDependencies: brought = {} } of looked)
      expect(new Set([...Object.values(brought), '*']), name).toEqual(new Set(['*']))
  })

  test.for(['0.0.1', '3.1.4', '999.0.0', '16.0.0-canary.7'])(
    'install with npm, which is strict about peers, in version %s',
    (version) => {
      const project = mkdtempSync(join(inject('runFolder'), 'strict-'))
      const fakes = Object.keys(manifest().peerDependencies).map((name) => {
        const folder = join(project, 'fakes', name)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }))
        return [name, `file:fakes/${name}`]
      })
      const tarball = globSync('*.tgz', { cwd: projectWithLatchkey() })[0] ?? ''
      const dependencies = {
        ...Object.fromEntries(fakes),
        latchkey: `file:${join(projectWithLatchkey(), tarball)}`,
      }
      writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }))
      const flags = ['--strict-peer-deps', '--install-links', '--package-lock-only']
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
      expect(() => run('npm', ['install', ...flags, ...quiet], project)).not.toThrow()
    },
  )

  test.for([
    [
      'latchkey/adapters/drizzle/pg-schema',
      {
        'drizzle-orm/version': ['0.30.1', 'export const npmVersion = "0.30.1"'],
        'drizzle-orm/pg-core': [
          '0.30.1',
          'export const [bigint, boolean, index, pgTable, primaryKey, text, timestamp] = []',
        ],
      },
      'latchkey/adapters/drizzle needs drizzle-orm 0.36 or later, below 1, found 0.30.1: run npm install "drizzle-orm@>=0.36 <1"',
    ],
    ['latchkey/adapters/sql/d1', {}, "Cannot find package 'kysely'"],
    [
      'latchkey/adapters/sql',
      {
        kysely: [
          '0.26.3',
          'export const [Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql, CompiledQuery, PostgresQueryCompiler] = []',
        ],
      },
      'latchkey/adapters/sql needs kysely 0.27 or later, found 0.26.3: run npm install "kysely@>=0.27"',
    ],
    [
      'latchkey/react',
      {
        react: [
          '17.0.2',
          'export const version = "17.0.2", createContext = 0, createElement = 0, useContext = 0, useEffect = 0, useLayoutEffect = 0, useMemo = 0, useRef = 0',
        ],
      },
      'latchkey/react needs react 18 or later, found 17.0.2: run npm install "react@>=18"',
    ],
    [
      'latchkey/react-router',
      { 'react-router': ['6.30.1', 'export {}'] },
      'latchkey/react-router needs react-router 7.9 or later, found 6.30.1: run npm install "react-router@>=7.9"',
    ],
    [
      'latchkey/sveltekit',
      { '@sveltejs/kit': ['1.30.4', 'export const VERSION = "1.30.4"'] },
      'latchkey/sveltekit needs @sveltejs/kit 2 or later, found 1.30.4: run npm install "@sveltejs/kit@>=2"',
    ],
    [
      'latchkey/sveltekit/components',
      { svelte: ['4.2.19', 'export {}'] },
      'latchkey/sveltekit/components needs svelte 5 or later, found 4 or earlier: run npm install "svelte@>=5"',
    ],
  ] as const)(
    'are named with their versions if %s is loaded beside another version',
    ([name, packages, message]) => {
      const program = `${KIT}
      console.log(await import('${name}').then(() => 'loaded', (error) => error.message))`
      const said = run('node', ['--input-type=module', '--eval', program], projectWith(packages))
      expect(said).toContain(message)
    },
  )

  const passkeys = (): string => `
    import { createLatchkey } from 'latchkey'
    import { memoryAdapter } from 'latchkey/adapters/memory'
    import passkey from 'latchkey/providers/passkey'
    const logger = { error: (error) => console.log(error.message), warn() {} }
    const { handler } = createLatchkey({
      secret: 'a secret of thirty-two characters', trustHost: true,
      providers: [passkey], adapter: memoryAdapter(), logger })
    const url = 'https://app.example/auth/webauthn-options/passkey?action=authenticate'
    await handler(new Request(url))`

  test.for([
    ['none', {}],
    ['9.0.3', { '@simplewebauthn/server': ['9.0.3', 'export {}'] }],
  ] as const)('are named with their versions by a passkey beside %s', ([found, packages]) => {
    const project = projectWith(packages)
    expect(run('node', ['--input-type=module', '--eval', passkeys()], project)).toContain(
      `a passkey provider needs @simplewebauthn/server 11 or later, found ${found}: run npm install "@simplewebauthn/server@>=11"`,
    )
  })

  test('are named by mail over SMTP if the package is missing', () => {
    const program = `
      import nodemailer from 'latchkey/providers/nodemailer'
      const { sendVerificationRequest } = nodemailer({ server: 'smtp://127.0.0.1', from: 'a@b.example' })
      await sendVerificationRequest({ url: 'https://app.example', theme: {}, provider: {} }).catch((error) => console.log(error.message))`
    expect(run('node', ['--input-type=module', '--eval', program], projectWith({}))).toBe(
      'mail over SMTP needs nodemailer 6 or later, found none: run npm install "nodemailer@>=6" (latchkey/docs/reference/errors.md#a-package-is-missing-or-too-old)\n',
    )
  })
})
