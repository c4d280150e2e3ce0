import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createTestProvider, createWorld } from '../../src/entries/testing.ts'
import {
  acme,
  approve,
  createSite,
  errorOf,
  locationOf,
  passwordSignIn,
  providerSignIn,
  sqlStore,
  strategies,
} from './support/site.ts'

describe.each([
  ['memory', async () => memoryAdapter()],
  ['sqlite', async () => (await sqlStore()).adapter],
])('T-LINK-4: an account in %s', (_store, open) => {
  test('goes to nobody else, even if an `account` callback returns all members of the response', async () => {
    let says: object = {}
    const { world } = await createSite({
      adapter: await open(),
      config: { providers: [acme({ account: (tokens: object) => ({ ...tokens }) })] },
      answer: ({ pathname }) =>
        pathname === '/token'
          ? Response.json({ access_token: 'access-eve', token_type: 'bearer', ...says })
          : undefined,
    })
    await providerSignIn(world.otherBrowser(), 'acme', 'eve')
    says = { userId: 'ada', id: 'x', type: 'oidc', provider: 'corp', providerAccountId: 'ada' }
    for (let visit = 0; visit < 2; visit++) {
      const browser = world.otherBrowser()
      await providerSignIn(browser, 'acme', 'eve')
      expect((await browser.session())?.user?.['email']).toBe('eve@example.com')
    }
  })
})

describe.each(strategies)('with %s sessions, a provider that posts back', (strategy) => {
  /** Ada, who is signed in and asked for an account of theirs at the provider, and what posts the answer. */
  async function begun() {
    const params = { response_mode: 'form_post' }
    const authorization = { url: 'https://acme.example/authorize', params }
    const site = await createSite({
      strategy,
      config: {
        providers: [
          ...((await createSite()).config.providers ?? []).slice(0, 1),
          acme({ authorization }),
        ],
      },
    })
    await passwordSignIn(site.world)
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    const { pathname, searchParams } = new URL(back, 'https://app.example')
    const post = () =>
      site.world.request(pathname, {
        method: 'POST',
        headers: { origin: 'https://acme.example', 'sec-fetch-site': 'cross-site' },
        body: searchParams,
      })
    return { ...site, pathname, searchParams, post }
  }

  /** The same, by a browser that sends no cookie along that is kept to this site. */
  async function postedBack() {
    const { world, writes, pathname, post } = await begun()
    const kept = new Map(world.jar)
    for (const name of kept.keys()) if (!/sign-in|state|pkce/.test(name)) world.jar.delete(name)
    const before = writes.length
    const answer = await post()
    expect(writes.slice(before)).toEqual([])
    const again = answer.headers.get('location') ?? ''
    expect([answer.status, new URL(again).pathname]).toEqual([302, pathname])
    return { world, writes, before, kept, again }
  }

  test('links the account of a user whose session comes with the next request', async () => {
    const { world, kept, again } = await postedBack()
    for (const [name, value] of kept) world.jar.set(name, value)
    expect(errorOf(await world.get(again))).toBeNull()
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
    expect(errorOf(await world.get(again)), 'the answer was used').toBe('Configuration')
  })

  test('links the account at once if the session comes with the form', async () => {
    const { world, post } = await begun()
    const answer = await post()
    expect(errorOf(answer)).toBeNull()
    expect(new URL(locationOf(answer)).pathname).toBe('/')
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
  })

  test('is refused without a request', async () => {
    const { world, searchParams, post } = await begun()
    searchParams.set('state', 'x')
    expect(errorOf(await post())).toBe('Configuration')
    const logged = world.log.findLast(({ level }) => level === 'error')
    expect(logged?.detail).toMatchObject({ type: 'InvalidCheck' })
  })

  test('T-LINK-3: creates no second user for a user who wanted to link an account', async () => {
    const { world, writes, before, kept, again } = await postedBack()
    expect(errorOf(await world.get(again))).toBe('OAuthAccountNotLinked')
    expect(writes.slice(before)).toEqual([])
    for (const [name, value] of kept) if (name.includes('session')) world.jar.set(name, value)
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
  })
})

test('T-OIDC-9: no caller replaces a configured parameter, except those that are for the caller to choose', async () => {
  const configured = {
    scope: 'read',
    prompt: 'login',
    login_hint: 'you',
    client_key: 'client',
    hd: 'corp.example',
    audience: 'api',
    access_type: 'online',
    acr_values: 'gold',
  }
  const { world } = await createSite({
    config: {
      providers: [
        acme({ authorization: { url: 'https://acme.example/authorize', params: configured } }),
      ],
    },
  })
  const asked = { ...configured, extra: 'more' }
  const query = new URLSearchParams(Object.keys(asked).map((name) => [name, `evil-${name}`]))
  const begun = await world.post(`/auth/signin/acme?${query.toString()}`)
  const sent = new URL(locationOf(begun)).searchParams
  expect(Object.fromEntries([...sent].filter(([name]) => name in asked))).toEqual({
    ...configured,
    scope: 'evil-scope',
    prompt: 'evil-prompt',
    login_hint: 'evil-login_hint',
    extra: 'evil-extra',
  })
})

test('T-OIDC-4: a repeated issuer is refused, also for a provider without an issuer', async () => {
  const { world, sent } = await createSite()
  const back = approve(await world.post('/auth/signin/acme'), 'carol')
  const end = await world.get(`${back}&iss=https%3A%2F%2Fa.example&iss=https%3A%2F%2Fb.example`)
  expect(errorOf(end)).toBe('Configuration')
  expect(sent).toEqual([])
})

describe('T-OIDC-8: a profile that `userinfo.request` of the application returns', () => {
  const signIn = async (profile: Record<string, unknown>) => {
    const provider = createTestProvider()
    const userinfo = { request: () => profile }
    const world = createWorld({ providers: [{ ...provider.provider, idToken: false, userinfo }] })
    const end = await provider.signIn(world)
    return { error: errorOf(end), user: (await world.session())?.user }
  }

  test('signs nobody in if its subject is not that of the ID token', async () => {
    for (const sub of ['eve', 'ADA', '', 0, ['ada']]) {
      expect(await signIn({ sub, name: 'Ada' })).toEqual({
        error: 'Configuration',
        user: undefined,
      })
    }
  })

  test('may have another shape', async () => {
    const user = expect.objectContaining({ name: 'Ada' })
    expect(await signIn({ sub: 'ada', name: 'Ada' })).toEqual({ error: null, user })
    expect(await signIn({ id: 'a-1', name: 'Ada' })).toEqual({ error: null, user })
  })
})
