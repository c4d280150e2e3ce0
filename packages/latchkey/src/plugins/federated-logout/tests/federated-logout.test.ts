import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSite, passwordSignIn, sqlStore } from '../../../../tests/attacks/support/site.ts'
import {
  corp,
  END_SESSION,
  type Keeping,
  keepings,
  locationOf,
  logoutSite,
  ORIGIN,
  signInAtCorp,
  signOutToCorp,
} from '../../../../tests/support/logout-site.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  type Misbehaviour,
  simulateProvider,
} from '../../../../tests/support/simulated-provider.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../instance/create-latchkey.ts'
import { atomic } from '../../../model/adapter.ts'
import { customFetch } from '../../../options/markers.ts'
import type { Provider } from '../../../options/provider-options.ts'
import auth0 from '../../../providers/auth0.ts'
import cognito from '../../../providers/cognito.ts'
import google from '../../../providers/google.ts'
import { federatedLogout } from '../index.ts'

const all = Object.keys(keepings) as Keeping[]

const setCookieOf = (answer: Response, name: string): string =>
  answer.headers.getSetCookie().find((each) => each.startsWith(`${name}=`)) ?? ''

describe.each(all)('a federated sign-out with %s', (keeping) => {
  test('leads to the provider with the ID token, and back to the target of the sign-out', async () => {
    const site = logoutSite(keeping)
    const { world } = site
    await signInAtCorp(site)
    const answer = await world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
    expect(answer.status).toBe(302)
    expect(await world.session()).toBeNull()
    const goOn = locationOf(answer)
    expect(goOn.origin + goOn.pathname).toBe(`${ORIGIN}/auth/logout/continue`)
    const away = await world.get(goOn.href)
    expect(away.status).toBe(303)
    const asked = locationOf(away)
    expect(asked.origin + asked.pathname).toBe(END_SESSION)
    const params = Object.fromEntries(asked.searchParams)
    expect(params).toEqual({
      id_token_hint: expect.any(String),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: `${ORIGIN}/auth/logout/return`,
      state: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(decodeJwt(params['id_token_hint'] ?? '')).toMatchObject({ sub: 'ada', iss: ISSUER })
    const back = await world.get(`/auth/logout/return?state=${params['state']}`)
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toBe(`${ORIGIN}/bye`)
    expect(
      [...world.jar.keys()].filter((name) => /latchkey\.(?:logout|id-token)/.test(name)),
    ).toEqual([])
  })

  test('does not happen by default', async () => {
    const site = logoutSite(keeping)
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', { callbackUrl: '/bye' })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
    expect(await site.world.session()).toBeNull()
    expect([...site.world.jar.keys()].filter((name) => name.includes('id-token'))).toEqual([])
  })

  test('always happens with `always`, unless the sign-out declines it', async () => {
    const site = logoutSite(keeping, { options: { federated: 'always' } })
    await signInAtCorp(site)
    expect((await signOutToCorp(site.world, {})).href).toContain(END_SESSION)
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', { federated: '0', callbackUrl: '/bye' })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })

  test('T-OUT-1: leaves no session behind, even if the provider cannot be reached', async () => {
    const site = logoutSite(keeping, {
      told: { metadata: { end_session_endpoint: 'javascript:x' } },
    })
    await signInAtCorp(site)
    const kept = new Map(site.world.jar)
    const answer = await site.world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
    // Nobody knows the provider of a stored session before the cookie with the ID token is read.
    const end =
      keeping === 'stored sessions without records'
        ? await site.world.get(locationOf(answer).href)
        : answer
    expect(end.headers.get('location')).toBe(`${ORIGIN}/bye`)
    expect(await site.world.session()).toBeNull()
    if (keeping.startsWith('stored')) {
      for (const [name, value] of kept) site.world.jar.set(name, value)
      expect(await site.world.session()).toBeNull()
    }
  })

  test('OUT-5: redirects to no address without https', async () => {
    const site = logoutSite(keeping, {
      told: { metadata: { end_session_endpoint: 'http://op.example/end-session' } },
    })
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
    const { href } = locationOf(answer)
    const end = href.includes('/logout/continue') ? await site.world.get(href) : answer
    expect(end.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })

  test('OUT-1: returns the address of the next step to a program', async () => {
    const site = logoutSite(keeping)
    await signInAtCorp(site)
    const headers = { 'x-auth-return-redirect': '1' }
    const answer = await site.world.post('/auth/signout', { federated: '1' }, { headers })
    const { url } = (await answer.json()) as { url: string }
    expect(url).toMatch(/^https:\/\/app\.example\/auth\/logout\/continue\?t=/)
  })

  test('accepts a ticket once, and for a minute', async () => {
    const site = logoutSite(keeping, { options: { returnTo: '/start' } })
    const { world } = site
    await signInAtCorp(site)
    const first = locationOf(await world.post('/auth/signout', { federated: '1' }))
    expect(locationOf(await world.get(first.href)).origin).toBe(ISSUER)
    expect(locationOf(await world.get(first.href)).pathname).toBe('/start')
    await signInAtCorp(site)
    const second = locationOf(await world.post('/auth/signout', { federated: '1' }))
    world.advance(90)
    expect(locationOf(await world.get(second.href)).pathname).toBe('/start')
  })

  test('OUT-8: ends at `returnTo` in another browser, or with another state', async () => {
    const site = logoutSite(keeping, { options: { returnTo: '/start' } })
    const { world } = site
    await signInAtCorp(site)
    const { searchParams } = await signOutToCorp(world, { federated: '1', callbackUrl: '/bye' })
    const state = searchParams.get('state') ?? ''
    const returned = async (browser: typeof world, query: string) =>
      locationOf(await browser.get(`/auth/logout/return${query}`)).pathname
    expect(await returned(world.otherBrowser(), `?state=${state}`)).toBe('/start')
    expect(await returned(world, '?state=made-up')).toBe('/start')
    expect(await returned(world, '')).toBe('/start')
    expect(await returned(world, `?state=${state}&state=${state}`)).toBe('/start')
    expect(await returned(world, `?state=${state}`)).toBe('/bye')
    expect(await returned(world, `?state=${state}`)).toBe('/start')
  })

  test('does not happen without a session', async () => {
    const { world } = logoutSite(keeping, { options: { federated: 'always' } })
    const answer = await world.post('/auth/signout', { callbackUrl: '/bye' })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })

  test('T-ST-17: does not begin from another site, nor by opening its pages', async () => {
    const site = logoutSite(keeping, { options: { federated: 'always' } })
    const { world } = site
    await signInAtCorp(site)
    await world.postWithoutCsrf('/auth/signout', { federated: '1' })
    await world.get('/auth/signout?federated=1')
    for (const path of [
      'continue?t=made-up',
      'continue',
      'return?state=x',
      'return',
      'signed-out?provider=corp',
    ])
      await world.get(`/auth/logout/${path}`)
    expect((await world.session())?.user).toMatchObject({ name: 'Ada Lovelace' })
  })

  test('T-ST-16: returns to a target that was checked', async () => {
    const site = logoutSite(keeping)
    const { world } = site
    for (const callbackUrl of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) {
      await signInAtCorp(site)
      const { searchParams } = await signOutToCorp(world, { federated: '1', callbackUrl })
      const state = searchParams.get('state')
      expect(searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/auth/logout/return`)
      const back = await world.get(
        `/auth/logout/return?state=${state}&callbackUrl=https://evil.example`,
      )
      expect(locationOf(back).origin).toBe(ORIGIN)
    }
  })
})

test.each(all)(
  'T-KEY-3: continues if the secret is rotated meanwhile, with %s',
  async (keeping) => {
    const [first, second] = [
      'the first secret of this site, 01234',
      'the second secret of this site, 0123',
    ]
    const adapter = keepings[keeping]
    const kept = 'adapter' in adapter ? { adapter: adapter.adapter() } : {}
    const before = logoutSite(keeping, { ...kept, config: { secret: [first] } })
    const after = logoutSite(keeping, { ...kept, config: { secret: [second, first] } })
    await signInAtCorp(before)
    for (const [name, value] of before.world.jar) after.world.jar.set(name, value)
    const asked = await signOutToCorp(after.world, { federated: '1', callbackUrl: '/bye' })
    expect(asked.searchParams.has('id_token_hint')).toBe(true)
    const { world } = logoutSite(keeping, { ...kept, config: { secret: [first, second] } })
    for (const [name, value] of after.world.jar) world.jar.set(name, value)
    const back = await world.get(`/auth/logout/return?state=${asked.searchParams.get('state')}`)
    expect(locationOf(back).pathname).toBe('/bye')
  },
)

describe('the ID token for the logout', () => {
  test('OUT-2: is in a sealed cookie for the logout only, without records', async () => {
    const site = logoutSite('sealed sessions')
    const answer = await signInAtCorp(site)
    const cookie = setCookieOf(answer, '__Secure-latchkey.id-token')
    expect(cookie).toMatch(/; Path=\/auth\/logout; .*HttpOnly; Secure; SameSite=Lax/)
    expect(cookie).not.toContain('eyJhbGciOiJSUzI1NiIs')
  })

  test('OUT-2: of another session is not used', async () => {
    const site = logoutSite('sealed sessions')
    const { world } = site
    await signInAtCorp(site)
    const stale = world.jar.get('__Secure-latchkey.id-token') ?? ''
    await signInAtCorp(site)
    world.jar.set('__Secure-latchkey.id-token', stale)
    const asked = await signOutToCorp(world)
    expect(asked.searchParams.has('id_token_hint')).toBe(false)
    expect(asked.searchParams.get('client_id')).toBe(CLIENT_ID)
  })

  test('T-ST-17: stays if another site opens a ticket of its own', async () => {
    const site = logoutSite('stored sessions without records')
    const { world, op } = site
    await signInAtCorp(site)
    const attacker = world.otherBrowser()
    await signInAtCorp({ world: attacker, op })
    const ticket = locationOf(await attacker.post('/auth/signout', { federated: '1' })).href
    expect((await world.get(ticket)).headers.getSetCookie()).toEqual([])
    const asked = await signOutToCorp(world)
    expect(asked.searchParams.has('id_token_hint')).toBe(true)
  })

  test('OUT-2: is joined from its pieces, and no piece of a longer one is read', async () => {
    const site = logoutSite('sealed sessions', { told: { claims: { note: 'x'.repeat(4000) } } })
    await signInAtCorp(site)
    expect(site.world.jar.has('__Secure-latchkey.id-token.1')).toBe(true)
    site.op.misbehaviour = { ...site.op.misbehaviour, claims: { note: 'y'.repeat(1500) } }
    await signInAtCorp(site)
    const page = await site.world.get(
      locationOf(await site.world.post('/auth/signout', { federated: '1' })).href,
    )
    const asked = new URL(page.headers.get('location') ?? '')
    expect(decodeJwt(asked.searchParams.get('id_token_hint') ?? '')['note']).toMatch(/^y+$/)
  })

  test.each(['sealed sessions and records', 'stored sessions and records'] as const)(
    'is sealed with %s, bound to its session, and gone after the sign-out',
    async (keeping) => {
      const adapter = memoryAdapter()
      const site = logoutSite(keeping, { adapter })
      const records = async () =>
        (await adapter[atomic]?.listRecords?.({ kind: 'id-token', limit: 10 }))?.records ?? []
      const answer = await signInAtCorp(site)
      expect(answer.headers.getSetCookie().join()).not.toContain('id-token')
      const [record] = await records()
      expect(record?.data).toEqual({
        provider: 'corp',
        at: { issuer: ISSUER, clientId: CLIENT_ID, sub: 'ada', sid: 'session-at-op' },
        token: expect.stringMatching(/^eyJ[\w-]+\.\./),
      })
      await site.world.post('/auth/signout', {})
      expect(await records()).toEqual([])
      await signInAtCorp(site)
      await signOutToCorp(site.world)
      expect(await records()).toEqual([])
    },
  )

  test('lasts with records as long as the session is extended', async () => {
    const adapter = memoryAdapter()
    const site = logoutSite('stored sessions and records', { adapter })
    await signInAtCorp(site)
    for (let i = 0; i < 5; i++) {
      site.world.advance(20 * 24 * 60 * 60)
      await site.world.session()
    }
    expect((await signOutToCorp(site.world)).searchParams.has('id_token_hint')).toBe(true)
  })
})

describe('OUT-3: a logout request', () => {
  test('names the languages of the visitor', async () => {
    const site = logoutSite('sealed sessions')
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', { federated: '1' })
    const headers = { 'accept-language': 'de-AT, de;q=0.9, <b>;q=0.8, en' }
    const away = locationOf(await site.world.get(locationOf(answer).href, { headers }))
    expect(away.searchParams.get('ui_locales')).toBe('de-AT de en')
  })

  test.each([
    ['the claim `login_hint`', {}, { login_hint: 'ada' }, 'ada'],
    [
      'the `sid` where the provider wants it',
      { endSession: { logoutHint: 'sid' } },
      { sid: 's1' },
      's1',
    ],
  ] as const)('has the hint %s', async (_, provider, claims, hint) => {
    const site = logoutSite('sealed sessions', { provider, told: { claims } })
    await signInAtCorp(site)
    expect((await signOutToCorp(site.world)).searchParams.get('logout_hint')).toBe(hint)
  })

  test('has the further parameters of the configuration', async () => {
    const endSession = { params: { federated: '', tenant: '{clientId}', missing: '{nothing}' } }
    const site = logoutSite('sealed sessions', { provider: { endSession } })
    await signInAtCorp(site)
    const { searchParams } = await signOutToCorp(site.world)
    expect(searchParams.get('tenant')).toBe(CLIENT_ID)
    expect(searchParams.get('federated')).toBe('')
    expect(searchParams.has('missing')).toBe(false)
    expect(searchParams.has('id_token_hint')).toBe(true)
  })

  test('OUT-4: of more than 4,000 characters is a form, which leads to the provider only', async () => {
    const site = logoutSite('sealed sessions', { told: { claims: { note: 'x'.repeat(4000) } } })
    await signInAtCorp(site)
    const goOn = locationOf(await site.world.post('/auth/signout', { federated: '1' }))
    const page = await site.world.get(goOn.href, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`form-action ${ISSUER}`)
    expect(policy).toMatch(/script-src 'sha256-[^']+'/)
    const text = await page.text()
    expect(text).toContain(`<form action="${END_SESSION}" method="post">`)
    expect(text).toContain('name="id_token_hint"')
    expect(text).toMatch(/<button[^>]*>Continue<\/button>/)
    const [, state = ''] = /name="state" value="([^"]+)"/.exec(text) ?? []
    expect(locationOf(await site.world.get(`/auth/logout/return?state=${state}`)).origin).toBe(
      ORIGIN,
    )
  })
})

describe('OUT-5: a provider with its own logout address', () => {
  test('receives the parameters that it supports, with `{return}` in their place', async () => {
    const endSession = {
      url: '{issuer}/v2/logout',
      params: { client_id: '{clientId}', returnTo: '{return}', token: '{hint}' },
    }
    const site = logoutSite('sealed sessions', { provider: { endSession } })
    await signInAtCorp(site, { callbackUrl: '/in' })
    const asked = await signOutToCorp(site.world, { federated: '1', callbackUrl: '/bye' })
    expect(asked.origin + asked.pathname).toBe(`${ISSUER}/v2/logout`)
    expect([...asked.searchParams.keys()]).toEqual(['client_id', 'returnTo', 'token'])
    expect(asked.searchParams.get('returnTo')).toBe(`${ORIGIN}/auth/logout/return`)
    // It does not hand the state back.
    expect(locationOf(await site.world.get('/auth/logout/return')).pathname).toBe('/bye')
  })

  test('matches the newest sign-out, for two minutes only', async () => {
    const endSession = { url: '{issuer}/v2/logout', params: { returnTo: '{return}' } }
    const site = logoutSite('sealed sessions', { provider: { endSession } })
    await signInAtCorp(site)
    await signOutToCorp(site.world, { federated: '1', callbackUrl: '/bye' })
    site.world.advance(121)
    expect(locationOf(await site.world.get('/auth/logout/return')).pathname).toBe('/')
  })

  test('is called at the usual address if the metadata names none', async () => {
    const otherwise = { url: '{issuer}/v2/logout', params: { returnTo: '{return}' } }
    const site = logoutSite('sealed sessions', {
      provider: { endSession: { otherwise } },
      told: { metadata: { end_session_endpoint: undefined } },
    })
    await signInAtCorp(site)
    expect((await signOutToCorp(site.world)).pathname).toBe('/v2/logout')
  })

  test.each([
    ['says that there is none', { endSession: false } as const],
    ['lacks a member for it', { endSession: 'https://{domain}/logout' } as const],
  ])('that %s is not called', async (_, provider) => {
    const site = logoutSite('sealed sessions', { provider })
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })
})

describe('providers of the catalogue', () => {
  const settings = { id: 'corp', issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const without = { metadata: { end_session_endpoint: undefined } }

  async function leavesTo(provider: Provider, told: Misbehaviour = without): Promise<URL> {
    const site = logoutSite('sealed sessions', { told, config: { providers: [provider] } })
    await signInAtCorp(site)
    return signOutToCorp(site.world)
  }

  test('Auth0 is called at its own address, or at that of its metadata with `sid` as a hint', async () => {
    const own = await leavesTo(auth0(settings))
    expect(own.href.replace(/%3A/g, ':').replace(/%2F/g, '/')).toBe(
      `${ISSUER}/v2/logout?client_id=${CLIENT_ID}&returnTo=${ORIGIN}/auth/logout/return`,
    )
    const standard = await leavesTo(auth0(settings), {})
    expect(standard.href).toContain(`${END_SESSION}?`)
    expect(standard.searchParams.get('logout_hint')).toBe('session-at-op')
  })

  test('Cognito is called at its domain, if that is known', async () => {
    const asked = await leavesTo(cognito({ ...settings, domain: 'sign-in.example' }))
    expect(asked.origin + asked.pathname).toBe('https://sign-in.example/logout')
    expect([...asked.searchParams.keys()]).toEqual(['client_id', 'logout_uri'])
    expect((await leavesTo(cognito(settings))).origin).toBe(ORIGIN)
  })

  test('Google is not called', async () => {
    expect((await leavesTo(google(settings), {})).origin).toBe(ORIGIN)
  })
})

test('OUT-6: without metadata the sign-out goes on, and the log has the reason', async () => {
  const site = logoutSite('sealed sessions')
  await signInAtCorp(site)
  // The same site in another process, which gets metadata of somebody else.
  const { world } = logoutSite('sealed sessions', {
    told: { metadata: { issuer: 'https://other.example' } },
  })
  for (const [name, value] of site.world.jar) world.jar.set(name, value)
  const answer = await world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
  expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  expect(await world.session()).toBeNull()
  expect(world.log.map(({ message }) => message)).toContain('federated-logout-unavailable')
})

describe('the sign-out page', () => {
  test.each(all)('offers the logout at the provider with %s', async (keeping) => {
    const site = logoutSite(keeping)
    await signInAtCorp(site)
    const text = await (await site.world.get('/auth/signout')).text()
    const name =
      keeping === 'stored sessions without records' ? 'the service that you signed in with' : 'Corp'
    expect(text).toContain(`>Also sign out of ${name}<`)
    expect(text).toContain('name="federated" value="1"')
  })

  test('names the provider of a stored session by the accounts of its user', async () => {
    // Tables without that of records, as most applications have them.
    const { adapter, close } = await sqlStore()
    const site = logoutSite('stored sessions without records', { adapter })
    await signInAtCorp(site)
    const text = await (await site.world.get('/auth/signout')).text()
    expect(text).toContain('>Also sign out of Corp<')
    const mail = logoutSite('stored sessions without records', {
      adapter,
      provider: { endSession: false },
    })
    for (const [name, value] of site.world.jar) mail.world.jar.set(name, value)
    expect(await (await mail.world.get('/auth/signout')).text()).not.toContain('federated')
    await close()
  })

  test('announces it with `always`, and says nothing with `never`', async () => {
    const always = logoutSite('sealed sessions', { options: { federated: 'always' } })
    await signInAtCorp(always)
    const text = await (await always.world.get('/auth/signout')).text()
    expect(text).toContain('You will be signed out of Corp, too.')
    expect(text).not.toContain('type="checkbox"')
    const never = logoutSite('sealed sessions', { options: { federated: 'never' } })
    await signInAtCorp(never)
    expect(await (await never.world.get('/auth/signout')).text()).not.toContain('Corp')
  })

  test('says where the user stays signed in', async () => {
    const site = logoutSite('sealed sessions', { provider: { endSession: false } })
    await signInAtCorp(site)
    const text = await (await site.world.get('/auth/signout')).text()
    expect(text).toContain('You will still be signed in at Corp.')
  })

  test('says nothing for a user with a password', async () => {
    const { world } = await createSite({ config: { plugins: [federatedLogout()] } })
    await passwordSignIn(world)
    expect(await (await world.get('/auth/signout')).text()).not.toContain('federated')
    const answer = await world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
    expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  })
})

describe('OUT-7: a user who has just signed out', () => {
  const GUARD = '__Host-latchkey.signed-out'

  /** The application's own code, which sends visitors to the provider. */
  function application() {
    const op = simulateProvider(Date.now, { metadata: { end_session_endpoint: END_SESSION } })
    const latchkey = createLatchkey({
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: true,
      providers: [corp({ [customFetch]: op.fetch, prompts: ['login', 'select_account'] })],
      plugins: [federatedLogout()],
    })
    const asked = (mark: string | undefined, method = 'GET') =>
      new Request(`${ORIGIN}/sign-in`, {
        method,
        ...(mark && { headers: { cookie: `${GUARD}=${mark}` } }),
      })
    const begin = async (mark: string | undefined, method?: string) =>
      locationOf(await latchkey.signIn(asked(mark, method), 'corp', { redirectTo: '/inbox' }))
    return { begin, latchkey }
  }

  test('gets a cookie that lives for a minute', async () => {
    const site = logoutSite('sealed sessions')
    await signInAtCorp(site)
    const answer = await site.world.post('/auth/signout', {})
    expect(setCookieOf(answer, GUARD)).toBe(
      `${GUARD}=1; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`,
    )
    await signInAtCorp(site)
    expect(site.world.jar.has(GUARD)).toBe(false)
  })

  test('is not sent to the provider by a page without a click', async () => {
    const { begin, latchkey } = application()
    expect((await begin(undefined)).origin).toBe(ISSUER)
    for (const mark of ['1', '2']) {
      const page = await begin(mark)
      expect(page.pathname).toBe('/auth/logout/signed-out')
      const headers = { accept: 'text/html' }
      const text = await (await latchkey.handler(new Request(page, { headers }))).text()
      expect(text).toContain('You are signed out')
      expect(text).toContain('action="/auth/signin/corp"')
      expect(text).toContain(`name="callbackUrl" value="${ORIGIN}/inbox"`)
      expect(text).toContain('Continue with Corp')
    }
  })

  test('chooses an account after a click, unless the provider has signed them out', async () => {
    const { begin } = application()
    expect((await begin('1', 'POST')).searchParams.get('prompt')).toBe('select_account')
    expect((await begin('2', 'POST')).searchParams.has('prompt')).toBe(false)
    expect((await begin(undefined, 'POST')).searchParams.has('prompt')).toBe(false)
  })

  test.each([
    [['none', 'login'], 'login'],
    [['none', 'select_account', 'login'], 'select_account'],
    [undefined, null],
  ])('gets a prompt that the metadata lists, %j', async (listed, prompt) => {
    const told = { metadata: { prompt_values_supported: listed } }
    const site = logoutSite('sealed sessions', { told })
    await signInAtCorp(site)
    await site.world.post('/auth/signout', {})
    const begun = locationOf(await site.world.post('/auth/signin/corp', {}))
    expect(begun.searchParams.get('prompt')).toBe(prompt)
  })

  test('gets the prompt that the caller names', async () => {
    const site = logoutSite('sealed sessions', { provider: { prompts: ['login'] } })
    await signInAtCorp(site)
    await site.world.post('/auth/signout', {})
    const begun = locationOf(await site.world.post('/auth/signin/corp?prompt=consent', {}))
    expect(begun.searchParams.get('prompt')).toBe('consent')
  })
})

describe('`signOut` in code calls the provider', () => {
  test.each([
    [{ federated: true }, true],
    [{ federated: false }, false],
    [{ federated: '1' as const }, true],
    [{}, false],
  ])('with %j', async (options, leaves) => {
    const op = simulateProvider(Date.now, { metadata: { end_session_endpoint: END_SESSION } })
    const latchkey = createLatchkey({
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: true,
      providers: [corp({ [customFetch]: op.fetch })],
      plugins: [federatedLogout()],
    })
    const cookies = new Map<string, string>()
    const visit = async (answer: Response) => {
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      return answer
    }
    const request = (path: string) =>
      new Request(ORIGIN + path, {
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      })
    const begun = locationOf(await visit(await latchkey.signIn(request('/'), 'corp')))
    await visit(await latchkey.handler(request(`/auth/callback/corp?${op.authorize(begun)}`)))
    const { url } = await latchkey.signOut.result(request('/'), { redirectTo: '/bye', ...options })
    expect(url.startsWith(`${ORIGIN}/auth/logout/continue`)).toBe(leaves)
    if (!leaves) expect(url).toBe(`${ORIGIN}/bye`)
  })
})

describe('the options of the plugin', () => {
  test.each([
    [{ federated: 'yes' }, 'federated'],
    [{ returnTo: 'https://evil.example' }, 'returnTo'],
    [{ returnTo: '//evil.example' }, 'returnTo'],
    [{ backchannel: { maxAge: 0 } }, 'backchannel.maxAge'],
    [{ backchannel: { skew: 301 } }, 'backchannel.skew'],
    [{ backchannel: { providers: [] } }, 'backchannel.providers'],
    [{ frontchannel: true }, 'frontchannel'],
  ])('are refused if they contain %j', (options, name) => {
    expect(() => federatedLogout(options as never)).toThrow(`\`${name}\``)
  })
})

test('without the plugin the field `federated` is ignored', async () => {
  const site = logoutSite('sealed sessions', { config: { plugins: [] } })
  await signInAtCorp(site)
  const answer = await site.world.post('/auth/signout', { federated: '1', callbackUrl: '/bye' })
  expect(answer.headers.get('location')).toBe(`${ORIGIN}/bye`)
  expect((await site.world.get('/auth/logout/return')).status).toBe(400)
})

test('PAIR-13: without records, no piece of a long ID token is left when another user signs in', async () => {
  const site = logoutSite('sealed sessions', {
    told: { claims: { sid: 'session-at-op', padding: 'x'.repeat(5000) } },
  })
  const clears = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .filter((line) => /^[\w-]+latchkey\.id-token\.0=;.*Max-Age=0/.test(line))
  expect(clears(await signInAtCorp(site))).toEqual([])
  const pieces = [...site.world.jar.keys()].filter((name) => name.includes('id-token'))
  expect(pieces.length).toBeGreaterThan(1)
  // A browser sends them with a sign-out alone.
  for (const name of pieces) site.world.jar.delete(name)
  site.op.misbehaviour = {
    ...site.op.misbehaviour,
    claims: { sub: 'bob', email: 'bob@example.com', name: 'Bob', sid: 'of-bob' },
  }
  expect(clears(await signInAtCorp(site))).toHaveLength(1)
  expect((await site.world.session())?.user).toMatchObject({ name: 'Bob' })
})

test('PAIR-13: without records, the ID token of a user is gone when another one signs in with a password', async () => {
  const password: Provider = {
    id: 'credentials',
    type: 'credentials',
    name: 'Password',
    credentials: {},
    authorize: () => ({ id: 'bob', name: 'Bob' }),
  }
  const site = logoutSite('sealed sessions', { config: { providers: [corp(), password] } })
  await signInAtCorp(site)
  expect(site.world.jar.has('__Secure-latchkey.id-token')).toBe(true)
  await site.world.post('/auth/callback/credentials')
  expect((await site.world.session())?.user).toMatchObject({ name: 'Bob' })
  expect([...site.world.jar.keys()].join()).not.toContain('id-token')
})
