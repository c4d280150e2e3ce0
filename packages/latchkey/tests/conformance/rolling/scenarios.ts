import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { migrate, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../../src/adapters/sql/node-sqlite.ts'
import { type Call, definePlugin, type Host } from '../../../src/entries/plugin.ts'
import type { Adapter } from '../../../src/model/adapter.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { Provider } from '../../../src/options/provider-options.ts'
import { providerTokens } from '../../../src/plugins/provider-tokens/index.ts'
import { type SessionsApi, sessions } from '../../../src/plugins/sessions/index.ts'
import { tokens } from '../../../src/plugins/tokens/index.ts'
import { createWorld, type World } from '../../../src/testing/world.ts'

type Row = Record<string, SQLInputValue>

/** All that a version wrote: the cookies of a browser, the rows of the store, and values that programs received. */
export interface Written {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly cookies: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, readonly Row[]>>
  readonly values: Readonly<Record<string, string>>
}

/** A world whose store is a SQLite file. */
export interface Site {
  readonly world: World
  written(values?: Record<string, string>): Written
  close(): Promise<void>
}

const START = Date.UTC(2030, 0, 1)

export const scenarios = {
  'sealed session': {
    config: { session: { strategy: 'jwt' }, plugins: [sessions()] },
    async write({ world }) {
      await signIn(world)
      world.advance(2 * DAY)
      await world.session()
      return {}
    },
  },
  'stored session': {
    config: { session: { strategy: 'database' }, plugins: [sessions()] },
    async write({ world }) {
      await signIn(world)
      world.advance(2 * DAY)
      await world.session()
      return {}
    },
  },
  'sealed session without plugins': {
    config: { session: { strategy: 'jwt' } },
    async write({ world }) {
      await signIn(world)
      return {}
    },
  },
  'stored session without plugins': {
    config: { session: { strategy: 'database' } },
    async write({ world }) {
      await signIn(world)
      return {}
    },
  },
  'sign-in that waits at a gate': {
    config: { session: { strategy: 'database' }, plugins: [terms()] },
    async write({ world }) {
      await signIn(world)
      return {}
    },
  },
  'sign-in that has begun': {
    config: { session: { strategy: 'database' } },
    async write({ world }) {
      const begun = await world.post('/auth/signin/acme', { callbackUrl: '/after' })
      return { authorization: begun.headers.get('location') ?? '' }
    },
  },
  'sign-in by mail': {
    config: { session: { strategy: 'database' } },
    async write({ world, mails }) {
      await world.post('/auth/signin/email', { email: 'ada@example.com' })
      return { link: mails.at(-1) ?? '' }
    },
  },
  'provider tokens in records': {
    config: { plugins: [providerTokens({ store: 'records' })] },
    async write({ world }) {
      await signInAtAcme(world)
      return {}
    },
  },
  'provider tokens in a cookie': {
    config: { session: { strategy: 'jwt' }, plugins: [providerTokens({ store: 'cookie' })] },
    async write({ world }) {
      await signInAtAcme(world)
      return {}
    },
  },
  'provider tokens in the row of the account': {
    config: { session: { strategy: 'database' } },
    async write({ world }) {
      await signInAtAcme(world)
      return {}
    },
  },
  'API key': {
    config: { plugins: [sessions(), tokens({ apiKeys: { actsAsSession: true } })] },
    async write({ world }) {
      const api = world.core.plan(world.config).plugins?.api('tokens') as unknown as {
        createKey(who: object, key: object): Promise<{ token: string }>
      }
      const { token } = await api.createKey({ userId: 'ada' }, { name: 'CI' })
      return { token }
    },
  },
  'sealed session of a device': {
    config: { session: { strategy: 'jwt' }, plugins: [sessions(), tokens(devices())] },
    write: ({ world }) => letDeviceIn(world),
  },
  'stored session of a device': {
    config: { session: { strategy: 'database' }, plugins: [sessions(), tokens(devices())] },
    write: ({ world }) => letDeviceIn(world),
  },
  'log of ended sessions': {
    config: { session: { strategy: 'jwt' }, plugins: [sessions()] },
    async write({ world }) {
      const other = world.otherBrowser()
      await signIn(world)
      await signIn(other)
      const ended = cookiesOf(other)
      const api = world.core.plan(world.config).plugins?.api('sessions') as unknown as SessionsApi
      await api.endOthers(requestOf(world))
      return ended
    },
  },
} satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

interface Scenario {
  readonly config: Partial<AuthConfig>
  /** @returns values that programs received. */
  write(site: Site & { readonly mails: readonly string[] }): Promise<Record<string, string>>
}

const DAY = 24 * 60 * 60

const SECRET = 'the secret of two versions, 0123456789'

const PASSWORD = 'open sesame'

/** Writes a scenario with the library of this checkout. */
export async function writeScenario(name: ScenarioName): Promise<Written> {
  const site = await openSite(name)
  try {
    return site.written(await (scenarios[name] as Scenario).write(site))
  } finally {
    await site.close()
  }
}

/** Opens a scenario. @param given what another version wrote; else the store has Ada, and nobody is signed in. */
export async function openSite(
  name: ScenarioName,
  given?: Written,
): Promise<Site & { readonly mails: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-rolling-'))
  const file = join(folder, 'store.sqlite')
  const store = openNodeSqlite(file)
  await migrate(store, { records: true })
  const raw = new DatabaseSync(file)
  const adapter = sqlAdapter(store, { records: true })
  if (given) fill(raw, given)
  else await adapter.createUser?.({ ...ADA })
  const mails: string[] = []
  const config = { adapter, secret: SECRET, providers: providersOf(adapter, mails) }
  const world = createWorld(
    { ...config, ...(scenarios[name] as Scenario).config },
    { fetch: acmeFetch, seed: given ? 2 : 1, startsAt: given?.now ?? START },
  )
  for (const [cookie, value] of Object.entries(given?.cookies ?? {})) world.jar.set(cookie, value)
  return {
    world,
    mails,
    written: (values = {}) => ({
      now: world.now(),
      cookies: cookiesOf(world),
      tables: dump(raw),
      values,
    }),
    async close() {
      raw.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const ADA = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: new Date(0) }

function tablesOf(raw: DatabaseSync): string[] {
  const rows = raw
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .all()
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('sqlite_') && name !== 'latchkeyMigration')
}

function dump(raw: DatabaseSync): Record<string, readonly Row[]> {
  const tables = tablesOf(raw).map((name): [string, Row[]] => [
    name,
    raw
      .prepare(`select * from "${name}"`)
      .all()
      .map((row) => ({ ...row })) as Row[],
  ])
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0))
}

function fill(raw: DatabaseSync, { tables }: Written): void {
  raw.exec('pragma foreign_keys = off')
  for (const [name, rows] of Object.entries(tables)) {
    raw.exec(`delete from "${name}"`)
    for (const row of rows) {
      const columns = Object.keys(row)
      const names = columns.map((column) => `"${column}"`).join(', ')
      const places = columns.map(() => '?').join(', ')
      raw.prepare(`insert into "${name}" (${names}) values (${places})`).run(...Object.values(row))
    }
  }
}

function providersOf(adapter: Adapter, mails: string[]): Provider[] {
  return [
    {
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: { username: {}, password: { type: 'password' } },
      authorize: async ({ username, password }) =>
        password === PASSWORD ? ((await adapter.getUser?.(String(username))) ?? null) : null,
    },
    {
      id: 'email',
      name: 'Email',
      type: 'email',
      sendVerificationRequest: ({ url }) => {
        mails.push(url)
      },
    },
    {
      id: 'acme',
      name: 'Acme',
      type: 'oauth',
      clientId: 'client',
      clientSecret: 'client secret',
      checks: ['pkce', 'state'],
      authorization: { url: 'https://acme.example/authorize', params: { scope: 'read' } },
      token: 'https://acme.example/token',
      userinfo: 'https://acme.example/user',
      profile: (profile: { id: string; email: string }) => ({ ...profile, name: profile.id }),
    },
  ]
}

const acmeFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  if (new URL(request.url).pathname === '/user')
    return Response.json({ id: 'carol', email: 'carol@example.com' })
  const isRenewal = (await request.text()).includes('grant_type=refresh_token')
  return Response.json({
    access_token: isRenewal ? 'access-2' : 'access-1',
    refresh_token: isRenewal ? 'refresh-2' : 'refresh-1',
    token_type: 'bearer',
    scope: 'read',
    expires_in: 3600,
  })
}

function terms() {
  return definePlugin<'terms', object, Host>({
    name: 'terms',
    gate: 'require',
    needs: ['records'],
    routes: {
      terms: {
        POST: {
          who: 'pending',
          run:
            async () =>
            async ({ pending, request }: Call, host) => {
              await host.records.create({ kind: 'terms', key: `${pending?.user.id}`, data: {} })
              return host.resume({ request })
            },
        },
      },
    },
    setUp: (host) => ({
      own: host,
      atGate: async ({ user }) =>
        (await host.records.get('terms', user.id)) ? undefined : host.path('terms'),
    }),
  })
}

function devices() {
  return { device: { clients: [{ id: 'cli', name: 'CLI' }] } }
}

/** The cookies of a browser, without a preference that the earlier version does not read. */
function cookiesOf({ jar }: World): Record<string, string> {
  return Object.fromEntries([...jar].filter(([name]) => !name.endsWith('latchkey.last-used')))
}

export const requestOf = ({ jar, origin }: World): Request =>
  new Request(origin, {
    headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
  })

const signIn = (world: World): Promise<Response> =>
  world.post('/auth/callback/credentials', { username: 'ada', password: PASSWORD })

/** Returns to the site with the code of the provider. */
export function comeBack(world: World, authorization: string): Promise<Response> {
  const state = new URL(authorization).searchParams.get('state') ?? ''
  return world.get(`/auth/callback/acme?${new URLSearchParams({ code: 'code', state })}`)
}

async function signInAtAcme(world: World): Promise<void> {
  const begun = await world.post('/auth/signin/acme')
  await comeBack(world, begun.headers.get('location') ?? '')
}

async function letDeviceIn(world: World): Promise<Record<string, string>> {
  await signIn(world)
  const device = world.otherBrowser()
  const begun = await device.postWithoutCsrf('/auth/device/code', { client_id: 'cli' })
  const { device_code = '', user_code = '' } = (await begun.json()) as Record<string, string>
  const headers = { accept: 'text/html' }
  await world.post('/auth/device/enter', { user_code }, { headers })
  await world.post('/auth/device/decide', { decision: 'allow' }, { headers })
  const answer = await device.postWithoutCsrf('/auth/device/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
    client_id: 'cli',
  })
  const { access_token = '' } = (await answer.json()) as Record<string, string>
  return { token: access_token }
}
