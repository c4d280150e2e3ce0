import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { skipCSRFCheck } from '../../src/options/markers.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { type SessionsOptions, sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { createTestProvider } from '../../src/testing/provider.ts'
import type { World } from '../../src/testing/world.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { OPTIONS, optionsOf, send } from '../support/passkeys.ts'
import { apiOf, requestOf } from '../support/sessions-site.ts'
import {
  acme,
  approve,
  askForLink,
  createSite,
  errorOf,
  locationOf,
  ORIGIN,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  strategies,
} from './support/site.ts'

const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
const FORM = 'application/x-www-form-urlencoded'
const STALE = 'ReauthenticationRequired'

interface Setting {
  readonly strategy?: (typeof strategies)[number]
  readonly options?: SessionsOptions | false
  readonly adapter?: Adapter
  readonly config?: Partial<AuthConfig>
}

/** Ada is signed in with her password, on a site with every way in. */
async function adaOn({ strategy = 'database', options = {}, adapter, config }: Setting = {}) {
  const inner = adapter ?? memoryAdapter()
  const base = await createSite({ adapter: inner })
  const given = base.config.providers ?? []
  const plugins = [...(options ? [sessions(options)] : []), providerTokens()]
  const site = await createSite({
    strategy,
    adapter: inner,
    config: {
      plugins,
      providers: [...given, Passkey()],
      ...config,
    },
  })
  await passwordSignIn(site.world)
  return { ...site, mails: base.mails }
}

const ownerOf = async (adapter: Adapter, provider: string, providerAccountId: string) =>
  (await adapter.getUserByAccount?.({ provider, providerAccountId }))?.id ?? null

const passkeysOf = async (adapter: Adapter, userId = 'ada') =>
  (await adapter.listAuthenticatorsByUserId?.(userId)) ?? []

const connect = (world: World, provider = 'acme') =>
  world.request(`/auth/provider-tokens/connect/${provider}`, {
    method: 'POST',
    headers: JSON_OF_OURS,
    body: '{}',
  })

/** Adapters of others cannot list accounts. */
function withoutLists(adapter: Adapter): Adapter {
  const { listAccountsByUserId: _, ...abilities } = adapter[atomic] ?? {}
  return { ...adapter, [atomic]: abilities }
}

describe('SEC-20: a sign-in that another site began', () => {
  const adaLinks = async (headers: Record<string, string>, method = 'GET') => {
    const { world, adapter } = await adaOn({ options: false })
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() })
    onTestFinished(() => void vi.useRealTimers())
    const latchkey = createLatchkey(world.config)
    const cookie = requestOf(world).headers.get('cookie') ?? ''
    // What a page of the application does that sends everybody to the provider.
    const request = new Request(`${ORIGIN}/link`, { method, headers: { cookie, ...headers } })
    const begun = await latchkey.signIn(request, 'acme')
    for (const set of begun.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      world.jar.set(name, value)
    }
    return { world, adapter, back: approve(begun, 'eve') }
  }

  const comeBack = async ({ world, back }: Awaited<ReturnType<typeof adaLinks>>) => world.get(back)

  test.each<[what: string, headers: Record<string, string>, method?: string]>([
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a link of a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['a link in a mail', { 'sec-fetch-site': 'none' }],
    ['a link in an old browser', { referer: 'https://evil.example/' }],
    ['a link without a word', {}],
  ])('SEC-20: %s links no account', async (_, headers, method) => {
    const site = await adaLinks(headers, method)
    expect(errorOf(await comeBack(site))).toBe('OAuthAccountNotLinked')
    expect(await ownerOf(site.adapter, 'acme', 'eve')).toBeNull()
  })

  test.each<[what: string, headers: Record<string, string>, method?: string]>([
    ['a link of a page of this site', { 'sec-fetch-site': 'same-origin' }],
    ['the same in an old browser', { referer: `${ORIGIN}/settings` }],
    ['a form', { 'sec-fetch-site': 'same-origin', origin: ORIGIN }, 'POST'],
    ['a form in an old browser', { origin: ORIGIN }, 'POST'],
  ])('SEC-20: %s links the account', async (_, headers, method) => {
    const site = await adaLinks(headers, method)
    expect(errorOf(await comeBack(site))).toBeNull()
    expect(await ownerOf(site.adapter, 'acme', 'eve')).toBe('ada')
  })

  test('SEC-25: removes no open sign-in of the visitor, for any number of attempts', async () => {
    const { world } = await adaOn({ options: false })
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() })
    onTestFinished(() => void vi.useRealTimers())
    await world.post('/auth/signout')
    const own = await world.post('/auth/signin/acme')
    const latchkey = createLatchkey(world.config)
    for (let i = 0; i < 10; i++) {
      const cookie = requestOf(world).headers.get('cookie') ?? ''
      const headers = { cookie, 'sec-fetch-site': 'cross-site' }
      const begun = await latchkey.signIn(new Request(`${ORIGIN}/in`, { headers }), 'acme')
      for (const set of begun.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (/max-age=0/i.test(set)) world.jar.delete(name)
        else world.jar.set(name, value)
      }
    }
    expect([...world.jar.keys()].filter((name) => name.includes('sign-in.'))).toHaveLength(5)
    expect(errorOf(await world.get(approve(own, 'carol')))).toBeNull()
  })

  test('SEC-20: signs in only the owner of the account', async () => {
    const site = await adaLinks({ 'sec-fetch-site': 'cross-site' })
    await providerSignIn(site.world, 'acme', 'eve')
    expect(errorOf(await comeBack(site))).toBeNull()
    expect(await ownerOf(site.adapter, 'acme', 'eve')).toBe('ada')
  })

  test('SEC-20: links nothing by a form that a framework let through', async () => {
    const { world: ada, adapter } = await adaOn({ options: false })
    const { world } = await createSite({ adapter, config: { ...ada.config, skipCSRFCheck } })
    world.jar.set(SESSION_COOKIE, ada.jar.get(SESSION_COOKIE) ?? '')
    const begun = await world.request('/auth/signin/acme', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site', 'content-type': FORM },
      body: '',
    })
    expect(errorOf(await world.get(approve(begun, 'eve')))).toBe('OAuthAccountNotLinked')
    expect(await ownerOf(adapter, 'acme', 'eve')).toBeNull()
  })
})

describe.each(strategies)('SEC-17: an old session adds no way in, with %s sessions', (strategy) => {
  test('SEC-17: for a thief with an old cookie, who links no account and does not become fresh', async () => {
    const { world, adapter } = await adaOn({ strategy })
    const thief = world.otherBrowser()
    world.advance(601)
    thief.jar.set(SESSION_COOKIE, world.jar.get(SESSION_COOKIE) ?? '')
    const begun = await thief.post('/auth/signin/acme')
    expect([begun.status, locationOf(begun)]).toEqual([302, `${ORIGIN}/auth/signin?error=${STALE}`])
    expect(await ownerOf(adapter, 'acme', 'carol')).toBeNull()
    expect(await apiOf(thief).isFresh(requestOf(thief))).toBe(false)
    const page = await (await thief.get(`/auth/signin?error=${STALE}`)).text()
    expect(page).toContain(
      'To add a way to sign in, first sign in again in a way that you already use.',
    )
  })

  test('SEC-17: while a fresh session links an account', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(599)
    expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    expect(await ownerOf(adapter, 'acme', 'carol')).toBe('ada')
  })

  test('SEC-17: until it is renewed by a sign-in, which returns to the page that asked', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(601)
    await world.post('/auth/signin/acme', { callbackUrl: '/settings' })
    const again = await passwordSignIn(world)
    expect(locationOf(again)).toBe(`${ORIGIN}/settings`)
    await providerSignIn(world, 'acme')
    expect(await ownerOf(adapter, 'acme', 'carol')).toBe('ada')
  })

  test('SEC-17: if the proof gets too old before the provider answers', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(590)
    const begun = await world.post('/auth/signin/acme')
    world.advance(20)
    expect(errorOf(await world.get(approve(begun, 'carol')))).toBe(STALE)
    expect(await ownerOf(adapter, 'acme', 'carol')).toBeNull()
  })

  test('SEC-17: except a sign-in with an account that it has', async () => {
    const { world, adapter } = await adaOn({ strategy })
    await providerSignIn(world, 'acme')
    world.advance(601)
    expect(errorOf(await providerSignIn(world, 'acme', 'eve'))).toBe(STALE)
    expect(await ownerOf(adapter, 'acme', 'eve')).toBeNull()
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(false)
    expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(true)
  })

  test('SEC-17: by a sign-in that began with it', async () => {
    const { world, adapter } = await adaOn({ strategy })
    await providerSignIn(world, 'acme')
    world.advance(601)
    const begun = await world.post('/auth/signin/acme')
    await passwordSignIn(world)
    expect(errorOf(await world.get(approve(begun, 'eve')))).toBe('OAuthAccountNotLinked')
    expect(await ownerOf(adapter, 'acme', 'eve')).toBeNull()
  })

  test('SEC-17: if the adapter cannot list accounts: the callback refuses', async () => {
    const { world, adapter } = await adaOn({
      strategy,
      adapter: withoutLists(memoryAdapter()),
      config: { plugins: [sessions()] },
    })
    world.advance(601)
    expect(errorOf(await providerSignIn(world, 'acme'))).toBe(STALE)
    expect(await ownerOf(adapter, 'acme', 'carol')).toBeNull()
  })

  test('SEC-17: by options for a new passkey', async () => {
    const { world } = await adaOn({ strategy })
    world.advance(601)
    const answer = await world.get(`${OPTIONS}?action=register`)
    expect([answer.status, await answer.json()]).toEqual([
      403,
      {
        error: STALE,
        code: 'reauthentication_required',
        title: 'Sign in again first.',
        url: `${ORIGIN}/auth/signin?error=${STALE}`,
      },
    ])
    expect(answer.headers.getSetCookie().join()).not.toContain('challenge')
  })

  test('SEC-17: by a passkey that was begun in time, once the proof is old', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(590)
    const { options } = await optionsOf(world, { action: 'register' })
    world.advance(20)
    const made = await send(world, 'register', createAuthenticator(ORIGIN).create(options))
    expect(errorOf(made)).toBe(STALE)
    expect(await passkeysOf(adapter)).toEqual([])
  })

  test('SEC-17: while a fresh session adds a passkey, with which an old one is renewed', async () => {
    const { world, adapter } = await adaOn({ strategy })
    const authenticator = createAuthenticator(ORIGIN)
    const { options } = await optionsOf(world, { action: 'register' })
    await send(world, 'register', authenticator.create(options))
    expect(await passkeysOf(adapter)).toHaveLength(1)
    world.advance(601)
    const { options: asked } = await optionsOf(world, { action: 'authenticate' })
    await send(world, 'authenticate', authenticator.get(asked))
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(true)
  })

  test('SEC-17: by connecting an account', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(601)
    const refused = await connect(world)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required', next: expect.stringContaining('/auth/signin') },
    ])
    const page = await world.post(
      '/auth/provider-tokens/connect/acme',
      {},
      { headers: { accept: 'text/html' } },
    )
    expect([page.status, locationOf(page)]).toMatchObject([
      303,
      expect.stringContaining('/auth/signin?'),
    ])
    expect(await ownerOf(adapter, 'acme', 'carol')).toBeNull()
  })

  test('SEC-17: by an account whose connection began in time, once the proof is old', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(590)
    const { url } = (await (await connect(world)).json()) as { url: string }
    world.advance(20)
    const begun = new Response(null, { headers: { location: url } })
    expect(errorOf(await world.get(approve(begun, 'carol')))).toBe(STALE)
    expect(await ownerOf(adapter, 'acme', 'carol')).toBeNull()
  })

  test('SEC-17: by `signIn` of the application, which leads to the sign-in page', async () => {
    const { world } = await adaOn({ strategy })
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() + 601_000 })
    onTestFinished(() => void vi.useRealTimers())
    const latchkey = createLatchkey(world.config)
    const { headers, url } = requestOf(world)
    headers.set('sec-fetch-site', 'same-origin')
    const answer = await latchkey.signIn(new Request(url, { headers }), 'acme')
    expect([answer.status, errorOf(answer)]).toEqual([302, STALE])
  })

  test('SEC-17: by a mail for an address that its user never proved', async () => {
    const site = await adaOn({ strategy })
    const { world, mails } = site
    const eve = world.otherBrowser()
    const { options } = await optionsOf(eve, { action: 'register', email: 'eve@example.com' })
    await send(eve, 'register', createAuthenticator(ORIGIN).create(options))
    const link = await askForLink({ ...site, world: eve }, 'eve@example.com')
    world.advance(601)
    const asked = await eve.post('/auth/signin/email', { email: 'eve@example.com' })
    expect([errorOf(asked), mails.length]).toEqual([STALE, 1])
    expect(errorOf(await eve.get(link))).toBe(STALE)
    const user = await site.adapter.getUserByEmail?.('eve@example.com')
    expect(user?.emailVerified).toBeNull()
  })

  test('SEC-17: also if only a session opens an account to a mail', async () => {
    const mails: string[] = []
    const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url)
    const mail = { id: 'email', name: 'Email', type: 'email', opensUnproven: false } as const
    const inner = memoryAdapter()
    const { config } = await createSite({ adapter: inner })
    const [password] = config.providers ?? []
    const providers = [password ?? Passkey(), { ...mail, sendVerificationRequest }]
    const options = { freshAge: 300 }
    const { world } = await adaOn({ strategy, options, adapter: inner, config: { providers } })
    await inner.updateUser?.({ id: 'ada', emailVerified: null })
    await world.post('/auth/signin/email', { email: 'ada@example.com' })
    world.advance(301)
    expect(errorOf(await world.post('/auth/signin/email', { email: 'ada@example.com' }))).toBe(
      STALE,
    )
    const [link = ''] = mails
    expect(errorOf(await world.get(link.slice(ORIGIN.length)))).toBe(STALE)
    await passwordSignIn(world)
    expect(errorOf(await world.get(link.slice(ORIGIN.length)))).toBeNull()
    expect((await inner.getUser?.('ada'))?.emailVerified).not.toBeNull()
  })

  test('SEC-17: while a session alone links without the plugin', async () => {
    const { world, adapter } = await adaOn({ strategy, options: false })
    world.advance(86_400)
    expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    expect(await ownerOf(adapter, 'acme', 'carol')).toBe('ada')
  })

  test('SEC-17: unlike a first sign-in, which needs no earlier proof', async () => {
    const { world, adapter } = await adaOn({ strategy })
    world.advance(601)
    const other = world.otherBrowser()
    expect(errorOf(await providerSignIn(other, 'acme'))).toBeNull()
    expect(await ownerOf(adapter, 'acme', 'carol')).not.toBeNull()
  })

  describe('SEC-17: a provider that reports when its user proved their identity', () => {
    const profile = { sub: 'dana', email: 'dana@sso.example' }
    const idp = createTestProvider({ id: 'sso', issuer: 'https://sso.example', profile })
    const site = async (more: Partial<AuthConfig> = {}) => {
      const { config } = await createSite()
      const [passwords] = config.providers ?? []
      const providers = [idp.provider, acme(), ...(passwords ? [passwords] : [])]
      return adaOn({ strategy, config: { providers, ...more } })
    }
    const asked = (begun: Response) => new URL(locationOf(begun)).searchParams
    const begin = (world: World, query = '') => world.post(`/auth/signin/sso${query}`)

    /** An hour ago; the provider signs in without a question until it is asked for a newer proof. */
    const provedBefore = (world: World) => {
      idp.profile = { ...profile, auth_time: world.now() / 1000 - 3600 }
    }

    const agree = (world: World, begun: Response) => {
      const maxAge = Number(asked(begun).get('max_age') ?? Infinity)
      const now = world.now() / 1000
      if (now - Number(idp.profile['auth_time']) > maxAge)
        idp.profile = { ...profile, auth_time: now }
      return world.get(idp.authorize(locationOf(begun), { now: world.now() }).href)
    }

    test('SEC-17: is asked for a proof as recent as the page for devices requires, if that is less', async () => {
      const device = { clients: [{ id: 'cli', name: 'Example CLI' }], freshAge: 60 }
      const { world } = await site({ plugins: [sessions(), tokens({ device })] })
      await world.post('/auth/signout')
      await agree(world, await begin(world))
      world.advance(50)
      expect(asked(await begin(world)).has('max_age')).toBe(false)
      world.advance(20)
      expect(asked(await begin(world)).get('max_age')).toBe('60')
    })

    test('SEC-17: is asked for a new proof, so that a new sign-in is accepted', async () => {
      const { world } = await site()
      await world.post('/auth/signout')
      provedBefore(world)
      const first = await begin(world)
      expect(asked(first).has('max_age')).toBe(false)
      await agree(world, first)
      expect(errorOf(await world.post('/auth/signin/acme'))).toBe(STALE)
      const again = await begin(world)
      expect(asked(again).get('max_age')).toBe('600')
      expect(errorOf(await agree(world, again))).toBeNull()
      expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    })

    test('SEC-17: is not asked with a fresh session, nor if the application configures the parameter', async () => {
      const { world } = await site()
      expect(asked(await begin(world)).has('max_age')).toBe(false)
      await agree(world, await begin(world))
      world.advance(601)
      expect(asked(await begin(world, '?prompt=none')).has('max_age')).toBe(false)
      expect(asked(await begin(world, '?max_age=5')).get('max_age')).toBe('5')
    })

    test('SEC-17: signs in also without reporting the time', async () => {
      const { world } = await site()
      await world.post('/auth/signout')
      idp.profile = profile
      await agree(world, await begin(world))
      world.advance(601)
      expect(errorOf(await agree(world, await begin(world)))).toBeNull()
      expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    })
  })

  test('SEC-17: `freshAge` is the largest age of the proof', async () => {
    const { world, adapter } = await adaOn({ strategy, options: { freshAge: 3600 } })
    world.advance(3599)
    expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    expect(await ownerOf(adapter, 'acme', 'carol')).toBe('ada')
  })
})
