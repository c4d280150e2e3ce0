import { describe, expect, test } from 'vitest'
import {
  acme,
  approve,
  createSite,
  errorOf,
  locationOf,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  type Site,
  strategies,
} from './support/site.ts'

function tokenRequests({ sent }: Site): number {
  return sent.filter(({ url }) => url.pathname === '/token').length
}

describe.each(strategies)(
  'T-OIDC-1: sign-ins side by side in one browser, %s sessions',
  (strategy) => {
    test.each([
      ['in order', [0, 1, 2]],
      ['in reverse', [2, 1, 0]],
    ])('are finished %s, each where it wanted to go', async (_order, order) => {
      const { world } = await createSite({ strategy })
      const tabs: { path: string; target: string }[] = []
      for (const [tab, provider] of ['acme', 'corp', 'acme'].entries()) {
        const target = `/tab/${tab}`
        const begun = await world.post(`/auth/signin/${provider}`, { callbackUrl: target })
        tabs.push({ path: approve(begun, 'carol'), target })
      }
      for (const tab of order) {
        const { path, target } = tabs[tab] ?? { path: '', target: '' }
        // Corp's carol is somebody else than Acme's: each begins without the other's session.
        world.jar.delete(SESSION_COOKIE)
        const end = await world.get(path)
        expect([tab, locationOf(end)]).toEqual([tab, `https://app.example${target}`])
        expect(world.jar.has(SESSION_COOKIE)).toBe(true)
      }
      expect([...world.jar.keys()].filter((name) => name.includes('sign-in.'))).toEqual([])
    })

    test('are five at most; the oldest makes room', async () => {
      const { world } = await createSite({ strategy })
      const paths: string[] = []
      for (let tab = 0; tab < 8; tab++) {
        paths.push(approve(await world.post('/auth/signin/acme'), 'carol'))
        world.advance(1)
      }
      expect([...world.jar.keys()].filter((name) => name.includes('sign-in.'))).toHaveLength(5)
      const ends: (string | null)[] = []
      for (const path of paths) ends.push(errorOf(await world.get(path)))
      expect(ends).toEqual([...Array(3).fill('Configuration'), ...Array(5).fill(null)])
    })

    test('an unreadable one makes room first', async () => {
      const { world } = await createSite({ strategy })
      for (let tab = 0; tab < 5; tab++) world.jar.set(`__Secure-latchkey.sign-in.forged${tab}`, 'x')
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      expect([...world.jar.keys()].filter((name) => name.includes('forged'))).toHaveLength(4)
      expect(errorOf(await world.get(path))).toBeNull()
    })

    test('an answer works once, though the browser keeps its cookies', async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      const kept = new Map(world.jar)
      expect(errorOf(await world.get(path))).toBeNull()
      for (const [name, value] of kept) world.jar.set(name, value)
      world.jar.delete(SESSION_COOKIE)
      const before = tokenRequests(site)
      expect(errorOf(await world.get(path))).toBe('Configuration')
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(tokenRequests(site)).toBe(before)
    })

    test('T-OTV-1: of fifty uses of one answer at once exactly one succeeds', async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      const cookie = [...world.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const ends = await Promise.all(
        Array.from({ length: 50 }, () => world.request(path, { headers: { cookie } })),
      )
      const signedIn = ends.filter((end) => errorOf(end) === null)
      expect(signedIn).toHaveLength(1)
      expect(tokenRequests(site)).toBe(1)
    })

    test('belong to their browser, their provider and their quarter of an hour', async () => {
      const { world } = await createSite({ strategy })
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      expect(errorOf(await world.otherBrowser().get(path))).toBe('Configuration')
      expect(errorOf(await world.get(path.replace('/acme', '/corp')))).toBe('Configuration')
      world.advance(901 + 15)
      expect(errorOf(await world.get(path))).toBe('Configuration')
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    })

    test('need their state back, whatever is configured', async () => {
      for (const checks of [['pkce'], ['none'], [], ['nonce']] as const) {
        const usual = await createSite()
        const providers = [...(usual.config.providers ?? []).slice(0, 1), acme({ checks })]
        const { world } = await createSite({ strategy, config: { providers } })
        const path = new URL(approve(await world.post('/auth/signin/acme'), 'carol'), world.origin)
        expect(path.searchParams.get('state')).not.toBeNull()
        path.searchParams.delete('state')
        expect([checks, errorOf(await world.get(path.href))]).toEqual([checks, 'Configuration'])
        expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      }
    })

    test('T-OIDC-10: may be refused by a provider that forgets the state', async () => {
      const usual = await createSite()
      const providers = [...(usual.config.providers ?? []).slice(0, 1), acme({ checks: ['pkce'] })]
      const { world } = await createSite({ strategy, config: { providers } })
      await world.post('/auth/signin/acme')
      expect(errorOf(await world.get('/auth/callback/acme?error=access_denied'))).toBe(
        'OAuthCallbackError',
      )
    })

    test('the target of a sign-in is its own, not that of a later one', async () => {
      const { world } = await createSite({ strategy })
      const path = approve(
        await world.post('/auth/signin/acme', { callbackUrl: '/first' }),
        'carol',
      )
      await world.get('/auth/signin?callbackUrl=/second')
      expect(locationOf(await world.get(path))).toBe('https://app.example/first')
    })
  },
)

describe('T-OIDC-9: parameters that say how well somebody must be authenticated', () => {
  test('are not weakened by a caller where they are configured', async () => {
    const usual = await createSite()
    const provider = acme({
      authorization: {
        url: 'https://acme.example/authorize',
        params: { max_age: 60, acr_values: 'gold', claims: { id_token: { acr: null } } },
      },
    })
    const { world } = await createSite({
      config: { providers: [...(usual.config.providers ?? []).slice(0, 1), provider] },
    })
    const begun = await world.post(
      '/auth/signin/acme?max_age=9999&acr_values=bronze&claims={}&prompt=login',
    )
    const { searchParams } = new URL(locationOf(begun))
    expect(searchParams.get('max_age')).toBe('60')
    expect(searchParams.get('acr_values')).toBe('gold')
    expect(searchParams.get('claims')).toBe('{"id_token":{"acr":null}}')
    expect(searchParams.get('prompt')).toBe('login')
  })
})

describe('T-LINK-3: linking in several tabs', () => {
  test('gives the account to who began, and to nobody after a change of user', async () => {
    const site = await createSite()
    const { world } = site
    await passwordSignIn(world)
    const path = approve(await world.post('/auth/signin/acme'), 'eve')
    await world.post('/auth/signout')
    await providerSignIn(world, 'corp', 'mallory')
    expect(errorOf(await world.get(path))).toBe('OAuthAccountNotLinked')
    expect(await site.adapter.getAccount?.('eve', 'acme')).toBeNull()
  })
})
