import { randomBytes } from 'node:crypto'
import { type AuthConfig, createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { pgStore } from 'latchkey/adapters/sql/pg'
import { accounts } from 'latchkey/plugins/accounts'
import { limits } from 'latchkey/plugins/limits'
import { sessions } from 'latchkey/plugins/sessions'
import credentials from 'latchkey/providers/credentials'
import pg from 'pg'
import { secret } from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'
import { administer, SERVER } from '../postgres.ts'
import { ORIGIN } from './passwords.ts'

const PASSWORD = 'correct horse battery staple'
const ADDRESS = 'ada@example.com'

/** Somebody who signed in with a password, and reads the session. */
async function reading(
  strategy: 'jwt' | 'database',
  plugins: NonNullable<AuthConfig['plugins']> | undefined,
): Promise<Contender> {
  const adapter = memoryAdapter()
  const config: AuthConfig = {
    secret,
    adapter,
    trustHost: true,
    basePath: '/auth',
    session: { strategy },
    logger: { warn: () => undefined, debug: () => undefined },
    providers: [],
  }
  // Both read the session of the same sign-in, which only all plugins can make.
  const all = createLatchkey({ ...config, plugins: accounts({ limits: false }) }, {})
  const user = { id: 'ada', name: 'Ada', email: ADDRESS, emailVerified: new Date() }
  await adapter.createUser?.(user)
  await all.api.passwords.set('ada', PASSWORD)
  const answer = await all.handler(
    new Request(`${ORIGIN}/auth/password/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ identifier: ADDRESS, password: PASSWORD }),
    }),
  )
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { handler } = plugins ? createLatchkey({ ...config, plugins }, {}) : all
  return {
    prepare: () => new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }),
    run: (request) => handler(request as Request),
    async verify(response) {
      const session = (await (response as Response).json()) as { user?: { name?: string } } | null
      return session?.user?.name === 'Ada'
    },
  }
}

/** Sign-ins on PostgreSQL with a password that costs nothing to check. Each is of another network and another name. */
async function signingIn(
  adapter: NonNullable<AuthConfig['adapter']>,
  plugins: NonNullable<AuthConfig['plugins']>,
): Promise<Contender> {
  const config: AuthConfig = {
    secret,
    adapter,
    trustHost: true,
    basePath: '/auth',
    session: { strategy: 'jwt' },
    logger: { warn: () => undefined, debug: () => undefined },
    providers: [credentials({ credentials: {}, authorize: () => ({ id: 'ada', name: 'Ada' }) })],
    plugins,
  }
  const { handler } = createLatchkey(config, {})
  const asked = await handler(new Request(`${ORIGIN}/auth/csrf`))
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  let visitor = 0
  return {
    prepare() {
      const n = ++visitor
      return new Request(`${ORIGIN}/auth/callback/credentials`, {
        method: 'POST',
        headers: {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        },
        body: new URLSearchParams({ csrfToken, username: `visitor-${n}` }),
      })
    },
    run: (request) => handler(request as Request),
    verify: (response) =>
      (response as Response).headers.getSetCookie().some((each) => each.includes('session-token')),
  }
}

/** The same sign-in with limits and without, each with connections of its own to a database of both. */
async function limitedSignIns(): Promise<Case> {
  const name = `latchkey_bench_${randomBytes(6).toString('hex')}`
  await administer(`CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(SERVER), { pathname: name }).href
  const pools: pg.Pool[] = []
  const connect = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: url, max: 8 })
    // Its connections may still be going when the database is dropped.
    pool.on('error', () => {})
    pools.push(pool)
    return pool
  }
  await migrate(pgStore(connect()), { records: true })
  const adapter = () => sqlAdapter(pgStore(connect()), { records: true })
  const user = { id: 'ada', name: 'Ada', email: ADDRESS, emailVerified: new Date() }
  await adapter().createUser?.(user)
  const without = [sessions()]
  return {
    ours: await signingIn(adapter(), [...without, limits({ client: { hops: 1 } })]),
    limit: await signingIn(adapter(), without),
    within: 1.3,
    async close() {
      for (const pool of pools) await pool.end()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

const reads: readonly Planned[] = (['jwt', 'database'] as const).map((strategy) => [
  `GET session with all plugins of accounts, strategy ${strategy}, limit: with sessions() alone (ACC-14)`,
  async () => ({
    ours: await reading(strategy, undefined),
    limit: await reading(strategy, [sessions()]),
    within: 1.05,
  }),
])

/** What the plugins of accounts cost a read of the session, and a sign-in. */
export const accountCases: readonly Planned[] = [
  ...reads,
  [
    'sign-in on PostgreSQL with limits(), without hashing, limit: without limits() (ACC-21)',
    limitedSignIns,
  ],
]
