import { describe, expect, test } from 'vitest'
import {
  abilities,
  accountsOf,
  acmeProvider,
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  strictProvider,
  type TokenSetting,
  tokenSite,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { digestOf } from '../../../base/crypto/digest.ts'
import { providerToken } from '../../../instance/provider-token.ts'
import type { Adapter } from '../../../model/adapter.ts'
import type { JWT } from '../../../model/jwt.ts'
import { sessionRequest } from '../../../session/session-request.ts'

/** A site where Ada signed in with the provider. */
async function signedIn(setting: TokenSetting = {}) {
  const site = tokenSite(setting)
  await signInWith(site.world)
  const get = (options?: Parameters<typeof site.api.get>[2]) =>
    site.api.get(requestFrom(site.world), 'acme', options)
  return { ...site, get }
}

const refreshes = (grants: readonly string[]) =>
  grants.filter((grant) => grant.startsWith('refresh_token'))

test('PT-1: the key of a record is a digest of provider and account', async () => {
  expect(await digestOf('provider-token', 'github', '583231')).toBe(
    'jNd12mPVYyn8D_P_4fZ_Fdk4nJg42EX4gxvpdiT7X-Y',
  )
})

test('a session whose `jwt` callback removed the user has no tokens, which is logged once', async () => {
  const jwt = ({ token }: { token: JWT }) => ({ name: token.name ?? null })
  const { world, get } = await signedIn({
    config: { session: { strategy: 'jwt' }, callbacks: { jwt } },
  })
  for (let i = 0; i < 2; i++) expect(await get()).toMatchObject({ ok: false })
  const told = world.log.filter(({ message }) => message === 'provider-tokens-no-user')
  expect(told.map(({ detail }) => detail)).toEqual([
    'a session has no user id, so its user has no tokens; keep `sub` in the result of the `jwt` callback',
  ])
})

describe.each(['jwt', 'database'] as const)('tokens of a provider (%s sessions)', (strategy) => {
  const config = { session: { strategy, maxAge: 1000 * HOUR } }

  test('T-OIDC-14, PT-1: are stored in a sealed record of the user without an expiry', async () => {
    const { adapter, world } = await signedIn({ config })
    const [record, ...more] = await recordsOf(adapter, 'provider-tokens')
    expect(more).toEqual([])
    expect(record).toMatchObject({
      key: await digestOf('provider-token', 'acme', 'ada'),
      data: {
        provider: 'acme',
        account: 'ada',
        gen: 0,
        scope: ['read'],
        expires_at: world.now() / 1000 + HOUR,
        obtained: world.now(),
      },
    })
    const [account] = await accountsOf(adapter)
    expect(record?.userId).toBe(account?.userId)
    expect(record?.expires).toBeUndefined()
    expect(JSON.stringify(record)).not.toMatch(/access-1|refresh-1/)
  })

  test('are returned while they are valid, and renewed before they expire', async () => {
    const { get, world, provider } = await signedIn({ config })
    const first = {
      ok: true,
      access_token: 'access-1',
      token_type: 'bearer',
      expires_at: world.now() / 1000 + HOUR,
      scope: 'read',
      setCookie: [],
    }
    world.advance(HOUR - 61)
    expect(await get()).toEqual(first)
    expect(refreshes(provider.grants)).toEqual([])
    world.advance(2)
    expect(await get()).toEqual({
      ...first,
      access_token: 'access-2',
      expires_at: world.now() / 1000 + HOUR,
    })
    expect(refreshes(provider.grants)).toEqual(['refresh_token refresh-1'])
  })

  test('are renewed in the second half of their life, if they last for a minute', async () => {
    const provider = strictProvider()
    provider.more = { expires_in: 60 }
    const { get, world } = await signedIn({ provider, config })
    for (const seconds of [0, 29]) {
      world.advance(seconds)
      expect(await get()).toMatchObject({ ok: true, access_token: 'access-1' })
    }
    expect(refreshes(provider.grants)).toEqual([])
    world.advance(2)
    expect(await get()).toMatchObject({ ok: true, access_token: 'access-2' })
  })

  test('are null without a session', async () => {
    const { api, world } = await signedIn({ config })
    world.jar.clear()
    expect(await api.get(requestFrom(world), 'acme')).toEqual({
      ok: false,
      error: 'NotSignedIn',
      setCookie: [],
    })
    expect(await api.status(requestFrom(world))).toEqual({})
  })
})

describe('a renewal', () => {
  test('PT-4: is one for any number of calls', async () => {
    const { get, world, provider } = await signedIn()
    for (const number of [2, 3]) {
      world.advance(HOUR - 30)
      const all = await Promise.all(Array.from({ length: 30 }, () => get()))
      expect(new Set(all.map((each) => each.ok && each.access_token))).toEqual(
        new Set([`access-${number}`]),
      )
    }
    expect(refreshes(provider.grants)).toHaveLength(2)
    expect(provider.endedFamilies).toBe(0)
  })

  test('PT-4: happens for `minTtl` and `force`, the latter once in ten seconds', async () => {
    const { get, world, provider } = await signedIn()
    world.advance(600)
    expect(await get({ minTtl: HOUR - 601 })).toMatchObject({ access_token: 'access-1' })
    expect(await get({ minTtl: HOUR - 600 })).toMatchObject({ access_token: 'access-2' })
    expect(await get({ force: true })).toMatchObject({ access_token: 'access-2' })
    world.advance(10)
    expect(await get({ force: true })).toMatchObject({ access_token: 'access-3' })
    expect(refreshes(provider.grants)).toHaveLength(2)
  })

  test('keeps the old refresh token if the response has none', async () => {
    const provider = strictProvider()
    provider.answer = (form) =>
      form.get('grant_type') === 'refresh_token'
        ? Response.json({ access_token: 'fresh', token_type: 'bearer', expires_in: HOUR })
        : undefined
    const { get, world } = await signedIn({ provider })
    for (let times = 0; times < 2; times++) {
      world.advance(HOUR)
      expect(await get()).toMatchObject({ access_token: 'fresh', scope: 'read' })
    }
    expect(refreshes(provider.grants)).toEqual(Array(2).fill('refresh_token refresh-1'))
  })

  test('sends an event and calls `onRenew`, without tokens', async () => {
    const told: unknown[] = []
    const { get, world, adapter } = await signedIn({
      options: { onRenew: (renewed) => void told.push(renewed) },
      config: { events: { providerTokensRenewed: (message) => void told.push(message) } },
    })
    world.advance(HOUR)
    await get()
    const userId = (await accountsOf(adapter))[0]?.userId
    expect(told).toEqual([
      { provider: 'acme', userId, expiresAt: new Date(world.now() + HOUR * 1000) },
      {
        provider: 'acme',
        userId,
        account: { provider: 'acme', providerAccountId: 'ada', userId },
      },
    ])
  })

  test('T-OIDC-15, PT-8: is not tried after a refusal until the next sign-in, and the session goes on', async () => {
    const failed: unknown[] = []
    const { get, world, provider, api } = await signedIn({
      config: { events: { providerTokensFailed: (message) => void failed.push(message) } },
    })
    provider.answer = (form) =>
      form.get('grant_type') === 'refresh_token'
        ? Response.json({ error: 'invalid_grant' }, { status: 400 })
        : undefined
    world.advance(HOUR)
    const refusal = {
      ok: false,
      error: 'RefreshTokenError',
      reconnect: '/auth/provider-tokens/connect/acme',
      setCookie: [],
    }
    expect(await get()).toEqual(refusal)
    expect(await get({ force: true })).toEqual(refusal)
    expect(refreshes(provider.grants)).toHaveLength(1)
    expect(failed).toEqual([
      { provider: 'acme', userId: expect.any(String), error: 'invalid_grant' },
    ])
    expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await api.status(requestFrom(world))).toMatchObject({
      acme: { connected: false, error: 'RefreshTokenError', scopes: ['read'] },
    })

    provider.answer = undefined
    await signInWith(world)
    expect(await get()).toMatchObject({ ok: true, access_token: 'access-2' })
  })

  test.each([
    ['400', () => Response.json({ error: 'bad_refresh_token' }, { status: 400 })],
    ['401', () => Response.json({ error: 'interaction_required' }, { status: 401 })],
    ['status 200', () => Response.json({ error: 'bad_refresh_token' })],
  ])('PT-8: that fails with %s counts as refused', async (_what, answer) => {
    const { get, world, provider } = await signedIn()
    provider.answer = answer
    world.advance(HOUR)
    expect(await get()).toMatchObject({ error: 'RefreshTokenError' })
  })

  test('PT-8: waits 5 to 60 s after a failure of the provider, and loses nothing', async () => {
    const told: unknown[] = []
    const { get, world, provider } = await signedIn({
      config: { events: { providerTokensUnavailable: (message) => void told.push(message) } },
    })
    provider.answer = (form) =>
      form.get('grant_type') === 'refresh_token' ? new Response(null, { status: 503 }) : undefined
    world.advance(HOUR - 30)
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(30)
    const tries: number[] = []
    for (let second = 0; second < 300; second++) {
      const before = provider.grants.length
      expect(await get()).toEqual({ ok: false, error: 'ProviderUnavailable', setCookie: [] })
      if (provider.grants.length > before) tries.push(second)
      world.advance(1)
    }
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
    expect(pauses.slice(0, 5)).toEqual([10, 20, 40, 60, 60])
    const unavailable = { provider: 'acme', userId: expect.any(String) }
    expect(told).toEqual(Array.from({ length: tries.length + 1 }, () => unavailable))
    provider.answer = undefined
    world.advance(60)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })
})

describe('a token that cannot be renewed', () => {
  test('without an end and without a refresh token is returned until an API refuses it', async () => {
    const provider = strictProvider()
    provider.answer = (form) =>
      form.has('grant_type')
        ? Response.json({ access_token: 'forever', token_type: 'bearer' })
        : undefined
    const { get, world } = await signedIn({ provider })
    world.advance(10_000 * HOUR)
    await signInWith(world)
    world.advance(100)
    expect(await get()).toMatchObject({ access_token: 'forever', scope: 'read' })
    expect(await get({ force: true })).toMatchObject({ ok: false, error: 'RefreshTokenError' })
    expect(await get()).toMatchObject({ access_token: 'forever' })
  })

  test('only because its lifetime is unknown is renewed after the assumed lifetime', async () => {
    const provider = strictProvider()
    provider.more = { expires_in: undefined }
    const { get, world } = await signedIn({ provider, options: { assumedLifetime: 600 } })
    world.advance(539)
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(1)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })

  test('before its end, because `margin` is false, is renewed only with `force`', async () => {
    const { get, world, provider } = await signedIn({ rules: { margin: false } })
    world.advance(HOUR - 1)
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(1)
    expect(await get()).toMatchObject({ error: 'NoToken' })
    expect(refreshes(provider.grants)).toEqual([])
    expect(await get({ force: true })).toMatchObject({ access_token: 'access-2' })
  })

  test('is reported as ScopeMissing if scopes were not granted', async () => {
    const { get } = await signedIn()
    expect(await get({ scopes: ['read'] })).toMatchObject({ ok: true })
    expect(await get({ scopes: ['read', 'write'] })).toMatchObject({
      ok: false,
      error: 'ScopeMissing',
      reconnect: '/auth/provider-tokens/connect/acme',
    })
  })

  test('does not exist for an unknown provider or one that is not kept', async () => {
    const { api, world } = await signedIn({
      options: { providers: ['other'] },
      config: { providers: [acmeProvider(), acmeProvider({}, { id: 'other' })] },
    })
    for (const provider of ['acme', 'nobody', ''])
      expect(await api.get(requestFrom(world), provider)).toMatchObject({ error: 'NoToken' })
  })
})

describe('PT-2: a further sign-in', () => {
  const grantOf = async (adapter: Adapter) =>
    (await recordsOf(adapter, 'provider-tokens'))[0]?.data['grant']

  test('replaces the tokens, and keeps the old refresh token if the response has none', async () => {
    const { get, world, adapter, provider } = await signedIn()
    const before = await grantOf(adapter)
    provider.more = { refresh_token: undefined }
    await signInWith(world)
    expect(await grantOf(adapter)).not.toBe(before)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
    provider.more = {}
    world.advance(HOUR)
    expect(await get()).toMatchObject({ access_token: 'access-3' })
    expect(provider.grants.at(-1)).toBe('refresh_token refresh-1')
  })

  test.each([
    ['keep', 'access-1', 'read write'],
    ['replace', 'access-2', 'read'],
  ] as const)('that grants fewer scopes: %s', async (onNarrower, access_token, scope) => {
    const provider = strictProvider()
    provider.more = { scope: 'read write' }
    const { get, world } = await signedIn({ provider, options: { onNarrower } })
    provider.more = { scope: 'read' }
    await signInWith(world)
    expect(await get()).toMatchObject({ access_token, scope })
  })

  test('keeps nothing of another account', async () => {
    const { world, provider, adapter, api } = await signedIn()
    provider.who = 'bob'
    provider.more = { refresh_token: undefined }
    const other = world.otherBrowser()
    await signInWith(other)
    expect(await recordsOf(adapter, 'provider-tokens')).toHaveLength(2)
    world.advance(HOUR)
    expect(await api.get(requestFrom(other), 'acme')).toMatchObject({ error: 'NoToken' })
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-3' })
  })
})

describe('PT-3: the columns of the account', () => {
  test('are not written, and events still receive the tokens', async () => {
    const told: unknown[] = []
    const { adapter } = await signedIn({
      config: { events: { linkAccount: ({ account }) => void told.push(account) } },
    })
    expect((await accountsOf(adapter))[0]).toMatchObject({ scope: 'read', token_type: 'bearer' })
    expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
    expect(told).toEqual([
      expect.objectContaining({ access_token: 'access-1', refresh_token: 'refresh-1' }),
    ])
  })

  test('are written if another library reads them, also at a renewal', async () => {
    const { adapter, world, get } = await signedIn({ options: { columns: 'keep' } })
    expect(await accountsOf(adapter)).toMatchObject([
      { access_token: 'access-1', refresh_token: 'refresh-1' },
    ])
    world.advance(HOUR)
    await get()
    expect(await accountsOf(adapter)).toMatchObject([
      { access_token: 'access-2', refresh_token: 'refresh-2', scope: 'read' },
    ])
  })

  test('that were written before the plugin are moved at the first use', async () => {
    const adapter = memoryAdapter()
    const provider = strictProvider()
    const before = tokenSite({ adapter, provider, config: { plugins: [] } })
    await signInWith(before.world)
    expect(await accountsOf(adapter)).toMatchObject([{ access_token: 'access-1' }])
    const after = tokenSite({ adapter, provider, seed: 4 })
    const all = await Promise.all(
      Array.from({ length: 5 }, () => after.api.get(requestFrom(before.world), 'acme')),
    )
    for (const each of all) expect(each).toMatchObject({ access_token: 'access-1' })
    expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
    after.world.advance(HOUR)
    expect(await after.api.get(requestFrom(before.world), 'acme')).toMatchObject({
      access_token: 'access-2',
    })
    expect(refreshes(provider.grants)).toEqual(['refresh_token refresh-1'])
  })

  test('that were written before the plugin pass their refresh token to a sign-in without one', async () => {
    const adapter = memoryAdapter()
    const provider = strictProvider()
    await signInWith(tokenSite({ adapter, provider, config: { plugins: [] } }).world)
    provider.more = { refresh_token: undefined }
    const { world, get } = await signedIn({ adapter, provider, seed: 4 })
    expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
    world.advance(HOUR)
    expect(await get()).toMatchObject({ ok: true })
    expect(provider.grants.at(-1)).toBe('refresh_token refresh-1')
  })

  test('are the only ones kept that the `account` callback returns', async () => {
    const providers = [
      acmeProvider(
        {},
        { account: ({ access_token }: object & { access_token?: string }) => ({ access_token }) },
      ),
    ]
    const { world, get } = await signedIn({ config: { providers } })
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(HOUR)
    expect(await get()).toMatchObject({ ok: true })
    expect(await get({ force: true })).toMatchObject({ error: 'RefreshTokenError' })
  })
})

describe('T-ST-12: sealed tokens', () => {
  test('do not open in another row, or for another user or account', async () => {
    const { world, adapter, api, provider } = await signedIn()
    provider.who = 'bob'
    const other = world.otherBrowser()
    await signInWith(other)
    const [one, two] = await recordsOf(adapter, 'provider-tokens')
    if (!one || !two) throw new Error('there are two')
    const put = (record: typeof one, sealed: unknown) =>
      abilities(adapter).replaceRecord?.({
        ...record,
        version: record.version + 1,
        data: { ...record.data, sealed: sealed as string },
      })
    await put(one, two.data['sealed'])
    await put(two, one.data['sealed'])
    for (const browser of [world, other]) {
      expect(await api.get(requestFrom(browser), 'acme')).toMatchObject({
        ok: false,
        error: 'RefreshTokenError',
      })
      expect(await browser.session()).not.toBeNull()
    }
    expect(refreshes(provider.grants)).toEqual([])
  })
})

describe('`fetch` of provider tokens', () => {
  test('sends the token, and repeats the request once after a 401', async () => {
    const { api, world, provider } = await signedIn()
    const request = requestFrom(world)
    const ask = () => api.fetch(request, 'acme', 'https://acme.example/api', { method: 'GET' })
    expect(await (await ask()).json()).toEqual({ asked: 1 })
    world.advance(20)
    provider.answer = (_form, path) =>
      path === '/api' && provider.grants.length === 1
        ? new Response(null, { status: 401 })
        : undefined
    expect(await (await ask()).json()).toEqual({ asked: 2 })
    expect(provider.asked).toEqual(['Bearer access-1', 'Bearer access-2'])
  })

  test('returns the 401 of an API that also refuses the fresh token', async () => {
    const { api, world, provider } = await signedIn()
    world.advance(20)
    provider.answer = (_form, path) =>
      path === '/api' ? new Response('no', { status: 401 }) : undefined
    const response = await api.fetch(requestFrom(world), 'acme', 'https://acme.example/api')
    expect([response.status, await response.text()]).toEqual([401, 'no'])
    expect(refreshes(provider.grants)).toHaveLength(1)
  })

  test('throws if there is no token, and sends none over plain http', async () => {
    const { api, world, provider } = await signedIn()
    await expect(
      api.fetch(requestFrom(world), 'acme', 'https://acme.example/api', { scopes: ['write'] }),
    ).rejects.toMatchObject({
      name: 'ProviderTokenMissing',
      error: 'ScopeMissing',
      reconnect: '/auth/provider-tokens/connect/acme',
    })
    await expect(api.fetch(requestFrom(world), 'acme', 'http://acme.example/api')).rejects.toThrow(
      'https',
    )
    expect(provider.asked).toEqual([])
  })
})

describe('`revoke` of provider tokens', () => {
  test('removes tokens and revokes both at the provider, and the account stays linked', async () => {
    const told: unknown[] = []
    const { api, world, provider, adapter, get } = await signedIn({
      config: { events: { providerTokensRevoked: (message) => void told.push(message) } },
    })
    expect(await api.revoke(requestFrom(world), 'acme')).toBe(true)
    expect(provider.revoked).toEqual(['refresh-1', 'access-1'])
    expect(await get()).toMatchObject({ error: 'NoToken' })
    expect(await recordsOf(adapter, 'provider-tokens')).toEqual([])
    expect(await accountsOf(adapter)).toHaveLength(1)
    expect(await api.revoke(requestFrom(world), 'acme')).toBe(false)
    expect(told).toEqual([{ provider: 'acme', userId: expect.any(String), by: 'application' }])
  })
})

describe('`forUser` of provider tokens', () => {
  test('returns the token of a user without a request', async () => {
    const { api, adapter, world } = await signedIn()
    const userId = (await accountsOf(adapter))[0]?.userId ?? ''
    world.advance(HOUR)
    expect(await api.forUser(userId, 'acme')).toMatchObject({ access_token: 'access-2' })
    expect(await api.forUser('nobody', 'acme')).toMatchObject({ error: 'NoToken' })
  })
})

test.each(['jwt', 'database'] as const)(
  'PT-18: the session lists the ended connections if the option is set (%s)',
  async (strategy) => {
    for (const inSession of [true, false]) {
      const { world, provider, get } = await signedIn({
        options: { inSession },
        config: { session: { strategy } },
      })
      expect(await world.session()).not.toHaveProperty('providers')
      provider.answer = (form) =>
        form.get('grant_type') === 'refresh_token'
          ? Response.json({ error: 'invalid_grant' }, { status: 400 })
          : undefined
      world.advance(HOUR)
      await get()
      const session = await world.session()
      const ended = { error: 'RefreshTokenError', reconnect: '/auth/provider-tokens/connect/acme' }
      if (inSession) expect(session).toMatchObject({ providers: { acme: ended } })
      else expect(session).not.toHaveProperty('providers')
    }
  },
)

test('`status` finds tokens that were written before the plugin', async () => {
  const adapter = memoryAdapter()
  const provider = strictProvider()
  const before = tokenSite({ adapter, provider, config: { plugins: [] } })
  await signInWith(before.world)
  const { api } = tokenSite({ adapter, provider, seed: 4 })
  expect(await api.status(requestFrom(before.world))).toMatchObject({
    acme: { connected: true, scopes: ['read'] },
  })
})

test('`getProviderToken` returns the same token, from the record', async () => {
  const adapter = memoryAdapter()
  const provider = strictProvider()
  const { world } = await signedIn({ adapter, provider })
  const plan = world.core.plan(world.config)
  const asked = sessionRequest(requestFrom(world).headers, world.origin)
  world.advance(HOUR)
  expect(await providerToken(asked, 'acme', plan)).toEqual({
    access_token: 'access-2',
    token_type: 'bearer',
    expires_at: world.now() / 1000 + HOUR,
    scope: 'read',
  })
  expect(await providerToken(asked, 'nobody', plan)).toBeNull()
  provider.answer = () => new Response(null, { status: 500 })
  world.advance(HOUR)
  await expect(providerToken(asked, 'acme', plan)).rejects.toMatchObject({
    type: 'OAuthCallbackError',
  })
  world.jar.clear()
  const nobody = sessionRequest(requestFrom(world).headers, world.origin)
  expect(await providerToken(nobody, 'acme', plan)).toBeNull()
})

test.each([
  [{ margin: -1 }, '`margin`'],
  [{ assumedLifetime: 0 }, '`assumedLifetime`'],
  [{ columns: 'drop' }, '`columns`'],
  [{ revoke: 'always' }, '`revoke`'],
  [{ providers: 'acme' }, '`providers`'],
])('an invalid option is refused at the start: %j', (options, name) => {
  expect(() => tokenSite({ options: options as never })).toThrow(name)
})
