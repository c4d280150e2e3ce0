import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import vectors from '../vectors/providers.json' with { type: 'json' }
import { compile } from './compilers.ts'
import { needsMore, projectWithLatchkey, root, run, subpathsOf } from './packed.ts'

const MINUTE = 60_000

describe('the packed library, installed into an empty project', { timeout: 2 * MINUTE }, () => {
  test('NEW-8: installs its dependencies and nothing else', () => {
    const project = projectWithLatchkey()
    const packages = readdirSync(join(project, 'node_modules')).filter((name) => name[0] !== '.')
    const libraries = ['bowser', 'ipaddr.js', 'jose', 'latchkey', 'oauth4webapi', 'uqr', 'valibot']
    expect(packages.sort()).toEqual(libraries)
  })

  test('contains no sources, no source maps and no tests', () => {
    const installed = join(projectWithLatchkey(), 'node_modules/latchkey')
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.test\.|\.map$|(?<!\.d)\.ts$/.test(file))).toEqual([])
    for (const file of ['LICENSE', 'README.md', 'THIRD-PARTY.md'])
      expect(files.includes(file), file).toBe(true)
  })

  test.for(['packages/latchkey', 'packages/server'])(
    'has a README of %s with absolute links only, and those to the docs lead to a shipped file',
    (folder) => {
      const installed = join(projectWithLatchkey(), 'node_modules/latchkey')
      const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
      const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(0)
      expect(links.filter((link) => !/^(?:https:\/\/|#)/.test(link))).toEqual([])
      const docs = 'https://unpkg.com/latchkey/'
      for (const link of links.filter((each) => each.startsWith(docs)))
        expect(existsSync(join(installed, link.slice(docs.length))), link).toBe(true)
    },
  )

  test('tells its version at latchkey/package.json, to imports and to require', () => {
    const program = `
      import { createRequire } from 'node:module'
      const { default: manifest } = await import('latchkey/package.json', { with: { type: 'json' } })
      const required = createRequire(process.cwd() + '/app.js')('latchkey/package.json')
      console.log(manifest.name, manifest.version === required.version)`
    expect(run('node', ['--input-type=module', '--eval', program], projectWithLatchkey())).toBe(
      'latchkey true\n',
    )
  })

  test('names no missing file', () => {
    const installed = join(projectWithLatchkey(), 'node_modules/latchkey')
    const { exports, imports, typesVersions } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    ) as Record<'exports' | 'imports' | 'typesVersions', object>
    const targets = [
      ...JSON.stringify({ exports, imports, typesVersions }).matchAll(/[:[]"(\.\/[^"]+)"/g),
    ]
    expect(targets.length).toBeGreaterThan(20)
    for (const [, target = ''] of targets)
      expect(globSync(target, { cwd: installed }), target).not.toEqual([])
  })

  test('can be imported by each of its names', () => {
    const project = projectWithLatchkey()
    const names = subpathsOf(project).filter((name) => !needsMore[name])
    const catalogue = Object.keys(vectors).map((module) => `latchkey/providers/${module}`)
    expect(names).toEqual(expect.arrayContaining(['latchkey', ...catalogue]))
    const program = `
      for (const name of ${JSON.stringify(names)}) {
        const exported = await import(name)
        if (typeof exported !== 'object') throw new Error(name)
      }
      console.log('done')`
    expect(run('node', ['--input-type=module', '--eval', program], project)).toBe('done\n')
  })

  test('gives each provider file a default export', () => {
    const project = projectWithLatchkey()
    const names = subpathsOf(project).filter((name) =>
      /^latchkey\/providers\/(?!(?:define|index|oauth)$)/.test(name),
    )
    const program = `
      const without = []
      for (const name of ${JSON.stringify(names)})
        if (!('default' in await import(name))) without.push(name)
      console.log(without.join(' '))`
    const without = run('node', ['--input-type=module', '--eval', program], project)
    expect(without.trim()).toBe('')
  })

  test('names an optional peer that is missing', () => {
    const project = projectWithLatchkey()
    const program = `
      for (const [name, needs] of Object.entries(${JSON.stringify(needsMore)}))
        await import(name).then(() => {}, (error) => {
          if (!needs.some((need) => String(error).includes(need))) throw error
        })`
    expect(run('node', ['--input-type=module', '--eval', program], project)).toBe('')
  })

  test.for([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ] as const)(
    'has types that compile in an application with moduleResolution %s',
    ([resolution, module]) => {
      const project = join(projectWithLatchkey(), `consumer-${resolution}`)
      mkdirSync(project, { recursive: true })
      writeFileSync(join(project, 'app.ts'), consumer)
      const options = {
        module,
        moduleResolution: resolution,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        strict: true,
        noEmit: true,
        // The declarations are checked as well, without those of Node.js.
        skipLibCheck: false,
        types: [],
      }
      writeFileSync(
        join(project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['app.ts'] }),
      )
      expect(run('tsc', ['-p', project], root)).toBe('')
    },
  )

  test('has types for each name with moduleResolution node, which reads no exports', () => {
    const project = projectWithLatchkey()
    const names = subpathsOf(project)
    const lines = names.map((name, i) => `import type * as m${i} from '${name}'`)
    const values = names.map((_, i) => `  m${i}: typeof m${i}`)
    const source = `${lines.join('\n')}
type IsAny<T> = 0 extends 1 & T ? true : false
interface Modules {
${values.join('\n')}
}
export const any: { [K in keyof Modules as IsAny<Modules[K]> extends true ? K : never]: 1 } = {}
`
    const options = { module: 'esnext', moduleResolution: 'node' }
    const folder = join(project, 'consumer-node')
    expect(compile('5.9', folder, { 'names.ts': source, 'app.ts': consumer }, options)).toBe('')
  })

  test('loads no module of Node.js outside of the node condition', async () => {
    const project = projectWithLatchkey()
    for (const conditions of [['workerd', 'worker'], ['edge-light'], ['browser'], []]) {
      const { metafile } = await build({
        stdin: { contents: "export * from 'latchkey'", resolveDir: project },
        bundle: true,
        write: false,
        metafile: true,
        format: 'esm',
        platform: 'neutral',
        conditions,
        external: ['node:*'],
        logLevel: 'silent',
      })
      const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
        imports.filter(({ external }) => external).map(({ path }) => path),
      )
      expect(outside, conditions.join()).toEqual([])
    }
  })

  test('uses the synchronous cryptography of Node.js under the node condition', async () => {
    const project = projectWithLatchkey()
    const { metafile } = await build({
      stdin: { contents: "export * from 'latchkey'", resolveDir: project },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    })
    const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    )
    expect(new Set(outside)).toEqual(new Set(['node:crypto']))
  })

  test('keeps two builds apart: neither uses a function of the other', () => {
    const shared = join(projectWithLatchkey(), 'node_modules/latchkey/dist/shared')
    const exported = globSync('*.js', { cwd: shared }).flatMap((file) =>
      [...readFileSync(join(shared, file), 'utf8').matchAll(/^export \{(.*)\};?$/gm)].flatMap(
        ([, names = '']) => names.split(',').map((name) => name.trim()),
      ),
    )
    expect(exported).toEqual(expect.arrayContaining(['createSealer', 'withProviders', 'answer']))
    expect(exported.filter((name) => name.length < 3 || name.includes(' as '))).toEqual([])
  })

  test('loads a failed part at the next request for it', () => {
    const program = `
      import { registerHooks } from 'node:module'
      let full = true
      registerHooks({ load(url, context, next) {
        if (full && url.includes('shared/dispatch')) throw new Error('EMFILE')
        return next(url, context)
      } })
      const { Auth } = await import('latchkey')
      const logged = []
      const logger = { error: ({ message }) => logged.push(message), warn() {} }
      const config = { secret: 'a secret of thirty-two characters', trustHost: true, providers: [], logger }
      const ask = async (action, more) =>
        Auth(new Request('https://app.example/auth/' + action), { ...config, ...more })
          .then(({ status }) => status, ({ message }) => message)
      const said = [await ask('csrf'), await ask('session', { secret: '' }), await ask('session')]
      full = false
      console.log(...said, await ask('csrf'), await ask('signin'), new Set(logged))`
    expect(
      run('node', ['--input-type=module', '--eval', program], projectWithLatchkey()),
    ).toMatchInlineSnapshot(`
      "EMFILE EMFILE 200 200 200 Set(2) {
        'EMFILE',
        'set \`secret\` (or AUTH_SECRET) to a string of at least 32 random characters; create one with: openssl rand -base64 33'
      }
      "
    `)
  })

  test('loads the code of forms, pages and flows with the first request for it', () => {
    const program = `
      ${NOTING_FILES}
      const { Auth } = await import('latchkey')
      const config = { secret: 'a secret of thirty-two characters', trustHost: true, providers: [] }
      const statuses = []
      for (const action of ['session', 'csrf']) {
        const { status } = await Auth(new Request('https://app.example/auth/' + action), config)
        statuses.push(status)
        loaded.push('|')
      }
      console.log(statuses.join(), loaded.join(' '))`
    expect(
      run('node', ['--input-type=module', '--eval', program], projectWithLatchkey()),
    ).toMatchInlineSnapshot(`
      "200,200 entries/index.js shared/sessions.js base/crypto/node.js shared/core.js | shared/dispatch.js shared/flows.js |
      "
    `)
  })

  test('loads only the plugins and their host for a read of a session, and neither flows nor pages', () => {
    const imports = `
      const { sessions } = await import('latchkey/plugins/sessions')
      const { limits } = await import('latchkey/plugins/limits')`
    expect(loadedByRead(imports, '[sessions(), limits()]')).toMatchInlineSnapshot(`
      "Ada entries/index.js shared/sessions.js base/crypto/node.js shared/core.js verifier/jwt.js adapters/memory/index.js shared/record.js shared/problems.js shared/records.js plugins/sessions/index.js shared/plugin-sessions.js shared/plugins.js shared/revocation-state.js plugins/limits/index.js shared/plugin-limits.js shared/revocations.js shared/judge.js shared/session-record.js shared/segments.js shared/fingerprint.js shared/truth.js shared/epoch.js
      "
    `)
  })

  test('ACC-20: loads the definitions of the plugins of accounts for a read of a session, and nothing that they do', () => {
    const imports = `
      const { accounts } = await import('latchkey/plugins/accounts')`
    expect(
      loadedByRead(imports, '[...accounts({ emailCode: true, usernames: true })]'),
    ).toMatchInlineSnapshot(`
      "Ada entries/index.js shared/sessions.js base/crypto/node.js shared/core.js verifier/jwt.js adapters/memory/index.js shared/record.js shared/problems.js shared/records.js entries/accounts.js shared/plugins.js shared/definitions.js shared/plugin-limits.js shared/plugin-sessions.js shared/revocation-state.js shared/revocations.js shared/judge.js shared/session-record.js shared/segments.js shared/fingerprint.js shared/truth.js shared/epoch.js
      "
    `)
  })
})

/** The beginning of a program that notes in `loaded` which files of the library are loaded. */
const NOTING_FILES = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) {
      const file = /latchkey\\/dist\\/(.*)/.exec(url)?.[1]
      if (file) loaded.push(file)
      return next(url, context)
    } })
`

/** Reads a session, and returns its name and the files of the library that were loaded for that. */
function loadedByRead(imports: string, plugins: string): string {
  const program = `
    ${NOTING_FILES}
    const { createLatchkey } = await import('latchkey')
    const { encode } = await import('latchkey/jwt')
    const { memoryAdapter } = await import('latchkey/adapters/memory')
    ${imports}
    const secret = 'a secret of thirty-two characters'
    const latchkey = createLatchkey({
      secret, trustHost: true, providers: [], adapter: memoryAdapter(),
      session: { strategy: 'jwt' }, plugins: ${plugins},
    })
    const salt = '__Secure-authjs.session-token'
    const token = await encode({ secret, salt, token: { sub: '1', name: 'Ada' } })
    const request = new Request('https://app.example/', { headers: { cookie: salt + '=' + token } })
    const session = await latchkey.auth(request)
    console.log(session.user.name, loaded.join(' '))`
  return run('node', ['--input-type=module', '--eval', program], projectWithLatchkey())
}

const consumer = `
import { Auth, type AuthConfig, createLatchkey } from 'latchkey'
import { decode, encode, getToken } from 'latchkey/jwt'
import type { Adapter } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import bungie from 'latchkey/providers/bungie'
import credentials from 'latchkey/providers/credentials'
import github from 'latchkey/providers/github'
import microsoftEntraId from 'latchkey/providers/microsoft-entra-id'
import notion from 'latchkey/providers/notion'

const adapter: Adapter = memoryAdapter()
const config: AuthConfig = {
  adapter,
  secret: ['new', 'old'],
  trustHost: true,
  session: { strategy: 'jwt' },
  providers: [github, bungie, notion, microsoftEntraId({ profilePhotoSize: 48 }), github({ clientId: 'id' }), credentials({ authorize: () => ({ id: '1' }) })],
  callbacks: { session: ({ session }) => session },
}

export const answer: Promise<Response> = Auth(new Request('https://app.example/auth/session'), config)
export const { handler, auth } = createLatchkey(config)
export const text: Promise<string> = Promise.resolve(encode({ salt: 's', secret: 's', token: {} }))
export const token: unknown = decode({ salt: 's', secret: 's', token: await text })
export const found: unknown = getToken({ req: new Request('https://app.example'), secret: 's' })
// @ts-expect-error A provider is no text.
export const wrong: AuthConfig = { providers: ['github'] }
`
