import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World, type WorldOptions } from '../../src/entries/testing.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { Profile } from '../../src/model/profile.ts'
import type { OAuthUserConfig, OIDCConfig } from '../../src/options/provider-options.ts'
import { oidc } from '../../src/providers/define.ts'
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitProvider,
} from '../support/openid-provider.ts'

const ORIGIN = 'https://app.example'

describe('a sign-in with oidc-provider', () => {
  let provider: OpenIdProvider

  beforeAll(async () => {
    provider = await startOpenIdProvider(`${ORIGIN}/auth/callback/acme`)
  })
  afterAll(() => provider.close())

  function acme(options: OAuthUserConfig<Profile> = {}): OIDCConfig<Profile> {
    return oidc<Profile>({
      id: 'acme',
      name: 'Acme',
      issuer: provider.issuer,
      clientId: 'basic',
      clientSecret: 'a secret of the client, 0123456789abcdef',
      checks: ['pkce', 'state', 'nonce'],
    })(options)
  }

  function world(options: OAuthUserConfig<Profile> = {}, more: Partial<WorldOptions> = {}): World {
    return createWorld(
      { providers: [acme(options)] },
      { startsAt: Date.now(), fetch: globalThis.fetch, ...more },
    )
  }

  /** Begins at the application and goes through the provider. @param meddle changes the authorization request on its way */
  async function signIn(
    { post }: World,
    { meddle, hint = 'alice' }: { meddle?: (url: URL) => void; hint?: string } = {},
  ): Promise<URL> {
    const begin = await post(`/auth/signin/acme?login_hint=${hint}`, { callbackUrl: '/inbox' })
    const url = new URL(begin.headers.get('location') ?? '')
    expect(url.origin).toBe(provider.issuer)
    meddle?.(url)
    return visitProvider(url.href, provider.issuer)
  }

  test('ends at the page where it began, signed in', async () => {
    const it = world()
    const end = await it.get((await signIn(it)).href)
    expect(end.headers.get('location')).toBe(`${ORIGIN}/inbox`)
    expect((await it.session())?.user).toEqual({ name: 'alice', email: 'alice@example.test' })
  })

  for (const [clientId, method] of [
    ['post', 'client_secret_post'],
    ['public', 'none'],
  ] as const) {
    test(`works for a client that authenticates itself by ${method}`, async () => {
      const it = world({ clientId, client: { token_endpoint_auth_method: method } })
      await it.get((await signIn(it)).href)
      expect((await it.session())?.user?.['name']).toBe('alice')
    })
  }

  test('reads the profile from the userinfo endpoint if configured', async () => {
    const it = world({ idToken: false })
    await it.get((await signIn(it)).href)
    expect((await it.session())?.user?.['email']).toBe('alice@example.test')
  })

  test('stores user and account, and finds them at the next sign-in', async () => {
    const adapter = memoryAdapter()
    const it = createWorld(
      { providers: [acme()], adapter },
      { startsAt: Date.now(), fetch: globalThis.fetch },
    )
    await it.get((await signIn(it)).href)
    const first = await adapter.getUserByEmail?.('alice@example.test')
    const again = it.otherBrowser()
    await again.get((await signIn(again)).href)
    const account = await adapter.getAccount?.('alice', 'acme')
    expect(account).toMatchObject({ userId: first?.id, token_type: 'bearer', type: 'oidc' })
    expect(account?.id_token?.split('.')).toHaveLength(3)
    expect(account?.expires_at).toBeGreaterThan(Date.now() / 1000)
  })

  test('returns tokens that are renewed once for many calls, and that the API accepts', async () => {
    const params = { scope: 'openid email offline_access', prompt: 'consent' }
    const secret = 'a secret for tests, 0123456789abcdef'
    const config = {
      providers: [acme({ authorization: { params } })],
      adapter: memoryAdapter(),
      secret,
    }
    const it = createWorld(config, { startsAt: Date.now(), fetch: globalThis.fetch })
    await it.get((await signIn(it)).href)
    const cookie = [...it.jar].map((pair) => pair.join('=')).join('; ')
    const latchkey = createLatchkey(config, { AUTH_URL: ORIGIN })
    const request = new Request(ORIGIN, { headers: { cookie } })
    const seen = new Set([(await config.adapter.getAccount?.('alice', 'acme'))?.access_token])
    // They last for a minute, which is when others are asked for.
    for (const later of [0, 20_000, 40_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
      const asked = [1, 2, 3].map(() => latchkey.getProviderToken(request, 'acme'))
      const [token, ...others] = await Promise.all(asked).finally(() => vi.useRealTimers())
      expect(others).toEqual([token, token])
      const authorization = `Bearer ${token?.access_token}`
      const answer = await fetch(`${provider.issuer}/me`, { headers: { authorization } })
      expect(await answer.json()).toMatchObject({ sub: 'alice' })
      seen.add(token?.access_token)
    }
    expect(seen.size).toBe(4)
  })

  test('requests the metadata and the keys once for many sign-ins', async () => {
    const asked: string[] = []
    const it = world(
      {},
      {
        fetch: (input, init) => {
          asked.push(new URL(String(input)).pathname)
          return fetch(input, init)
        },
      },
    )
    for (let i = 0; i < 3; i++) await it.get((await signIn(it)).href)
    expect(asked.filter((path) => path === '/.well-known/openid-configuration')).toHaveLength(1)
    expect(asked.filter((path) => path === '/jwks')).toHaveLength(1)
    expect(asked.filter((path) => path === '/token')).toHaveLength(3)
  })

  test('goes on after the provider rotated its keys', async () => {
    const it = world()
    await it.get((await signIn(it)).href)
    await provider.rotateKeys()
    const end = await it.get((await signIn(it)).href)
    expect(end.headers.get('location')).toBe(`${ORIGIN}/inbox`)
  })

  test('T-OIDC-6: requests unknown keys once a minute, not for every token', async () => {
    const foreign = await generateKeyPair('RS256')
    const keys = [
      { ...(await exportJWK(foreign.publicKey)), alg: 'RS256', kid: 'other', use: 'sig' },
    ]
    let asked = 0
    const it = world(
      {},
      {
        fetch: async (input, init) => {
          if (!String(input).endsWith('/jwks')) return fetch(input, init)
          asked++
          return Response.json({ keys })
        },
      },
    )
    for (let i = 0; i < 4; i++) await it.get((await signIn(it)).href)
    expect(asked).toBe(2)
    expect(await it.session()).toBeNull()
  })

  test('T-OIDC-5: refuses an ID token that is signed with another key of the same id', async () => {
    const foreign = await generateKeyPair('RS256')
    const it = world(
      {},
      {
        fetch: async (input, init) => {
          const answer = await fetch(input, init)
          if (!String(input).endsWith('/jwks')) return answer
          const { keys } = (await answer.json()) as { keys: { alg: string; kid: string }[] }
          const forged = await exportJWK(foreign.publicKey)
          return Response.json({
            keys: keys.map(({ alg, kid }) =>
              alg === 'RS256' ? { ...forged, alg, kid, use: 'sig' } : {},
            ),
          })
        },
      },
    )
    const end = await it.get((await signIn(it)).href)
    expect(end.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(await it.session()).toBeNull()
  })

  test('T-OIDC-1: refuses an ID token with the nonce of another sign-in', async () => {
    const it = world()
    const back = await signIn(it, { meddle: (url) => url.searchParams.set('nonce', 'other') })
    const end = await it.get(back.href)
    expect(end.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect(await it.session()).toBeNull()
  })

  test('T-OIDC-1: refuses a response with another state, and requests no token', async () => {
    const asked: string[] = []
    const it = world(
      {},
      {
        fetch: (input, init) => {
          asked.push(String(input))
          return fetch(input, init)
        },
      },
    )
    const back = await signIn(it, { meddle: (url) => url.searchParams.set('state', 'other') })
    const end = await it.get(back.href)
    expect(end.headers.get('location')).toBe(
      `${ORIGIN}/auth/error?error=Configuration&code=expired`,
    )
    expect(asked.some((url) => url.endsWith('/token'))).toBe(false)
  })

  test('T-OIDC-2: fails at the provider with a code of another browser', async () => {
    const mine = world({ checks: ['pkce'] })
    const theirs = mine.otherBrowser()
    const stolen = await signIn(theirs, { hint: 'bob' })
    await mine.post('/auth/signin/acme')
    const end = await mine.get(stolen.href)
    expect(end.headers.get('location')).toBe(
      `${ORIGIN}/auth/error?error=Configuration&code=expired`,
    )
    expect(await mine.session()).toBeNull()
  })

  test('refuses a repeated response', async () => {
    const it = world()
    const back = await signIn(it)
    await it.get(back.href)
    await it.post('/auth/signout')
    const again = await it.get(back.href)
    expect(again.headers.get('location')).toBe(
      `${ORIGIN}/auth/error?error=Configuration&code=expired`,
    )
    expect(await it.session()).toBeNull()
  })

  test('T-OIDC-10: shows that consent was refused, by code only', async () => {
    const it = world()
    const end = await it.get((await signIn(it, { hint: 'refuses' })).href)
    expect(end.headers.get('location')).toBe(
      `${ORIGIN}/auth/signin?error=OAuthCallbackError&code=access_denied&provider=acme`,
    )
    const page = await (await it.get(end.headers.get('location') ?? '')).text()
    expect(page).toContain('You cancelled the sign-in with ')
    expect(page).not.toContain('said no')
  })

  test('T-OIDC-4: refuses a response that names another issuer', async () => {
    const it = world()
    const back = await signIn(it)
    expect(back.searchParams.get('iss')).toBe(provider.issuer)
    back.searchParams.set('iss', 'https://evil.example')
    const end = await it.get(back.href)
    expect(end.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
  })

  test('T-OIDC-7: refuses metadata of another issuer', async () => {
    const it = world(
      {},
      {
        fetch: async (input, init) => {
          const answer = await fetch(input, init)
          if (!String(input).includes('/.well-known/')) return answer
          return Response.json({
            ...((await answer.json()) as object),
            issuer: 'https://evil.example',
          })
        },
      },
    )
    const begin = await it.post('/auth/signin/acme')
    expect(begin.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=OAuthSignin`)
  })

  test('is reported on the sign-in page if the provider is down', async () => {
    const it = world({}, { fetch: () => Promise.reject(new TypeError('connection refused')) })
    const begin = await it.post('/auth/signin/acme')
    expect(begin.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=OAuthSignin`)
  })

  test('clears the checks of a failed sign-in', async () => {
    const it = world()
    const back = await signIn(it)
    back.searchParams.set('state', 'other')
    await it.get(back.href)
    expect([...it.jar.keys()].filter((name) => /state|pkce|nonce/.test(name))).toEqual([])
  })
})
