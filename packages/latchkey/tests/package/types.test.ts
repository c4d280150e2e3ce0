import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Declaration, DeclarationTree } from '../../../../tools/declarations.ts'
import { projectWithLatchkey, root, run } from './packed.ts'

const MINUTE = 60_000

/** Compiles an application of the packed library. @returns what the compiler prints. */
function compile(name: string, source: string): string {
  const project = join(projectWithLatchkey(), `types-${name}`)
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'app.ts'), source)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['app.ts'] }),
  )
  return run('tsc', ['-p', project, '--extendedDiagnostics'], root)
}

/** A number of `--extendedDiagnostics`: seconds, or a count. */
function diagnostic(printed: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(printed)
  if (!found) throw new Error(`the compiler does not print ${name}`)
  return Number(found[1])
}

const ten = [
  'apple',
  'auth0',
  'discord',
  'facebook',
  'github',
  'gitlab',
  'google',
  'microsoft-entra-id',
  'slack',
  'twitch',
]

function application(providers: readonly string[]): string {
  const imports = providers.map((id, i) => `import p${i} from 'latchkey/providers/${id}'`)
  const list = providers.map((_, i) => (i % 2 === 0 ? `p${i}` : `p${i}({ clientId: 'id' })`))
  return `
import { createLatchkey } from 'latchkey'
${imports.join('\n')}
export const { auth } = createLatchkey({
  providers: [${list.join(', ')}],
  callbacks: {
    session: async ({ session, token }) => ({ ...session, role: String(token['role']) }),
    authorized: ({ auth }) => auth?.role === 'admin',
  },
})
export const read: { role: string } | null = await auth(new Headers())
`
}

describe('the types of an application', { timeout: 3 * MINUTE }, () => {
  test('with ten providers have at most 1.3 times as many symbols and files as without any', () => {
    const [none, all] = [compile('none', application([])), compile('all', application(ten))]
    // Not the time, which depends on what else the machine does: `npm run bench` compares that.
    for (const count of ['Files', 'Symbols'])
      expect(diagnostic(all, count) / diagnostic(none, count), count).toBeLessThan(1.3)
    // Some 250 for each of them.
    const ofProviders = diagnostic(all, 'Instantiations') - diagnostic(none, 'Instantiations')
    expect(ofProviders).toBeLessThan(10_000)
  })

  test('can be extended by declaration merging, everywhere at once', () => {
    const printed = compile(
      'merged',
      `
import { createLatchkey, type Session } from 'latchkey'
import { createAuthClient } from 'latchkey/client'
import type { JWT } from 'latchkey/jwt'

declare module 'latchkey' {
  interface Session { tenant: number }
  interface User { role?: 'admin' }
  interface JWT { tenant: number }
}

const { auth } = createLatchkey({
  providers: [],
  callbacks: {
    session: ({ session, token }) => ({ ...session, tenant: token.tenant }),
    authorized: ({ auth }) => auth?.tenant === 1,
  },
})
const read = await auth(new Headers())
export const tenant: number | undefined = read?.tenant
export const role: 'admin' | undefined = read?.user?.role
export const usual: Session | null = read
const client = createAuthClient()
export const atTheClient: number | undefined = client.store.state.data?.tenant
export const ofToken: JWT['tenant'] = 1
// @ts-expect-error: it is a number
export const text: string | undefined = read?.tenant
`,
    )
    expect(printed).toContain('Total time')
  })
})

/** What Auth.js exports from the modules of its providers and we do not, and why. */
const without: Readonly<Record<string, string>> = {
  'index/OIDCConfigInternal': 'what its core makes of a provider',
  'oauth/OIDCConfigInternal': 'what its core makes of a provider',
  'notion/Owner': 'the profile is the user in it',
  'provider-types/EmailProviderId':
    'the module is an inner one; the name is in `latchkey/providers`',
  'provider-types/OAuthProviderId':
    'the module is an inner one; the name is in `latchkey/providers`',
}

/** Members that Auth.js names there and our types do not, and why. */
const unnamed: Readonly<Record<string, readonly [members: string, why: string]>> = {
  '42-school/FortyTwoProfile': ["'user'", 'Auth.js says nothing of it, and 42 neither'],
  'concept2/Concept2Profile': ['string', 'all are in `data`, in the answer'],
  'discord/DiscordProfile': ["'image_url'", 'Auth.js writes it there, Discord does not'],
  'keycloak/KeycloakProfile': ["'user'", 'Auth.js says nothing of it, and Keycloak neither'],
  'line/LineProfile': ["'user'", 'Auth.js says nothing of it, and LINE neither'],
  'notion/NotionProfile': ['string', 'the token response around the user'],
  'notion/User': ["'owner' | 'workspace_name'", 'of bots, who do not sign in'],
  'patreon/PatreonProfile': ['string', 'of no version of the API'],
  'threads/ThreadsProfile': ["'data'", 'the answer is not wrapped'],
}

describe('the types of providers', () => {
  const folder = join(root, 'node_modules/@auth/core/providers')
  const tree = new DeclarationTree()
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      tree
        .exportsOf(join(folder, file))
        .filter(([, meaning]) => typeof meaning === 'object')
        .filter(([, meaning]) =>
          /^(?:interface|type|class|enum) /.test((meaning as Declaration).text),
        )
        .map(([name]) => `${file.slice(0, -'.d.ts'.length)}/${name}`),
    )

  test('have the names that they have in Auth.js', { timeout: MINUTE }, () => {
    expect(names.length).toBeGreaterThan(100)
    expect(names).toEqual(expect.arrayContaining(Object.keys(without)))
    const imports = names.map((path, i) => {
      const [module = '', name = ''] = path.split('/')
      const line = `import type { ${name} as T${i} } from 'latchkey/providers/${module}'`
      return path in without ? `// @ts-expect-error: ${without[path]}\n${line}` : line
    })
    expect(compile('names', `${imports.join('\n')}\n`)).toContain('Total time')
  })

  test('name every member of a profile that Auth.js names', { timeout: MINUTE }, () => {
    const profiles = names.filter((path) => /(?:Profile|User)$/.test(path))
    expect(profiles.length).toBeGreaterThan(60)
    expect(profiles).toEqual(expect.arrayContaining(Object.keys(unnamed)))
    const lines = profiles.map((path, i) => {
      const [module = '', name = ''] = path.split('/')
      const theirs = `import('${folder}/${module}.js').${name}`
      const ours = `import('latchkey/providers/${module}').${name}`
      const [members = 'never'] = unnamed[path] ?? []
      // What is left out stays left out, or the line above it can go.
      const left = members === 'string' ? 'never' : members
      return `export type T${i} = None<Exclude<Exclude<Named<${theirs}>, Named<${ours}>>, ${members}>>
export type L${i} = None<Named<${ours}> & (${left})>`
    })
    const source = `
type Named<T> = keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 }
type None<T extends never> = T
${lines.join('\n')}
`
    expect(compile('members', source)).toContain('Total time')
  })
})
