import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Auth } from 'latchkey'
import { describe, expect, test } from 'vitest'
import {
  isOAuth,
  OTHER_NAMES,
  optionsOf,
  readCatalogue,
  variablesOf,
} from '../src/cli/catalogue.ts'
import { namedProviders } from '../src/named-providers.ts'
import { latchkey } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

describe('the help of the command line', () => {
  test.each([
    [['--help'], 'latchkey serve'],
    [['serve', '--help'], '--database <url>'],
    [['secret', '--help'], 'AUTH_SECRET=$(latchkey secret)'],
    [['migrate', '--help'], '--check'],
    [['providers', '--help'], 'latchkey providers azure'],
    [['doctor', '--help'], 'latchkey doctor --json'],
    [['tokens', 'seal', '--help'], 'latchkey tokens seal'],
    [['tokens', 'restore', '--help'], 'latchkey tokens restore'],
    [['limits', 'reset', '--help'], 'latchkey limits reset password.sign-in'],
    [['users', 'reset-two-factor', '--help'], 'latchkey users reset-two-factor ada@example.com'],
    [['passwords', 'calibrate', '--help'], 'latchkey passwords calibrate --target 100'],
  ])('has examples: %j', async (args, text) => {
    using directory = temporaryDirectory()
    const { code, out, err } = await latchkey(args, { directory: directory.path })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Examples:')
    expect(out).toContain(text)
  })

  test('names a command that npx finds by the name of the package', async () => {
    using directory = temporaryDirectory()
    const { out } = await latchkey(['--help'], { directory: directory.path })
    expect(out).toContain('npx latchkey-server')
    const file = new URL('../package.json', import.meta.url)
    const { name, bin } = JSON.parse(readFileSync(file, 'utf8')) as {
      name: string
      bin: Record<string, string>
    }
    expect(Object.keys(bin).toSorted()).toEqual(['latchkey', name])
    expect(new Set(Object.values(bin)).size).toBe(1)
    for (const page of ['../README.md', '../../../README.md'])
      expect(readFileSync(new URL(page, import.meta.url), 'utf8')).toContain(`npx ${name} serve`)
  })

  test('is not needed for --version, which prints the version of the package', async () => {
    using directory = temporaryDirectory()
    const { out } = await latchkey(['--version'], { directory: directory.path })
    const file = new URL('../package.json', import.meta.url)
    expect(out.trim()).toBe((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version)
  })
})

describe('an invalid command line ends with 2:', () => {
  test.each([
    [['serv'], "unknown command 'serv'"],
    [['serve', '--prot', '1'], 'Did you mean --port?'],
    [['serve', 'now'], 'too many arguments'],
    [['serve', '--port'], 'argument missing'],
    [['schema', '--dialect', 'oracle'], 'Allowed choices are'],
    [['tokens', 'sael'], "unknown command 'sael'"],
    [['tokens', 'seal', 'all'], 'too many arguments'],
    [['passwords', 'calibrate', '--target', 'fast'], 'It must be a whole number.'],
  ])('%j', async (args, message) => {
    using directory = temporaryDirectory()
    const { code, out, err } = await latchkey(args, { directory: directory.path })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(/ \(latchkey\/docs\/reference\/errors\.md#command-line-of-the-service\)\n$/)
  })
})

test('"latchkey secret" prints a secret and nothing else', async () => {
  using directory = temporaryDirectory()
  const { code, out } = await latchkey(['secret'], { directory: directory.path })
  expect(code).toBe(0)
  expect(out).toMatch(/^[\w-]{43}\n$/)
})

test('"latchkey passwords calibrate" prints options for this machine, and what they cost (PW-17)', async () => {
  using directory = temporaryDirectory()
  const args = ['passwords', 'calibrate', '--target', '150', '--memory', '8']
  const { code, out, err } = await latchkey(args, { directory: directory.path })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^passwords\(\{ hash: \{ memory: \d+, passes: \d+ \} \}\)\n/)
  expect(out).toContain('10 sign-ins at once: ')
  expect(out).toContain('100 sign-ins at once: ')
})

test('"latchkey passwords calibrate" refuses a target out of bounds', async () => {
  using directory = temporaryDirectory()
  const args = ['passwords', 'calibrate', '--target', '99999']
  const { code, err } = await latchkey(args, { directory: directory.path })
  expect(code).toBe(1)
  expect(err).toContain('`target` must be whole milliseconds from 1 to 10000, got 99999')
})

describe('"latchkey providers"', () => {
  const run = async (...args: string[]) => {
    using directory = temporaryDirectory()
    return latchkey(['providers', ...args], { directory: directory.path })
  }
  const folder = new URL('../../latchkey/src/providers/', import.meta.url)
  const modules = readdirSync(folder)
    .filter((file) => /^(?!define\.)[\w-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))

  test('lists every provider that has a file', async () => {
    const { code, out, err } = await run()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const ids = out.split('\n').flatMap((line) => line.split(' ')[0] || [])
    expect(ids.sort()).toEqual(modules.map((m) => (m === 'ory-hydra' ? 'hydra' : m)).sort())
    expect(out).toMatch(/^azure-devops +Azure DevOps, .* +OAuth 2\.0, deprecated$/m)
  })

  test('accepts the other names of those, and each once', async () => {
    expect(modules).toEqual(expect.arrayContaining(Object.keys(OTHER_NAMES)))
    const { out } = await run()
    const names = out.split('\n').map((line) => (line.split(/ {2,}/)[1] ?? '').split(', '))
    expect(names.filter((each) => new Set(each).size < each.length)).toEqual([])
  })

  test('lists the settings of each, with which the library starts', async () => {
    const settings: Record<string, string> = {}
    const names: string[] = []
    for (const { description } of await readCatalogue()) {
      if (!isOAuth(description) || optionsOf(description).length > 0) continue
      names.push(description.id)
      for (const name of variablesOf(description))
        settings[name] = name.endsWith('_ISSUER') ? 'https://issuer.example' : 'given'
    }
    const providers = await namedProviders(names, settings)
    const config = { providers, secret: 's'.repeat(32), trustHost: true, basePath: '/auth' }
    const answer = await Auth(new Request('https://x.example/auth/providers'), config)
    expect(answer.status).toBe(200)
    expect(Object.keys((await answer.json()) as object).length).toBeGreaterThan(90)
  })

  test.each([
    ['azure-ad', 'AUTH_AZURE_AD_ID', 'microsoft-entra-id'],
    ['email', 'latchkey/providers/email', 'nodemailer'],
  ])(
    '%s: finds the provider with the id, and mentions others of that name',
    async (id, detail, other) => {
      const { out } = await run(id)
      expect(out).toContain(detail)
      expect(out).toMatch(new RegExp(`^see also +${other}$`, 'm'))
    },
  )

  test.each([
    [
      'github',
      `name          GitHub
kind          OAuth 2.0
to set        AUTH_PROVIDERS=github
              AUTH_GITHUB_ID
              AUTH_GITHUB_SECRET
callback URL  https://your.site/auth/callback/github
page          docs/reference/providers/github.md
`,
    ],
    [
      'ory-hydra',
      `name              Hydra, Ory Hydra
kind              OpenID Connect
to set            AUTH_PROVIDERS=hydra
                  AUTH_HYDRA_ID
                  AUTH_HYDRA_SECRET
                  AUTH_HYDRA_ISSUER
callback URL      https://your.site/auth/callback/hydra
post-logout URL   https://your.site/auth/logout/return
back-channel URL  https://your.site/auth/logout/backchannel/hydra
page              docs/reference/providers/ory-hydra.md
`,
    ],
    [
      'resend',
      `name    Resend
kind    sign-in mail
to set  AUTH_PROVIDERS=resend
        AUTH_RESEND_KEY
        MAIL_FROM
page    docs/reference/providers/resend.md
`,
    ],
    [
      'netsuite',
      `name               NetSuite
kind               OAuth 2.0
to set             AUTH_NETSUITE_ID
                   AUTH_NETSUITE_SECRET
in auth.providers  latchkey/providers/netsuite
with the options   accountID
                   userinfo
callback URL       https://your.site/auth/callback/netsuite
page               docs/reference/providers/netsuite.md
`,
    ],
  ])('%s: lists the settings, and what to register (OUT-10)', async (text, out) => {
    expect(await run(text)).toEqual({ code: 0, out, err: '' })
  })

  test('finds a service by another name, in any spelling', async () => {
    const twitter = await run('twitter')
    expect(twitter.out).toContain('AUTH_TWITTER_ID')
    expect(await run('x')).toEqual(twitter)
    expect(await run('TWITTER')).toEqual(twitter)
    expect((await run('hugging', 'face')).out).toContain('AUTH_HUGGINGFACE_ID')
    expect((await run('ory', 'hyd')).out).toContain('AUTH_HYDRA_ID')
  })

  test('lists providers by a part of the name, and mentions those with the word', async () => {
    const { out } = await run('azure')
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'azure-ad',
      'azure-ad-b2c',
      'azure-devops',
      'microsoft-entra-id',
      '',
    ])
    const microsoft = await run('microsoft')
    expect(microsoft.out).toMatch(/^see also +microsoft-entra-id$/m)
    expect(microsoft.out).toContain('_ISSUER, or it is https://login.microsoftonline.com/')
  })

  test.each([
    ['gihub', 'there is no provider "gihub"; did you mean "github"?'],
    [
      'no such thing at all',
      'there is no provider "no such thing at all"; list all with "latchkey providers"',
    ],
    ['?', 'there is no provider "?"'],
  ])('%s: fails', async (text, message) => {
    const { code, out, err } = await run(text)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`latchkey: ${message}`)
  })
})

describe('"latchkey migrate"', () => {
  test('creates the tables, and reports if there is nothing to do', async () => {
    using directory = temporaryDirectory()
    const run = (...args: string[]) =>
      latchkey(['migrate', '--database', 'file:data.db', ...args], { directory: directory.path })
    const path = join(directory.path, 'data.db')

    expect(await run('--check')).toEqual({
      code: 1,
      out: '',
      err: `latchkey: database: there is no file ${path}; run "latchkey migrate" to create it (latchkey/docs/reference/errors.md#stores-of-the-service)\n`,
    })
    expect(existsSync(path)).toBe(false)
    expect(await run()).toEqual({ code: 0, out: `done: ${path}\n`, err: '' })
    expect(await run()).toEqual({ code: 0, out: `nothing to do: ${path}\n`, err: '' })
    expect(await run('--check')).toEqual({ code: 0, out: `up to date: ${path}\n`, err: '' })
  })

  test.each([
    ['latchkey.config.ts', '{}'],
    ['latchkey.config.mts', '{"type": "commonjs"}'],
  ])('with %s in a package %s causes no warning', async (name, manifest) => {
    using directory = temporaryDirectory()
    writeFileSync(join(directory.path, 'package.json'), manifest)
    const text = "import 'node:fs'\nexport default { database: 'file:data.db' as string }"
    writeFileSync(join(directory.path, name), text)
    const { code, err } = await latchkey(['migrate'], { directory: directory.path })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('reports existing tables that do not fit', async () => {
    using directory = temporaryDirectory()
    using database = new DatabaseSync(join(directory.path, 'data.db'))
    database.exec('CREATE TABLE "user" (id TEXT PRIMARY KEY, name, email, emailVerified, image)')
    const run = (...args: string[]) =>
      latchkey([...args, '--database', 'file:data.db'], { directory: directory.path })
    const refusal = {
      code: 1,
      err: expect.stringMatching(
        /do not fit and were not changed \(1 finding.*"latchkey migrate --check"/,
      ),
    }
    expect(await run('migrate')).toMatchObject(refusal)
    expect(await run('migrate')).toMatchObject(refusal)
    const { out } = await run('migrate', '--check')
    expect(out).toMatch(/has no unique index on email/)
    database.exec(out.split('\n')[1] ?? '')
    expect(await run('migrate')).toMatchObject({ code: 0, err: '' })
  })

  test('creates a file of libSQL for its owner only, and --check creates none', async () => {
    using directory = temporaryDirectory()
    const path = join(directory.path, 'data.db')
    const run = (...args: string[]) =>
      latchkey(['migrate', ...args, '--database', 'libsql:data.db'], { directory: directory.path })
    expect(await run('--check')).toMatchObject({ code: 1, out: '' })
    expect(existsSync(path)).toBe(false)
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('--check reports what is missing', async () => {
    using directory = temporaryDirectory()
    new DatabaseSync(join(directory.path, 'data.db')).close()
    const args = ['migrate', '--check', '--database', 'file:data.db']
    const { code, out, err } = await latchkey(args, { directory: directory.path })
    expect(code).toBe(1)
    expect(out).toMatch(/table/i)
    expect(err).toBe(
      'latchkey: database: its tables do not fit; run "latchkey migrate" if they do not exist yet, or the statements above (latchkey/docs/reference/errors.md#stores-of-the-service)\n',
    )
  })

  test('schema prints SQL that creates the tables', async () => {
    using directory = temporaryDirectory()
    const { code, out } = await latchkey(['schema'], { directory: directory.path })
    expect(code).toBe(0)
    using database = new DatabaseSync(':memory:')
    database.exec(out)
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    expect(tables.length).toBeGreaterThanOrEqual(4)
  })
})

describe('"latchkey serve" stops with one line', () => {
  const secret = 'kY3vQm8Zr1Tn6Wc0Xp5Lb9Jd2Hf7Gs4A'
  const production = {
    NODE_ENV: 'production',
    AUTH_SECRET: secret,
    AUTH_URL: 'https://login.example.com',
    SMTP_URL: 'smtp://mail.example',
    PORT: '0',
    HOST: 'localhost',
  }

  async function mistake(
    env: Record<string, string>,
    args: string[] = [],
    files: Record<string, string> = {},
  ): Promise<string> {
    using directory = temporaryDirectory()
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(directory.path, name), text)
    const { code, out, err } = await latchkey(['serve', ...args], {
      directory: directory.path,
      env,
    })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^latchkey: [^\n]+\n$/)
    const [, line = '', section] = /^latchkey: (.*) \((latchkey\/docs\/\S+)\)\n$/.exec(err) ?? []
    expect(section).toBeDefined()
    return line.replaceAll(directory.path, '.')
  }

  test('without a secret in production (T-KEY-1)', async () => {
    expect(await mistake({ ...production, AUTH_SECRET: '' })).toMatch(/^secret: is required/)
  })

  test('with a known example as secret in production (T-KEY-1)', async () => {
    expect(await mistake({ ...production, AUTH_SECRET: 'secret' })).toMatch(/^secret: is a known/)
  })

  test('when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const message = await mistake({}, ['--port', String(port), '--host', '127.0.0.1'])
    expect(message).toBe(
      `port: ${port} is in use; stop the program that uses it, or choose another port with --port`,
    )
    const env = { npm_lifecycle_event: 'start', PORT: String(port), HOST: '127.0.0.1' }
    expect(await mistake(env)).toBe(
      `port: ${port} is in use; stop the program that uses it, or choose another port with npm start -- --port N`,
    )
    server.close()
  })

  test('when the host is not of this machine', async () => {
    expect(await mistake({ LATCHKEY_DEMO: 'false' }, ['--port', '0', '--host', '192.0.2.1'])).toBe(
      'host: 192.0.2.1 is not an address of this machine; choose another host with --host',
    )
  })

  test('when no way to sign in is configured', async () => {
    expect(await mistake({ ...production, SMTP_URL: '' })).toMatch(
      /^providers: there is no provider; set AUTH_PROVIDERS or SMTP_URL/,
    )
  })

  test('when a provider does not exist, or has no client', async () => {
    expect(await mistake({ AUTH_PROVIDERS: 'githbu' })).toBe(
      'providers: there is no provider "githbu" that can be named here',
    )
    expect(await mistake({ AUTH_PROVIDERS: 'github' })).toBe(
      'providers: github needs AUTH_GITHUB_ID; set it, or remove github from AUTH_PROVIDERS',
    )
  })

  test('when the library refuses its part of the configuration', async () => {
    const text = 'export default { auth: { providers: [{ id: "x", name: "X", type: "oauth" }] } }'
    expect(await mistake({ PORT: '0' }, [], { 'latchkey.config.js': text })).toMatch(
      /^auth: .*\bx\b/,
    )
  })

  test('when a plugin of the configuration cannot be set up', async () => {
    const plugin = '{ name: "broken", setUp: () => ({ handler: 1 }) }'
    const text = `import { definePlugin } from "${import.meta.resolve('latchkey/plugin')}"
export default { auth: { plugins: [definePlugin(${plugin})] } }`
    expect(await mistake({ PORT: '0' }, [], { 'latchkey.config.js': text })).toMatch(
      /^auth: `setUp` of the plugin broken returns the unknown member "handler"/,
    )
  })

  test.each([
    ['latchkey.config.ts', "import 'node:fs'\nexport default { port: 0 as number }", 'mts'],
    ['latchkey.config.ts', 'export default { port: 0 as number }', 'mts'],
    ['latchkey.config.js', "import 'node:fs'\nexport default { port: 0 }", 'mjs'],
  ])('when %s is a module in a package of another type: %j', async (name, text, ending) => {
    const files = { [name]: text, 'package.json': '{"type": "commonjs"}' }
    expect(await mistake({ PORT: '0' }, [], files)).toBe(
      `${name}: is an ES module, but package.json has another type; name it latchkey.config.${ending}, ` +
        'or set "type": "module" in package.json',
    )
  })

  test('when the named database is missing, or out of date, in production', async () => {
    const env = { ...production, DATABASE_URL: 'file:data.db' }
    expect(await mistake(env)).toBe(
      'database: there is no file ./data.db; run "latchkey migrate" with the same --database to create it',
    )
    expect(await mistake(env, [], { 'data.db': '' })).toMatch(
      /^database: its tables are out of date \(.*\); run "latchkey migrate"/,
    )
  })

  test('when the database file is not a database', async () => {
    const files = { 'data.db': 'this is no database at all, but long enough to look at'.repeat(20) }
    expect(await mistake({ PORT: '0' }, ['--database', 'file:data.db'], files)).toMatch(
      /^database: cannot use \.\/data\.db \(.*\): the file is not a SQLite database/,
    )
  })

  test('when the database is not supported, without its password', async () => {
    const message = await mistake({ DATABASE_URL: 'oracle://user:hidden@db.example/auth' })
    expect(message).toBe(
      'database: oracle: is not supported; use file:, libsql:, postgres: or mysql:',
    )
  })

  test('when the data directory cannot be created', async () => {
    expect(await mistake({ PORT: '0' }, [], { '.latchkey': 'a file' })).toMatch(
      /^dataDir: cannot .*; set LATCHKEY_DATA to a writable directory$/,
    )
  })
})
