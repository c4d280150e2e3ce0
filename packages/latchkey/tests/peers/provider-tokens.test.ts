import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import { createWorld } from '../../src/entries/testing.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitProvider,
} from '../support/openid-provider.ts'
import type { TokenProcess } from '../support/token-process.ts'
import { tokenProvider } from '../support/token-provider.ts'
import { recordsOf, tokensApi } from '../support/token-site.ts'

const ORIGIN = 'https://app.example'
/** Milliseconds that an access token lasts, and a little more. */
const LATER = 61_000

const url = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'
const database = `latchkey_tokens_${randomBytes(6).toString('hex')}`
const connectionString = Object.assign(new URL(url), { pathname: database }).href

describe('with oidc-provider, whose refresh tokens work once, and PostgreSQL', () => {
  const server = new pg.Client(url)
  const pool = new pg.Pool({ connectionString })
  // Its connections are ended with the database.
  pool.on('error', () => {})
  let provider: OpenIdProvider
  const children: ChildProcess[] = []

  beforeAll(async () => {
    provider = await startOpenIdProvider(`${ORIGIN}/auth/callback/acme`, {
      rotateRefreshToken: true,
      features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
      ttl: {
        AccessToken: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 60,
        RefreshToken: 600,
        Session: 600,
      },
    })
    await server.connect()
    await server.query(`CREATE DATABASE ${database}`)
    await migrate(pgStore(pool), { records: true })
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await provider.close()
    await pool.end()
    await server.query(`DROP DATABASE ${database} WITH (FORCE)`)
    await server.end()
  })

  const adapter = sqlAdapter(pgStore(pool), { records: true })

  /** Signs somebody in. @returns their cookie. */
  async function signIn(name: string) {
    const world = createWorld(
      {
        adapter,
        providers: [tokenProvider(provider.issuer)],
        plugins: [providerTokens()],
        session: { strategy: 'jwt' },
      },
      { startsAt: Date.now(), fetch: globalThis.fetch, seed: randomBytes(4).readUInt32BE() },
    )
    const begin = await world.post(`/auth/signin/acme?login_hint=${name}`)
    await world.get(
      (await visitProvider(begin.headers.get('location') ?? '', provider.issuer)).href,
    )
    expect(await world.session()).toMatchObject({ user: { name } })
    return { world, cookie: [...world.jar].map((pair) => pair.join('=')).join('; ') }
  }

  function start(cookie: string, ahead: number, stopAt?: TokenProcess['stopAt']): ChildProcess {
    const told: TokenProcess = { issuer: provider.issuer, connectionString, cookie, ahead, stopAt }
    const script = new URL('../support/token-process.ts', import.meta.url)
    const execArgv = ['--conditions=source', '--no-warnings']
    const child = fork(script, [JSON.stringify(told)], { execArgv })
    children.push(child)
    return child
  }

  async function ask(child: ChildProcess, times: number) {
    child.send(times)
    const [said] = (await once(child, 'message')) as [{ tokens: string[] }]
    return said
  }

  const recordOf = async (name: string) =>
    (await recordsOf(adapter, 'provider-tokens')).find(({ data }) => data['account'] === name)?.data

  test('PT-24: eight processes call a thousand times each, and the provider receives one request', async () => {
    const { cookie } = await signIn('alice')
    const before = await provider.renewals()
    const all = Array.from({ length: 8 }, () => start(cookie, LATER))
    const said = await Promise.all(all.map((child) => ask(child, 1000)))
    expect(new Set(said.flatMap(({ tokens }) => tokens)).size).toBe(1)
    const after = await provider.renewals()
    expect([after.asked - before.asked, after.refused]).toEqual([1, 0])
    expect(await recordOf('alice')).toMatchObject({ gen: 1 })
    for (const child of all) child.kill()
  })

  test.each([
    ['ask', 'ok'],
    ['answer', 'RefreshTokenError'],
  ] as const)(
    'PT-25: a process that is killed (`kill -9`, %s): %s, and the session goes on',
    async (stopAt, outcome) => {
      const name = `killed-${stopAt}`
      const { cookie, world } = await signIn(name)
      const dying = start(cookie, LATER, stopAt)
      dying.send(10)
      expect((await once(dying, 'message'))[0]).toEqual({ stopped: stopAt })
      dying.kill('SIGKILL')
      await once(dying, 'exit')
      expect(await recordOf(name)).toMatchObject({ gen: 0, trying: {} })

      const { tokens } = await ask(start(cookie, LATER + 16_000), 50)
      expect(tokens).toHaveLength(1)
      if (outcome === 'ok') {
        expect(await recordOf(name)).toMatchObject({ gen: 1 })
      } else {
        expect(tokens).toEqual([outcome])
        expect(await recordOf(name)).toMatchObject({ error: { code: 'invalid_grant', lost: true } })
      }
      expect(await world.session()).toMatchObject({ user: { name } })
    },
  )

  test('PT-9: renews with an ID token of the same subject, and revokes disconnected tokens', async () => {
    const { world, cookie } = await signIn('bob')
    const request = new Request(ORIGIN, { headers: { cookie } })
    world.advance(LATER / 1000)
    const api = tokensApi(world)
    expect(await api.get(request, 'acme')).toMatchObject({ ok: true })
    expect(await recordOf('bob')).toMatchObject({ gen: 1 })
    expect(await api.revoke(request, 'acme')).toBe(true)
    expect(await recordOf('bob')).toBeUndefined()
  })
})
