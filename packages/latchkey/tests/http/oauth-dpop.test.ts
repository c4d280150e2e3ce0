import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { providerToken } from '../../src/instance/provider-token.ts'
import type { Account } from '../../src/model/account.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { sessionRequest } from '../../src/session/session-request.ts'
import { dpopProvider } from '../support/dpop-provider.ts'
import { acmeProvider, HOUR, recordsOf, requestFrom, tokensApi } from '../support/token-site.ts'

const API = 'https://acme.example/api?page=1#top'
/** A member of a private JWK. Without its quotes, what is sealed holds these letters now and then. */
const KEY_MEMBER = /(?:"|%22)(?:d|crv)\\*(?:"|%22)/

interface Setting {
  readonly dpop?: unknown
  readonly config?: Partial<AuthConfig>
  readonly more?: object
}

/** A site with a provider that binds its tokens. */
function site({ dpop = true, config, more }: Setting = {}) {
  const acme = dpopProvider(() => world.now())
  const shown: unknown[] = []
  const world: World = createWorld(
    {
      providers: [acmeProvider({}, { dpop, ...more })],
      callbacks: {
        jwt: ({ token, account }) => {
          if (account) shown.push(account)
          return token
        },
      },
      events: { signIn: (message) => void shown.push(message) },
      session: { strategy: 'jwt', maxAge: 1000 * HOUR },
      // Without a store, sites with one secret share what the process knows of renewals.
      secret: `a secret of a site of its own: ${crypto.randomUUID()}`,
      ...config,
    },
    { fetch: acme.fetch, seed: Math.floor(Math.random() * 1e9) },
  )
  const begin = async (): Promise<URL> => {
    const url = new URL((await world.post('/auth/signin/acme')).headers.get('location') ?? '')
    acme.jkt = url.searchParams.get('dpop_jkt') ?? undefined
    return url
  }
  const comeBack = async (url: URL): Promise<Response> => {
    const state = url.searchParams.get('state') ?? ''
    return world.get(`/auth/callback/acme?${new URLSearchParams({ code: 'c', state })}`)
  }
  const signIn = async (): Promise<Response> => comeBack(await begin())
  return { acme, world, begin, comeBack, signIn, shown }
}

const errorOf = (answer: Response) =>
  new URL(answer.headers.get('location') ?? '', 'https://app.example').searchParams.get('error')

describe('FAPI-2: a sign-in with `dpop`', () => {
  test.each([
    [true, 'ES256'],
    [{}, 'ES256'],
    [{ alg: 'ES256' }, 'ES256'],
    [{ alg: 'EdDSA' }, 'EdDSA'],
  ])(
    'with %j announces its key, and proves it at the token and userinfo endpoints',
    async (dpop, alg) => {
      const { acme, world, signIn, begin } = site({ dpop })
      await signIn()
      expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(acme.refused).toEqual([])
      expect(acme.proofs).toMatchObject([
        { path: '/token', htm: 'POST', htu: 'https://acme.example/token', alg, jkt: acme.jkt },
        { path: '/me', htm: 'GET', htu: 'https://acme.example/me', alg, jkt: acme.jkt },
      ])
      // FAPI-3
      expect(acme.proofs.map(({ iat }) => iat)).toEqual(Array(2).fill(world.now() / 1000))
      const first = acme.jkt
      await begin()
      expect(acme.jkt).not.toBe(first)
    },
  )

  test('passes the private key to no callback, no log and no browser', async () => {
    const { world, signIn, shown, begin } = site({ config: { debug: true } })
    await begin()
    expect([...world.jar.values()].join()).not.toMatch(KEY_MEMBER)
    await signIn()
    expect(shown).toHaveLength(2)
    expect(JSON.stringify([shown, world.log])).not.toMatch(KEY_MEMBER)
    expect((shown[0] as Account).token_type).toBe('dpop')
  })

  test('repeats a request once with the nonce of the server, and sends it with the next one at once', async () => {
    const { acme, world, signIn } = site()
    Object.assign(acme, { nonce: 'one', apiNonce: 'one' })
    await signIn()
    expect(await world.session()).not.toBeNull()
    expect(acme.refused).toEqual(['use_dpop_nonce'])
    await signIn()
    expect(acme.refused).toEqual(['use_dpop_nonce'])
    Object.assign(acme, { nonce: 'two', apiNonce: 'three' })
    await signIn()
    expect(acme.refused).toEqual(Array(3).fill('use_dpop_nonce'))
    expect(acme.proofs.at(-1)?.nonce).toBe('three')
    expect(new Set(acme.proofs.map(({ jti }) => jti)).size).toBe(acme.proofs.length)
  })

  test('repeats a request only once', async () => {
    const { acme, signIn } = site()
    acme.nonce = 'x'
    Object.defineProperty(acme, 'nonce', { get: () => Math.random().toString() })
    expect(errorOf(await signIn())).toBe('Configuration')
    expect(acme.refused).toEqual(Array(2).fill('use_dpop_nonce'))
  })

  test('sends a nonce for five minutes', async () => {
    const { acme, signIn, world } = site()
    acme.nonce = 'one'
    await signIn()
    world.advance(301)
    await signIn()
    expect(acme.refused).toEqual(Array(2).fill('use_dpop_nonce'))
  })

  test.each(['Bearer', 'bearer'])('T-ST-30: refuses a token of the type %s', async (token_type) => {
    const { acme, world, signIn } = site()
    acme.more = { token_type }
    expect(errorOf(await signIn())).toBe('OAuthCallbackError')
    expect(await world.session()).toBeNull()
    expect(world.log.at(-1)?.message).toContain('set `dpop: false`')
  })

  test('T-ST-30: fails without the key with which it began', async () => {
    const { acme, world, begin, comeBack } = site()
    const url = await begin()
    acme.jkt = 'the key of somebody else'
    await comeBack(url)
    expect(await world.session()).toBeNull()
    expect(acme.refused).toEqual(['Error: another key'])
  })

  test('that began before `dpop` was set must begin anew', async () => {
    const { world, begin, comeBack, acme } = site({ dpop: false })
    const url = await begin()
    expect(url.searchParams.has('dpop_jkt')).toBe(false)
    const provider = acmeProvider({}, { dpop: true })
    Object.assign(world.config, { providers: [provider] })
    expect(errorOf(await comeBack(url))).toBe('Configuration')
    expect(world.log.at(-1)?.message).toContain('began without a')
    expect(acme.proofs).toEqual([])
  })
})

describe('FAPI-3: a server whose clock', () => {
  const logged = ({ log }: World) => log.filter(({ message }) => message === 'clock-skew')
  const date = (world: World, seconds: number) =>
    new Date(world.now() + seconds * 1000).toUTCString()

  test.each([0, 5, -5])('differs by %i seconds is not mentioned', async (seconds) => {
    const { acme, world, signIn } = site()
    acme.headers = { date: date(world, seconds) }
    await signIn()
    expect(logged(world)).toEqual([])
  })

  test.each([
    [7, '7 seconds ahead of'],
    [-300, '300 seconds behind'],
  ])('differs by %i seconds is logged once an hour', async (seconds, text) => {
    const { acme, world, signIn } = site()
    acme.headers = { date: date(world, seconds) }
    await signIn()
    await signIn()
    expect(logged(world)).toHaveLength(1)
    expect(logged(world)[0]?.detail).toContain(text)
    world.advance(HOUR)
    acme.headers = { date: date(world, seconds) }
    await signIn()
    expect(logged(world)).toHaveLength(2)
  })
})

describe.each(['records', 'cookie'] as const)('FAPI-2: bound tokens in %s', (store) => {
  const tokenSite = (setting: Setting = {}) => {
    const adapter = memoryAdapter()
    const made = site({
      ...setting,
      config: {
        plugins: [providerTokens({ store })],
        ...(store === 'records' && { adapter }),
        ...setting.config,
      },
    })
    const api = tokensApi(made.world)
    const get = async (options?: object) => {
      const result = await api.get(requestFrom(made.world), 'acme', options)
      for (const cookie of result.setCookie) {
        const [pair = ''] = cookie.split(';')
        made.world.jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      return result
    }
    return { ...made, adapter, api, get }
  }

  test('are returned with proofs, and their key is nowhere in plain text', async () => {
    const { acme, world, get, signIn, adapter, shown } = tokenSite()
    await signIn()
    const token = await get()
    expect(token).toMatchObject({ ok: true, access_token: 'access-1', token_type: 'DPoP' })
    expect(Object.keys(token).sort()).toEqual(
      ['access_token', 'expires_at', 'ok', 'proof', 'scope', 'setCookie', 'token_type'].sort(),
    )
    const dpop = token.ok ? await token.proof?.('GET', API) : undefined
    const headers = { authorization: 'DPoP access-1', dpop: dpop ?? '' }
    expect((await acme.fetch(API, { headers })).status).toBe(200)
    expect(acme.proofs.at(-1)).toMatchObject({
      htm: 'GET',
      htu: 'https://acme.example/api',
      jkt: acme.jkt,
    })
    const stored = await recordsOf(adapter, 'provider-tokens')
    expect(JSON.stringify([stored, shown, world.log, [...world.jar]])).not.toMatch(KEY_MEMBER)
  })

  test('are renewed with the same key', async () => {
    const { acme, world, get, signIn, begin } = tokenSite()
    await signIn()
    const { jkt } = acme
    await begin()
    world.advance(HOUR)
    acme.nonce = 'n'
    expect(await get()).toMatchObject({ access_token: 'access-2', token_type: 'DPoP' })
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/token', jkt, nonce: 'n' })
    world.advance(HOUR)
    expect(await get()).toMatchObject({ access_token: 'access-3' })
    expect(acme.proofs.at(-1)?.jkt).toBe(jkt)
    expect(acme.refused).toEqual(Array(2).fill('use_dpop_nonce'))
  })

  test('T-ST-14, T-ST-30: are not renewed as bearer tokens', async () => {
    const { acme, world, get, signIn } = tokenSite()
    await signIn()
    world.advance(HOUR)
    acme.more = { token_type: 'bearer' }
    expect(await get()).toMatchObject({ ok: false, error: 'ProviderUnavailable' })
    acme.more = {}
    world.advance(120)
    expect(await get()).toMatchObject({ ok: true, token_type: 'DPoP' })
  })

  test('from before `dpop` was set are renewed only by another sign-in', async () => {
    const { acme, world, api, signIn } = tokenSite({ dpop: false })
    acme.isBound = false
    await signIn()
    world.advance(2 * HOUR)
    const grants = acme.bodies.length
    Object.assign(world.config, { providers: [acmeProvider({}, { dpop: true })] })
    const later = tokensApi(world)
    expect(later).not.toBe(api)
    expect((await later.get(requestFrom(world), 'acme')).ok).toBe(false)
    expect(acme.bodies.length).toBe(grants)
  })

  test('are sent with proofs by `fetch`, also after a request for a nonce', async () => {
    const { acme, world, api, signIn } = tokenSite()
    await signIn()
    const ask = (init?: RequestInit) => api.fetch(requestFrom(world), 'acme', API, init)
    expect((await ask()).status).toBe(200)
    expect(acme.refused).toEqual([])
    acme.apiNonce = 'n'
    expect((await ask({ method: 'post', body: 'x=1' })).status).toBe(200)
    expect(acme.refused).toEqual(['use_dpop_nonce'])
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/api', htm: 'POST', nonce: 'n' })
    expect(acme.bodies.slice(-2)).toEqual(['x=1', 'x=1'])
    expect((await ask()).status).toBe(200)
    expect(acme.refused).toEqual(['use_dpop_nonce'])
  })
})

describe.each([
  ['PT-20: a token for a resource', 'resource'],
  ['PT-21: a token that is exchanged', 'exchange'],
] as const)('FAPI-2: %s, of a provider with `dpop`,', (_, kind) => {
  const AUDIENCE = 'https://calendar.example'

  async function signedIn(setting: Setting = {}) {
    const adapter = memoryAdapter()
    const made = site({
      ...setting,
      more: { tokens: { resources: [AUDIENCE] } },
      config: { adapter, plugins: [providerTokens()] },
    })
    await made.signIn()
    const { jkt } = made.acme
    // The key of another sign-in, which this grant must not use.
    await made.begin()
    const api = tokensApi(made.world)
    const further = () =>
      kind === 'resource'
        ? api.get(requestFrom(made.world), 'acme', { resource: AUDIENCE })
        : api.exchange(requestFrom(made.world), 'acme', { audience: AUDIENCE })
    return { ...made, adapter, api, jkt, further }
  }

  test.each(['ES256', 'EdDSA'])('is bound to the key of the sign-in (%s)', async (alg) => {
    const { acme, jkt, further } = await signedIn({ dpop: { alg } })
    const token = await further()
    expect(token).toMatchObject({ ok: true, access_token: 'access-2', token_type: 'DPoP' })
    expect(acme.refused).toEqual([])
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/token', htm: 'POST', alg, jkt })
    const dpop = token.ok ? await token.proof?.('GET', API) : undefined
    const headers = { authorization: 'DPoP access-2', dpop: dpop ?? '' }
    expect((await acme.fetch(API, { headers })).status).toBe(200)
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/api', jkt })
  })

  test('is kept, and has its proofs the second time', async () => {
    const { acme, world, adapter, jkt, further } = await signedIn()
    await further()
    const asked = acme.bodies.length
    const token = await further()
    expect(token).toMatchObject({ ok: true, access_token: 'access-2', token_type: 'DPoP' })
    expect(acme.bodies).toHaveLength(asked)
    const dpop = token.ok ? await token.proof?.('GET', API) : undefined
    const headers = { authorization: 'DPoP access-2', dpop: dpop ?? '' }
    expect((await acme.fetch(API, { headers })).status).toBe(200)
    expect(acme.proofs.at(-1)?.jkt).toBe(jkt)
    const stored = await recordsOf(adapter, 'provider-tokens')
    expect(JSON.stringify([stored, world.log])).not.toMatch(KEY_MEMBER)
  })

  test('is requested once more with the nonce of the provider', async () => {
    const { acme, further } = await signedIn()
    acme.nonce = 'n'
    expect(await further()).toMatchObject({ ok: true, token_type: 'DPoP' })
    expect(acme.refused).toEqual(['use_dpop_nonce'])
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/token', nonce: 'n' })
  })

  test('T-ST-14, T-ST-30: is refused as a bearer token, and nothing is stored', async () => {
    const { acme, world, api, further } = await signedIn()
    acme.more = { token_type: 'bearer' }
    expect(await further()).toMatchObject({ ok: false, error: 'ProviderUnavailable' })
    acme.more = {}
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })
    world.advance(120)
    expect(await further()).toMatchObject({ ok: true, token_type: 'DPoP' })
  })

  test('does not change the usual token, which is sent with proofs of the same key', async () => {
    const { acme, world, api, jkt, further } = await signedIn()
    await further()
    acme.apiNonce = 'n'
    const init = { method: 'POST', body: 'x=1' }
    expect((await api.fetch(requestFrom(world), 'acme', API, init)).status).toBe(200)
    expect(acme.refused).toEqual(['use_dpop_nonce'])
    expect(acme.proofs.at(-1)).toMatchObject({ path: '/api', htm: 'POST', nonce: 'n', jkt })
    expect(acme.bodies.at(-1)).toBe('x=1')
  })
})

test('FAPI-2: without the plugin, bound tokens are not returned without their key', async () => {
  const adapter = memoryAdapter()
  const { world, signIn } = site({ config: { adapter } })
  await signIn()
  const { headers } = requestFrom(world)
  await expect(
    providerToken(sessionRequest(headers, world.origin), 'acme', world.core.plan(world.config)),
  ).rejects.toThrow('add the plugin')
})

describe('FAPI-2: `dpop` is refused at the start', () => {
  test.each([
    [
      'with an unknown algorithm',
      { dpop: { alg: 'RS256' } },
      "`dpop` must be true, false or { alg: 'ES256' | 'EdDSA' }",
    ],
    ['with another value', { dpop: 'yes' }, '`dpop` must be true, false'],
    [
      'with a token request of its own',
      { token: { request: async () => ({ tokens: {} }) } },
      '`token.request`',
    ],
    [
      'with renewals of its own',
      { tokens: { refresh: async () => ({ tokens: {} }) } },
      '`tokens.refresh`',
    ],
  ])('%s', (_, more, message) => {
    const { world } = site({ more })
    expect(world.core.plan(world.config).fault?.message).toContain(message)
  })
})
