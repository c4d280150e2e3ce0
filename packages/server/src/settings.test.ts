import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../tests/support/temporary.ts'
import type { ServiceConfig } from './define-config.ts'
import type { OptionName } from './options.ts'
import { loadSettings, type Settings } from './settings.ts'
import type { UserError } from './user-error.ts'

const SECRET = 'kY3vQm8Zr1Tn6Wc0Xp5Lb9Jd2Hf7Gs4A'
const production = {
  NODE_ENV: 'production',
  AUTH_SECRET: SECRET,
  AUTH_URL: 'https://login.example.com',
}

interface Said {
  env?: Record<string, string>
  flags?: Partial<Record<OptionName, string>>
  files?: Record<string, string>
  config?: string
}

async function load({ env = {}, flags = {}, files = {}, config }: Said = {}): Promise<Settings> {
  using directory = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory.path, name), text)
  return await loadSettings({ flags, env, directory: directory.path, config })
}

describe('the settings of the service', () => {
  test('are those of development on localhost:3000 by default', async () => {
    const settings = await load()
    expect(settings).toMatchObject({
      production: false,
      port: 3000,
      host: 'localhost',
      basePath: '/auth',
      demo: true,
      logFormat: 'text',
      logBuffer: false,
      trustHost: false,
      warnings: [],
    })
    expect(settings.origin).toBeUndefined()
    expect(Object.isFrozen(settings)).toBe(true)
  })

  test('come from a flag before the environment, and from the environment before the file', async () => {
    const files = { 'latchkey.config.json': '{"port": 1, "host": "file", "mailFrom": "a@file"}' }
    const env = { PORT: '2', HOST: 'env', LATCHKEY_DEMO: 'false' }
    expect(await load({ files, env, flags: { port: '3' } })).toMatchObject({
      port: 3,
      host: 'env',
      mailFrom: 'a@file',
    })
  })

  test('treat an empty variable as absent', async () => {
    expect(await load({ env: { PORT: '', AUTH_SECRET: '' } })).toMatchObject({
      port: 3000,
      secret: [],
    })
  })

  test('have the secrets of a rotation, newest first', async () => {
    const env = {
      AUTH_SECRET: `${SECRET}0`,
      AUTH_SECRET_1: `${SECRET}1`,
      AUTH_SECRET_3: `${SECRET}3`,
    }
    expect((await load({ env })).secret).toEqual([`${SECRET}3`, `${SECRET}1`, `${SECRET}0`])
  })

  test('have the path of the public URL as base path', async () => {
    const settings = await load({
      env: { AUTH_URL: 'https://example.com/account/', LATCHKEY_DEMO: 'false' },
    })
    expect(settings).toMatchObject({ origin: 'https://example.com', basePath: '/account' })
  })

  test('prefer a public URL to the address of the request', async () => {
    const env = { AUTH_URL: 'https://example.com', AUTH_TRUST_HOST: 'true', LATCHKEY_DEMO: 'false' }
    expect(await load({ env })).toMatchObject({ origin: 'https://example.com', trustHost: false })
  })

  test('do not default to production, which has no demo', async () => {
    expect(await load({ env: production })).toMatchObject({
      production: true,
      demo: false,
      host: undefined,
      logFormat: 'json',
      logBuffer: true,
      origin: 'https://login.example.com',
    })
  })

  test.each(['', 'development', 'test'])(
    'are those of development with NODE_ENV=%s',
    async (mode) => {
      expect(await load({ env: { NODE_ENV: mode } })).toMatchObject({
        production: false,
        demo: true,
      })
    },
  )

  test.each(['prod', 'Production', 'PRODUCTION', 'staging', ' production'])(
    'are refused with NODE_ENV=%s',
    async (mode) => {
      const { NODE_ENV: _, ...rest } = production
      await expect(load({ env: { ...rest, NODE_ENV: mode } })).rejects.toMatchObject({
        name: 'UserError',
        message: `NODE_ENV: ${JSON.stringify(mode)} must be production, development or test; set NODE_ENV=production, or unset it for development (latchkey/docs/reference/errors.md#options-of-the-service)`,
      })
    },
  )

  test('accept a weak secret with a warning in development', async () => {
    const { warnings } = await load({ env: { AUTH_SECRET: 'secret' } })
    expect(warnings).toEqual([expect.stringContaining('the secret is a known example')])
  })
})

describe('a configuration file', () => {
  test.each([
    ['latchkey.config.ts', 'const port: number = 8080\nexport default { port }'],
    ['latchkey.config.mts', 'const port: number = 8080\nexport default { port }'],
    ['latchkey.config.js', 'export default { port: 8080 }'],
    ['latchkey.config.mjs', 'export default async () => ({ port: 8080 })'],
    ['latchkey.config.json', '{ "port": 8080 }'],
  ])('%s', async (name, text) => {
    expect((await load({ files: { [name]: text } })).port).toBe(8080)
  })

  test('is called with its arguments', async () => {
    const files = {
      'latchkey.config.js':
        'export default ({ production, env }) => ({ port: production ? 1 : Number(env.MY) })',
    }
    expect((await load({ files, env: { MY: '77' } })).port).toBe(77)
  })

  test('is the named one', async () => {
    const files = { 'other.json': '{ "port": 8081 }', 'latchkey.config.json': '{ "port": 8080 }' }
    expect((await load({ files, config: 'other.json' })).port).toBe(8081)
  })

  test('passes everything below auth to the library, except options of the service', async () => {
    const auth = { basePath: '/login', secret: SECRET, session: { maxAge: 60 } }
    const settings = await load({ files: { 'latchkey.config.json': JSON.stringify({ auth }) } })
    expect(settings).toMatchObject({ basePath: '/login', secret: [SECRET] })
    expect(settings.auth).toEqual({ session: { maxAge: 60 } })
  })
})

describe('a mistake is one line that names the option and the fix', () => {
  const json = (value: unknown) => ({ files: { 'latchkey.config.json': JSON.stringify(value) } })
  const js = (text: string) => ({ files: { 'latchkey.config.js': text } })

  const mistakes: readonly [Said, string][] = [
    [
      { flags: { port: 'abc' } },
      'port: must be a whole number from 0 to 65535 (got "abc", from --port)',
    ],
    [
      { env: { PORT: '65536' } },
      'port: must be a whole number from 0 to 65535 (got "65536", from PORT)',
    ],
    [{ env: { PORT: '-1' } }, 'port: must be a whole number from 0 to 65535 (got "-1", from PORT)'],
    [
      json({ port: 1.5 }),
      'port: must be a whole number from 0 to 65535 (got 1.5, from latchkey.config.json)',
    ],
    [
      json({ port: {} }),
      'port: must be a whole number from 0 to 65535 (got {}, from latchkey.config.json)',
    ],
    [
      { env: { LATCHKEY_THEME_NAME: 'x'.repeat(61) } },
      `themeName: must be a name of 1 to 60 characters (got "${'x'.repeat(61)}", from LATCHKEY_THEME_NAME)`,
    ],
    [
      { env: { LATCHKEY_THEME_ACCENT: 'red;x' } },
      'themeAccent: must be a CSS colour such as #0a6b4b (got "red;x", from LATCHKEY_THEME_ACCENT)',
    ],
    [
      { env: { LATCHKEY_THEME_LOGO: 'javascript:alert(1)' } },
      'themeLogo: must be an https address, a path such as /logo.svg, or a data: image of at most 16 kB (got "javascript:alert(1)", from LATCHKEY_THEME_LOGO)',
    ],
    [
      json({ themeTerms: '//evil.example' }),
      'themeTerms: must be an https or mailto address, or a path such as /terms (got "//evil.example", from latchkey.config.json)',
    ],
    [
      { env: { LATCHKEY_THEME_LOGO_DARK: '/dark.svg' } },
      'themeLogoDark: needs themeLogo, the value for light pages; set both',
    ],
    [
      json({ host: 7 }),
      'host: must be a host name or an address (got 7, from latchkey.config.json)',
    ],
    [
      { env: { AUTH_URL: 'login.example.com' } },
      'url: must be a URL such as https://login.example.com (got "login.example.com", from AUTH_URL)',
    ],
    [
      { env: { AUTH_URL: 'ftp://example.com' } },
      'url: must be a URL such as https://login.example.com (got "ftp://example.com", from AUTH_URL)',
    ],
    [
      { env: { AUTH_URL: 'https://example.com/?a=b' } },
      'url: must be without user name, query and fragment (got "https://example.com/?a=b", from AUTH_URL)',
    ],
    [
      { env: { AUTH_URL: 'https://example.com/a', AUTH_BASE_PATH: '/b' } },
      'url: its path /a differs from basePath /b; remove the path from the URL',
    ],
    [
      { env: { AUTH_BASE_PATH: 'auth' } },
      'basePath: must be a path such as /auth, without a slash at its end (got "auth", from AUTH_BASE_PATH)',
    ],
    [
      { env: { AUTH_BASE_PATH: '/' } },
      'basePath: must be a path such as /auth, without a slash at its end (got "/", from AUTH_BASE_PATH)',
    ],
    [
      { env: { AUTH_TRUST_HOST: 'https://example.com' } },
      'trustHost: must be true, false or a list of hosts such as login.example.com (got "https://example.com", from AUTH_TRUST_HOST)',
    ],
    [
      { env: { SMTP_URL: 'https://user:hidden@example.com' } },
      'smtp: must begin with smtp:// or smtps:// and name a server (from SMTP_URL)',
    ],
    [
      { env: { SMTP_URL: 'smtp://' } },
      'smtp: must begin with smtp:// or smtps:// and name a server (from SMTP_URL)',
    ],
    [
      { env: { SMTP_URL: 'smtp://ada:hidden%zz@mail.example' } },
      'smtp: has a broken percent sign; write %25 for the character itself (from SMTP_URL)',
    ],
    [
      { env: { REDIS_URL: 'redis:127.0.0.1' } },
      'redis: must begin with redis:// or rediss:// and name a server (from REDIS_URL)',
    ],
    [
      { env: { REDIS_URL: 'redis://:hidden%zz@127.0.0.1' } },
      'redis: has a broken percent sign; write %25 for the character itself (from REDIS_URL)',
    ],
    [
      { env: { REDIS_URL: 'redis://:hidden@127.0.0.1/sessions' } },
      'redis: must end with the server, or with the number of a database, such as /0 (from REDIS_URL)',
    ],
    [
      { env: { AUTH_URL: 'https://ada:hidden@login.example' } },
      'url: must be without user name, query and fragment (got "https://…@login.example", from AUTH_URL)',
    ],
    [
      { env: { AUTH_URL: 'https://ada:hid@den@login.example' } },
      'url: must be without user name, query and fragment (got "https://…@login.example", from AUTH_URL)',
    ],
    [
      { env: { AUTH_URL: 'https://ada:hid/den@login.example' } },
      'url: must be a URL such as https://login.example.com (got "https://…@login.example", from AUTH_URL)',
    ],
    [
      { env: { MAIL_FROM: 'nobody' } },
      'mailFrom: must be an address such as Acme <login@acme.example> (got "nobody", from MAIL_FROM)',
    ],
    [
      { env: { LOG_LEVEL: 'loud' } },
      'logLevel: must be one of trace, debug, info, warn, error, silent (got "loud", from LOG_LEVEL)',
    ],
    [
      { env: { LOG_FORMAT: 'xml' } },
      'logFormat: must be json or text (got "xml", from LOG_FORMAT)',
    ],
    [
      { env: { LATCHKEY_DEMO: 'maybe' } },
      'demo: must be true or false (got "maybe", from LATCHKEY_DEMO)',
    ],
    [
      { env: { LATCHKEY_BODY_LIMIT: '1' } },
      'bodyLimit: must be a whole number from 1024 to 67108864 (got "1", from LATCHKEY_BODY_LIMIT)',
    ],
    [
      { env: { AUTH_PROVIDERS: 'git hub' } },
      'providers: must be a list of provider names such as github,google (got "git hub", from AUTH_PROVIDERS)',
    ],
    [json({ secret: [] }), 'secret: must not be empty (from latchkey.config.json)'],
    [json({ prot: 1 }), 'latchkey.config.json: there is no option "prot"; did you mean "port"?'],
    [
      json({ databse: 1 }),
      'latchkey.config.json: there is no option "databse"; did you mean "database"?',
    ],
    [json({ zebra: 1 }), 'latchkey.config.json: there is no option "zebra"'],
    [
      json({ callbacks: {} }),
      'latchkey.config.json: there is no option "callbacks"; move it to "auth"',
    ],
    [
      json({ auth: { sesion: {} } }),
      'latchkey.config.json: there is no option "auth.sesion"; did you mean "auth.session"?',
    ],
    [json({ auth: [] }), 'latchkey.config.json: auth must be an object'],
    [
      json({ auth: { skipCSRFCheck: true } }),
      'latchkey.config.json: auth.skipCSRFCheck is for authors of frameworks; remove it',
    ],
    [
      json({ secret: SECRET, auth: { secret: SECRET } }),
      'latchkey.config.json: secret and auth.secret are both set; remove one',
    ],
    [
      json([]),
      'latchkey.config.json: must export an object (or a function that returns one) with the options as its members',
    ],
    [
      js('export const port = 1'),
      'latchkey.config.js: has no default export; write "export default { … }"',
    ],
    [js('throw new Error("first\\nsecond")'), 'latchkey.config.js: cannot be loaded: first'],
    [
      js('export default { auth: { adapter: {} }, database: "file:x" }'),
      'database: auth.adapter is also set, but only one can be used; remove one',
    ],
    [
      { files: { 'latchkey.config.js': '', 'latchkey.config.ts': '' } },
      'latchkey.config.ts and latchkey.config.js both exist; remove one, or choose one with --config',
    ],
    [
      { env: { NODE_ENV: 'production' } },
      'url: is required in production; set AUTH_URL or --url to the public URL, such as https://login.example.com (or set AUTH_TRUST_HOST to the accepted hosts)',
    ],
    [
      { env: { ...production, AUTH_SECRET: '' } },
      'secret: is required in production; run "latchkey secret", and set AUTH_SECRET to its output',
    ],
    [
      { env: { ...production, AUTH_SECRET: 'changeme' } },
      'secret: is a known example; run "latchkey secret", and use its output',
    ],
    [
      { env: { ...production, AUTH_SECRET: 'kY3vQm8Zr1' } },
      'secret: is too short: it has 10 characters, and needs at least 32; run "latchkey secret", and use its output',
    ],
    [
      { env: { ...production, AUTH_SECRET_1: 'a'.repeat(40) } },
      'secret: repeats a few characters; run "latchkey secret", and use its output',
    ],
    [
      { env: { LATCHKEY_DRAIN_DELAY: '10' } },
      'drainDelay: 10 is greater than drainTimeout 9; decrease it, or increase LATCHKEY_DRAIN_TIMEOUT',
    ],
    [
      { env: { ...production, LATCHKEY_DEMO: 'true' } },
      'demo: is not available in production; remove the option, or unset NODE_ENV',
    ],
  ]

  test.each(mistakes)('%j', async (said, message) => {
    const error = await load(said).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    // Others may be reported beside it.
    expect(error).toMatchObject({
      name: 'UserError',
      mistakes: expect.arrayContaining([message]),
    })
  })

  test.each([
    ['latchkey.config.json', '{ "secret": "part-of-a-secret" "port": 1 }', 'at line 1, column 32'],
    ['latchkey.config.json', '{ "secret": part-of-a-secret }', 'is not valid JSON'],
    ['latchkey.config.mjs', 'export default { secret: "x" partOfASecret }', 'cannot be loaded'],
  ])('SEC-29: without any text of a broken %s: %s', async (name, text, told) => {
    const error = await load({ files: { [name]: text } }).catch((reason: unknown) => reason)
    expect(String(error)).toContain(told)
    expect(String(error)).not.toMatch(/part-?of|partOf/i)
  })

  test('for a broken JSON file', async () => {
    await expect(load({ files: { 'latchkey.config.json': '{ "port": }' } })).rejects.toThrow(
      /^latchkey\.config\.json: cannot be loaded: [^\n]+ \(latchkey\/docs\/reference\/errors\.md#configuration-file-of-the-service\)$/,
    )
  })

  test('for a missing file', async () => {
    await expect(load({ config: 'nowhere.ts' })).rejects.toThrow(
      /^--config: there is no file .*nowhere\.ts \(latchkey\/docs\/reference\/errors\.md#configuration-file-of-the-service\)$/,
    )
  })
})

describe('the time for a shutdown', () => {
  test.each([
    [{}, { drainDelay: 0, drainTimeout: 9 }],
    [production, { drainDelay: 3, drainTimeout: 9 }],
    [
      { ...production, LATCHKEY_DRAIN_TIMEOUT: '30' },
      { drainDelay: 3, drainTimeout: 30 },
    ],
    [
      { ...production, LATCHKEY_DRAIN_TIMEOUT: '4' },
      { drainDelay: 1, drainTimeout: 4 },
    ],
    [
      { ...production, LATCHKEY_DRAIN_TIMEOUT: '0' },
      { drainDelay: 0, drainTimeout: 0 },
    ],
    [
      { ...production, LATCHKEY_DRAIN_DELAY: '9' },
      { drainDelay: 9, drainTimeout: 9 },
    ],
    [{ LATCHKEY_DRAIN_DELAY: '5' }, { drainDelay: 5, drainTimeout: 9 }],
  ])('of %j', async (env, times) => {
    expect(await load({ env })).toMatchObject(times)
  })
})

describe('the demo without real passwords', () => {
  const end = 'set NODE_ENV=production, or LATCHKEY_DEMO=true to allow this'

  test.each([
    [{ AUTH_URL: 'https://login.example.com' }, 'url: https://login.example.com is'],
    [{ AUTH_URL: 'http://10.0.0.1:3000' }, 'url: http://10.0.0.1:3000 is'],
    [{ AUTH_URL: 'https://localhost.example' }, 'url: https://localhost.example is'],
    [
      { AUTH_URL: 'https://login.example.com', NODE_ENV: 'test' },
      'url: https://login.example.com is',
    ],
    [{ HOST: '0.0.0.0' }, 'host: 0.0.0.0 is'],
    [{ HOST: '::' }, 'host: :: is'],
    [{ HOST: '192.168.0.7' }, 'host: 192.168.0.7 is'],
    [{ HOST: '127.evil.example' }, 'host: 127.evil.example is'],
    [{ HOST: '0.0.0.0', AUTH_URL: 'http://localhost:3000' }, 'host: 0.0.0.0 is'],
  ])('does not start at an address that others reach: %j', async (env, begin) => {
    await expect(load({ env })).rejects.toThrow(
      `${begin} reachable from other machines, and everybody who can reach the demo can sign in as any user; ${end}`,
    )
    // Asked for, it is there; refused, it is not; and both start.
    for (const [said, demo] of [
      ['true', true],
      ['false', false],
    ] as const) {
      const settings = await load({
        env: { ...env, LATCHKEY_DEMO: said },
      })
      expect(settings.demo).toBe(demo)
    }
    const files = { 'latchkey.config.json': '{"demo": true}' }
    expect(await load({ env, files })).toMatchObject({ demo: true })
  })

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '127.0.0.1' },
    { HOST: '::1' },
    { AUTH_URL: 'http://localhost:3000' },
    { AUTH_URL: 'http://127.0.0.2:3000' },
    { AUTH_URL: 'http://[::1]:3000' },
    { AUTH_URL: 'http://login.localhost:3000' },
  ])('starts by default on this machine: %j', async (env) => {
    expect(await load({ env })).toMatchObject({ demo: true })
  })
})

test('the type of the configuration file has the options of the table', () => {
  // Nothing here runs: it passes when it compiles.
  const same: [keyof ServiceConfig] extends [OptionName | 'auth']
    ? [OptionName | 'auth'] extends [keyof ServiceConfig]
      ? true
      : false
    : false = true
  expect(same).toBe(true)
})

test('all mistakes are reported at once, each in one line and once', async () => {
  const env = {
    NODE_ENV: 'production',
    AUTH_URL: 'login.example.com',
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    LATCHKEY_DEMO: 'true',
    AUTH_SECRET: 'short',
  }
  const refusal = await load({ env }).catch((error: unknown) => error)
  const { mistakes } = refusal as UserError
  expect(mistakes.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
    'port',
    'url',
    'logLevel',
    'secret',
  ])
  const docs = ' (latchkey/docs/reference/errors.md#options-of-the-service)'
  expect((refusal as UserError).message).toBe(mistakes.map((line) => line + docs).join('\n'))
})
