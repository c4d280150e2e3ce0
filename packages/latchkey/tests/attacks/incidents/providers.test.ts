/** What happened to other libraries with answers of providers, tried here: each under the id of its public advisory. */
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import { systemPorts } from '../../../src/base/ports.ts'
import { createLatchkey, customFetch, type Latchkey } from '../../../src/entries/index.ts'
import type { World } from '../../../src/entries/testing.ts'
import type { Provider } from '../../../src/options/provider-options.ts'
import { createSealer } from '../../../src/protocols/sealing/sealer.ts'
import GitHub from '../../../src/providers/github.ts'
import { ADA, createGitHub } from '../../support/github.ts'
import {
  acme,
  approve,
  changed,
  createSite,
  errorOf,
  locationOf,
  ORIGIN,
  passwordSignIn,
  providerSignIn,
  SECRET,
  type Site,
} from '../support/site.ts'

/** The site with other providers beside its password. */
async function siteWith(providers: readonly Provider[], more: object = {}): Promise<Site> {
  const { config } = await createSite()
  const [password] = config.providers ?? []
  if (!password) throw new Error('the site has changed')
  return createSite({ config: { providers: [password, ...providers], ...more } })
}

describe('responses of providers', () => {
  test.each([[['pkce', 'state']], [['pkce']], [['state']], [['none']], [[]]])(
    'CVE-2023-27490: with the checks %j are not accepted in a browser that did not begin the sign-in',
    async (checks) => {
      const { world, sent, writes } = await createSite({
        config: { providers: [acme({ checks })] },
      })
      const link = approve(await world.post('/auth/signin/acme'), 'eve')
      for (const path of [link, link.replace(/&state=[^&]*/, ''), changed(link, 'state', '')]) {
        const victim = world.otherBrowser()
        expect(errorOf(await victim.get(path))).toBe('Configuration')
        expect(await victim.session()).toBeNull()
      }
      expect([sent, writes]).toEqual([[], []])
    },
  )

  test.each([[undefined], [[]], [['none']], [['pkce']], [['state']], [['pkce', 'state']]])(
    "CVE-2025-65107: with the checks %j do not sign a visitor in to the account of an attacker's link",
    async (checks) => {
      const { world, adapter, sent } = await siteWith([acme({ checks })])
      const link = approve(await world.otherBrowser().post('/auth/signin/acme'), 'eve')
      await passwordSignIn(world)
      expect(errorOf(await world.get(link))).toBe('Configuration')
      expect([await adapter.getAccount?.('eve', 'acme'), sent]).toEqual([null, []])
      expect((await world.session())?.user?.['name']).toBe('ada')
      expect(errorOf(await providerSignIn(world, 'acme', 'own'))).toBeNull()
      expect(await adapter.getAccount?.('own', 'acme')).toMatchObject({ userId: 'ada' })
    },
  )

  test.each([[['state']], [['pkce']], [['pkce', 'state']], [['none']], [[]]])(
    'GHSA-x445-f3h2-j279: with the checks %j are not accepted for another provider',
    async (checks) => {
      const site = await siteWith(['acme', 'other'].map((id) => acme({ id, checks })))
      const { world, adapter, sent } = site
      await passwordSignIn(world)
      // Whoever sees what Acme is asked sends an answer of the other one, with a code of their own.
      const begun = await world.post('/auth/signin/acme')
      const kept = new Map(world.jar)
      const end = await world.get(approve(begun, 'eve').replace('/acme', '/other'))
      expect(errorOf(end)).toBe('Configuration')
      expect([await adapter.getAccount?.('eve', 'other'), sent]).toEqual([null, []])
      for (const [name, value] of kept) world.jar.set(name, value)
      expect(errorOf(await world.get(approve(begun, 'own')))).toBeNull()
      expect(await adapter.getAccount?.('own', 'acme')).toMatchObject({ userId: 'ada' })
    },
  )

  test.each([
    ['acme', 'Configuration'],
    [undefined, 'Configuration'],
    ['other', null],
  ])(
    'GHSA-x445-f3h2-j279: to a sign-in that Auth.js began with %s are accepted from that provider only',
    async (provider, error) => {
      const { world, adapter } = await siteWith([acme({ id: 'other', checks: ['state'] })])
      const name = '__Secure-authjs.state'
      const ports = { now: () => world.now(), random: systemPorts.random }
      const asked = { value: 'asked', provider }
      const sealed = await createSealer([SECRET], name).seal(asked, 900, ports)
      const answer = async (browser: World): Promise<string | null> => {
        browser.jar.set(name, sealed)
        return errorOf(await browser.get('/auth/callback/other?code=eve.&state=asked'))
      }
      const victim = world.otherBrowser()
      await passwordSignIn(victim)
      // Nobody knows who wanted an account linked.
      expect(await answer(victim)).not.toBeNull()
      expect(await adapter.getAccount?.('eve', 'other')).toBeNull()
      expect(await answer(world)).toBe(error)
    },
  )

  test.each([
    { error: 'bad_verification_code' },
    { error: 'bad_verification_code', token_type: 'bearer' },
    { access_token: '', token_type: 'bearer' },
    { access_token: null, token_type: 'bearer' },
    { access_token: ['x'], token_type: 'bearer' },
    {},
  ])('GHSA-f794-r6xc-hf3v: with %j sign nobody in, even with the status 200', async (answer) => {
    // Whoever the provider is asked about, without the token.
    const userinfo = {
      url: 'https://acme.example/user',
      request: () => ({ id: 'eve', email: 'eve@example.com' }),
    }
    const config = { providers: [acme({ userinfo })] }
    const refused = await createSite({
      config,
      answer: ({ pathname }) => (pathname === '/token' ? Response.json(answer) : undefined),
    })
    expect(errorOf(await providerSignIn(refused.world, 'acme'))).toBe('Configuration')
    expect([await refused.world.session(), refused.writes]).toEqual([null, []])
    const taken = await createSite({ config })
    expect(errorOf(await providerSignIn(taken.world, 'acme'))).toBeNull()
  })

  test.each([
    ['token', { token: 'http://acme.example/token' }],
    ['userinfo', { userinfo: 'http://acme.example/user' }],
    [
      'discovery',
      { id: 'acme', type: 'oidc', issuer: 'http://acme.example', authorization: undefined },
    ],
  ])(
    'AIKIDO-2024-10325: from a %s endpoint without TLS are not requested with a secret',
    async (_what, options) => {
      const { world, sent, writes } = await createSite({ config: { providers: [acme(options)] } })
      const begun = await world.post('/auth/signin/acme')
      if (errorOf(begun) === null) await world.get(approve(begun, 'carol'))
      expect(sent.filter(({ url }) => url.protocol === 'http:')).toEqual([])
      expect([await world.session(), writes]).toEqual([null, []])
    },
  )

  test('AIKIDO-2024-10325: may come over plain http from this machine', async () => {
    const own = { token: 'http://localhost:4000/token', userinfo: 'http://localhost:4000/user' }
    const { world, sent } = await createSite({
      config: { providers: [acme(own)] },
      answer: ({ pathname }) =>
        Response.json(
          pathname === '/token'
            ? { access_token: 'x', token_type: 'bearer' }
            : { id: 'carol', email: 'carol@example.com' },
        ),
    })
    expect(errorOf(await providerSignIn(world, 'acme'))).toBeNull()
    expect(sent.map(({ url }) => url.host)).toEqual(['localhost:4000', 'localhost:4000'])
  })
})

describe('April 2026, without an id: a provider begins to name its issuer', () => {
  const ISSUER = 'https://github.com/login/oauth'

  async function answerNaming(iss: string | undefined) {
    const { fetch } = createGitHub({ user: { ...ADA, email: 'carol@example.com' } })
    const provider = { ...GitHub({ clientId: 'id', clientSecret: 'secret' }), [customFetch]: fetch }
    const { world, writes } = await createSite({ config: { providers: [provider] } })
    const link = approve(await world.post('/auth/signin/github'), 'ada')
    return { end: await world.get(iss === undefined ? link : changed(link, 'iss', iss)), writes }
  }

  test('sign-ins go on', async () => {
    for (const iss of [undefined, ISSUER]) {
      expect([iss, errorOf((await answerNaming(iss)).end)]).toEqual([iss, null])
    }
  })

  test('while a wrong issuer is refused', async () => {
    for (const iss of ['https://evil.example', `${ISSUER}.evil.example`]) {
      const { end, writes } = await answerNaming(iss)
      expect([iss, errorOf(end), writes]).toEqual([iss, 'Configuration', []])
    }
  })

  test('while a configuration without an issuer compares nothing', async () => {
    const { world } = await createSite()
    const link = approve(await world.post('/auth/signin/acme'), 'carol')
    expect(errorOf(await world.get(changed(link, 'iss', 'https://acme.example')))).toBeNull()
  })
})

describe('tokens of providers', () => {
  test('GHSA-392p-2q2v-4372: a refresh token that works once is sent once, however many processes ask', async () => {
    const server = strictServer()
    const adapter = memoryAdapter()
    const all = Array.from({ length: 8 }, () =>
      createLatchkey(
        { secret: SECRET, adapter, providers: [server.provider] },
        { AUTH_URL: ORIGIN },
      ),
    )
    const request = await signedIn(all[0] as Latchkey)
    // The first token is about to end: each of them would renew it.
    await Promise.all(all.map((each) => each.getProviderToken(request, 'acme')))
    expect(server.sent).toEqual(['refresh-1'])
    for (const each of all) {
      const token = await each.getProviderToken(request, 'acme')
      expect(token?.access_token).toBe('access-2')
    }
    expect(server.sent).toEqual(['refresh-1'])
  })

  /** Takes a refresh token once; at the second time it ends all that came of the sign-in. */
  function strictServer() {
    const sent: string[] = []
    let given = 1
    const answer: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (new URL(request.url).pathname === '/user') return Response.json({ id: 'ada' })
      const form = new URLSearchParams(await request.text())
      const token = form.get('refresh_token')
      if (token !== null) {
        sent.push(token)
        if (token !== `refresh-${given}`) given = Number.NaN
        else given++
      }
      if (Number.isNaN(given)) return Response.json({ error: 'invalid_grant' }, { status: 400 })
      return Response.json({
        access_token: `access-${given}`,
        refresh_token: `refresh-${given}`,
        token_type: 'bearer',
        expires_in: given === 1 ? 30 : 3600,
      })
    }
    return { sent, provider: acme({ [customFetch]: answer }) }
  }

  async function signedIn({ handler, signIn }: Latchkey): Promise<Request> {
    const cookiesOf = (headers: Headers): string =>
      headers
        .getSetCookie()
        .filter((line) => !line.includes('Max-Age=0'))
        .map((line) => line.split(';')[0])
        .join('; ')
    const begun = await signIn(new Request(ORIGIN), 'acme')
    const headers = { cookie: cookiesOf(begun.headers) }
    const end = await handler(new Request(ORIGIN + approve(begun, 'ada'), { headers }))
    return new Request(ORIGIN, { headers: { cookie: cookiesOf(end.headers) } })
  }
})

describe('CVE-2022-31186: when a provider answers with an error', () => {
  afterEach(() => void vi.restoreAllMocks())

  test.each([false, true])('no log has its secrets (debug: %s)', async (debug) => {
    const lines: string[] = []
    const note = (...args: unknown[]): void =>
      void lines.push(...args.map((arg) => inspect(arg, { depth: 12, showHidden: true })))
    for (const level of ['log', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation(note)
    }
    for (const logger of [{ error: note, warn: note, debug: note }, undefined]) {
      for (const answer of [
        () => Response.json({ error: 'invalid_client' }, { status: 401 }),
        () => new Response('<h1>out of order</h1>', { status: 500 }),
        () => Response.json({ error: 'invalid_grant' }),
      ]) {
        const site = await createSite({
          config: { providers: [acme()], debug, logger },
          answer: ({ pathname }) => (pathname === '/token' ? answer() : undefined),
        })
        await providerSignIn(site.world, 'acme')
        const begun = await site.world.post('/auth/signin/acme')
        const { searchParams } = new URL(locationOf(begun))
        const state = searchParams.get('state') ?? ''
        await site.world.get(`/auth/callback/acme?error=access_denied&state=${state}`)
      }
    }
    const text = lines.join('\n')
    const basic = Buffer.from('client:client+secret').toString('base64')
    for (const secret of [SECRET, 'client secret', 'client+secret', 'client%20secret', basic]) {
      expect(text).not.toContain(secret)
    }
    for (const said of ['acme', 'invalid_client', 'access_denied']) expect(text).toContain(said)
  })
})
