import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { Latchkey } from '../../src/instance/types.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { customFetch } from '../../src/options/markers.ts'
import type { Provider } from '../../src/options/provider-options.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'

const SITE = 'https://app.example'
const HOUR = 3600

beforeEach(() => {
  // Whoever waits for another process does so by the real clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (seconds: number): unknown => vi.setSystemTime(Date.now() + seconds * 1000)

/** A provider whose refresh tokens work once, as RFC 9700 section 4.14.2 wants it for public clients. */
function createProvider() {
  const it = {
    /** What the token endpoint was asked for. */
    grants: [] as string[],
    /** What it answers instead. */
    fault: undefined as undefined | (() => Response | Promise<Response>),
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      if (new URL(request.url).pathname === '/me') return Response.json({ sub: 'ada' })
      const form = new URLSearchParams(await request.text())
      it.grants.push([form.get('grant_type'), form.get('refresh_token')].filter(Boolean).join(' '))
      const isRefresh = form.get('grant_type') === 'refresh_token'
      if (isRefresh && it.fault) return it.fault()
      if (isRefresh && form.get('refresh_token') !== `refresh-${given}`) {
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      }
      given++
      return Response.json({
        access_token: `access-${given}`,
        refresh_token: `refresh-${given}`,
        token_type: 'bearer',
        scope: 'read',
        expires_in: HOUR,
      })
    }) as typeof fetch,
  }
  let given = 0
  return it
}

type FakeProvider = ReturnType<typeof createProvider>

function application(
  provider: FakeProvider,
  adapter: Adapter | undefined,
  more: Partial<AuthConfig> = {},
): { latchkey: Latchkey; logged: unknown[] } {
  const logged: unknown[] = []
  const config: AuthConfig = {
    secret: 'a secret for tests, 0123456789abcdef',
    adapter,
    logger: { error: (error) => void logged.push(error), warn() {}, debug() {} },
    providers: [
      {
        id: 'acme',
        name: 'Acme',
        type: 'oauth',
        clientId: 'id',
        clientSecret: 'secret',
        authorization: 'https://acme.example/authorize',
        token: 'https://acme.example/token',
        userinfo: 'https://acme.example/me',
        profile: () => ({ id: 'ada', email: 'ada@example.com' }),
        [customFetch]: provider.fetch,
      },
      { id: 'credentials', name: 'P', type: 'credentials', credentials: {}, authorize: () => null },
    ],
    ...more,
  }
  return { latchkey: createLatchkey(config, { AUTH_URL: SITE }), logged }
}

function cookiesOf(headers: Headers): string {
  const lines = headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'))
  return lines.map((line) => line.split(';')[0]).join('; ')
}

/** The request of somebody who signed in with the provider. */
async function signedIn(latchkey: Latchkey): Promise<Request> {
  const begun = await latchkey.signIn.result(new Request(SITE), 'acme')
  const back = new URL(`${SITE}/auth/callback/acme?code=c`)
  back.searchParams.set('state', new URL(begun.url).searchParams.get('state') ?? '')
  const headers = { cookie: cookiesOf(begun.headers) }
  const end = await latchkey.handler(new Request(back, { headers }))
  return new Request(SITE, { headers: { cookie: cookiesOf(end.headers) } })
}

async function sqlite(): Promise<Adapter> {
  const database = openNodeSqlite(':memory:')
  await migrate(database)
  return sqlAdapter(database)
}

/** Without some of its abilities. */
function without(adapter: Adapter, ...names: string[]): Adapter {
  const kept = Object.entries(adapter[atomic] ?? {}).filter(([name]) => !names.includes(name))
  return { ...adapter, [atomic]: Object.fromEntries(kept) }
}

test('the token of a provider with configured endpoints is renewed without its metadata', async () => {
  const provider = createProvider()
  const adapter = memoryAdapter()
  const request = await signedIn(application(provider, adapter).latchkey)
  const asked: string[] = []
  const acme: Provider = {
    id: 'acme',
    name: 'Acme',
    type: 'oidc',
    issuer: 'https://acme.example',
    clientId: 'id',
    clientSecret: 'secret',
    authorization: 'https://acme.example/authorize',
    token: 'https://acme.example/token',
    [customFetch]: (input, init) => {
      asked.push(new URL(new Request(input).url).pathname)
      return provider.fetch(input, init)
    },
  }
  const { latchkey } = application(provider, adapter, { providers: [acme] })
  advance(HOUR)
  expect(await latchkey.getProviderToken(request, 'acme')).toMatchObject({
    access_token: 'access-2',
  })
  expect(asked).toEqual(['/token'])
})

describe.each(['jwt', 'database'] as const)('the token of a provider (%s)', (strategy) => {
  const session = { strategy, maxAge: 1000 * HOUR }

  test('is that of the sign-in while it is valid', async () => {
    const provider = createProvider()
    const { latchkey } = application(provider, memoryAdapter(), { session })
    const request = await signedIn(latchkey)
    advance(HOUR - 61)
    for (const input of [request, request.headers]) {
      expect(await latchkey.getProviderToken(input, 'acme')).toEqual({
        access_token: 'access-1',
        expires_at: Date.UTC(2030, 0, 1) / 1000 + HOUR,
        scope: 'read',
        token_type: 'bearer',
      })
    }
    expect(provider.grants).toEqual(['authorization_code'])
  })

  test('T-OIDC-15: is renewed before it ends, once for many calls, and stored', async () => {
    const provider = createProvider()
    const { latchkey } = application(provider, memoryAdapter(), { session })
    const request = await signedIn(latchkey)
    for (const number of [2, 3]) {
      advance(HOUR - 30)
      const asked = Array.from({ length: 20 }, () => latchkey.getProviderToken(request, 'acme'))
      for (const token of await Promise.all(asked)) {
        const expires_at = Math.floor(Date.now() / 1000) + HOUR
        expect(token).toMatchObject({ access_token: `access-${number}`, expires_at })
      }
    }
    expect(provider.grants).toEqual([
      'authorization_code',
      'refresh_token refresh-1',
      'refresh_token refresh-2',
    ])
  })

  test.each([
    ['memory', -30],
    ['memory', 30],
    ['SQLite', -30],
    ['SQLite', 30],
  ] as const)(
    'T-OIDC-15: is renewed once by eight processes (%s, %i s late); the others return the old one or wait',
    async (store, late) => {
      const provider = createProvider()
      const adapter = store === 'memory' ? memoryAdapter() : await sqlite()
      const all = Array.from(
        { length: 8 },
        () => application(provider, adapter, { session }).latchkey,
      )
      const request = await signedIn(all[0] as Latchkey)
      advance(HOUR + late)
      const tokens = await Promise.all(all.map((each) => each.getProviderToken(request, 'acme')))
      const names = tokens.map((token) => token?.access_token)
      expect(names.filter((name) => name === 'access-2')).toHaveLength(late < 0 ? 1 : 8)
      expect(names.filter((name) => name === 'access-1')).toHaveLength(late < 0 ? 7 : 0)
      expect(provider.grants).toEqual(['authorization_code', 'refresh_token refresh-1'])
    },
  )

  test('T-OIDC-15: is that of a faster process if there are no leases', async () => {
    const provider = createProvider()
    const adapter = without(memoryAdapter(), 'acquireLease')
    const all = [1, 2, 3].map(() => application(provider, adapter, { session }).latchkey)
    const request = await signedIn(all[0] as Latchkey)
    advance(HOUR + 30)
    const one = await all[0]?.getProviderToken(request, 'acme')
    const later = await Promise.all(all.map((each) => each.getProviderToken(request, 'acme')))
    expect(later).toEqual([one, one, one])
    expect(one?.access_token).toBe('access-2')
    advance(HOUR)
    // Of two that send the same refresh token, the second is refused.
    provider.fault = async () => {
      provider.fault = undefined
      await all[1]?.getProviderToken(request, 'acme')
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    expect((await all[0]?.getProviderToken(request, 'acme'))?.access_token).toBe('access-3')
  })

  test('is the old one while it is valid and the provider cannot be reached, and then an error', async () => {
    const provider = createProvider()
    const { latchkey, logged } = application(provider, memoryAdapter(), { session })
    const request = await signedIn(latchkey)
    provider.fault = () => new Response('Bad gateway', { status: 502 })
    advance(HOUR - 30)
    expect((await latchkey.getProviderToken(request, 'acme'))?.access_token).toBe('access-1')
    advance(60)
    await expect(latchkey.getProviderToken(request, 'acme')).rejects.toMatchObject({
      type: 'OAuthCallbackError',
    })
    expect(logged).toHaveLength(2)
    provider.fault = undefined
    advance(60)
    expect((await latchkey.getProviderToken(request, 'acme'))?.access_token).toBe('access-2')
  })

  test('T-OIDC-15: is null if the provider refuses, which signs nobody out and is logged without the refresh token', async () => {
    const provider = createProvider()
    const { latchkey, logged } = application(provider, memoryAdapter(), { session })
    const request = await signedIn(latchkey)
    provider.fault = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
    advance(HOUR + 1)
    expect(await latchkey.getProviderToken(request, 'acme')).toBeNull()
    const [error] = logged as { type?: string; cause?: { provider?: string } }[]
    expect([error?.type, error?.cause?.provider]).toEqual(['OAuthCallbackError', 'acme'])
    expect(JSON.stringify(logged)).not.toContain('refresh-')
    expect(await latchkey.auth(request)).not.toBeNull()
  })

  test.each(['invalid_client', 'temporarily_unavailable', 'slow_down'])(
    'is an error, not `null`, if the provider answers a renewal with %s, which a new sign-in would not help',
    async (code) => {
      for (const plugins of [[], [providerTokens()]]) {
        const provider = createProvider()
        const { latchkey } = application(provider, memoryAdapter(), {
          session,
          plugins,
        })
        const request = await signedIn(latchkey)
        provider.fault = () => Response.json({ error: code }, { status: 400 })
        advance(HOUR + 1)
        await expect(latchkey.getProviderToken(request, 'acme')).rejects.toMatchObject({
          type: 'OAuthCallbackError',
        })
        expect(await latchkey.auth(request)).not.toBeNull()
      }
    },
  )

  test('is an error at once if this process has just failed to renew it', async () => {
    const provider = createProvider()
    const { latchkey } = application(provider, memoryAdapter(), { session })
    const request = await signedIn(latchkey)
    advance(HOUR + 1)
    const ask = (): unknown => latchkey.getProviderToken(request, 'acme')
    const unreachable = { type: 'OAuthCallbackError' }
    provider.fault = () => new Response('Bad gateway', { status: 502 })
    await expect(ask()).rejects.toMatchObject(unreachable)
    await expect(ask()).rejects.toMatchObject(unreachable)
    advance(15)
    provider.fault = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
    expect([await ask(), await ask()]).toEqual([null, null])
    expect(provider.grants).toHaveLength(3)
    advance(15)
    provider.fault = undefined
    expect(await ask()).toMatchObject({ access_token: 'access-2' })
  })

  test('is null for a visitor who is not signed in, and for providers without tokens', async () => {
    const { latchkey } = application(createProvider(), memoryAdapter(), { session })
    expect(await latchkey.getProviderToken(new Request(SITE), 'acme')).toBeNull()
    const request = await signedIn(latchkey)
    for (const id of ['credentials', 'nobody', '__proto__']) {
      expect(await latchkey.getProviderToken(request, id)).toBeNull()
    }
  })

  test('is null if its account is deleted, also during the renewal', async () => {
    const provider = createProvider()
    const adapter = memoryAdapter()
    const { latchkey } = application(provider, adapter, { session })
    const request = await signedIn(latchkey)
    advance(HOUR + 1)
    provider.fault = async () => {
      await adapter.unlinkAccount?.({ provider: 'acme', providerAccountId: 'ada' })
      return Response.json({ access_token: 'x', token_type: 'bearer' })
    }
    expect(await latchkey.getProviderToken(request, 'acme')).toBeNull()
    expect(await latchkey.getProviderToken(request, 'acme')).toBeNull()
    expect(provider.grants).toHaveLength(2)
  })

  test('needs an adapter that lists and updates accounts', async () => {
    const adapter = without(memoryAdapter(), 'listAccountsByUserId')
    const { latchkey } = application(createProvider(), adapter, { session })
    const request = await signedIn(latchkey)
    await expect(latchkey.getProviderToken(request, 'acme')).rejects.toMatchObject({
      type: 'MissingAdapterMethods',
    })
  })
})

test('a renewal keeps what the response omits, and assumes an hour if it has no lifetime', async () => {
  const provider = createProvider()
  const { latchkey } = application(provider, memoryAdapter())
  const request = await signedIn(latchkey)
  advance(HOUR)
  provider.fault = () => Response.json({ access_token: 'short', token_type: 'Bearer' })
  expect(await latchkey.getProviderToken(request, 'acme')).toEqual({
    access_token: 'short',
    expires_at: Math.floor(Date.now() / 1000) + HOUR,
    scope: 'read',
    token_type: 'bearer',
  })
  advance(HOUR)
  await latchkey.getProviderToken(request, 'acme')
  expect(provider.grants.slice(1)).toEqual(['refresh_token refresh-1', 'refresh_token refresh-1'])
})

test('a renewed token ends in a whole second, which every store can keep', async () => {
  const provider = createProvider()
  const { latchkey } = application(provider, await sqlite())
  const request = await signedIn(latchkey)
  advance(HOUR)
  provider.fault = () =>
    Response.json({ access_token: 'new', token_type: 'Bearer', expires_in: HOUR - 0.1 })
  const token = await latchkey.getProviderToken(request, 'acme')
  const end = Math.floor(Date.now() / 1000 + HOUR - 0.1)
  expect(token).toMatchObject({ access_token: 'new', expires_at: end })
})

test('`getProviderToken` needs an adapter', async () => {
  const { latchkey } = application(createProvider(), undefined)
  await expect(latchkey.getProviderToken(new Request(SITE), 'acme')).rejects.toMatchObject({
    type: 'MissingAdapter',
  })
})
