import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Provider } from 'oidc-provider'
import { createClient } from 'redis'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { latchkey } from './support/command.ts'
import { ownRedis, runSql, temporaryDatabase, temporaryMariaDb } from './support/servers.ts'
import { temporaryDirectory } from './support/temporary.ts'

const SECRET = 'vY0Jk4hGq3mB8sX1pT6wZ9rC2nD5fL7e'

/** A service in production, with a provider of passkeys that needs nothing else. */
const good = {
  NODE_ENV: 'production',
  AUTH_URL: 'https://login.example',
  AUTH_SECRET: SECRET,
  AUTH_PROVIDERS: 'passkey',
  LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/8',
}

/** Takes argon2 away, as on a Node.js before 24.7 without the package for it. */
const WITHOUT_ARGON2 = `
import crypto from 'node:crypto'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
delete crypto.argon2
syncBuiltinESMExports()
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('@node-rs/')) throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' })
    return next(name, context)
  },
})
`

interface Finding {
  readonly id: string
  readonly level: string
  readonly title: string
  readonly seen: string
  readonly fix: string
}

interface Report {
  readonly version: string
  readonly findings: readonly Finding[]
  readonly checked: readonly string[]
  readonly skipped: readonly { readonly id: string; readonly why: string }[]
}

/** Runs `latchkey doctor` as text and as JSON. */
async function doctor(env: Record<string, string>, config?: string) {
  using directory = temporaryDirectory()
  const args = ['doctor']
  if (config !== undefined) {
    const file = join(directory.path, 'doctor.config.mts')
    writeFileSync(file, config)
    args.push('--config', file)
  }
  const options = { directory: directory.path, env }
  const text = await latchkey(args, options)
  const json = await latchkey([...args, '--json'], options)
  expect({ code: json.code, err: json.err + text.err }).toEqual({ code: text.code, err: '' })
  const report = JSON.parse(json.out) as Report
  const ids = report.findings.map(({ id }) => id)
  const lines = text.out.split('\n').filter((line) => /^(?:error|warning) /.test(line))
  expect(lines).toHaveLength(ids.length)
  for (const { title, seen, fix } of report.findings)
    for (const part of [title, seen, fix]) expect(part).toMatch(/^[^\r\n]+$/)
  expect(text.out + json.out).not.toMatch(/vY0Jk4|hunter2/)
  return { code: text.code, ids, report, out: text.out, first: report.findings[0] }
}

async function migrated(url: string): Promise<void> {
  using directory = temporaryDirectory()
  await latchkey(['migrate', '--database', url], { directory: directory.path })
}

/** An OpenID provider whose clock is so many milliseconds off. */
async function openIdProvider(off = 0, configuration: object = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = new Provider(issuer, {
    features: { devInteractions: { enabled: false } },
    ...configuration,
  }).callback()
  server.on('request', (request, response) => {
    response.setHeader('date', new Date(Date.now() + off).toUTCString())
    void answer(request, response)
  })
  const env = {
    AUTH_PROVIDERS: 'keycloak',
    AUTH_KEYCLOAK_ID: 'id',
    AUTH_KEYCLOAK_SECRET: 'hunter2',
    AUTH_KEYCLOAK_ISSUER: issuer,
  }
  return {
    env,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A mail server that accepts one user. */
async function mailServer() {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === 'mails' && password === 'hunter2'
      callback(isRight ? null : new Error('unknown user'), { user: username })
    },
  })
  server.on('error', () => {})
  const { address, port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.server.address() as AddressInfo))
  })
  return {
    url: (password: string) => `smtp://mails:${password}@${address}:${port}`,
    host: `${address}:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** A way to a server on which everything takes so many milliseconds longer. */
async function slowWay(to: string, delay: number) {
  const target = new URL(to)
  const server = createTcpServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    near.on('data', (chunk) => setTimeout(() => far.write(chunk), delay))
    far.pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

describe('"latchkey doctor"', () => {
  test('PW-12: names scrypt where nothing has argon2, and what to install', async () => {
    await using database = await temporaryDatabase()
    await migrated(database.url)
    using directory = temporaryDirectory()
    const hook = join(directory.path, 'without-argon2.mjs')
    writeFileSync(hook, WITHOUT_ARGON2)
    const { report } = await doctor({
      ...good,
      AUTH_PROVIDERS: 'resend',
      AUTH_RESEND_KEY: 'key',
      MAIL_FROM: 'no-reply@login.example',
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`,
    })
    expect(report.findings.filter(({ id }) => id === 'password-hashing')).toMatchObject([
      {
        level: 'warning',
        seen: 'passwords are hashed with scrypt, since this runtime has no argon2',
        fix: 'use Node.js 24.7 or later, or run npm install @node-rs/argon2',
      },
    ])
  })

  test('finds nothing in a correct setup, and lists what it checked', async () => {
    await using database = await temporaryDatabase()
    await using redis = await ownRedis()
    await using provider = await openIdProvider()
    await using mails = await mailServer()
    await migrated(database.url)
    const { code, report, out } = await doctor({
      ...good,
      SMTP_URL: mails.url('hunter2'),
      ...provider.env,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      LATCHKEY_SESSION_STRATEGY: 'jwt',
    })
    expect(report.findings).toEqual([])
    expect(report.skipped).toEqual([])
    expect(code).toBe(0)
    expect(report.checked.toSorted()).toEqual([
      'client-address',
      'clock',
      'configuration',
      'database',
      'deleted-users',
      'front-channel',
      'lost-factors',
      'mail',
      'password-hashing',
      'plain-tokens',
      'provider',
      'push',
      'redis',
      'redis-eviction',
      'return-address',
      'revocation-bound',
      'sealed-records',
      'secret',
      'sessions-off',
      'strict-rotation',
      'tables',
    ])
    expect(out).toMatch(/^checked .*: nothing is wrong\n$/)
  })

  test('names a mail server that refuses the password, or does not answer', async () => {
    const mails = await mailServer()
    const refused = await doctor({ ...good, SMTP_URL: mails.url('hunter2-old') })
    expect(refused.report.findings.filter(({ id }) => id === 'mail')).toMatchObject([
      {
        level: 'error',
        seen: expect.stringContaining(`${mails.host} takes no mails: Invalid login`),
      },
    ])
    await mails[Symbol.asyncDispose]()
    const gone = await doctor({ ...good, SMTP_URL: mails.url('hunter2') })
    expect(gone.report.findings.filter(({ id }) => id === 'mail')).toMatchObject([
      { level: 'error', seen: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  test('LIM-1: names an https address without trusted proxies, where all clients count as one', async () => {
    const { LATCHKEY_TRUSTED_PROXIES: _, ...alone } = good
    const ofAddress = async (env: Record<string, string>) =>
      (await doctor(env)).report.findings.filter(({ id }) => id === 'client-address')
    expect(await ofAddress(alone)).toMatchObject([
      { level: 'warning', fix: 'set LATCHKEY_TRUSTED_PROXIES to the addresses of the proxy' },
    ])
    expect(await ofAddress(good)).toEqual([])
    expect(await ofAddress({ ...alone, LATCHKEY_LIMITS: 'false' })).toEqual([])
  })

  test.each([
    ['PostgreSQL', temporaryDatabase],
    ['MariaDB', temporaryMariaDb],
  ])('finds nothing wrong with a database of %s alone', async (_, open) => {
    await using database = await open()
    await migrated(database.url)
    const env = { ...good, DATABASE_URL: database.url, LATCHKEY_SESSION_STRATEGY: 'jwt' }
    const { code, report } = await doctor(env)
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] })
  })

  test('finds nothing in an empty directory, and creates nothing there', async () => {
    const { code, report } = await doctor({})
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] })
    expect(report.skipped).toContainEqual({
      id: 'database',
      why: 'the embedded database is created at the first start',
    })
  })

  test('names every mistake of the configuration', async () => {
    const { code, ids, report } = await doctor({
      NODE_ENV: 'production',
      AUTH_SECRET: SECRET,
      PORT: 'x',
    })
    expect({ code, ids }).toEqual({ code: 1, ids: ['configuration', 'configuration'] })
    expect(report.findings[0]).toMatchObject({
      level: 'error',
      title: 'the service would not start',
      seen: expect.stringContaining('port: '),
    })
    expect(report.findings[1]).toMatchObject({
      seen: 'url: is required in production',
      fix: expect.stringContaining('set AUTH_URL'),
    })
  })

  test.each<[string, Record<string, string>, string, string | undefined]>([
    ['nobody could sign in', { AUTH_PROVIDERS: '' }, 'there is no provider', undefined],
    ['the library finds a mistake', {}, '`margin`', 'margin: -1'],
  ])('names a mistake of the configuration: %s', async (_, env, seen, option) => {
    const config =
      option &&
      `import { providerTokens } from ${JSON.stringify(import.meta.resolve('latchkey/plugins/provider-tokens'))}
export default { auth: { plugins: [providerTokens({ ${option} })] } }`
    const { code, ids, first } = await doctor({ ...good, ...env }, config)
    expect({ code, ids }).toEqual({ code: 1, ids: ['configuration'] })
    expect(first?.seen).toContain(seen)
  })

  test('names a secret that production would refuse', async () => {
    const { code, ids, first } = await doctor({ AUTH_SECRET: 'hunter2' })
    expect({ code, ids }).toEqual({ code: 1, ids: ['secret'] })
    expect(first?.fix).toContain('latchkey secret')
  })

  test('names a database that does not respond', async () => {
    const { code, ids, first } = await doctor({
      ...good,
      DATABASE_URL: 'postgres://postgres:hunter2@127.0.0.1:1/none',
      DATABASE_TIMEOUT: '1',
    })
    expect({ code, ids }).toEqual({ code: 1, ids: ['database'] })
    expect(first).toMatchObject({
      seen: expect.stringContaining('ECONNREFUSED'),
      fix: 'check that the server is running, and check host and port',
    })
  })

  test('names missing tables, that of records among them', async () => {
    await using database = await temporaryDatabase()
    const env = { ...good, DATABASE_URL: database.url }
    const empty = await doctor(env)
    expect(empty.code).toBe(1)
    expect(new Set(empty.ids)).toEqual(new Set(['tables']))
    await migrated(database.url)
    await runSql(database.url, 'DROP TABLE record')
    const { ids, report } = await doctor(env)
    expect(new Set(ids)).toEqual(new Set(['tables']))
    expect(report.findings[0]).toMatchObject({
      level: 'error',
      seen: expect.stringContaining('record'),
      fix: expect.stringMatching(/latchkey migrate.*CREATE TABLE/i),
    })
  })

  test('names a Redis that does not respond, and one that evicts keys', async () => {
    const away = await doctor({ ...good, REDIS_URL: 'redis://127.0.0.1:1', DATABASE_TIMEOUT: '1' })
    expect({ code: away.code, ids: away.ids }).toEqual({ code: 1, ids: ['redis'] })
    await using redis = await ownRedis()
    const client = createClient({ url: redis.url })
    await client.connect()
    await client.configSet('maxmemory-policy', 'allkeys-lru')
    await client.close()
    const { code, ids, first } = await doctor({ ...good, REDIS_URL: redis.url })
    expect({ code, ids }).toEqual({ code: 1, ids: ['redis-eviction'] })
    expect(first?.seen).toMatch(/must be noeviction, got allkeys-lru/)
  })

  test('names a provider that cannot be reached', async () => {
    const provider = await openIdProvider()
    await provider[Symbol.asyncDispose]()
    const { code, ids, first } = await doctor({ ...good, ...provider.env })
    expect({ code, ids }).toEqual({ code: 1, ids: ['provider'] })
    expect(first?.seen).toContain('keycloak: http://127.0.0.1:')
  })

  test.each([
    [
      3600,
      'error',
      /^the clock of this machine is (?:3599|3600|3601) s behind the clock of keycloak; the limit is 5 s$/,
    ],
    [
      -30,
      'warning',
      /^the clock of this machine is (?:29|30|31) s ahead of the clock of keycloak; the limit is 5 s$/,
    ],
  ])('names a clock that is wrong by %i s', async (seconds, level, seen) => {
    await using provider = await openIdProvider(seconds * 1000)
    const { code, ids, first } = await doctor({ ...good, ...provider.env })
    expect({ code, ids }).toEqual({ code: 1, ids: ['clock'] })
    expect(first).toMatchObject({ level, seen: expect.stringMatching(seen) })
  })

  test('accepts a clock that is wrong by 3 s', async () => {
    await using provider = await openIdProvider(3000)
    expect((await doctor({ ...good, ...provider.env })).ids).toEqual([])
  })

  test('names push without a direct connection', async () => {
    await using database = await temporaryDatabase()
    await migrated(database.url)
    const { code, ids, first } = await doctor({
      ...good,
      DATABASE_URL: database.url,
      DATABASE_POOL: '1',
      LATCHKEY_SESSION_STRATEGY: 'jwt',
    })
    expect({ code, ids }).toEqual({ code: 1, ids: ['push'] })
    expect(first?.seen).toContain('databasePool is 1')
  })

  test('names push that the database user may not listen to', async () => {
    await using redis = await ownRedis()
    await using database = await temporaryDatabase()
    await migrated(database.url)
    const client = createClient({ url: redis.url })
    await client.connect()
    const rules = ['on', '>hunter2', '~*', 'resetchannels', '+@all']
    await client.sendCommand(['ACL', 'SETUSER', 'deaf', ...rules])
    await client.close()
    const url = new URL(redis.url)
    url.username = 'deaf'
    url.password = 'hunter2'
    const { code, ids, first } = await doctor({
      ...good,
      DATABASE_URL: database.url,
      REDIS_URL: url.href,
      LATCHKEY_SESSION_STRATEGY: 'jwt',
    })
    expect({ code, ids }).toEqual({ code: 1, ids: ['push'] })
    expect(first?.seen).toContain('the service cannot listen to notifications')
  })

  test('names a bound that is shorter than four round trips of the store', async () => {
    await using database = await temporaryDatabase()
    await migrated(database.url)
    await using way = await slowWay(database.url, 50)
    const env = { ...good, DATABASE_URL: way.url, LATCHKEY_SESSION_STRATEGY: 'jwt' }
    const { code, ids, first } = await doctor({ ...env, LATCHKEY_REVOCATION_BOUND: '150' })
    expect({ code, ids }).toEqual({ code: 1, ids: ['revocation-bound'] })
    expect(first?.seen).toMatch(
      /^revocationBound is 150 ms, but 4 responses of the store take \d+ ms \(\d+ ms each, median of 5\)$/,
    )
    expect((await doctor({ ...env, LATCHKEY_REVOCATION_BOUND: '60000' })).ids).toEqual([])
  })

  test('names a provider whose refresh tokens work once, if renewals are not coordinated', async () => {
    const env = { ...good, AUTH_PROVIDERS: 'zoom', AUTH_ZOOM_ID: 'id', AUTH_ZOOM_SECRET: 'hunter2' }
    const config = `export default { providerTokens: true, auth: { adapter: {}, session: { strategy: 'jwt' } } }`
    const { code, ids, first } = await doctor(env, config)
    expect({ code, ids }).toEqual({ code: 1, ids: ['strict-rotation'] })
    expect(first?.seen).toContain('zoom')
  })

  test('names tokens of providers in plain columns', async () => {
    const config = `import { providerTokens } from ${JSON.stringify(import.meta.resolve('latchkey/plugins/provider-tokens'))}
export default { auth: { plugins: [providerTokens({ columns: 'keep' })] } }`
    const { code, ids, first } = await doctor(good, config)
    expect({ code, ids }).toEqual({ code: 1, ids: ['plain-tokens'] })
    expect(first?.fix).toContain('latchkey tokens seal')
  })

  test.each([
    ["'all'", ['lost-factors']],
    ["'offered'", []],
  ])('names second factors without recovery codes: require %s', async (require, expected) => {
    const config = `import { twoFactor } from ${JSON.stringify(import.meta.resolve('latchkey/plugins/two-factor'))}
export default { auth: { plugins: [twoFactor({ require: ${require}, methods: ['totp'] })] } }`
    const { code, ids } = await doctor(good, config)
    expect({ code, ids }).toEqual({ code: expected.length, ids: expected })
  })

  describe('without the plugin sessions', () => {
    const day = 86_400
    const now = Math.floor(Date.now() / 1000)
    const config = (entries: object, more = '') =>
      `import { memoryAdapter } from ${JSON.stringify(import.meta.resolve('latchkey/adapters/memory'))}
import { atomic } from ${JSON.stringify(import.meta.resolve('latchkey/adapters'))}
const adapter = memoryAdapter()
const record = { kind: 'revocation-log', key: '1', version: 1, createdAt: new Date(), data: ${JSON.stringify(entries)} }
await adapter[atomic].createRecord(record, new Date())
export default { sessions: false, ${more} auth: { adapter, session: { strategy: 'jwt' } } }`
    const ended = { s: [['a-sid', now + day]], u: [['ada', 1, now + 2 * day]] }

    test('names ended sealed sessions that are valid once more', async () => {
      const { code, ids, first } = await doctor(good, config(ended))
      expect({ code, ids }).toEqual({ code: 1, ids: ['sessions-off'] })
      const until = new Date((now + 2 * day) * 1000).toISOString().slice(0, 10)
      expect(first?.seen).toContain(`2 ended sessions or users are accepted again`)
      expect(first?.fix).toBe(
        `change the secret, or wait until ${until}; sessionsOff: 'confirmed' silences this`,
      )
      expect(JSON.stringify(first)).not.toMatch(/a-sid|ada/)
    })

    test.each<[string, object, string]>([
      ['they expired by now', { s: [['a-sid', now - day]], u: [] }, ''],
      ['none was ended', { s: [], u: [] }, ''],
      ['the operator confirms that', ended, `sessionsOff: 'confirmed',`],
    ])('finds nothing if %s', async (_, entries, more) => {
      const { code, ids } = await doctor(good, config(entries, more))
      expect({ code, ids }).toEqual({ code: 0, ids: [] })
    })
  })

  describe('GEN-5: sealed sessions of users who were deleted outside of the library', () => {
    const record = (more: object = {}) => ({
      kind: 'session',
      key: 'a-sid',
      userId: 'ada',
      version: 1,
      data: { until: Date.now() + 86_400_000, provider: 'passkey', ...more },
    })
    const config = (session: object, users: readonly string[] = []) =>
      `import { memoryAdapter } from ${JSON.stringify(import.meta.resolve('latchkey/adapters/memory'))}
import { atomic } from ${JSON.stringify(import.meta.resolve('latchkey/adapters'))}
import credentials from ${JSON.stringify(import.meta.resolve('latchkey/providers/credentials'))}
const adapter = memoryAdapter()
for (const id of ${JSON.stringify(users)})
  await adapter.createUser({ id, email: id + '@example.com', emailVerified: null })
await adapter[atomic].createRecord({ ...${JSON.stringify(session)}, createdAt: new Date() }, new Date())
export default { auth: { adapter, session: { strategy: 'jwt' }, providers: [credentials({ authorize: () => null })] } }`

    test('are reported', async () => {
      const { code, ids, first } = await doctor(good, config(record()))
      expect({ code, ids }).toEqual({ code: 1, ids: ['deleted-users'] })
      expect(first?.seen).toContain(
        '1 sessions are valid, but their users (1) are not in the store',
      )
      expect(first?.fix).toContain('latchkey.adapter.deleteUser(id)')
      expect(JSON.stringify(first)).not.toMatch(/a-sid|\bada\b/)
    })

    test.each<[string, object, string[]]>([
      ['the user is there', record(), ['ada']],
      ['the session ended', record({ ended: { at: 1, reason: 'user-deleted' } }), []],
      ['the session expired', record({ until: 1 }), []],
      ['the user is one of a credentials provider', record({ provider: 'credentials' }), []],
    ])('are not searched for if %s', async (_, session, users) => {
      const { code, ids } = await doctor(good, config(session, users))
      expect({ code, ids }).toEqual({ code: 0, ids: [] })
    })
  })

  describe('the return address of a sign-out', () => {
    const client = (registered: readonly string[]) => ({
      clients: [
        {
          client_id: 'id',
          client_secret: 'hunter2',
          redirect_uris: ['https://login.example/auth/callback/keycloak'],
          post_logout_redirect_uris: registered,
        },
      ],
    })

    test('is reported if the provider does not know it', async () => {
      await using provider = await openIdProvider(0, client(['https://login.example/other']))
      const { code, ids, first } = await doctor({ ...good, ...provider.env })
      expect({ code, ids }).toEqual({ code: 1, ids: ['return-address'] })
      expect(first?.fix).toBe(
        'register https://login.example/auth/logout/return at keycloak as a post-logout redirect URI',
      )
    })

    test('is not reported if the provider knows it', async () => {
      const registered = client(['https://login.example/auth/logout/return'])
      await using provider = await openIdProvider(0, registered)
      const { code, ids } = await doctor({ ...good, ...provider.env })
      expect({ code, ids }).toEqual({ code: 0, ids: [] })
    })
  })

  test('reports logout through the front channel', async () => {
    await using provider = await openIdProvider()
    const config = `import { federatedLogout } from ${JSON.stringify(import.meta.resolve('latchkey/plugins/federated-logout'))}
export default { auth: { plugins: [federatedLogout({ frontchannel: { providers: ['keycloak'] } })] } }`
    const { code, ids } = await doctor({ ...good, ...provider.env }, config)
    expect({ code, ids }).toEqual({ code: 1, ids: ['front-channel'] })
  })
})
