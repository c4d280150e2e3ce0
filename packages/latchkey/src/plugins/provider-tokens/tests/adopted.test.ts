import { describe, expect, test } from 'vitest'
import { sealedByNextAuth4 } from '../../../../tests/support/next-auth-4.ts'
import {
  accountsOf,
  acmeProvider,
  HOUR,
  recordsOf,
  requestFrom,
  type StrictProvider,
  signInWith,
  strictProvider,
  tokensApi,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { definePlugin } from '../../../entries/plugin.ts'
import { atomic } from '../../../model/adapter.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import type { CallbacksOptions } from '../../../options/callbacks.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { type ProviderTokensOptions, providerTokens } from '../index.ts'

const NAMES = {
  provider: 'acme',
  access_token: 'access_token',
  refresh_token: 'refresh_token',
  expires_at: 'expires_at',
}

/** The `jwt` callback of the well-known guide: it keeps tokens in the session, and renews them there. */
const guide = (provider: StrictProvider, now: () => number): Partial<CallbacksOptions> => ({
  async jwt({ token, account }) {
    if (account) {
      const { access_token, refresh_token, expires_at } = account
      return { ...token, access_token, refresh_token, expires_at }
    }
    if (now() < Number(token['expires_at']) * 1000) return token
    const answer = await provider.fetch('https://acme.example/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: String(token['refresh_token']),
      }),
    })
    if (!answer.ok) return { ...token, error: 'RefreshTokenError' }
    const tokens = (await answer.json()) as Record<string, unknown>
    return {
      ...token,
      access_token: tokens['access_token'],
      refresh_token: tokens['refresh_token'],
      expires_at: Math.floor(now() / 1000 + Number(tokens['expires_in'])),
    }
  },
})

/** The guide's application, and the one that came after it, on the same secret. */
function applications(
  after: ProviderTokensOptions,
  {
    config,
    callbacks,
  }: { config?: Partial<AuthConfig>; callbacks?: Partial<CallbacksOptions> } = {},
) {
  const provider = strictProvider()
  const common = {
    secret: `the secret of these applications, ${Math.random()}`,
    providers: [acmeProvider()],
    session: { strategy: 'jwt', maxAge: 1000 * HOUR },
    ...config,
  } as const
  let now = 0
  const before = createWorld(
    { ...common, callbacks: callbacks ?? guide(provider, () => now || before.now()) },
    { fetch: provider.fetch, seed: 5 },
  )
  const world = createWorld(
    { ...common, plugins: [providerTokens({ adoptFromSession: NAMES, ...after })] },
    { fetch: provider.fetch, seed: 6 },
  )
  /** The new version is deployed: the browser's cookies stay. */
  const deploy = (): void => {
    now = before.now()
    for (const [name, value] of before.jar) world.jar.set(name, value)
  }
  return { provider, before, world, api: tokensApi(world), deploy }
}

const claimsOf = async (world: World) => {
  const current = await world.core
    .plan(world.config)
    .session.current(
      (await import('../../../session/session-request.ts')).sessionRequest(
        requestFrom(world).headers,
        world.origin,
      ),
    )
  return current?.facts.known()
}

const refreshes = (grants: readonly string[]) =>
  grants.filter((grant) => grant.startsWith('refresh_token'))

describe.each([
  ['a cookie', undefined],
  ['records', memoryAdapter],
])(
  'PT-29: after moving away from the token rotation of the guide, for %s',
  (_where, makeAdapter) => {
    const make = (options: ProviderTokensOptions = {}, callbacks?: Partial<CallbacksOptions>) =>
      applications(options, {
        config: { adapter: makeAdapter?.() },
        ...(callbacks && { callbacks }),
      })

    test('nobody has to sign in, and the tokens are renewed once', async () => {
      const { provider, before, world, api, deploy } = make()
      await signInWith(before)
      expect(await claimsOf(before)).toMatchObject({ access_token: 'access-1' })
      deploy()
      // Where no cookie can be set, the claims have the token still.
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({
        ok: true,
        access_token: 'access-1',
        setCookie: [],
      })
      expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
      const claims = (await claimsOf(world)) ?? {}
      for (const name of Object.values(NAMES)) expect(claims).not.toHaveProperty(name)
      expect(claims).toHaveProperty('sub')
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })

      world.advance(HOUR)
      const all = await Promise.all(
        Array.from({ length: 10 }, () => api.get(requestFrom(world), 'acme')),
      )
      for (const each of all) expect(each).toMatchObject({ ok: true, access_token: 'access-2' })
      expect(refreshes(provider.grants)).toEqual(['refresh_token refresh-1'])
      expect(provider.endedFamilies).toBe(0)
    })

    test('an expired token in the claims is not returned, and not renewed there', async () => {
      const { provider, before, world, api, deploy } = make()
      await signInWith(before)
      deploy()
      world.advance(HOUR)
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ error: 'NoToken' })
      expect(refreshes(provider.grants)).toEqual([])
      await world.session()
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-2' })
    })

    test('names of version 4 and milliseconds are read, and the error is removed with them', async () => {
      const { before, world, api, deploy } = make(
        {
          adoptFromSession: [
            {
              provider: 'acme',
              access_token: 'accessToken',
              refresh_token: 'refreshToken',
              expires_at: 'accessTokenExpires',
            },
          ],
        },
        {
          jwt: ({ token, account }) =>
            account
              ? {
                  ...token,
                  accessToken: account.access_token,
                  refreshToken: account.refresh_token,
                  accessTokenExpires: Number(account.expires_at) * 1000,
                  error: 'RefreshAccessTokenError',
                  mine: 'stays',
                }
              : token,
        },
      )
      await signInWith(before)
      deploy()
      await world.session()
      expect(await claimsOf(world)).toMatchObject({ mine: 'stays' })
      expect(Object.keys((await claimsOf(world)) ?? {})).not.toContain('error')
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({
        access_token: 'access-1',
        expires_at: world.now() / 1000 + HOUR,
      })
    })

    test('PT-28: the session shows the error as it did with the guide', async () => {
      const { provider, before, world, api, deploy } = make({ legacyError: true })
      await signInWith(before)
      deploy()
      await world.session()
      provider.answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
      world.advance(HOUR)
      for (let times = 0; times < 3; times++) {
        const { setCookie } = await api.get(requestFrom(world), 'acme')
        for (const line of setCookie) {
          const [pair = ''] = line.split(';')
          const at = pair.indexOf('=')
          world.jar.set(pair.slice(0, at), pair.slice(at + 1))
        }
        world.advance(12)
      }
      expect(await world.session()).toMatchObject({
        error: 'RefreshTokenError',
        providers: { acme: { error: 'RefreshTokenError' } },
      })
    })
  },
)

test('PT-27: tokens in the account row are older than those that a session renewed, and are not used', async () => {
  const adapter = memoryAdapter()
  const { before, world, api, provider, deploy } = applications({}, { config: { adapter } })
  await signInWith(before)
  before.advance(HOUR)
  await before.session()
  expect(refreshes(provider.grants)).toEqual(['refresh_token refresh-1'])
  expect(JSON.stringify(await accountsOf(adapter))).toContain('refresh-1')
  deploy()
  world.advance(2 * HOUR)
  expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ error: 'NoToken' })
  await world.session()
  expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-3' })
  expect(provider.endedFamilies).toBe(0)
  expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
})

test('PT-27: tokens that are already in a record stay, and the claims are removed', async () => {
  const adapter = memoryAdapter()
  const { before, world, api, deploy } = applications({}, { config: { adapter } })
  await signInWith(before)
  deploy()
  // In another browser, with the new version: those tokens are newer.
  await signInWith(world.otherBrowser())
  await world.session()
  expect(await claimsOf(world)).not.toHaveProperty('access_token')
  expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-2' })
  expect(await recordsOf(adapter, 'provider-tokens')).toHaveLength(1)
})

test('PT-27: if the store fails, the session stays as it is', async () => {
  const inner = memoryAdapter()
  const failing = { ...inner }
  failing[atomic] = { ...inner[atomic], createRecord: () => Promise.reject(new Error('away')) }
  const { before, world, api, deploy } = applications({}, { config: { adapter: failing } })
  await signInWith(before)
  deploy()
  expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  expect(await claimsOf(world)).toHaveProperty('access_token')
  expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })
})

test('PT-27: if the cookie is full, the session stays as it is', async () => {
  const { before, world, provider, deploy } = applications({ cookie: { budget: 600 } })
  provider.more = { refresh_token: 'x'.repeat(1000) }
  await signInWith(before)
  deploy()
  expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  expect(await claimsOf(world)).toHaveProperty('access_token')
})

test('claims without names are refused at the start', () => {
  expect(() => providerTokens({ adoptFromSession: { provider: 'acme' } as never })).toThrow(
    '`adoptFromSession.access_token`',
  )
})

describe.each([
  ['a cookie', undefined],
  ['records', memoryAdapter],
])('PAIR-4: tokens in a session of next-auth 4 are moved to %s', (_where, makeAdapter) => {
  test.each([
    ['as usual', []],
    ['with the plugin sessions', [sessions()]],
  ])('at the first read, and stay there, %s', async (_how, more) => {
    const adapter = makeAdapter?.() ?? (more.length > 0 ? memoryAdapter() : undefined)
    const provider = strictProvider()
    const secret = `the secret of a site that came over, ${Math.random()}`
    const store = makeAdapter ? 'records' : 'cookie'
    const world = createWorld(
      {
        secret,
        adapter,
        providers: [acmeProvider()],
        session: { strategy: 'jwt', maxAge: 1000 * HOUR },
        acceptSessionsFrom: ['next-auth@4'],
        plugins: [...more, providerTokens({ adoptFromSession: NAMES, store })],
      },
      { fetch: provider.fetch, seed: 8 },
    )
    const user = await adapter?.createUser?.({
      id: 'ada',
      email: 'ada@x.example',
      emailVerified: null,
    })
    const account = {
      type: 'oauth',
      provider: 'acme',
      providerAccountId: 'ada',
      userId: 'ada',
    } as const
    if (user) await adapter?.linkAccount?.(account)
    const claims = {
      sub: 'ada',
      name: 'Ada',
      access_token: 'access-of-v4',
      refresh_token: 'refresh-of-v4',
      expires_at: Math.floor(world.now() / 1000) + 10 * HOUR,
    }
    world.jar.set(
      '__Secure-next-auth.session-token',
      await sealedByNextAuth4(claims, { key: secret }),
    )
    for (let reads = 0; reads < 3; reads++) {
      expect(await world.session()).toMatchObject({ user: { name: 'Ada' } })
      const result = await tokensApi(world).get(requestFrom(world), 'acme')
      expect(result).toMatchObject({ ok: true, access_token: 'access-of-v4' })
      world.advance(25 * 60)
    }
    expect(world.jar.has('__Secure-next-auth.session-token')).toBe(false)
    expect(await claimsOf(world)).not.toHaveProperty('access_token')
  })
})

test.each([
  ['a cookie', undefined],
  ['records', memoryAdapter],
])(
  'PAIR-4: tokens that a `jwt` callback leaves out of its new token are moved to %s',
  async (_where, makeAdapter) => {
    const { before, world, api, deploy } = applications(
      {},
      { config: { adapter: makeAdapter?.() } },
    )
    await signInWith(before)
    deploy()
    const jwt: CallbacksOptions['jwt'] = ({ token }) => ({
      sub: token.sub ?? '',
      email: token['email'] ?? null,
    })
    Object.assign(world.config, { callbacks: { jwt } })
    for (let reads = 0; reads < 3; reads++) {
      expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })
      expect(Object.keys((await claimsOf(world)) ?? {})).not.toContain('refresh_token')
    }
    expect(Object.keys((await claimsOf(world)) ?? {})).not.toContain('name')
  },
)

test('PAIR-4: claims stay in the session while a plugin refuses to write it', async () => {
  const { provider, before, world, deploy } = applications({})
  let verdict: 'later' | 'extend' = 'later'
  const slow = definePlugin({
    name: 'slow',
    setUp: () => ({ session: { onExtend: () => verdict } }),
  })
  Object.assign(world.config, { plugins: [slow, ...(world.config.plugins ?? [])] })
  await signInWith(before)
  deploy()
  await world.session()
  expect(await claimsOf(world)).toHaveProperty('access_token', 'access-1')
  expect([...world.jar.keys()].some((name) => name.includes('provider-tokens'))).toBe(false)
  verdict = 'extend'
  await world.session()
  expect(await claimsOf(world)).not.toHaveProperty('access_token')
  expect(await tokensApi(world).get(requestFrom(world), 'acme')).toMatchObject({
    ok: true,
    access_token: 'access-1',
  })
  expect(refreshes(provider.grants)).toEqual([])
})

test('PAIR-10: an adapter that cannot list accounts is refused at the start, unless the tokens are in a cookie', async () => {
  const { [atomic]: _, ...adapter } = memoryAdapter()
  const statusWith = async (store: 'auto' | 'records' | 'cookie') => {
    const world = createWorld({
      adapter,
      records: memoryAdapter(),
      providers: [acmeProvider()],
      session: { strategy: 'jwt' },
      plugins: [providerTokens({ adoptFromSession: NAMES, store })],
    })
    const { status } = await world.get('/auth/providers')
    return [status, world.log.find(({ level }) => level === 'error')?.message ?? '']
  }
  for (const store of ['auto', 'records'] as const)
    expect(await statusWith(store)).toEqual([500, expect.stringContaining("set `store: 'cookie'`")])
  expect(await statusWith('cookie')).toEqual([200, ''])
})
