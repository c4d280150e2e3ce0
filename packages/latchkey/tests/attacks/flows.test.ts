import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { World } from '../../src/entries/testing.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { customFetch } from '../../src/options/markers.ts'
import {
  acme,
  approve,
  askForLink,
  createSite,
  errorOf,
  idToken,
  jsonPost,
  locationOf,
  passwordSignIn,
  SESSION_COOKIE,
  type Site,
  type Strategy,
  strategies,
} from './support/site.ts'
import { goodTokens, malformedTokenResponses, wrongIdTokens } from './support/token-responses.ts'

/** Every way in, and who comes in by it. */
const waysIn: Readonly<
  Record<string, { signIn: (site: Site, world: World) => Promise<unknown>; who: string }>
> = {
  password: { signIn: (_, world) => passwordSignIn(world), who: 'ada@example.com' },
  mail: {
    signIn: async (site, world) => {
      const before = site.mails.length
      const link = await askForLink({ ...site, world }).catch(() => undefined)
      return site.mails.length > before && link ? world.get(link) : undefined
    },
    who: 'ada@example.com',
  },
  acme: {
    signIn: (_, world) => begunAndEnded(world, 'acme'),
    who: 'carol@example.com',
  },
  corp: {
    signIn: (_, world) => begunAndEnded(world, 'corp'),
    who: 'carol@corp.example',
  },
}

async function begunAndEnded(world: World, provider: string): Promise<Response> {
  const begun = await world.post(`/auth/signin/${provider}`)
  return locationOf(begun).includes('/authorize?') ? world.get(approve(begun, 'carol')) : begun
}

describe.each(strategies)(
  'T-FLOW-2: a `signIn` callback that refuses, with %s sessions',
  (strategy) => {
    const refusals: Readonly<Record<string, () => unknown>> = {
      false: () => false,
      undefined: () => undefined,
      null: () => null,
      zero: () => 0,
      'the empty text': () => '',
      NaN: () => Number.NaN,
      'a promise of false': async () => false,
      'a promise of nothing': async () => undefined,
      'an error': () => {
        throw new Error('no')
      },
      'a thrown text': () => {
        throw 'no'
      },
      'a thrown nothing': () => {
        throw undefined
      },
      'a rejection': async () => {
        throw new Error('no')
      },
      'a path': () => '/denied',
      'an address of another site': () => 'https://evil.example/',
    }

    for (const [answer, signIn] of Object.entries(refusals)) {
      for (const [way, { signIn: enter }] of Object.entries(waysIn)) {
        test(`by ${answer} stops a sign-in by ${way} before session, user, mail and event`, async () => {
          const events: string[] = []
          const note = (name: string) => () => void events.push(name)
          const site = await createSite({
            strategy,
            config: {
              callbacks: { signIn: signIn as () => boolean },
              events: Object.fromEntries(
                ['signIn', 'createUser', 'updateUser', 'linkAccount'].map((name) => [
                  name,
                  note(name),
                ]),
              ),
            },
          })
          const end = (await enter(site, site.world)) as Response | undefined
          expect(end === undefined || end.status < 500).toBe(true)
          expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
          expect(await site.world.session()).toBeNull()
          expect(site.writes).toEqual([])
          expect(site.mails).toEqual([])
          expect(events).toEqual([])
        })
      }

      test(`by ${answer} also stops a sign-in after its mail was sent`, async () => {
        let asked = 0
        const site = await createSite({
          strategy,
          config: {
            callbacks: { signIn: () => (asked++ === 0 ? true : (signIn() as boolean)) },
          },
        })
        const link = await askForLink(site, 'new@example.com')
        const before = site.writes.length
        await site.world.get(link)
        expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
        // The link is used up, and nothing else happens.
        expect(site.writes.slice(before).map(({ method }) => method)).toEqual([
          'useVerificationToken',
        ])
      })
    }

    test('does not end the earlier session of the browser', async () => {
      let allowed = true
      const site = await createSite({
        strategy,
        config: { callbacks: { signIn: () => allowed } },
      })
      await passwordSignIn(site.world, 'bob')
      allowed = false
      for (const { signIn } of Object.values(waysIn)) await signIn(site, site.world)
      expect((await site.world.session())?.user?.['name']).toBe('bob')
    })
  },
)

// ── T-FLOW-3 ───────────────────────────────────────────────────────────────────────────────

/** Ways to answer that are no answer. */
const faults: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error('out of order')
  },
  'throws a text': () => {
    throw 'out of order'
  },
  'throws nothing': () => {
    throw undefined
  },
  rejects: async () => {
    throw new Error('out of order')
  },
  'answers nothing': () => undefined,
  'answers null': () => null,
  'answers an empty object': () => ({}),
  'answers a list': () => [],
  'answers a text': () => 'out of order',
  'answers true': () => true,
}

/**
 * Tries every way in while something is broken. Whoever comes in must be who they say, and what was
 * broken is asked at least once.
 */
async function tryAll(
  strategy: Strategy,
  config: (site: Partial<AuthConfig>) => Partial<AuthConfig>,
  adapter: Adapter = memoryAdapter(),
): Promise<string[]> {
  const wrong: string[] = []
  const { config: plain } = await createSite({ strategy, adapter: memoryAdapter() })
  for (const [way, { signIn, who }] of Object.entries(waysIn)) {
    const site = await createSite({ strategy, adapter, config: config(plain) })
    await signIn(site, site.world)
    const session = await site.world.session().catch(() => null)
    const user = session?.user
    if (session && user?.['email'] !== who) wrong.push(`${way}: ${JSON.stringify(session)}`)
    // What was left in the browser is no session of somebody else once everything works again.
    const well = await createSite({ strategy, adapter: memoryAdapter() })
    for (const [name, value] of site.world.jar) well.world.jar.set(name, value)
    const later = (await well.world.session())?.user?.['email']
    if (later !== undefined && later !== who) wrong.push(`${way}, later: ${String(later)}`)
    if (strategy === 'jwt' && site.world.jar.has(SESSION_COOKIE) && later !== who) {
      wrong.push(`${way}: a session of nobody`)
    }
  }
  return wrong
}

describe.each(strategies)('T-FLOW-3: with %s sessions a failure signs nobody in:', (strategy) => {
  const methods = Object.keys(memoryAdapter()).filter(
    (name) => !/uthenticator|getAccount/.test(name),
  )

  for (const [fault, fail] of Object.entries(faults)) {
    test.each(methods)(`when the adapter's %s ${fault}`, async (method) => {
      // It is what `authorize` gives back here, and an application may have users without an id.
      if (method === 'getUser' && fault === 'answers an empty object') return
      const wrong: string[] = []
      for (const { signIn, who } of Object.values(waysIn)) {
        const adapter = memoryAdapter()
        await createSite({ adapter })
        const site = await createSite({
          strategy,
          adapter: { ...adapter },
        })
        const own = site.config.adapter as unknown as Record<string, unknown>
        own[method] = fail
        await signIn(site, site.world)
        const session = await site.world.session().catch(() => null)
        if (session && session.user?.['email'] !== who) wrong.push(JSON.stringify(session))
        Object.assign(own, adapter)
        const later = await site.world.session()
        if (later && later.user?.['email'] !== who) wrong.push(`later ${JSON.stringify(later)}`)
      }
      expect(wrong).toEqual([])
    })

    for (const callback of ['signIn', 'redirect', 'jwt', 'session'] as const) {
      test(`when the \`${callback}\` callback ${fault}`, async () => {
        // What the application keeps of a session, and shows of it, is its own business.
        if (callback === 'session' && fault.startsWith('answers')) return
        if (callback === 'jwt' && fault === 'answers an empty object') return
        const wrong = await tryAll(strategy, () => ({
          callbacks: { [callback]: fail as never },
        }))
        expect(wrong).toEqual([])
      })
    }

    test(`when a handler of an event ${fault}`, async () => {
      const names = ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session']
      const wrong = await tryAll(strategy, () => ({
        events: Object.fromEntries(names.map((name) => [name, fail])),
      }))
      expect(wrong).toEqual([])
    })

    for (const [what, provider, option] of [
      ['authorize', 'credentials', 'authorize'],
      ['sendVerificationRequest', 'email', 'sendVerificationRequest'],
      ['generateVerificationToken', 'email', 'generateVerificationToken'],
      ['normalizeIdentifier', 'email', 'normalizeIdentifier'],
      ['the profile callback', 'acme', 'profile'],
      ['the account callback', 'acme', 'account'],
      ['the profile callback of an OpenID provider', 'corp', 'profile'],
    ] as const) {
      test(`when ${what} ${fault}`, async () => {
        const harmless = option === 'account'
        const site = await createSite({ strategy })
        const providers = (site.config.providers ?? []).map((one) =>
          'id' in one && one.id === provider ? { ...one, [option]: fail } : one,
        )
        const broken = await createSite({ strategy, config: { providers: providers as never } })
        const way = { credentials: 'password', email: 'mail' }[provider as string] ?? provider
        await waysIn[way]?.signIn({ ...broken, mails: site.mails }, broken.world)
        if (provider === 'email') {
          // A text is an address if the application says so.
          const email = (await broken.world.session())?.user?.['email']
          const own = fault === 'answers a text' && option === 'normalizeIdentifier'
          expect([undefined, own ? 'out of order' : 'ada@example.com']).toContain(email)
          return
        }
        if (harmless && fault.startsWith('answers')) return
        if (option === 'authorize' && fault === 'answers an empty object') return
        expect(broken.world.jar.has(SESSION_COOKIE)).toBe(false)
        expect(await broken.world.session()).toBeNull()
      })
    }

    test(`when an endpoint ${fault}, or the provider's own userinfo request does`, async () => {
      for (const path of ['/token', '/user', '/keys']) {
        const site = await createSite({
          strategy,
          answer: (url) =>
            url.pathname === path ? ((fail() as Response) ?? new Response()) : undefined,
        })
        for (const provider of path === '/keys'
          ? ['corp']
          : path === '/user'
            ? ['acme']
            : ['acme', 'corp']) {
          const world = site.world.otherBrowser()
          await begunAndEnded(world, provider)
          expect([path, provider, world.jar.has(SESSION_COOKIE)]).toEqual([path, provider, false])
        }
      }
      const own = await createSite({
        strategy,
        config: {
          providers: [acme({ userinfo: { url: 'https://acme.example/user', request: fail } })],
        },
      })
      await begunAndEnded(own.world, 'acme')
      expect(own.world.jar.has(SESSION_COOKIE)).toBe(false)
    })
  }

  test('when the code of an error cannot be part of an address', async () => {
    for (const code of [
      '\ud800',
      'a&error=',
      '#',
      '\r\nLocation: https://evil.example',
      undefined,
      {},
    ]) {
      const { world } = await createSite({
        strategy,
        config: {
          providers: [
            {
              id: 'credentials',
              name: 'Password',
              type: 'credentials',
              credentials: {},
              authorize: () => {
                throw Object.assign(new Error('no'), { type: 'CredentialsSignin', code })
              },
            },
          ],
        },
      })
      const end = await world.post('/auth/callback/credentials')
      expect([code, end.status, errorOf(end)]).toEqual([code, 302, 'CredentialsSignin'])
      expect(new URL(locationOf(end)).pathname).toBe('/auth/signin')
    }
  })
})

// ── T-FLOW-5 ───────────────────────────────────────────────────────────────────────────────

test('T-FLOW-3: a mail token that can be guessed is not mailed', async () => {
  for (const generated of [{}, [], '', 0, true]) {
    const site = await createSite()
    const providers = (site.config.providers ?? []).map((one) =>
      'id' in one && one.id === 'email'
        ? { ...one, generateVerificationToken: () => generated as string }
        : one,
    )
    const broken = await createSite({ config: { providers } })
    await broken.world.post('/auth/signin/email', { email: 'ada@example.com' })
    expect(site.mails).toEqual([])
    expect(broken.writes).toEqual([])
  }
})

describe('T-FLOW-5: oversized requests', () => {
  const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000)
  const bodies: Readonly<Record<string, string>> = {
    'lists in lists': `{"username":${deep('[', ']')}}`,
    'objects in objects': `{"username":${deep('{"a":', '}').replace('}', '1}')}}`,
    'a hundred thousand members': `{${Array.from({ length: 60_000 }, (_, i) => `"m${i}":1`).join()}}`,
    'one very long text': `{"username":"${'x'.repeat(1_000_000)}"}`,
    'too long': `{"username":"${'x'.repeat(2_000_000)}"}`,
    'a number without an end': `{"username":${'9'.repeat(900_000)}}`,
    'only blanks': ' '.repeat(1_000_000),
    nothing: '',
  }
  for (const [what, body] of Object.entries(bodies)) {
    test(`with a body of ${what} get a response, and so does the next visitor`, async () => {
      const { world } = await createSite({
        config: { callbacks: { jwt: ({ token, session }) => ({ ...token, session }) } },
        strategy: 'jwt',
      })
      const csrfToken = await world.csrfToken()
      for (const path of ['/auth/callback/credentials', '/auth/signin/email', '/auth/session']) {
        for (const text of [body, body.replace('{', `{"csrfToken":"${csrfToken}","email":{},`)]) {
          const answer = await world.request(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: text,
          })
          expect([what, answer.status < 500]).toEqual([what, true])
        }
      }
      expect((await passwordSignIn(world)).status).toBe(302)
      expect(await world.session()).not.toBeNull()
    })
  }

  test('with ten thousand fields, parameters or cookies get a response', async () => {
    const { world } = await createSite()
    const many = new URLSearchParams(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x']))
    const csrfToken = await world.csrfToken()
    const fields = { csrfToken, username: 'ada', password: 'open sesame' }
    const end = await world.post(`/auth/callback/credentials?${many}`, {
      ...Object.fromEntries(many),
      ...fields,
    })
    expect(end.status).toBe(302)
    const cookie = Array.from({ length: 10_000 }, (_, i) => `${SESSION_COOKIE}.${i}=x`).join('; ')
    const answer = await world.get('/auth/session', { headers: { cookie } })
    expect(await answer.json()).toBeNull()
  })

  test('with an endless body are not read to the end', async () => {
    const { world } = await createSite()
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x61))
      },
    })
    const answer = await world.request('/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(400)
    expect(sent).toBeLessThan(2 * 1024 * 1024)
  })
})

// ── providers ──────────────────────────────────────────────────────────────────────────────

describe('T-OIDC-9: parameters that callers may not set', () => {
  const reserved: Readonly<Record<string, string>> = {
    client_id: 'evil',
    client_secret: 'evil secret',
    client_assertion: 'eyJhbGciOiJub25lIn0.e30.',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    redirect_uri: 'https://evil.example/',
    response_type: 'token',
    response_mode: 'fragment',
    state: 'fixed',
    nonce: 'fixed',
    code: 'fixed',
    code_challenge: 'fixed',
    code_challenge_method: 'plain',
    dpop_jkt: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
    request: 'eyJhbGciOiJub25lIn0.e30.',
    request_uri: 'https://evil.example/request',
    callbackUrl: '/fixed',
  }

  test('csrfToken in the query is not passed on', async () => {
    const { world } = await createSite()
    for (const provider of ['acme', 'corp']) {
      const begun = await world.post(`/auth/signin/${provider}?csrfToken=fixed`)
      const asked = new URL(locationOf(begun)).searchParams
      expect(asked.get('response_type')).toBe('code')
      expect(asked.has('csrfToken')).toBe(false)
    }
  })

  for (const [name, value] of Object.entries(reserved)) {
    for (const channel of ['query', 'form', 'JSON', 'cookie'] as const) {
      test(`${name} in the ${channel} is not passed on`, async () => {
        const { world } = await createSite()
        for (const provider of ['acme', 'corp']) {
          const path = `/auth/signin/${provider}`
          const begun =
            channel === 'query'
              ? await world.post(`${path}?${name}=${encodeURIComponent(value)}&${name}=again`)
              : channel === 'form'
                ? await world.post(path, { [name]: value })
                : channel === 'JSON'
                  ? await jsonPost(world, path, { [name]: value, params: { [name]: value } })
                  : (world.jar.set(name, encodeURIComponent(value)), await world.post(path))
          const asked = new URL(locationOf(begun)).searchParams
          expect(asked.getAll(name)).not.toContain(value)
          expect(asked.getAll(name)).not.toContain('again')
          expect(asked.getAll(name).length).toBeLessThan(2)
          expect(asked.get('redirect_uri')).toBe(`https://app.example/auth/callback/${provider}`)
          expect(asked.get('response_type')).toBe('code')
          expect(asked.get('code_challenge_method')).toBe('S256')
        }
      })
    }
  }
})

describe('T-OIDC-11: invalid token responses', () => {
  for (const [what, make] of Object.entries(malformedTokenResponses)) {
    test(`with ${what} sign nobody in`, async () => {
      for (const provider of ['acme', 'corp']) {
        const site = await createSite({
          answer: (url) => (url.pathname === '/token' ? make() : undefined),
        })
        const end = await begunAndEnded(site.world, provider)
        expect(end.status).toBe(302)
        expect(errorOf(end)).not.toBeNull()
        expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
        expect(site.writes).toEqual([])
      }
    })
  }

  for (const [what, claim] of Object.entries(wrongIdTokens)) {
    test(`with ${what} in the ID token sign nobody in`, async () => {
      const site = await createSite({
        answer: async (url, init) => {
          if (url.href !== 'https://corp.example/token') return undefined as never
          const code = new URLSearchParams(await new Response(init.body).text()).get('code') ?? ''
          const token =
            typeof claim === 'object' && claim !== null
              ? await idToken('carol', { nonce: code.split('.')[1], ...claim })
              : claim
          return Response.json({ ...goodTokens, ...(token === null ? {} : { id_token: token }) })
        },
      })
      expect(errorOf(await begunAndEnded(site.world, 'corp'))).not.toBeNull()
      expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(site.writes).toEqual([])
    })
  }
})

describe('T-NET-1: plain http', () => {
  const insecure = [
    'http://acme.example/x',
    'http://127.0.0.1.evil.example/x',
    'http://localhost.evil.example/x',
    'ftp://acme.example/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://0.0.0.0/x',
  ]
  for (const url of insecure) {
    test(`${url} is called neither for a token nor for a profile`, async () => {
      for (const more of [{ token: url }, { userinfo: url }]) {
        const site = await createSite({ config: { providers: [acme(more)] } })
        const end = await begunAndEnded(site.world, 'acme')
        expect(errorOf(end)).not.toBeNull()
        expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
        expect(site.sent.filter((sent) => sent.url.href === url)).toEqual([])
      }
    })

    test(`${url} in the metadata is not called`, async () => {
      for (const name of ['token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
        const issuer = `https://meta-${name.replaceAll('_', '')}.example`
        const site = await createSite({
          config: {
            providers: [
              {
                id: 'meta',
                name: 'Meta',
                type: 'oidc',
                issuer,
                clientId: 'client',
                idToken: name !== 'userinfo_endpoint',
              },
            ],
          },
          answer: (asked) =>
            asked.pathname.startsWith('/.well-known')
              ? Response.json({
                  issuer,
                  authorization_endpoint: `${issuer}/authorize`,
                  token_endpoint: 'https://corp.example/token',
                  userinfo_endpoint: `${issuer}/user`,
                  jwks_uri: 'https://corp.example/keys',
                  [name]: url,
                })
              : undefined,
        })
        const end = await begunAndEnded(site.world, 'meta')
        expect([name, errorOf(end) !== null]).toEqual([name, true])
        expect(site.sent.filter((sent) => sent.url.href === url)).toEqual([])
        expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
      }
    })
  }

  test('an issuer over plain http is not looked up', async () => {
    const site = await createSite({
      config: {
        providers: [
          { id: 'meta', name: 'Meta', type: 'oidc', issuer: 'http://idp.example', clientId: 'c' },
        ],
      },
    })
    expect(errorOf(await site.world.post('/auth/signin/meta'))).toBe('OAuthSignin')
    expect(site.sent).toEqual([])
  })

  test('a visitor is not redirected to an unsafe address in the metadata', async () => {
    for (const endpoint of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://idp.example/authorize',
      'file:///etc/passwd',
      'x',
    ]) {
      const issuer = `https://sends-${endpoint.length}.example`
      const site = await createSite({
        config: { providers: [{ id: 'meta', name: 'Meta', type: 'oidc', issuer, clientId: 'c' }] },
        answer: () =>
          Response.json({
            issuer,
            authorization_endpoint: endpoint,
            token_endpoint: `${issuer}/token`,
          }),
      })
      const end = await site.world.post('/auth/signin/meta')
      expect([endpoint, errorOf(end)]).toEqual([endpoint, 'OAuthSignin'])
    }
  })
})

describe('T-NET-2: endpoints that misbehave', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`a redirect (${status}) is not followed`, async () => {
      for (const path of ['/token', '/user']) {
        const site = await createSite({
          answer: (url) =>
            url.pathname === path
              ? new Response(null, { status, headers: { location: 'https://evil.example/' } })
              : undefined,
        })
        await begunAndEnded(site.world, 'acme')
        expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
        expect(site.sent.map(({ url }) => url.host)).not.toContain('evil.example')
        expect(site.sent.every(({ init }) => init.redirect === 'manual')).toBe(true)
        expect(site.sent.every(({ init }) => init.signal instanceof AbortSignal)).toBe(true)
      }
    })
  }

  test('an endless response is not read to its end', async () => {
    for (const path of ['/token', '/user', '/keys']) {
      let sent = 0
      const site = await createSite({
        answer: (url) =>
          url.pathname === path
            ? new Response(
                new ReadableStream<Uint8Array>({
                  pull(controller) {
                    sent += 65_536
                    controller.enqueue(new Uint8Array(65_536).fill(0x20))
                  },
                }),
                { headers: { 'content-type': 'application/json' } },
              )
            : undefined,
      })
      await begunAndEnded(site.world, path === '/user' ? 'acme' : 'corp')
      expect([path, site.world.jar.has(SESSION_COOKIE)]).toEqual([path, false])
      expect(sent).toBeGreaterThan(0)
      expect(sent).toBeLessThan(2 * 1024 * 1024)
    }
  })

  test('the limits also hold for a `fetch` of the application', async () => {
    const asked: RequestInit[] = []
    const own: typeof fetch = async (_, init = {}) => {
      asked.push(init)
      return Response.json({
        access_token: 'x',
        token_type: 'bearer',
        padding: 'x'.repeat(1_100_000),
      })
    }
    const site = await createSite({ config: { providers: [acme({ [customFetch]: own })] } })
    await begunAndEnded(site.world, 'acme')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual'])
  })
})
