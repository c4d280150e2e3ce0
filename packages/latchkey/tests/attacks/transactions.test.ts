import { describe, expect, test } from 'vitest'
import {
  acme,
  approve,
  askForLink,
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
    ])('are completed %s, each with its own target', async (_order, order) => {
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

    test('are at most five, and the oldest is dropped', async () => {
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

    test('T-SESS-12: fit into the headers of any server, also with long addresses', async () => {
      const { world } = await createSite({ strategy })
      const paths: string[] = []
      for (let tab = 0; tab < 6; tab++) {
        const callbackUrl = `/${'a'.repeat(1500)}${tab}`
        paths.push(approve(await world.post('/auth/signin/acme', { callbackUrl }), 'carol'))
        world.advance(1)
        const kept = [...world.jar].filter(([name]) => name.includes('sign-in.'))
        expect(kept.reduce((sum, [, value]) => sum + value.length, 0)).toBeLessThanOrEqual(6000)
        // No more of them make room than have to.
        expect(kept).toHaveLength(Math.min(tab + 1, 2))
      }
      expect(errorOf(await world.get(paths.at(-1) ?? ''))).toBeNull()
    })

    test('are dropped by their age, in any order of the cookies', async () => {
      const { world } = await createSite({ strategy })
      const paths: string[] = []
      for (let tab = 0; tab < 6; tab++) {
        if (tab === 5) {
          const kept = [...world.jar].toReversed()
          world.jar.clear()
          for (const [name, value] of kept) world.jar.set(name, value)
        }
        paths.push(approve(await world.post('/auth/signin/acme'), 'carol'))
        world.advance(1)
      }
      const ends: (string | null)[] = []
      for (const path of paths) ends.push(errorOf(await world.get(path)))
      expect(ends).toEqual(['Configuration', ...Array(5).fill(null)])
    })

    test('are kept, and an unreadable one is dropped first', async () => {
      const { world } = await createSite({ strategy })
      for (let tab = 0; tab < 5; tab++) world.jar.set(`__Host-latchkey.sign-in.forged${tab}`, 'x')
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      expect([...world.jar.keys()].filter((name) => name.includes('forged'))).toHaveLength(4)
      expect(errorOf(await world.get(path))).toBeNull()
    })

    test('accept a response once, although the browser keeps its cookies', async () => {
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

    test('T-OTV-1: accept a response exactly once of fifty simultaneous uses', async () => {
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

    test('send none of their values to another provider at whose address they end', async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      const elsewhere = path.replace('/acme', '/corp')
      expect(errorOf(await world.get(elsewhere))).toBe('Configuration')
      // The verifier and the code would reach whoever runs the other one.
      expect(tokenRequests(site)).toBe(0)
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ type: 'InvalidCheck' })
    })

    test('are not read from the cookie of another sign-in', async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const begun = async () => {
        const before = new Set(world.jar.keys())
        const path = approve(await world.post('/auth/signin/acme'), 'carol')
        const name = [...world.jar.keys()].find(
          (each) => each.includes('.sign-in.') && !before.has(each),
        )
        return { path, name: name ?? '' }
      }
      const [one, other] = [await begun(), await begun()]
      expect(one.name).not.toBe(other.name)
      world.jar.set(one.name, world.jar.get(other.name) ?? '')
      expect(errorOf(await world.get(one.path))).toBe('Configuration')
      expect(tokenRequests(site)).toBe(0)
      // The other sign-in was not used up by it.
      expect(errorOf(await world.get(other.path))).toBeNull()
    })

    test('are refused if their stored values cannot be read', async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      for (const name of world.jar.keys()) if (name.includes('.sign-in.')) world.jar.set(name, 'x')
      expect(errorOf(await world.get(path))).toBe('Configuration')
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ type: 'InvalidCheck' })
      expect(tokenRequests(site)).toBe(0)
    })

    test('are not used up by a response with two states, nor ended by an unsolicited one', async () => {
      const { world } = await createSite({ strategy })
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      for (const wrong of [`${path}&state=x`, '/auth/callback/acme?code=eve.&state=x']) {
        const answer = await world.get(wrong)
        expect(errorOf(answer)).toBe('Configuration')
        expect(
          answer.headers.getSetCookie().filter((cookie) => cookie.includes('sign-in.')),
        ).toEqual([])
      }
      expect(errorOf(await world.get(path))).toBeNull()
    })

    test('need their state back, with any configured checks', async () => {
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

    test('T-OIDC-10: may be refused by a provider that drops the state', async () => {
      const usual = await createSite()
      const providers = [...(usual.config.providers ?? []).slice(0, 1), acme({ checks: ['pkce'] })]
      const { world } = await createSite({ strategy, config: { providers } })
      await world.post('/auth/signin/acme')
      const refusal = '/auth/callback/acme?error=access_denied&error_description=no'
      expect(errorOf(await world.get(refusal))).toBe('OAuthCallbackError')
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        cause: { provider: 'acme', error: 'access_denied', description: 'no' },
      })
    })

    test.each([
      [['pkce'], 'error=a&error=b'],
      [['pkce'], 'error=a&state=x'],
      [['pkce'], 'error=a&code=eve.'],
      [['pkce'], ''],
      [['pkce', 'state'], 'error=access_denied'],
    ] as const)('with checks %j are not refused by an unsolicited %j', async (checks, query) => {
      const usual = await createSite()
      const providers = [...(usual.config.providers ?? []).slice(0, 1), acme({ checks })]
      const { world } = await createSite({ strategy, config: { providers } })
      const path = approve(await world.post('/auth/signin/acme'), 'carol')
      expect(errorOf(await world.get(`/auth/callback/acme?${query}`))).toBe('Configuration')
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ type: 'InvalidCheck' })
      expect(errorOf(await world.get(path))).toBeNull()
    })

    test('keep their own targets, not that of a later one', async () => {
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

describe('T-OIDC-9: a required strength of authentication', () => {
  test('cannot be weakened by a caller if it is configured', async () => {
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

describe('T-LINK-3: linking an account in several tabs', () => {
  test('links it to the user who began, and to nobody after a change of user', async () => {
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

describe('T-OIDC-3: a provider that ignores PKCE', () => {
  /** Redeems any code, whoever asked for it and with whatever verifier. */
  test('signs nobody in with a code of another browser, by the state', async () => {
    for (const provider of ['acme', 'corp']) {
      const { world } = await createSite()
      const attacker = world.otherBrowser()
      const theirs = approve(await attacker.post(`/auth/signin/${provider}`), 'eve')
      const mine = new URL(
        approve(await world.post(`/auth/signin/${provider}`), 'carol'),
        world.origin,
      )
      const code = new URL(theirs, world.origin).searchParams.get('code') ?? ''
      for (const state of [null, new URL(theirs, world.origin).searchParams.get('state')]) {
        const forced = new URL(mine)
        forced.searchParams.set('code', code)
        if (state === null) forced.searchParams.delete('state')
        else forced.searchParams.set('state', state)
        expect(errorOf(await world.get(forced.href))).toBe('Configuration')
        expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      }
    }
  })

  test('signs nobody in with a code of another browser, by the nonce, even with the right state', async () => {
    const { world } = await createSite()
    const theirs = approve(await world.otherBrowser().post('/auth/signin/corp'), 'eve')
    const mine = new URL(approve(await world.post('/auth/signin/corp'), 'carol'), world.origin)
    mine.searchParams.set('code', new URL(theirs, world.origin).searchParams.get('code') ?? '')
    expect(errorOf(await world.get(mine.href))).toBe('Configuration')
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
  })
})

describe('T-WEB-8: codes and tokens in addresses', () => {
  test('are in no referrer, and in no address after their use', async () => {
    const site = await createSite()
    const { world } = site
    const answers = [
      await world.get(approve(await world.post('/auth/signin/acme'), 'carol')),
      await world.get('/auth/callback/acme?error=access_denied&error_description=secret'),
      await world.get(await askForLink(site)),
      await world.otherBrowser().get(await askForLink(site)),
      await world.get('/auth/verify-request?provider=email&type=email'),
    ]
    for (const answer of answers) {
      // At most the origin.
      expect(answer.headers.get('referrer-policy')).toMatch(/^(?:no-referrer|strict-origin)$/)
      expect(locationOf(answer)).not.toMatch(/code=(?!expired$)|token=|state=|secret|%40|@/)
    }
  })
})

describe.each(strategies)('T-FLOW-4: unsolicited requests, with %s sessions:', (strategy) => {
  const uninvited: readonly (readonly [string, string, RequestInit?])[] = [
    ['an address to begin at, opened by a frame or a prefetch', '/auth/signin/acme'],
    ['the same, asked for its headers only', '/auth/signin/acme', { method: 'HEAD' }],
    ['an answer of a provider that was not asked', '/auth/callback/acme?code=eve.'],
    ['the same with a state', '/auth/callback/acme?code=eve.&state=x'],
    [
      'an answer of an OpenID provider that was not asked',
      '/auth/callback/corp?code=eve.&iss=https://corp.example',
    ],
    [
      'a start by the provider (OpenID Connect Core section 4)',
      '/auth/signin/corp?iss=https://corp.example&target_link_uri=/',
    ],
    [
      'a form of another site',
      '/auth/signin/acme',
      { method: 'POST', headers: { origin: 'https://evil.example' } },
    ],
    [
      'a form with credentials of another site',
      '/auth/callback/credentials',
      {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
        body: new URLSearchParams({ username: 'ada', password: 'open sesame' }),
      },
    ],
  ]
  test.each(uninvited.map(([what, path, init = {}]) => [what, path, init] as const))(
    '%s signs nobody in, and sends nothing to a provider',
    async (_what, path, init) => {
      const { world, sent } = await createSite({ strategy })
      await world.csrfToken()
      const answer = await world.request(path, init)
      expect(new URL(locationOf(answer) || '/', world.origin).origin).toBe(world.origin)
      expect(sent).toEqual([])
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(await world.session()).toBeNull()
    },
  )
})

test('T-AUD-4: a visitor sees a general text for an error, and the log has the details', async () => {
  const reason = 'ERR_SQLITE: table "accounts" has no column named token_of_ada'
  const site = await createSite({
    config: {
      callbacks: {
        signIn: () => {
          throw new Error(reason)
        },
      },
    },
  })
  const { world } = site
  const end = await providerSignIn(world, 'acme')
  expect(errorOf(end)).toBe('AccessDenied')
  const page = await (await world.get(locationOf(end))).text()
  for (const shown of [page, JSON.stringify([...end.headers])]) {
    expect(shown).not.toContain('SQLITE')
    expect(shown).not.toContain('token_of_ada')
  }
  expect(world.log.some(({ message }) => message.includes(reason))).toBe(true)
})
