import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type Visitor, visitor } from './support/browser.ts'
import { latchkey, type ServiceProcess, serviceProcess } from './support/command.ts'
import {
  askForLink,
  byMail,
  byPasskey,
  byPassword,
  byProvider,
  crowdConfig,
  crowdEnv,
  SECRET,
  sessionOf,
  toProvider,
  whoIs,
} from './support/crowd.ts'
import {
  cable,
  ownPostgres,
  ownRedis,
  postgresPrograms,
  REDIS_URL,
  runSql,
  temporaryDatabase,
  temporaryMariaDb,
} from './support/servers.ts'
import { temporaryDirectory } from './support/temporary.ts'

/** Every test starts processes, some of them several. */
const patient = { timeout: 240_000 }

const programs = postgresPrograms()

/** A service for a crowd, in a process of its own. */
function crowdService(
  directory: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  onOutput?: (out: string) => void,
): Promise<ServiceProcess> {
  const options = { directory, env: { ...crowdEnv(directory), ...env } }
  return serviceProcess({ ...options, ...(onOutput && { onOutput }) }, [
    '--config',
    crowdConfig,
    ...args,
  ])
}

describe('a service on PostgreSQL', patient, () => {
  test('signs in in every way, and keeps sessions through a restart', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const env = { DATABASE_URL: database.url }
    const people: Visitor[] = []
    {
      await using service = await crowdService(directory.path, env)
      const named = (): Visitor => {
        const person = visitor(service.origin)
        people.push(person)
        return person
      }
      await byProvider(named(), 'ada')
      await byMail(named(), 'bob', directory.path)
      await byPasskey(named(), 'cab')
      const [row] = await runSql(
        database.url,
        `SELECT id FROM "user" WHERE email = 'ada@acme.example'`,
      )
      await byPassword(named(), String(row?.['id']))
      expect((await service.end()).code).toBe(0)
    }
    await using service = await crowdService(directory.path, env)
    const names: unknown[] = []
    for (const { cookies } of people) {
      const later = visitor(service.origin)
      for (const [name, value] of cookies) later.cookies.set(name, value)
      names.push(await whoIs(later))
    }
    expect(names).toEqual([
      'ada@acme.example',
      'bob@mail.example',
      'cab@key.example',
      'ada@acme.example',
    ])
  })

  test('T-SESS-4: has no value of a session in its tables', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    await using service = await crowdService(directory.path, { DATABASE_URL: database.url })
    const person = visitor(service.origin)
    await byProvider(person, 'ada')
    const [row] = await runSql(database.url, `SELECT * FROM "session"`)
    const [cookie = ''] = [...person.cookies.keys()].filter((name) => /session/.test(name))
    for (const value of Object.values(row ?? {})) {
      const thief = visitor(service.origin)
      thief.cookies.set(cookie, String(value))
      expect(await whoIs(thief)).toBeUndefined()
    }
    expect(await whoIs(person)).toBe('ada@acme.example')
  })

  test('does not start in production before its tables exist, and names the command', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const env = {
      ...crowdEnv(directory.path),
      NODE_ENV: 'production',
      AUTH_SECRET: 'Zm9yIHByb2R1Y3Rpb24gb25seSwgMDEyMzQ1Njc4OWE',
      AUTH_URL: 'https://login.example.com',
      DATABASE_URL: database.url,
    }
    const options = { directory: directory.path, env }
    const serve = ['serve', '--port', '0', '--config', crowdConfig]
    const refused = await latchkey(serve, options)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toMatch(
      /^latchkey: database: its tables are out of date .*latchkey migrate/,
    )
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 1 })
    expect(await latchkey(['migrate'], options)).toMatchObject({ code: 0 })
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 0 })
    await using service = await serviceProcess(options, ['--config', crowdConfig])
    expect(service.output().out).toContain('listening')
  })

  test('waits for tables that are locked, and then reports how long that may take', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const env = { DATABASE_URL: database.url, DATABASE_TIMEOUT: '2' }
    const options = { directory: directory.path, env }
    expect(await latchkey(['migrate'], options)).toMatchObject({ code: 0 })
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('BEGIN; LOCK TABLE "latchkeyMigration"')
    const { code, err } = await latchkey(['migrate'], options)
    await other.end()
    expect(code).toBe(1)
    expect(err).toMatch(
      /^latchkey: database: .*\(57014\): the operation took longer than DATABASE_TIMEOUT/,
    )
  })

  test('T-DATA-3: is migrated once by several processes, and none fails', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const options = { directory: directory.path, env: { DATABASE_URL: database.url } }
    const ended = await Promise.all(Array.from({ length: 4 }, () => latchkey(['migrate'], options)))
    expect(ended.filter(({ code, err }) => code !== 0 || err !== '')).toEqual([])
    const words = ended.map(({ out }) => out.split(':')[0])
    expect(words.filter((word) => word === 'done')).toHaveLength(1)
    expect(words.filter((word) => word === 'nothing to do')).toHaveLength(3)
  })

  test.each([
    [
      'postgres://postgres:hidden@127.0.0.1:1/x',
      'ECONNREFUSED',
      'check that the server is running',
    ],
    [
      String(new URL('/there_is_no_such_database', 'postgres://postgres:hidden@127.0.0.1:5432')),
      '3D000',
      'create the database',
    ],
    [
      'postgres://postgres:hidden@127.0.0.1:5432/postgres?port=x',
      'ERR_SOCKET_BAD_PORT',
      'check the port',
    ],
  ])('reports what is wrong with %s', async (url, code, fix) => {
    using directory = temporaryDirectory()
    const env = { DATABASE_URL: url, DATABASE_TIMEOUT: '1' }
    const { code: exit, err } = await latchkey(['migrate'], { directory: directory.path, env })
    expect(exit).toBe(1)
    expect(err).toContain(`(${code}): ${fix}`)
    expect(err).not.toContain('hidden')
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  test.each([
    ['notes.txt', 'the file is not a SQLite database'],
    ['.', 'check that this process may read and write the file'],
  ])('reports what is wrong with the file %s, through libSQL', async (name, fix) => {
    using directory = temporaryDirectory()
    writeFileSync(join(directory.path, 'notes.txt'), 'Dear diary, '.repeat(100))
    const env = { DATABASE_URL: `libsql:${name}` }
    const { code, err } = await latchkey(['migrate'], { directory: directory.path, env })
    expect(code).toBe(1)
    expect(err).toMatch(/^latchkey: database: cannot use file:.* \(.+\): /)
    expect(err).toContain(fix)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe.each([
  ['MariaDB', temporaryMariaDb],
  ['libSQL', async () => ({ url: 'libsql:libsql.db', async [Symbol.asyncDispose]() {} })],
])('a service on %s', patient, (_, openDatabase) => {
  test('creates its tables, and signs in in every way', async () => {
    using directory = temporaryDirectory()
    await using database = await openDatabase()
    const env = { DATABASE_URL: database.url }
    const options = { directory: directory.path, env }
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 1 })
    expect(await latchkey(['migrate'], options)).toMatchObject({ code: 0, err: '' })
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 0 })
    await using service = await crowdService(directory.path, env)
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    const bob = visitor(service.origin)
    await byMail(bob, 'bob', directory.path)
    const cab = visitor(service.origin)
    await byPasskey(cab, 'cab')
    const names = await Promise.all([ada, bob, cab].map(whoIs))
    expect(names).toEqual(['ada@acme.example', 'bob@mail.example', 'cab@key.example'])
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
    expect((await service.end()).code).toBe(0)
  })
})

describe('a database with the tables of another adapter', patient, () => {
  test('is recognized, checked, and used as it is', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const env = { DATABASE_URL: database.url, DATABASE_NAMING: 'pg' }
    const options = { directory: directory.path, env }
    const schema = await latchkey(['schema', '--dialect', 'postgres', '--naming', 'pg'], options)
    expect(schema.out).toContain('"verification_token"')
    await runSql(database.url, schema.out)
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 0, err: '' })
    await runSql(
      database.url,
      'ALTER TABLE users DROP CONSTRAINT users_email_key, DROP COLUMN image',
    )
    const check = await latchkey(['migrate', '--check'], options)
    expect(check.code).toBe(1)
    expect(check.out).toMatch(/image .*missing\n {2}ALTER TABLE/)
    const mend = check.out.split('\n').filter((line) => line.startsWith('  '))
    for (const statement of mend) await runSql(database.url, statement)
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 0, err: '' })
    await expect(crowdService(directory.path, env)).rejects.toThrow('for passkeys')
    const without = { ...env, CROWD_PASSKEYS: 'no' }
    await using service = await crowdService(directory.path, without)
    const bob = visitor(service.origin)
    await byMail(bob, 'bob', directory.path)
    expect(await whoIs(bob)).toBe('bob@mail.example')
    const [row] = await runSql(database.url, 'SELECT id, email FROM users')
    expect(row).toEqual({ id: 1, email: 'bob@mail.example' })
  })

  test('gets the table of records unless it is switched off, and is checked for it', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const options = { directory: directory.path, env: { DATABASE_URL: database.url } }
    const without = { ...options, env: { ...options.env, DATABASE_RECORDS: 'false' } }
    expect(await latchkey(['migrate'], without)).toMatchObject({ code: 0, err: '' })
    expect(await latchkey(['migrate', '--check'], without)).toMatchObject({ code: 0 })
    const check = await latchkey(['migrate', '--check'], options)
    expect(check.code).toBe(1)
    expect(check.out).toContain('the table record is missing')
    expect(await latchkey(['migrate'], options)).toMatchObject({ code: 0, err: '' })
    expect(await latchkey(['migrate', '--check', '--records'], options)).toMatchObject({ code: 0 })
    expect(await latchkey(['migrate', '--check'], options)).toMatchObject({ code: 0 })
    const { out } = await latchkey(['schema', '--dialect', 'postgres', '--records'], options)
    expect(out).toContain('CREATE TABLE "record"')
  })

  test('is refused for an unknown naming', async () => {
    using directory = temporaryDirectory()
    const options = { directory: directory.path, env: { DATABASE_NAMING: 'postgresql' } }
    const { code, err } = await latchkey(['migrate'], options)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^latchkey: databaseNaming: must be one of singular, .*from DATABASE_NAMING/,
    )
  })
})

/**
 * Everything that needs the store is answered with 503, to people and to programs, within `limit`
 * seconds and a little.
 */
async function expectUnavailable(
  origin: string,
  person: Visitor,
  back: string,
  limit: number,
): Promise<void> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { csrfToken } = (await (await person.get('/auth/csrf')).json()) as { csrfToken: string }
  const fresh = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const begun = performance.now()
  const ask = async (path: string, accept: string, form?: Record<string, string>) => {
    const answer = await fetch(origin + path, {
      redirect: 'manual',
      headers: { cookie: form ? fresh : cookie, accept },
      ...(form && { method: 'POST', body: new URLSearchParams({ csrfToken, ...form }) }),
    })
    const seconds = (performance.now() - begun) / 1000
    expect([path, answer.status, seconds < limit + 1]).toEqual([path, 503, true])
    if (path !== '/readyz') expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.get('content-type')).toMatch(accept === 'text/html' ? 'html' : 'json')
  }
  await Promise.all([
    ask('/readyz', 'application/json'),
    ask('/auth/session', 'application/json'),
    ask('/auth/session', 'text/html'),
    ask('/auth/signin/email', 'text/html', { email: 'new@mail.example' }),
    ask('/auth/callback/email?token=x&email=new@mail.example', 'text/html'),
    ask(back, 'text/html'),
  ])
}

describe.skipIf(programs === undefined)('a PostgreSQL that fails', patient, () => {
  test('T-DATA-3: by a restart in mid-flow loses nothing, and signs nobody out', async () => {
    using directory = temporaryDirectory()
    await using server = await ownPostgres(programs ?? '')
    const env = { DATABASE_URL: server.url, DATABASE_TIMEOUT: '2' }
    await using service = await crowdService(directory.path, env)
    const ada = visitor(service.origin)
    const bob = visitor(service.origin)
    const cab = visitor(service.origin)
    await byProvider(ada, 'ada')
    const link = await askForLink(bob, 'bob', directory.path)
    const back = await toProvider(cab, 'cab')

    await server.kill()
    const before = sessionOf(ada)
    const while_ = await ada.get('/auth/session')
    expect(while_.status).toBe(503)
    expect(sessionOf(ada)).toBe(before)
    const ready = await ada.get('/readyz')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'database-unreachable' },
    ])
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
    expect((await bob.get(link)).status).toBe(503)
    expect(sessionOf(bob)).toBeUndefined()

    await server.start()
    await expect.poll(async () => (await ada.get('/readyz')).status).toBe(200)
    expect(await whoIs(ada)).toBe('ada@acme.example')
    await bob.get(link)
    expect(await whoIs(bob)).toBe('bob@mail.example')
    await cab.get(back)
    expect(await whoIs(cab)).toBe('cab@acme.example')
    expect(service.output().out).not.toContain('"level":60')
    expect((await service.end()).code).toBe(0)
  })

  test('to answer causes errors within DATABASE_TIMEOUT', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    await using line = await cable(database.url)
    const env = { DATABASE_URL: line.url, DATABASE_TIMEOUT: '3' }
    await using service = await crowdService(directory.path, env)
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    const before = sessionOf(ada)
    const backs = [await toProvider(ada, 'ada'), await toProvider(ada, 'ada')]
    line.stall()
    // With the connections that there are, and with new ones.
    for (const back of backs) await expectUnavailable(service.origin, ada, back, 3)
    expect(sessionOf(ada)).toBe(before)
    line.flow()
    await expect.poll(async () => (await ada.get('/readyz')).status, { timeout: 20_000 }).toBe(200)
    expect(await whoIs(ada)).toBe('ada@acme.example')
  })

  test('because it is read-only is reported to the balancer, and visitors may come back', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    await using service = await crowdService(directory.path, { DATABASE_URL: database.url })
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    const { pathname } = new URL(database.url)
    await runSql(
      database.url,
      `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    const ready = async () => {
      const answer = await ada.get('/readyz')
      return [answer.status, await answer.json()]
    }
    const reason = 'database-unwritable'
    await expect.poll(ready).toEqual([503, { status: 'unavailable', reason }])
    // Who is signed in stays so.
    expect(await whoIs(ada)).toBe('ada@acme.example')
    const bob = visitor(service.origin)
    const back = await toProvider(bob, 'bob')
    const answer = await bob.get(back)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    expect(sessionOf(bob)).toBeUndefined()
  })

  test('at the start is waited for', async () => {
    using directory = temporaryDirectory()
    await using server = await ownPostgres(programs ?? '')
    await server.kill()
    const env = { DATABASE_URL: server.url, DATABASE_TIMEOUT: '60' }
    const waiting = Promise.withResolvers<void>()
    const starting = crowdService(directory.path, env, [], (out) => {
      if (out.includes('"msg":"waiting for the database"')) waiting.resolve()
    })
    await Promise.race([waiting.promise, starting])
    await server.start()
    await using service = await starting
    expect(service.output().out).toContain('"msg":"waiting for the database"')
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    expect(await whoIs(ada)).toBe('ada@acme.example')
  })
})

describe('a connection that is cut', patient, () => {
  test.each([
    ['before the user is written', /insert into "user"/i],
    ['before the account is written', /insert into "account"/i],
    ['before the session is written', /insert into "session"/i],
    ['before they are kept', /commit/i],
  ])(
    'T-DATA-3: %s leaves no user without an account, and the next attempt succeeds',
    async (_, at) => {
      using directory = temporaryDirectory()
      await using database = await temporaryDatabase()
      await using line = await cable(database.url)
      const env = { DATABASE_URL: line.url, DATABASE_TIMEOUT: '2' }
      await using service = await crowdService(directory.path, env)
      // Statements that have a name are sent with their text once for each connection.
      const ada = visitor(service.origin)
      const back = await toProvider(ada, 'ada')
      line.cutBefore(at)
      const answer = await ada.get(back)
      expect(line.cuts).toBe(1)
      expect([302, 503]).toContain(answer.status)
      expect(sessionOf(ada)).toBeUndefined()
      const owners = 'SELECT u.id FROM "user" u LEFT JOIN "account" a ON a."userId" = u.id'
      expect(await runSql(database.url, `${owners} WHERE a."userId" IS NULL`)).toEqual([])

      await byProvider(ada, 'ada')
      expect(await whoIs(ada)).toBe('ada@acme.example')
      expect(await runSql(database.url, 'SELECT id FROM "user"')).toHaveLength(1)
      expect(await runSql(database.url, 'SELECT provider FROM "account"')).toHaveLength(1)
    },
  )
})

describe('a service with Redis', patient, () => {
  test('keeps sessions and one-time values in Redis, and users and accounts in the database', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const prefix = `latchkey-test-${database.url.slice(-8)}:`
    const env = { DATABASE_URL: database.url, REDIS_URL, REDIS_PREFIX: prefix }
    await using service = await crowdService(directory.path, env)
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    await byMail(visitor(service.origin), 'bob', directory.path)
    expect(await whoIs(ada)).toBe('ada@acme.example')
    expect(await runSql(database.url, 'SELECT * FROM "session"')).toEqual([])
    expect(await runSql(database.url, 'SELECT * FROM "verificationToken"')).toEqual([])
    expect(await runSql(database.url, 'SELECT * FROM "user"')).toHaveLength(2)
  })

  test('reports a missing database number', async () => {
    using directory = temporaryDirectory()
    const url = new URL('/9999', REDIS_URL).href
    const env = { REDIS_URL: url, DATABASE_TIMEOUT: '1', PORT: '0' }
    const { code, err } = await latchkey(['serve'], { directory: directory.path, env })
    expect(code).toBe(1)
    expect(err).toMatch(
      /^latchkey: redis: .* \(ERR DB index .*\): there is no database with this number/,
    )
  })

  test('responds at once without Redis for ten seconds, and signs nobody out', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    await using redis = await ownRedis()
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, DATABASE_TIMEOUT: '2' }
    await using service = await crowdService(directory.path, env)
    const ada = visitor(service.origin)
    await byProvider(ada, 'ada')
    const bob = visitor(service.origin)
    const link = await askForLink(bob, 'bob', directory.path)
    const before = sessionOf(ada)
    const since = performance.now()
    const back = await toProvider(ada, 'ada')
    redis.freeze()
    await expectUnavailable(service.origin, ada, back, 2)
    while (performance.now() - since < 5000) {
      const asked = performance.now()
      expect((await ada.get('/auth/session')).status).toBe(503)
      expect(performance.now() - asked).toBeLessThan(5000)
      expect(sessionOf(ada)).toBe(before)
    }
    redis.thaw()
    await redis.kill()
    while (performance.now() - since < 10_000) {
      expect((await ada.get('/auth/session')).status).toBe(503)
      await pause(200)
    }
    await redis.start()
    await expect.poll(async () => (await ada.get('/readyz')).status, { timeout: 20_000 }).toBe(200)
    expect(await whoIs(ada)).toBe('ada@acme.example')
    await bob.get(link)
    expect(await whoIs(bob)).toBe('bob@mail.example')
    const { out } = service.output()
    expect(out.match(/redis is away/g)?.length).toBeLessThan(4)
    expect(out).toContain('redis is back')
    expect(out).not.toContain(SECRET)
  })
})

describe('the output of the service', patient, () => {
  test('has no password of a database', async () => {
    using directory = temporaryDirectory()
    await using database = await temporaryDatabase()
    const url = new URL(database.url)
    url.password = 'a-password-in-the-url'
    const env = { DATABASE_URL: url.href, LOG_LEVEL: 'trace' }
    await using service = await crowdService(directory.path, env)
    await byProvider(visitor(service.origin), 'ada')
    const { out, err } = await service.end()
    expect(out + err).not.toContain('a-password-in-the-url')
    expect(readFileSync(crowdConfig, 'utf8')).not.toContain('a-password-in-the-url')
  })
})
