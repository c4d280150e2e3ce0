import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import GitHub from '../../src/providers/github.ts'
import {
  acme,
  approve,
  askForLink,
  createSite,
  errorOf,
  idToken,
  jsonPost,
  locationOf,
  ORIGIN,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  type Site,
  sqlStore,
  strategies,
  textsIn,
} from './support/site.ts'

const ownerOf = async ({ adapter }: Site, provider: string, providerAccountId: string) =>
  (await adapter.getUserByAccount?.({ provider, providerAccountId }))?.email

describe.each(strategies)('T-LINK-1: the identity of a visitor, with %s sessions', (strategy) => {
  test('is not the subject alone: the same one at two providers is two people', async () => {
    const site = await createSite({ strategy })
    await providerSignIn(site.world.otherBrowser(), 'acme', 'carol')
    await providerSignIn(site.world.otherBrowser(), 'corp', 'carol')
    expect(await ownerOf(site, 'acme', 'carol')).toBe('carol@example.com')
    expect(await ownerOf(site, 'corp', 'carol')).toBe('carol@corp.example')
  })

  test('is not the address: another subject with it does not take over the user', async () => {
    const site = await createSite({
      strategy,
      answer: (url, init) =>
        url.pathname === '/user'
          ? Response.json({
              id: new Headers(init.headers).get('authorization')?.slice('Bearer access-'.length),
              email: 'same@example.com',
            })
          : undefined,
    })
    await providerSignIn(site.world.otherBrowser(), 'acme', 'first')
    const thief = site.world.otherBrowser()
    expect(errorOf(await providerSignIn(thief, 'acme', 'second'))).toBe('OAuthAccountNotLinked')
    expect(thief.jar.has(SESSION_COOKIE)).toBe(false)
    expect(await ownerOf(site, 'acme', 'second')).toBeUndefined()
  })

  test('differs for subjects that differ in case or blanks', async () => {
    const site = await createSite({ strategy })
    await providerSignIn(site.world, 'corp', 'Carol')
    for (const subject of ['carol', 'CAROL', 'Carol ', 'Carol%20', 'Cárol']) {
      const other = site.world.otherBrowser()
      await providerSignIn(other, 'corp', subject)
      expect([subject, (await ownerOf(site, 'corp', subject)) === 'carol@corp.example']).toEqual([
        subject,
        false,
      ])
    }
  })
})

describe.each(strategies)('T-LINK-2: the address of another user, with %s sessions', (strategy) => {
  for (const verified of [true, false, 'true', 'false', null, undefined, 1]) {
    test(`with email_verified ${JSON.stringify(verified) ?? 'absent'} joins nothing`, async () => {
      const site = await createSite({
        strategy,
        answer: async (url, init) => {
          if (url.href !== 'https://corp.example/token') return undefined as never
          const code = new URLSearchParams(await new Response(init.body).text()).get('code') ?? ''
          const claims = { email: 'ADA@example.com', email_verified: verified }
          const token = await idToken('eve', { ...claims, nonce: code.split('.')[1] })
          return Response.json({ access_token: 'x', token_type: 'bearer', id_token: token })
        },
      })
      const end = await providerSignIn(site.world, 'corp', 'eve')
      expect(errorOf(end)).toBe('OAuthAccountNotLinked')
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.writes).toEqual([])
    })
  }
})

describe.each(strategies)('T-LINK-3: linking with %s sessions', (strategy) => {
  const linked = async (site: Site) => ownerOf(site, 'acme', 'carol')

  test('links the account to the signed-in user who asked for it', async () => {
    const site = await createSite({ strategy })
    await passwordSignIn(site.world)
    await providerSignIn(site.world, 'acme')
    expect(await linked(site)).toBe('ada@example.com')
  })

  test('is refused if another user signed in meanwhile', async () => {
    const site = await createSite({ strategy })
    const { world } = site
    await passwordSignIn(world, 'ada')
    const back = approve(await world.post('/auth/signin/acme'), 'carol')
    await passwordSignIn(world, 'bob')
    expect(errorOf(await world.get(back))).toBe('OAuthAccountNotLinked')
    expect(await linked(site)).toBeUndefined()
    expect((await world.session())?.user?.['name']).toBe('bob')
  })

  test('is refused if it began without a session and a user signed in meanwhile', async () => {
    const site = await createSite({ strategy })
    const { world } = site
    const back = approve(await world.post('/auth/signin/acme'), 'carol')
    await passwordSignIn(world, 'ada')
    expect(errorOf(await world.get(back))).toBe('OAuthAccountNotLinked')
    expect(await linked(site)).toBeUndefined()
  })

  test('does not happen for a session that ended or expired meanwhile', async () => {
    for (const meanwhile of ['sign-out', 'expiry']) {
      const site = await createSite({
        strategy,
        config: { session: { strategy, maxAge: 60 } },
      })
      const { world } = site
      await passwordSignIn(world)
      const back = approve(await world.post('/auth/signin/acme'), 'carol')
      if (meanwhile === 'sign-out') await world.post('/auth/signout')
      else world.advance(76)
      await world.get(back)
      expect([meanwhile, await linked(site)]).toEqual([meanwhile, 'carol@example.com'])
    }
  })

  test('does not begin by opening an address', async () => {
    const site = await createSite({ strategy })
    await passwordSignIn(site.world)
    const asked = await site.world.get('/auth/signin/acme')
    expect(locationOf(asked)).not.toContain('acme.example')
    const forced = await site.world.get('/auth/callback/acme?code=eve.&state=x')
    expect(errorOf(forced)).toBe('Configuration')
    expect(await ownerOf(site, 'acme', 'eve')).toBeUndefined()
  })

  test('is not completed with the response of another browser', async () => {
    const site = await createSite({ strategy })
    const [victim, attacker] = [site.world, site.world.otherBrowser()]
    await passwordSignIn(victim)
    const back = approve(await attacker.post('/auth/signin/acme'), 'eve')
    expect(errorOf(await victim.get(back))).toBe('Configuration')
    await victim.post('/auth/signin/acme')
    expect(errorOf(await victim.get(back))).not.toBeNull()
    expect(await ownerOf(site, 'acme', 'eve')).toBeUndefined()
  })

  test('without any check at the provider is refused, since any page could have begun it', async () => {
    const site = await createSite({ strategy })
    const bare = await createSite({
      strategy,
      config: {
        providers: [...(site.config.providers ?? []).slice(0, 1), acme({ checks: ['none'] })],
      },
    })
    await passwordSignIn(bare.world)
    const forced = await bare.world.get('/auth/callback/acme?code=eve.')
    expect(errorOf(forced)).toBe('Configuration')
    expect(await ownerOf(bare, 'acme', 'eve')).toBeUndefined()
  })

  test('never moves an account from one user to another', async () => {
    const site = await createSite({ strategy })
    await providerSignIn(site.world.otherBrowser(), 'acme', 'carol')
    await passwordSignIn(site.world)
    expect(errorOf(await providerSignIn(site.world, 'acme', 'carol'))).toBe('OAuthAccountNotLinked')
    expect(await linked(site)).toBe('carol@example.com')
  })
})

test('T-LINK-3: a token that the application has revoked receives no account', async () => {
  let revoked = false
  const site = await createSite({
    strategy: 'jwt',
    config: { callbacks: { jwt: ({ token, trigger }) => (revoked && !trigger ? null : token) } },
  })
  const { world } = site
  await passwordSignIn(world)
  const back = approve(await world.post('/auth/signin/acme'), 'eve')
  revoked = true
  await world.get(back)
  expect(await ownerOf(site, 'acme', 'eve')).not.toBe('ada@example.com')
})

describe('T-LINK-4: fifty first sign-ins at once', () => {
  test.each(strategies)('make one user and one account (%s)', async (strategy) => {
    const site = await createSite({ strategy })
    const browsers = Array.from({ length: 50 }, () => site.world.otherBrowser())
    const backs = await Promise.all(
      browsers.map(async (world) => approve(await world.post('/auth/signin/acme'), 'carol')),
    )
    const ends = await Promise.all(browsers.map((world, at) => world.get(backs[at] as string)))
    expect(ends.filter(({ status }) => status >= 500)).toEqual([])
    expect(await ownerOf(site, 'acme', 'carol')).toBe('carol@example.com')
    const signedIn = await Promise.all(browsers.map((world) => world.session()))
    expect(new Set(signedIn.flatMap((session) => session?.user?.['email'] ?? []))).toEqual(
      new Set(['carol@example.com']),
    )
  })
})

describe('T-LINK-5: a profile without a stable subject', () => {
  const missing = [undefined, null, '', 0.5, Number.NaN, {}, [], ['x'], { id: 1 }, true, 2 ** 60]
  for (const id of missing) {
    test(`such as ${JSON.stringify(id) ?? 'none'} is refused`, async () => {
      const site = await createSite({
        answer: (url) =>
          url.pathname === '/user' ? Response.json({ id, email: 'x@example.com' }) : undefined,
      })
      const end = await providerSignIn(site.world, 'acme')
      expect(errorOf(end)).toBe('OAuthCallbackError')
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.writes).toEqual([])
    })
  }

  for (const id of [undefined, null, {}]) {
    test(`such as ${String(id)}, which the provider's file makes a text of, is refused`, async () => {
      const site = await createSite({
        config: {
          providers: [
            acme({
              profile: (profile: { id: unknown }) => ({ ...profile, id: String(profile.id) }),
            }),
            acme({ id: 'other', profile: () => ({ id: String(id) }) }),
          ],
        },
        answer: (url) =>
          url.pathname === '/user' ? Response.json({ id, email: 'x@example.com' }) : undefined,
      })
      for (const provider of ['acme', 'other']) {
        const end = await providerSignIn(site.world, provider)
        expect([provider, errorOf(end)]).toEqual([provider, 'OAuthCallbackError'])
      }
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.writes).toEqual([])
    })
  }

  test('of GitHub, which answers 200 without a user, signs nobody in', async () => {
    const site = await createSite({
      config: { providers: [GitHub({ clientId: 'client', clientSecret: 'secret' })] },
      answer: (url) => {
        if (url.pathname.endsWith('/access_token')) {
          return Response.json({ access_token: 'x', token_type: 'bearer' })
        }
        return Response.json(url.pathname.endsWith('/emails') ? [] : { message: 'try later' })
      },
    })
    const end = await providerSignIn(site.world, 'github')
    expect(errorOf(end)).toBe('OAuthCallbackError')
    expect(site.writes).toEqual([])
  })
})

// ── mail links ─────────────────────────────────────────────────────────────────────────────

describe('T-OTV: a mailed link', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  const stores: Readonly<Record<string, () => Promise<Adapter>>> = {
    memory: async () => memoryAdapter(),
    sqlite: async () => {
      const { adapter, close } = await sqlStore()
      closers.push(close)
      return adapter
    },
  }

  describe.each(Object.entries(stores))('in %s', (_name, open) => {
    for (const strategy of strategies) {
      for (const email of ['ada@example.com', 'new@example.com']) {
        test(`T-OTV-1: fifty clicks at once on the link of ${email} give one session (${strategy})`, async () => {
          const site = await createSite({ strategy, adapter: await open() })
          const link = await askForLink(site, email)
          const browsers = await Promise.all(
            Array.from({ length: 50 }, async () => {
              const world = site.world.otherBrowser()
              for (const [name, value] of site.world.jar) world.jar.set(name, value)
              return world
            }),
          )
          const ends = await Promise.all(
            browsers.map((world, at) => (at % 2 === 0 ? world.get(link) : world.post(link))),
          )
          const signedIn = browsers.filter(({ jar }) => jar.has(SESSION_COOKIE))
          expect(signedIn).toHaveLength(1)
          expect((await signedIn[0]?.session())?.user?.['email']).toBe(email)
          expect(ends.filter((end) => errorOf(end) === 'Verification')).toHaveLength(49)
          const made = site.writes.filter(({ method }) => method === 'createUser')
          expect(made).toHaveLength(email.startsWith('new') ? 1 : 0)
        })
      }
    }
  })

  test('T-OTV-2: works for its own address only, in any spelling', async () => {
    const site = await createSite()
    const link = new URL(await askForLink(site), ORIGIN)
    for (const email of [
      'bob@example.com',
      'ADA@example.com',
      ' ada@example.com',
      'ada@example.com\0',
    ]) {
      const other = site.world.otherBrowser()
      const moved = new URL(link)
      moved.searchParams.set('email', email)
      expect([email, errorOf(await other.post(moved.href))]).toEqual([email, 'Verification'])
      expect(other.jar.has(SESSION_COOKIE)).toBe(false)
    }
    for (const token of ['', 'x', '0'.repeat(64), `${link.searchParams.get('token')}0`]) {
      const wrong = new URL(link)
      wrong.searchParams.set('token', token)
      expect([token, errorOf(await site.world.post(wrong.href))]).toEqual([token, 'Verification'])
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
    }
    await site.world.get(link.href)
    expect(await site.world.session()).not.toBeNull()
  })

  test('T-OTV-3: is not in the store, nor is a value from which it can be made', async () => {
    const site = await createSite()
    await askForLink(site)
    const { token = '', url = '' } = site.mails[0] ?? {}
    const stored = textsIn(site.writes)
    expect(stored.filter((text) => text.includes(token) || text.includes(url))).toEqual([])
    expect(token).toMatch(/^[0-9a-f]{64}$/)
  })

  test('T-OTV-4: lives for ten minutes, to the second', async () => {
    for (const [seconds, works] of [
      [599, true],
      [600, false],
      [601, false],
    ] as const) {
      const site = await createSite()
      const link = await askForLink(site)
      site.world.advance(seconds)
      const end = await site.world.post(link)
      expect([seconds, errorOf(end)]).toEqual([seconds, works ? null : 'Verification'])
      expect([seconds, site.world.jar.has(SESSION_COOKIE)]).toEqual([seconds, works])
    }
  })

  test('T-OTV-4: stored without an end has ended', async () => {
    const inner = memoryAdapter()
    const site = await createSite({
      adapter: {
        ...inner,
        async useVerificationToken(key) {
          const found = await inner.useVerificationToken?.(key)
          return found ? { ...found, expires: new Date(Number.NaN) } : null
        },
      },
    })
    expect(errorOf(await site.world.get(await askForLink(site)))).toBe('Verification')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('T-OTV-4: that the store finds for another address signs nobody in', async () => {
    const inner = memoryAdapter()
    const site = await createSite({
      adapter: {
        ...inner,
        async useVerificationToken(key) {
          const found = await inner.useVerificationToken?.({
            ...key,
            identifier: 'ada@example.com',
          })
          return found ?? null
        },
      },
    })
    const link = new URL(await askForLink(site), ORIGIN)
    link.searchParams.set('email', 'bob@example.com')
    expect(errorOf(await site.world.post(link.href))).toBe('Verification')
  })

  test('T-OTV-6: survives each kind of scanner, which gets no session', async () => {
    for (const strategy of strategies) {
      const site = await createSite({ strategy })
      const link = await askForLink(site)
      const before = site.writes.length
      const scanner = site.world.otherBrowser()
      for (let i = 0; i < 20; i++) expect((await scanner.get(link)).status).toBe(200)
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        expect((await scanner.request(link, { method })).status).toBe(400)
      }
      const prefetches: Record<string, string>[] = [
        { 'sec-purpose': 'prefetch' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
        { 'x-moz': 'prefetch' },
      ]
      // In the very browser that asked.
      for (const headers of prefetches) {
        expect((await site.world.get(link, { headers })).status).toBe(200)
      }
      await scanner.postWithoutCsrf(link)
      await scanner.postWithoutCsrf(link, { csrfToken: 'x' })
      await site.world.request(link, { method: 'POST' })
      expect(scanner.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.writes.slice(before)).toEqual([])
      expect(errorOf(await site.world.get(link))).toBeNull()
      expect(await site.world.session()).not.toBeNull()
    }
  })

  test('T-OTV-6: is not used up by a form of another site', async () => {
    const site = await createSite()
    const link = await askForLink(site)
    const before = site.writes.length
    const victim = site.world.otherBrowser()
    await victim.get(link)
    const end = await victim.post(link, {}, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(end.status).toBe(200)
    expect(site.writes.slice(before)).toEqual([])
  })
})

describe('T-OTV-8: the recipient of a mail', () => {
  const refused = [
    'ada@example.com,eve@evil.example',
    'ada@example.com;eve@evil.example',
    'ada@example.com eve@evil.example',
    'eve@evil.example\nada@example.com',
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada@example.com\0',
    'ada@example.com%00@evil.example',
    '"ada@example.com"@evil.example',
    '"ada@example.com,"@evil.example',
    'ada@example.com@evil.example',
    'ada@evil.example@example.com',
    'ada(comment)@example.com',
    'ada@example.com(eve@evil.example)',
    '(eve)ada@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '<eve@evil.example> ada@example.com',
    'ada＠evil.example@example.com',
    'ada@example.com，eve@evil.example',
    'ada@example.com；eve@evil.example',
    'ada@[192.0.2.1]',
    'ada@[IPv6:2001:db8::1]',
    'ada@@example.com',
    '@example.com',
    'ada@',
    'ada',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@-example.com-',
    'ada\\@example.com',
    'ada@example.com\\',
    'ada\u202e@example.com',
    'ada\u200b@example.com',
    'ada@exam\u00adple.com',
    'ada@exa\u0085mple.com',
    'ada\u2028@example.com',
    'group:ada@example.com,eve@evil.example;',
    '@evil.example:ada@example.com',
    'ada!evil.example@example.com%evil.example@example.com',
    `${'a'.repeat(400)}@example.com`,
    `ada@${'a'.repeat(400)}.com`,
    '',
    ' ',
  ]
  test.each(refused)('is not %j', async (email) => {
    const site = await createSite()
    expect(errorOf(await site.world.post('/auth/signin/email', { email }))).toBe('EmailSignin')
    expect(errorOf(await jsonPost(site.world, '/auth/signin/email', { email }))).toBe('EmailSignin')
    expect(site.mails).toEqual([])
    expect(site.writes).toEqual([])
  })

  test.each([
    [['ada@example.com', 'eve@evil.example']],
    [{ address: 'eve@evil.example', toString: 'ada@example.com' }],
    [{ 0: 'ada@example.com', length: 1 }],
    [null],
    [true],
    [1],
    [[]],
  ])('is not %j, which only JSON has', async (email) => {
    const site = await createSite()
    expect(errorOf(await jsonPost(site.world, '/auth/signin/email', { email }))).toBe('EmailSignin')
    expect(site.mails).toEqual([])
  })

  test('is the stored address for another spelling of it', async () => {
    const site = await createSite()
    for (const email of [
      'ADA@EXAMPLE.COM',
      ' ada@example.com ',
      'ada＠example.com',
      'ａｄａ@ｅxample.com',
    ]) {
      await askForLink(site, email)
      expect(site.mails.at(-1)?.identifier).toBe('ada@example.com')
      expect(site.writes.at(-1)?.args[0]).toMatchObject({ identifier: 'ada@example.com' })
    }
  })

  test('is not an address in the query or the cookie', async () => {
    const site = await createSite()
    await site.world.post('/auth/signin/email?email=eve@evil.example')
    expect(site.mails).toEqual([])
    await site.world.post('/auth/signin/email?email=eve@evil.example', { email: 'ada@example.com' })
    expect(site.mails.map(({ identifier }) => identifier)).toEqual(['ada@example.com'])
  })
})
