import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { systemPorts } from '../../src/base/ports.ts'
import { createAuth } from '../../src/core/auth.ts'
import type { World } from '../../src/entries/testing.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { skipCSRFCheck } from '../../src/options/markers.ts'
import { authJsRollback } from '../../src/plugins/auth-js-rollback/index.ts'
import {
  approve,
  askForLink,
  CSRF_COOKIE,
  createSite,
  errorOf,
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
  watched,
} from './support/site.ts'

const DAY = 24 * 60 * 60

/** Every way in. @returns the browser that came through it */
const waysIn: Readonly<Record<string, (site: Site, world: World) => Promise<unknown>>> = {
  'a password': (_, world) => passwordSignIn(world),
  'a mail': async (site, world) => world.get(await askForLink({ ...site, world })),
  'an OAuth provider': (_, world) => providerSignIn(world, 'acme'),
  'an OpenID provider': (_, world) => providerSignIn(world, 'corp'),
}

/** Does this cookie alone sign anybody in? */
async function isSession({ world }: Site, value: string): Promise<boolean> {
  const thief = world.otherBrowser()
  thief.jar.set(SESSION_COOKIE, value)
  return (await thief.session()) !== null
}

describe('T-SESS-1: a guessed token', () => {
  test('would have to match 32 bytes of the generator of the platform', async () => {
    const drawn = new Set<string>()
    const random = (length: number): Uint8Array<ArrayBuffer> => {
      const bytes = systemPorts.random(length)
      drawn.add(Buffer.from(bytes).toString('base64url'))
      return bytes
    }
    const { auth } = createAuth({ ...systemPorts, random })
    const user = { id: 'ada', email: 'ada@example.com', emailVerified: null }
    const config: AuthConfig = {
      trustHost: true,
      secret: 'a secret for counting tokens, 0123456789',
      skipCSRFCheck,
      session: { strategy: 'database' as const },
      adapter: {
        getUser: () => user,
        getUserByEmail: () => user,
        getUserByAccount: () => null,
        createUser: () => user,
        updateUser: () => user,
        linkAccount: () => null,
        createSession: (session) => session,
        getSessionAndUser: () => null,
        updateSession: () => null,
        deleteSession: () => null,
      } satisfies Adapter,
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials' as const,
          credentials: {},
          authorize: () => user,
        },
      ],
    }
    const tokens = new Set<string>()
    for (let i = 0; i < 2000; i++) {
      const request = new Request(`${ORIGIN}/auth/callback/credentials`, { method: 'POST' })
      const answer = await auth(request, config)
      for (const cookie of answer.headers.getSetCookie()) {
        if (cookie.startsWith(SESSION_COOKIE)) {
          tokens.add(cookie.slice(SESSION_COOKIE.length + 1, cookie.indexOf(';')))
        }
      }
    }
    expect(tokens.size).toBe(2000)
    expect([...tokens].filter((token) => !/^[A-Za-z0-9_-]{43}$/.test(token))).toEqual([])
    expect([...tokens].filter((token) => !drawn.has(token))).toEqual([])
  })

  test('finds no pattern: 100,000 draws of 256 bits have no repetition and no bias', () => {
    const draws = new Set<string>()
    const ones = new Uint32Array(256)
    for (let i = 0; i < 100_000; i++) {
      const bytes = systemPorts.random(32)
      draws.add(Buffer.from(bytes).toString('base64url'))
      for (let bit = 0; bit < 256; bit++) {
        ones[bit] = (ones[bit] as number) + (((bytes[bit >> 3] as number) >> (bit & 7)) & 1)
      }
    }
    expect(draws.size).toBe(100_000)
    // Six standard deviations: one run in a million.
    const slack = 6 * Math.sqrt(100_000 / 4)
    expect([...ones].filter((count) => Math.abs(count - 50_000) > slack)).toEqual([])
  })

  for (const [what, generateSessionToken] of [
    ['always gives the same', () => 'one and the same value, whoever asks'],
    ['gives short values', () => Math.random().toString(36).slice(2, 10)],
    ['gives nothing', () => ''],
    ['gives no text', () => ({}) as string],
    [
      'throws',
      () => {
        throw new Error('no entropy')
      },
    ],
  ] as const) {
    test(`has no better chance, since a generator that ${what} is refused at start`, async () => {
      const config = {
        providers: [],
        trustHost: true,
        secret: 'a secret for a bad generator, 0123456789',
        adapter: memoryAdapter(),
        session: { strategy: 'database' as const, generateSessionToken },
      }
      expect(() => createLatchkey(config, {})).toThrow(/generateSessionToken/)
      const { world } = await createSite({ config: { session: config.session } })
      expect((await world.get('/auth/signin')).status).toBe(500)
    })
  }

  test('takes over nobody if the generator begins to repeat itself', async () => {
    let drawn = 0
    const site = await createSite({
      config: {
        session: {
          strategy: 'database',
          generateSessionToken: () => `a token of thirty characters ${Math.min(drawn++, 5)}`,
        },
      },
    })
    const [ada, bob] = [site.world, site.world.otherBrowser()]
    for (let i = 0; i < 6; i++) await passwordSignIn(ada, 'ada')
    const before = ada.jar.get(SESSION_COOKIE) ?? ''
    await passwordSignIn(bob, 'bob')
    expect(await bob.session()).toBeNull()
    expect(ada.jar.get(SESSION_COOKIE)).toBe(before)
    expect((await ada.session())?.user?.['name']).toBe('ada')
  })
})

describe.each(strategies)('T-SESS-2: session fixation with %s sessions', (strategy) => {
  for (const [way, signIn] of Object.entries(waysIn)) {
    test(`fails by a cookie planted before a sign-in with ${way}, which is worth nothing after it`, async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const planted = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
      world.jar.set(SESSION_COOKIE, planted)
      world.jar.set(`${SESSION_COOKIE}.0`, planted)
      world.jar.set(`${SESSION_COOKIE}.1`, planted)
      await signIn(site, world)
      expect(await world.session()).not.toBeNull()
      expect(world.jar.get(SESSION_COOKIE)).not.toBe(planted)
      expect([...world.jar.keys()].filter((name) => /session-token\.\d/.test(name))).toEqual([])
      expect(await isSession(site, planted)).toBe(false)
      expect(site.writes.filter(({ args }) => textsIn(args).includes(planted))).toEqual([])
    })

    test(`fails by an attacker's own session, planted before a sign-in with ${way}`, async () => {
      const site = await createSite({ strategy })
      const [victim, attacker] = [site.world, site.world.otherBrowser()]
      await passwordSignIn(attacker, 'bob')
      const planted = attacker.jar.get(SESSION_COOKIE) ?? ''
      // Linking is on purpose when one is signed in; these ways in would link to the attacker.
      if (way.endsWith('provider')) return
      victim.jar.set(SESSION_COOKIE, planted)
      await signIn(site, victim)
      expect((await victim.session())?.user?.['name']).toBe('ada')
      expect(victim.jar.get(SESSION_COOKIE)).not.toBe(planted)
      if (strategy === 'database') expect(await attacker.session()).toBeNull()
      else expect((await attacker.session())?.user?.['name']).toBe('bob')
    })

    test(`fails by a second sign-in with ${way}, which ends the session of the first`, async () => {
      const site = await createSite({ strategy })
      await signIn(site, site.world)
      const first = site.world.jar.get(SESSION_COOKIE) ?? ''
      await signIn(site, site.world)
      expect(site.world.jar.get(SESSION_COOKIE)).not.toBe(first)
      expect(await site.world.session()).not.toBeNull()
      if (strategy === 'database') expect(await isSession(site, first)).toBe(false)
    })

    test(`fails by a CSRF token known before a sign-in with ${way}`, async () => {
      const site = await createSite({ strategy })
      const { world } = site
      const before = await world.csrfToken()
      await signIn(site, world)
      expect(await world.csrfToken()).not.toBe(before)
      const end = await world.post('/auth/signout', { csrfToken: before })
      expect(errorOf(end)).toBe('MissingCSRF')
      expect(await world.session()).not.toBeNull()
    })
  }

  test('fails by a CSRF cookie planted with its token, which does not outlive the sign-in', async () => {
    const { world } = await createSite({ strategy })
    const attacker = world.otherBrowser()
    const token = await attacker.csrfToken()
    const planted = attacker.jar.get(CSRF_COOKIE) ?? ''
    world.jar.set(CSRF_COOKIE, planted)
    await passwordSignIn(world)
    expect(world.jar.get(CSRF_COOKIE)).not.toBe(planted)
    expect(await world.csrfToken()).not.toBe(token)
  })
})

describe('T-SESS-4: a copy of the store', () => {
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
    'a store that folds case and trailing blanks': async () => folding(memoryAdapter()),
  }

  describe.each(Object.entries(stores))('%s', (_name, open) => {
    test.each(strategies)(
      'signs nobody in, with any column sent in any place (%s)',
      async (strategy) => {
        const site = await createSite({ strategy, adapter: await open() })
        for (const signIn of Object.values(waysIn)) await signIn(site, site.world.otherBrowser())
        await askForLink(site, 'dora@example.com')
        const dump = new Set(site.writes.flatMap(({ args }) => textsIn(args)))
        expect(dump.size).toBeGreaterThan(10)

        const spellings = [...dump].flatMap((text) => [
          text,
          text.toUpperCase(),
          text.toLowerCase(),
          text.replace(/^lk1_/, 'LK1_'),
          text.replace(/^lk1_/, 'Lk1_'),
          text.replace(/^lk1_/, ''),
          `${text} `,
          `${text}%20`,
          `${text}%00`,
          `%20${text}`,
          encodeURIComponent(text).replaceAll('_', '%5F'),
          Buffer.from(text).toString('hex').replace(/../g, '%$&'),
          `"${text}"`,
        ])
        const before = site.writes.length
        for (const value of spellings) {
          if (!/^[\x20-\x7e]*$/.test(value)) continue
          const thief = site.world.otherBrowser()
          const query = new URLSearchParams({
            sessionToken: value,
            session: value,
            access_token: value,
            token: value,
          })
          const headers = {
            authorization: `Bearer ${value}`,
            cookie: `${SESSION_COOKIE}=${value}; authjs.session-token=${value}; ${SESSION_COOKIE}.0=${value}`,
          }
          for (const [path, init] of [
            [`/auth/session?${query}`, { headers }],
            ['/auth/session', { headers: { authorization: headers.authorization } }],
            [
              '/auth/session',
              {
                method: 'POST',
                headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
                body: query.toString(),
              },
            ],
          ] as const) {
            const answer = await thief.request(path, init)
            expect([value, await answer.json()]).toEqual([value, null])
          }
        }
        expect(site.writes.slice(before)).toEqual([])
      },
    )

    test('opens no mailed link', async () => {
      const site = await createSite({ adapter: await open() })
      await askForLink(site)
      const dump = new Set(site.writes.flatMap(({ args }) => textsIn(args)))
      const before = site.writes.length
      for (const token of dump) {
        const thief = site.world.otherBrowser()
        const query = new URLSearchParams({ token, email: 'ada@example.com' })
        const end = await thief.post(`/auth/callback/email?${query}`)
        expect(errorOf(end)).toBe('Verification')
        expect(await thief.session()).toBeNull()
      }
      expect(site.writes.slice(before).map(({ method }) => method)).not.toContain('createSession')
      const real = await site.world.get(new URL(site.mails[0]?.url ?? '').href)
      expect(errorOf(real)).toBeNull()
    })
  })

  test('has the value that the `session` callback receives, which opens nothing', async () => {
    const site = await createSite({
      config: {
        callbacks: {
          session: ({ session }) => ({
            ...session,
            shown: (session as { sessionToken?: string }).sessionToken,
          }),
        },
      },
    })
    await passwordSignIn(site.world)
    const shown = (await site.world.session()) as { shown?: string } | null
    expect(shown?.shown).toMatch(/^lk1_/)
    expect(await isSession(site, shown?.shown ?? '')).toBe(false)
  })
})

/** A store that compares as some databases do: `A` is `a`, and blanks at the end do not count. */
function folding(inner: Adapter): Adapter {
  const kept = new Map<string, string>()
  const fold = (text: string): string => text.toLowerCase().trimEnd()
  return {
    ...inner,
    createSession(session) {
      kept.set(fold(session.sessionToken), session.sessionToken)
      return inner.createSession?.(session) as never
    },
    getSessionAndUser: (token) => inner.getSessionAndUser?.(kept.get(fold(token)) ?? token) ?? null,
  }
}

describe.each(strategies)('T-SESS-7: an expired session with %s sessions', (strategy) => {
  const expired = async (): Promise<Site> => {
    const site = await createSite({ strategy })
    await passwordSignIn(site.world)
    site.world.advance(30 * DAY + 16)
    // A browser forgets it then; an attacker's does not.
    return site
  }

  test('is not returned, and its cookie is cleared', async () => {
    const { world } = await expired()
    const answer = await world.get('/auth/session')
    expect(await answer.json()).toBeNull()
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('is not updated', async () => {
    const { world } = await expired()
    const end = await jsonPost(world, '/auth/session', { data: { name: 'Eve' } })
    expect(await end.json()).toBeNull()
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('links no account', async () => {
    const { world, adapter } = await expired()
    await providerSignIn(world, 'acme', 'carol')
    const owner = await adapter.getUserByAccount?.({ provider: 'acme', providerAccountId: 'carol' })
    expect(owner?.email).toBe('carol@example.com')
    expect((await world.session())?.user?.['email']).toBe('carol@example.com')
  })

  test('ends without an event, and leads to the target of every sign-out', async () => {
    const ended: unknown[] = []
    const site = await createSite({
      strategy,
      config: { events: { signOut: (message) => void ended.push(message) } },
    })
    await passwordSignIn(site.world)
    site.world.advance(30 * DAY + 16)
    const end = await site.world.post('/auth/signout', { callbackUrl: '/bye' })
    expect(locationOf(end)).toBe(`${ORIGIN}/bye`)
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(ended).toEqual([])
  })

  test('is not extended by a request that is a second late', async () => {
    const { world } = await createSite({ strategy, config: { session: { strategy, maxAge: 60 } } })
    await passwordSignIn(world)
    world.advance(76)
    expect(await world.session()).toBeNull()
    expect(await world.session()).toBeNull()
  })
})

describe('T-SESS-7: a stored session without a valid expiry', () => {
  for (const expires of [new Date(Number.NaN), undefined, null, 'tomorrow', 4102444800000]) {
    test(`(${String(expires)}) is refused by reads, links and updates`, async () => {
      const inner = memoryAdapter()
      const adapter: Adapter = {
        ...inner,
        async getSessionAndUser(token) {
          const found = await inner.getSessionAndUser?.(token)
          return found
            ? { ...found, session: { ...found.session, expires: expires as Date } }
            : null
        },
      }
      const { world } = await createSite({
        adapter,
        // As applications write it: nothing here looks at the time.
        config: { callbacks: { session: ({ user }) => ({ user, expires: 'never' }) } },
      })
      await passwordSignIn(world)
      const stolen = new Map(world.jar)
      expect(await world.session()).toBeNull()
      for (const [name, value] of stolen) world.jar.set(name, value)
      const begun = await world.post('/auth/signin/acme')
      if (locationOf(begun).includes('/authorize?')) await world.get(approve(begun, 'carol'))
      const owner = await inner.getUserByAccount?.({ provider: 'acme', providerAccountId: 'carol' })
      expect(owner?.email).not.toBe('ada@example.com')
    })
  }
})

describe.each(
  strategies.flatMap((strategy) => [
    [strategy, 'without plugins', []] as const,
    [strategy, 'with a way back to Auth.js', [authJsRollback()]] as const,
  ]),
)('T-SESS-8: a value in a place for another purpose, %s %s', (strategy, _, plugins) => {
  /** Everything that the site ever gave to a browser, by what it is. */
  async function collect(site: Site): Promise<Map<string, string>> {
    const values = new Map<string, string>()
    const signedIn = site.world.otherBrowser()
    await passwordSignIn(signedIn)
    values.set('session', signedIn.jar.get(SESSION_COOKIE) ?? '')
    const begun = site.world.otherBrowser()
    const { searchParams } = new URL(locationOf(await begun.post('/auth/signin/corp')))
    for (const [name, value] of begun.jar) values.set(name, value)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      values.set(`${name} parameter`, searchParams.get(name) ?? '')
    }
    const mailed = site.world.otherBrowser()
    const link = new URL(await askForLink({ ...site, world: mailed }), ORIGIN)
    values.set('mail token', link.searchParams.get('token') ?? '')
    for (const [name, value] of mailed.jar) values.set(`mail ${name}`, value)
    values.set('CSRF token', await mailed.csrfToken())
    expect(values.size).toBeGreaterThanOrEqual(plugins.length > 0 ? 14 : 11)
    expect([...values.values()]).not.toContain('')
    return values
  }

  test('is accepted as a session only if it is one', async () => {
    const site = await createSite({ strategy, config: { plugins } })
    for (const [what, value] of await collect(site)) {
      expect([what, await isSession(site, value)]).toEqual([what, what === 'session'])
    }
  })

  test('is accepted as a check only if it was made as that check', async () => {
    const site = await createSite({ strategy, config: { plugins } })
    const values = await collect(site)
    for (const check of ['attempt', 'pkce.code_verifier', 'state', 'nonce']) {
      const cookie = `__Secure-authjs.${check}`
      for (const [what, value] of values) {
        const { world } = site
        world.jar.clear()
        const path = approve(await world.post('/auth/signin/corp'), 'carol')
        const attempt = [...world.jar.keys()].find((name) => name.includes('sign-in.')) ?? ''
        // Without the attempt, the cookies of Auth.js are looked at.
        if (check === 'attempt') world.jar.set(attempt, value)
        else world.jar.delete(attempt)
        if (check !== 'attempt') world.jar.set(cookie, value)
        const end = await world.get(path)
        expect([cookie, what, errorOf(end) !== null]).toEqual([cookie, what, true])
        expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      }
    }
  })

  test('is accepted as a `state` only if it is one of this browser', async () => {
    const site = await createSite({ strategy, config: { plugins } })
    for (const [what, value] of await collect(site)) {
      const { world } = site
      world.jar.clear()
      const path = new URL(approve(await world.post('/auth/signin/corp'), 'carol'), ORIGIN)
      path.searchParams.set('state', value)
      expect([what, errorOf(await world.get(path.href))]).toEqual([what, 'Configuration'])
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    }
  })

  test('is accepted as a CSRF token only if it is one', async () => {
    const site = await createSite({ strategy, config: { plugins } })
    await passwordSignIn(site.world)
    const values = await collect(site)
    for (const [what, cookie] of values) {
      for (const [other, token] of values) {
        if (what.endsWith(CSRF_COOKIE) && other === 'CSRF token') continue
        const { world } = site
        const fits = decodeURIComponent(cookie).startsWith(`${token}|`)
        world.jar.set(CSRF_COOKIE, cookie)
        const end = await world.postWithoutCsrf('/auth/signout', { csrfToken: token })
        expect([what, other, errorOf(end)]).toEqual([what, other, fits ? null : 'MissingCSRF'])
      }
    }
  })

  test('is accepted as a mail link or its cookie only if it is one', async () => {
    const site = await createSite({ strategy, config: { plugins } })
    for (const [what, value] of await collect(site)) {
      if (what === 'mail token') continue
      const query = new URLSearchParams({ token: value, email: 'ada@example.com' })
      const clicked = await site.world.post(`/auth/callback/email?${query}`)
      expect([what, errorOf(clicked)]).toEqual([what, 'Verification'])
      if (what === 'mail __Host-latchkey.email-request') continue
      const scanner = site.world.otherBrowser()
      scanner.jar.set('__Host-latchkey.email-request', value)
      const opened = await scanner.get(new URL(site.mails[0]?.url ?? '').href)
      expect([what, opened.status]).toEqual([what, 200])
      expect(scanner.jar.has(SESSION_COOKIE)).toBe(false)
    }
    expect(site.writes.map(({ method }) => method)).not.toContain('createUser')
  })
})

describe.each(strategies)('T-SESS-9: a thousand reads with %s sessions', (strategy) => {
  test('set and write nothing for a stranger', async () => {
    const { world, writes } = await createSite({ strategy })
    for (let i = 0; i < 1000; i++) {
      const answer = await world.get('/auth/session')
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(writes).toEqual([])
  })

  test('set and write nothing before an extension is due, and once when it is', async () => {
    const { world, writes } = await createSite({ strategy })
    await passwordSignIn(world)
    const read = async (): Promise<number> => {
      const before = writes.length
      let set = 0
      for (let i = 0; i < 1000; i++) {
        set += (await world.get('/auth/session')).headers.getSetCookie().length
      }
      expect(writes.length - before).toBe(strategy === 'database' ? Math.min(set, 1) : 0)
      return set
    }
    expect(await read()).toBe(0)
    world.advance(DAY - 1)
    expect(await read()).toBe(0)
    world.advance(1)
    expect(await read()).toBe(1)
    world.advance(DAY)
    expect(await read()).toBe(1)
  })

  test('write nothing for invalid cookies, and at most clear them', async () => {
    const { world, writes } = await createSite({ strategy })
    for (let i = 0; i < 1000; i++) {
      const answer = await world.get('/auth/session', {
        headers: { cookie: `${SESSION_COOKIE}=forged-${i}; ${SESSION_COOKIE}.0=x` },
      })
      expect(await answer.json()).toBeNull()
      for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; Max-Age=0/)
    }
    expect(writes).toEqual([])
  })
})

describe('T-SESS-13: claims in the body of an update', () => {
  const hostile = {
    sub: 'bob',
    exp: 4102444800,
    iat: 4102444800,
    nbf: 4102444800,
    jti: 'mine',
    role: 'admin',
    user: { id: 'bob', name: 'bob', email: 'bob@example.com' },
    name: 'bob',
    email: 'bob@example.com',
    userId: 'bob',
    expires: '2100-01-01T00:00:00.000Z',
    sessionToken: 'mine',
    constructor: { prototype: { role: 'admin' } },
  }
  const body = JSON.stringify(hostile).replace('{', '{"__proto__":{"role":"admin","sub":"bob"},')

  const update = async (world: World): Promise<Response> => {
    const csrfToken = await world.csrfToken()
    return world.request('/auth/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"csrfToken":"${csrfToken}","__proto__":{"data":{"sub":"bob"}},"data":${body}}`,
    })
  }

  test.each(strategies)('change nothing unless a callback accepts them (%s)', async (strategy) => {
    const { world, writes } = await createSite({ strategy })
    await passwordSignIn(world)
    const before = await world.session()
    const written = writes.length
    expect(await (await update(world)).json()).toEqual(before)
    expect(await world.session()).toEqual(before)
    expect(writes.length).toBe(written)
    world.advance(30 * DAY + 16)
    expect(await world.session()).toBeNull()
  })

  test('do not extend a token even if a callback accepts everything', async () => {
    const { world } = await createSite({
      strategy: 'jwt',
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? Object.assign(token, session, { nbf: 0 }) : token,
        },
      },
    })
    await passwordSignIn(world)
    await update(world)
    expect(({} as { role?: string }).role).toBeUndefined()
    expect((await world.session())?.expires).toBe(
      new Date(world.now() + 30 * DAY * 1000).toISOString(),
    )
    world.advance(30 * DAY + 16)
    expect(await world.session()).toBeNull()
  })

  test.each(strategies)('do not reach another user (%s)', async (strategy) => {
    const { world } = await createSite({
      strategy,
      config: {
        callbacks: {
          jwt: ({ token, session }) => ({ ...token, ...session }),
          session: ({ session, newSession }) => Object.assign(session, newSession),
        },
      },
    })
    const other = world.otherBrowser()
    await passwordSignIn(world, 'ada')
    await passwordSignIn(other, 'bob')
    const before = await other.session()
    await update(world)
    expect(await other.session()).toEqual(before)
    expect(JSON.stringify(await world.otherBrowser().session())).toBe('null')
  })

  test.each(strategies)(
    'are refused without the CSRF token, and for visitors without a session (%s)',
    async (strategy) => {
      const { world } = await createSite({ strategy })
      expect(await (await update(world)).json()).toBeNull()
      await passwordSignIn(world)
      const answer = await world.postWithoutCsrf('/auth/session', { data: 'x' })
      expect([answer.status, await answer.json()]).toEqual([400, null])
    },
  )
})

describe('T-SESS-5: signing out', () => {
  test('ends a stored session also for every copy of its cookie', async () => {
    for (const adapter of [memoryAdapter(), withoutRename(memoryAdapter())]) {
      const site = await createSite({ adapter })
      await passwordSignIn(site.world)
      const copy = site.world.jar.get(SESSION_COOKIE) ?? ''
      expect(await isSession(site, copy)).toBe(true)
      await site.world.post('/auth/signout')
      expect(await isSession(site, copy)).toBe(false)
    }
  })

  test('cannot be undone by a simultaneous read that extends the session', async () => {
    const site = await createSite()
    await passwordSignIn(site.world)
    const copy = site.world.jar.get(SESSION_COOKIE) ?? ''
    const reader = site.world.otherBrowser()
    reader.jar.set(SESSION_COOKIE, copy)
    site.world.advance(2 * DAY)
    const csrfToken = await site.world.csrfToken()
    await Promise.all([
      reader.session(),
      site.world.postWithoutCsrf('/auth/signout', { csrfToken }),
      reader.session(),
    ])
    expect(await isSession(site, copy)).toBe(false)
  })
})

function withoutRename(inner: Adapter): Adapter {
  const calls: never[] = []
  const { ...methods } = watched(inner, calls)
  for (const key of Object.getOwnPropertySymbols(methods)) Reflect.deleteProperty(methods, key)
  return methods
}
