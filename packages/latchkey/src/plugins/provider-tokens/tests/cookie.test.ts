import { describe, expect, test } from 'vitest'
import { strategies } from '../../../../tests/attacks/support/site.ts'
import {
  acmeProvider,
  comeBack,
  HOUR,
  requestFrom,
  type StrictProvider,
  signInWith,
  strictProvider,
  type TokenSetting,
  tokenSite,
  tokensApi,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { providerToken } from '../../../instance/provider-token.ts'
import { atomic } from '../../../model/adapter.ts'
import { sessionRequest } from '../../../session/session-request.ts'
import type { World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { providerTokens } from '../index.ts'

const NAME = '__Secure-latchkey.provider-tokens'
const FAILED = '__Host-latchkey.provider-tokens-failed'
const SESSION = '__Secure-authjs.session-token'

/** What sites without a store have in common is the process: sites of other tests have other secrets. */
const secrets = new WeakMap<StrictProvider, string>()
let sites = 0

/** A site without an adapter. */
function cookieSite({ provider = strictProvider(), config, ...setting }: TokenSetting = {}) {
  const secret =
    secrets.get(provider) ?? `the secret of the site number ${++sites}, 0123456789abcdef`
  secrets.set(provider, secret)
  return tokenSite({
    ...setting,
    provider,
    config: { adapter: undefined, secret, session: { maxAge: 1000 * HOUR }, ...config },
  })
}

async function signedIn(setting: TokenSetting = {}) {
  const site = cookieSite(setting)
  const end = await signInWith(site.world)
  const get = async (options?: Parameters<typeof site.api.get>[2]) => {
    const result = await site.api.get(requestFrom(site.world), 'acme', options)
    keep(site.world, result.setCookie)
    return result
  }
  return { ...site, get, end }
}

/** What a browser does with the cookies of an answer. */
function keep({ jar, now }: World, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const expires = attributes.find((each) => each.startsWith('Expires='))?.slice(8)
    const isGone = attributes.includes('Max-Age=0') || (expires && Date.parse(expires) <= now())
    if (isGone) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

const refreshes = (grants: readonly string[]) =>
  grants.filter((grant) => grant.startsWith('refresh_token'))

const refuse = () => Response.json({ error: 'invalid_grant' }, { status: 400 })

describe('tokens in a cookie', () => {
  test('are renewed in the second half of their life, if they last for a minute', async () => {
    const provider = strictProvider()
    provider.more = { expires_in: 60 }
    const { get, world } = await signedIn({ provider })
    for (const seconds of [0, 29]) {
      world.advance(seconds)
      expect(await get()).toMatchObject({ ok: true, access_token: 'access-1' })
    }
    expect(refreshes(provider.grants)).toEqual([])
    world.advance(2)
    expect(await get()).toMatchObject({ ok: true, access_token: 'access-2' })
  })
})

describe('PT-10: the cookie of tokens', () => {
  test('comes with the session, sealed, and lasts as long as the session', async () => {
    const { end, get, world } = await signedIn()
    const lines = end.headers.getSetCookie()
    const cookie = lines.find((line) => line.startsWith(`${NAME}=`)) ?? ''
    const session = lines.find((line) => line.startsWith(`${SESSION}=`)) ?? ''
    const attributes = (line: string) => line.split('; ').slice(1).toSorted()
    expect(attributes(cookie)).toEqual(attributes(session))
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).not.toMatch(/access-1|refresh-1/)
    expect(await get()).toEqual({
      ok: true,
      access_token: 'access-1',
      token_type: 'bearer',
      expires_at: world.now() / 1000 + HOUR,
      scope: 'read',
      setCookie: [],
    })
  })

  test('is kept in pieces if it is long', async () => {
    const provider = strictProvider()
    provider.more = { access_token: 'x'.repeat(4000) }
    const { get, world } = await signedIn({ provider })
    expect([...world.jar.keys()].filter((name) => name.startsWith(NAME))).toEqual([
      `${NAME}.0`,
      `${NAME}.1`,
    ])
    expect(await get()).toMatchObject({ access_token: 'x'.repeat(4000) })
  })

  test('is extended with the session', async () => {
    const { world, get } = await signedIn()
    world.advance(25 * HOUR)
    const answer = await world.get('/auth/session')
    const expires = (name: string) =>
      answer.headers
        .getSetCookie()
        .find((line) => line.startsWith(`${name}=`))
        ?.match(/Expires=[^;]+/)?.[0]
    expect(expires(NAME)).toBeDefined()
    expect(expires(NAME)).toBe(expires(SESSION))
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })

  test('has the path of the options', async () => {
    const { end } = await signedIn({ options: { cookie: { path: '/api' } } })
    const line = end.headers.getSetCookie().find((each) => each.startsWith(`${NAME}=`))
    expect(line).toContain('; Path=/api;')
  })
})

describe('T-ST-11, PT-17: the cookie of tokens', () => {
  test('is cleared with the session', async () => {
    const { world } = await signedIn()
    await world.post('/auth/signout')
    expect([...world.jar.keys()].filter((name) => name.includes('provider-tokens'))).toEqual([])
  })

  test('of another session opens nothing, and is cleared when the session is extended', async () => {
    const { world, api } = await signedIn()
    const stolen = world.jar.get(NAME) ?? ''
    const other = world.otherBrowser()
    await signInWith(other)
    other.jar.set(NAME, stolen)
    expect(await api.get(requestFrom(other), 'acme')).toMatchObject({ error: 'NoToken' })
    world.advance(25 * HOUR)
    await other.get('/auth/session')
    expect(other.jar.has(NAME)).toBe(false)
    expect(other.jar.has(SESSION)).toBe(true)
  })

  test('of an earlier sign-in passes its refresh token to the same account only', async () => {
    for (const [who, works] of [
      ['ada', true],
      ['bob', false],
    ] as const) {
      const { world, provider, get } = await signedIn()
      provider.who = who
      provider.more = { refresh_token: undefined }
      await signInWith(world)
      world.advance(HOUR)
      expect((await get()).ok).toBe(works)
    }
  })
})

describe('PT-12, PT-26: a renewal', () => {
  test('is sent once for 50 requests with one old cookie, and all receive its tokens', async () => {
    const { world, api, provider } = await signedIn()
    world.advance(HOUR)
    const old = requestFrom(world)
    const results = await Promise.all(Array.from({ length: 50 }, () => api.get(old, 'acme')))
    expect(new Set(results.map((each) => each.ok && each.access_token))).toEqual(
      new Set(['access-2']),
    )
    // Whichever of the cookies the browser keeps, the next renewal goes on from it.
    world.advance(30)
    const late = await api.get(old, 'acme')
    expect(refreshes(provider.grants)).toHaveLength(1)
    for (const { setCookie } of [results[0], results[49], late].flatMap((each) => each ?? [])) {
      keep(world, setCookie)
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({
        access_token: 'access-2',
        setCookie: [],
      })
    }
    expect(refreshes(provider.grants)).toHaveLength(1)
    expect(provider.endedFamilies).toBe(0)
  })

  test('is sent once for four processes that share records', async () => {
    const records = memoryAdapter()
    const provider = strictProvider()
    const all = [1, 2, 3, 4].map((seed) =>
      cookieSite({
        provider,
        seed,
        config: { adapter: undefined, records: { ...records }, session: { maxAge: 1000 * HOUR } },
      }),
    )
    const [first] = all
    if (!first) throw new Error('there are four')
    await signInWith(first.world)
    const old = requestFrom(first.world)
    for (const { world } of all) world.advance(HOUR)
    const results = await Promise.all(
      all.flatMap(({ api }) => Array.from({ length: 12 }, () => api.get(old, 'acme'))),
    )
    expect(new Set(results.map((each) => each.ok && each.access_token))).toEqual(
      new Set(['access-2']),
    )
    expect(refreshes(provider.grants)).toEqual(['refresh_token refresh-1'])
  })

  test.each([
    ['the one that is first', [0, 1]],
    ['the one that is last', [1, 0]],
  ])(
    'T-ST-13: of two providers at the same moment loses none if the browser keeps %s',
    async (_, order) => {
      const provider = strictProvider()
      const { world, api } = cookieSite({
        provider,
        options: { store: 'cookie' },
        config: {
          adapter: memoryAdapter(),
          session: { strategy: 'jwt', maxAge: 1000 * HOUR },
          providers: [acmeProvider(), acmeProvider(undefined, { id: 'other' })],
        },
      })
      await signInWith(world)
      await comeBack(world, await world.post('/auth/provider-tokens/connect/other'), 'other')
      world.advance(HOUR)
      const old = requestFrom(world)
      const results = await Promise.all(['acme', 'other'].map((id) => api.get(old, id)))
      for (const at of order) keep(world, results[at]?.setCookie ?? [])
      // Longer than this process knows of it.
      world.advance(61)
      for (const [at, id] of ['acme', 'other'].entries()) {
        const { ok, access_token } = results[at] as { ok: boolean; access_token?: string }
        expect(ok).toBe(true)
        expect(await api.get(requestFrom(world), id)).toMatchObject({ access_token, setCookie: [] })
      }
      expect(refreshes(provider.grants)).toHaveLength(2)
      expect(provider.endedFamilies).toBe(0)
    },
  )

  test('PT-16: can be received once more for a while if its response was lost', async () => {
    const { world, api, provider } = await signedIn()
    world.advance(HOUR)
    const old = requestFrom(world)
    await api.get(old, 'acme')
    world.advance(59)
    expect(await api.get(old, 'acme')).toMatchObject({ access_token: 'access-2' })
    world.advance(1)
    expect(await api.get(old, 'acme')).toMatchObject({ error: 'ProviderUnavailable' })
    expect(provider.endedFamilies).toBe(1)
  })

  test('happens only where a cookie can be set, so not for `getProviderToken`', async () => {
    const { world, provider } = await signedIn()
    const plan = world.core.plan(world.config)
    const ask = () =>
      providerToken(sessionRequest(requestFrom(world).headers, world.origin), 'acme', plan)
    world.advance(HOUR - 30)
    expect(await ask()).toMatchObject({ access_token: 'access-1' })
    world.advance(30)
    expect(await ask()).toBeNull()
    expect(refreshes(provider.grants)).toEqual([])
  })
})

test.each([
  ['strict', {}, undefined, true],
  ['overlap', {}, undefined, false],
  ['strict', { cookie: { refresh: 'browser' } }, undefined, false],
  ['strict', {}, memoryAdapter(), false],
] as const)(
  'PT-13: processes without a common store cause a warning (%s, %j)',
  async (rotation, options, records, isWarned) => {
    const { world } = await signedIn({
      rules: { rotation },
      options: { ...options, store: 'cookie' },
      config: {
        adapter: { ...memoryAdapter(), [atomic]: {} },
        session: { strategy: 'jwt' },
        records,
      },
    })
    const warned = world.log.filter(({ message }) => message === 'provider-tokens-uncoordinated')
    expect(warned).toHaveLength(isWarned ? 1 : 0)
  },
)

test('PT-14: `fetch` does not renew, since its response sets no cookie', async () => {
  const { world, api, provider } = await signedIn()
  world.advance(HOUR)
  const asked = api.fetch(requestFrom(world), 'acme', 'https://acme.example/api')
  await expect(asked).rejects.toMatchObject({ error: 'RefreshElsewhere' })
  expect(refreshes(provider.grants)).toEqual([])
})

describe('PT-14: if only the page renews', () => {
  const options = { cookie: { refresh: 'browser' } } as const

  test('other callers receive the error RefreshElsewhere', async () => {
    const { world, get, provider } = await signedIn({ options })
    world.advance(HOUR - 30)
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(30)
    expect(await get()).toMatchObject({ ok: false, error: 'RefreshElsewhere' })
    expect(refreshes(provider.grants)).toEqual([])
    const answer = await world.post('/auth/provider-tokens/refresh', { provider: 'acme' })
    expect(answer.status).toBe(303)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })
})

test('PT-23: a renewal sends one event, and so does a confirmed refusal', async () => {
  const told: unknown[] = []
  const { world, api, provider, get } = await signedIn({
    options: { onRenew: ({ account }) => void told.push(account.providerAccountId) },
    config: {
      adapter: undefined,
      events: {
        providerTokensRenewed: (message) => void told.push(message),
        providerTokensFailed: (message) => void told.push(message),
      },
    },
  })
  world.advance(HOUR)
  const old = requestFrom(world)
  await Promise.all(Array.from({ length: 5 }, () => api.get(old, 'acme')))
  await get()
  const renewed = { provider: 'acme', userId: expect.any(String), expiresAt: expect.any(Date) }
  expect(told).toEqual([renewed, 'ada'])
  provider.answer = (form) => (form.get('grant_type') === 'refresh_token' ? refuse() : undefined)
  world.advance(HOUR)
  for (let times = 0; times < 4; times++) {
    await get()
    world.advance(12)
  }
  expect(told.slice(2)).toEqual([
    { provider: 'acme', userId: expect.any(String), error: 'refused' },
  ])
})

describe('PT-15: a refusal that another process may have caused', () => {
  test('changes no token, and is confirmed by another one ten seconds later', async () => {
    const { world, get, provider } = await signedIn()
    const before = world.jar.get(NAME)
    provider.answer = (form) => (form.get('grant_type') === 'refresh_token' ? refuse() : undefined)
    world.advance(HOUR)
    expect(await get()).toMatchObject({ error: 'ProviderUnavailable' })
    expect(world.jar.get(NAME)).toBe(before)
    expect(world.jar.has(FAILED)).toBe(true)
    world.advance(6)
    expect(await get()).toMatchObject({ error: 'ProviderUnavailable' })
    expect(world.jar.get(NAME)).toBe(before)
    world.advance(6)
    expect(await get()).toMatchObject({
      error: 'RefreshTokenError',
      reconnect: '/auth/provider-tokens/connect/acme',
    })
    expect(world.jar.has(FAILED)).toBe(false)
    expect(await get()).toMatchObject({ error: 'RefreshTokenError' })
    const providers = {
      acme: { error: 'RefreshTokenError', reconnect: '/auth/provider-tokens/connect/acme' },
    }
    // PT-18
    expect(await world.session()).toMatchObject({ user: {}, providers })
    world.advance(25 * HOUR)
    expect(await world.session()).toMatchObject({ user: {}, providers })
    expect(await world.session()).toMatchObject({ user: {}, providers })
    provider.answer = undefined
    await signInWith(world)
    expect(await world.session()).not.toHaveProperty('providers')
  })

  test('is dropped if the other process stored new tokens', async () => {
    const provider = strictProvider()
    // Adapters without records: the two processes share nothing that helps.
    const inner = memoryAdapter()
    const setting = () => ({
      provider,
      config: {
        adapter: { ...inner, [atomic]: {} },
        session: { strategy: 'jwt' as const, maxAge: 1000 * HOUR },
      },
    })
    const one = await signedIn(setting())
    const two = cookieSite({ ...setting(), seed: 9 })
    one.world.advance(HOUR)
    two.world.advance(HOUR)
    const old = requestFrom(one.world)
    const won = await two.api.get(old, 'acme')
    // The strict provider would end the family: this one refuses, and leaves it at that.
    provider.answer = (form) => (form.get('refresh_token') === 'refresh-1' ? refuse() : undefined)
    const lost = await one.api.get(old, 'acme')
    expect([won.ok, lost.ok]).toEqual([true, false])
    keep(one.world, won.setCookie)
    keep(one.world, lost.setCookie)
    one.world.advance(11)
    expect(await one.get()).toMatchObject({ ok: true, access_token: 'access-2' })
  })
})

describe('PT-11: the room in the cookie', () => {
  test('is made by dropping the oldest access token, which the refresh token can replace', async () => {
    const provider = strictProvider()
    provider.more = { access_token: 'x'.repeat(2000) }
    const { get, world } = await signedIn({ provider, options: { cookie: { budget: 1000 } } })
    expect(world.jar.get(NAME)?.length).toBeLessThan(1000)
    provider.more = {}
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })

  test('refuses the sign-in if it is not enough, with the numbers', async () => {
    const provider = strictProvider()
    provider.more = { refresh_token: 'x'.repeat(2000) }
    const site = cookieSite({ provider, options: { cookie: { budget: 1000 } } })
    await signInWith(site.world)
    expect(site.world.jar.has(SESSION)).toBe(false)
    const errors = JSON.stringify(
      site.world.log.map(({ message, detail }) => [
        message,
        String((detail as { cause?: { err?: unknown } })?.cause?.err ?? ''),
      ]),
    )
    expect(errors).toMatch(/\d{4} characters, but only 1000 fit/)
  })

  test('is reported when it is almost used up', async () => {
    const provider = strictProvider()
    provider.more = { access_token: 'x'.repeat(550) }
    const { world } = await signedIn({ provider, options: { cookie: { budget: 1300 } } })
    const warned = world.log.filter(({ message }) => message === 'provider-tokens-size')
    expect(warned).toHaveLength(1)
  })
})

describe('a store of tokens in the cookie', () => {
  test('supports connecting for more scopes, status and disconnecting', async () => {
    const { world, api, provider, get } = await signedIn({ rules: { scopes: ['write'] } })
    const begun = await world.post('/auth/provider-tokens/connect/acme', { scopes: 'write' })
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('scope')).toBe(
      'read write',
    )
    provider.more = { scope: 'read write' }
    await comeBack(world, begun)
    expect(await get({ scopes: ['write'] })).toMatchObject({ access_token: 'access-2' })
    expect(await api.status(requestFrom(world))).toMatchObject({
      acme: { connected: true, scopes: ['read', 'write'] },
    })
    await world.post('/auth/provider-tokens/disconnect', { provider: 'acme' })
    expect(provider.revoked).toEqual(['refresh-2', 'access-2'])
    expect(world.jar.has(NAME)).toBe(false)
    expect(await world.session()).not.toBeNull()
    expect(await get()).toMatchObject({ error: 'NoToken' })
  })

  test('T-ST-15: changes nothing when another account is connected', async () => {
    const { world, provider, get } = await signedIn()
    const begun = await world.post('/auth/provider-tokens/connect/acme')
    provider.who = 'mallory'
    const end = await comeBack(world, begun)
    expect(end.headers.get('location')).toContain('AccountNotLinked')
    expect(await get()).toMatchObject({ access_token: 'access-1' })
  })

  test('has no tokens for a job without a request', async () => {
    const { api } = await signedIn()
    await expect(api.forUser('ada', 'acme')).rejects.toThrow('`store`')
  })
})

test('the cookie can be chosen although the adapter has records', async () => {
  const adapter = memoryAdapter()
  const site = tokenSite({
    adapter,
    options: { store: 'cookie' },
    config: { session: { strategy: 'jwt' } },
  })
  await signInWith(site.world)
  expect(site.world.jar.has(NAME)).toBe(true)
  expect(await site.api.get(requestFrom(site.world), 'acme')).toMatchObject({
    access_token: 'access-1',
  })
})

test("`store: 'records'` needs an adapter with records", () => {
  const { world } = cookieSite({ options: { store: 'records' } })
  expect(world.core.plan(world.config).fault?.message).toContain('providerTokens')
})

test('the options may name only configured providers', () => {
  const { world } = tokenSite({ options: { providers: ['acme', 'amce'] } })
  expect(world.core.plan(world.config).fault?.message).toContain('`providers` contains "amce"')
})

test.each([
  [{ store: 'disk' }, '`store`'],
  [{ cookie: { budget: 100 } }, '`cookie.budget`'],
  [{ cookie: { refresh: 'never' } }, '`cookie.refresh`'],
  [{ cookie: { path: 'api' } }, '`cookie.path`'],
])('an invalid option is refused at the start: %j', (options, name) => {
  expect(() => tokenSite({ options: options as never })).toThrow(name)
})

describe.each(strategies)('PAIR-7: beside %s sessions that are not remembered', (strategy) => {
  test.each(['never', 'ask'] as const)(
    'the cookie of tokens lives as long as the session, with remember: %s',
    async (remember) => {
      const { world, provider } = tokenSite({
        options: { store: 'cookie' },
        config: {
          session: { strategy },
          plugins: [sessions({ remember }), providerTokens({ store: 'cookie' })],
        },
      })
      provider.more = { expires_in: 1000 * HOUR }
      await signInWith(world)
      for (let hours = 0; hours < 60; hours += 7) {
        world.advance(7 * HOUR)
        expect(await world.session()).not.toBeNull()
        expect(await tokensApi(world).get(requestFrom(world), 'acme'), `${hours}`).toMatchObject({
          ok: true,
          access_token: 'access-1',
        })
      }
    },
  )
})
