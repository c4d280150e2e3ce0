import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { Latchkey } from '../../src/instance/types.ts'
import { createActionURL } from '../../src/options/action-url.ts'
import {
  createSite,
  locationOf,
  ORIGIN,
  passwordSignIn,
  SESSION_COOKIE,
  type Site,
} from './support/site.ts'

const HOSTILE = [
  'evil.example',
  'evil.example:443',
  'evil.example, app.example',
  'app.example, evil.example',
  'app.example,evil.example',
  'user@evil.example',
  'app.example@evil.example',
  'evil.example/app.example',
  'evil.example?app.example',
  'evil.example#app.example',
  'app.example.evil.example',
  'evil.example\\app.example',
  '[2001:db8::1]',
  '192.0.2.1',
  'localhost',
  '"evil.example"',
  '<script>alert(1)</script>',
  'evil.example%0d%0aX: y',
  'xn--e1afmkfd.example',
  'EVIL.EXAMPLE',
  ' ',
  ',',
  '/',
  '//evil.example',
  'https://evil.example',
]

const NAMES = [
  'host',
  'x-forwarded-host',
  'x-forwarded-server',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
  'x-host',
  'x-http-host-override',
  'x-forwarded-scheme',
  'x-url-scheme',
  'front-end-https',
  'forwarded',
]

/** Every header that a client or a careless proxy can send about where it thinks it is. */
function claims(value: string): Headers {
  const headers = new Headers()
  for (const name of NAMES)
    headers.set(name, name === 'forwarded' ? `host=${value};proto=http` : value)
  headers.set('x-forwarded-proto', 'http')
  headers.set('origin', 'https://app.example')
  return headers
}

/** All that leaves the site on behalf of a request: addresses in headers, bodies and mails. */
async function leaving(
  auth: Pick<Latchkey, 'handler'>,
  site: Site,
  base: string,
  headers: Headers,
): Promise<string[]> {
  const cookies = new Map<string, string>()
  const said: string[] = []
  const send = async (path: string, fields?: Record<string, string>): Promise<Response> => {
    const all = new Headers(headers)
    all.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const answer = await auth.handler(
      new Request(
        base + path,
        fields
          ? { method: 'POST', headers: all, body: new URLSearchParams(fields) }
          : { headers: all },
      ),
    )
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await answer.clone().text()
    said.push(
      decodeURIComponent(locationOf(answer)),
      text,
      ...answer.headers.getSetCookie().map(decodeURIComponent),
    )
    return answer
  }
  const { csrfToken } = (await (await send('/auth/csrf')).json()) as { csrfToken: string }
  for (const path of ['providers', 'signin', 'signout', 'error', 'verify-request', 'session']) {
    await send(`/auth/${path}`)
  }
  await send('/auth/signin/email', { csrfToken, email: 'ada@example.com', callbackUrl: '/inbox' })
  await send('/auth/signin/acme', { csrfToken, callbackUrl: '/inbox' })
  await send('/auth/signin/unknown', { csrfToken })
  await send('/auth/signout', { csrfToken, callbackUrl: '/inbox' })
  for (const { url } of site.mails.splice(0)) said.push(url)
  return said
}

/** Without sealed and random values, in which any short word turns up sooner or later. */
function readable(said: readonly string[]): string {
  return said.join(' ').replaceAll(/[\w-]{16,}/g, '…')
}

async function behind(env: Record<string, string>, trustHost?: boolean | readonly string[]) {
  const site = await createSite()
  const logged: string[] = []
  const config = {
    ...site.config,
    basePath: '/auth',
    providers: site.config.providers ?? [],
    logger: { error: (error: Error) => logged.push(error.message), warn: () => {} },
    ...(trustHost === undefined ? {} : { trustHost }),
  }
  return { auth: createLatchkey(() => config, env), site, logged }
}

describe('T-HOST-1, T-HOST-2: with AUTH_URL', () => {
  test.each(HOSTILE)('a request that claims to be at %j changes nothing', async (value) => {
    const { auth, site } = await behind({ AUTH_URL: ORIGIN })
    for (const base of [ORIGIN, 'http://10.0.0.7:3000', 'http://evil.example']) {
      const said = await leaving(auth, site, base, claims(value))
      const addresses = said.flatMap(
        (text) => text.match(/\b(?:https?|wss?):\/\/[^/\s"'<>?#&;]*/gi) ?? [],
      )
      expect(addresses.length).toBeGreaterThan(10)
      expect([...new Set(addresses)].sort()).toEqual(['https://acme.example', ORIGIN])
      expect(readable(said)).not.toMatch(/evil|192\.0\.2\.1|2001:db8|<script>alert/i)
      expect(said.filter((text) => /^(?:authjs|latchkey)\./.test(text))).toEqual([])
    }
  })

  test('the programmatic functions use only that address', async () => {
    for (const value of HOSTILE) {
      const { auth, site } = await behind({ AUTH_URL: ORIGIN })
      const request = new Request('http://evil.example/account', { headers: claims(value) })
      for (const [provider, fields] of [
        ['acme', {}],
        ['email', { email: 'ada@example.com' }],
        [undefined, {}],
      ] as const) {
        const answer = await auth.signIn(request, provider, { ...fields, redirectTo: '/inbox' })
        expect(decodeURIComponent(locationOf(answer))).not.toContain('evil')
      }
      expect(locationOf(await auth.signOut(request, { redirectTo: '/inbox' }))).toBe(
        `${ORIGIN}/inbox`,
      )
      for (const { url } of site.mails) expect(new URL(url).origin).toBe(ORIGIN)
    }
  })
})

test.each([
  'app.example',
  'localhost:3000',
  '//app.example',
  'ftp://app.example',
  'https://',
  'x',
  ' ',
])('T-HOST-1: with %j for AUTH_URL no header is trusted in its place', async (url) => {
  const env = { AUTH_URL: url, NODE_ENV: 'production' }
  const config = { providers: [], secret: 'a secret for a bad address, 0123456789' }
  expect(() => createLatchkey(config, env)).toThrow(/AUTH_URL/)
  expect(() => createLatchkey(() => config, env)).toThrow(/AUTH_URL/)
})

describe('T-HOST-1: without AUTH_URL', () => {
  test.each(HOSTILE)('no mail and no redirect has %j if the host is not trusted', async (value) => {
    const { auth, site } = await behind({ NODE_ENV: 'production' })
    const headers = claims(value)
    for (const path of ['csrf', 'signin', 'session', 'providers', 'error']) {
      const answer = await auth.handler(new Request(`${ORIGIN}/auth/${path}`, { headers }))
      expect(answer.status).toBe(500)
      expect(await answer.text()).not.toMatch(/evil/i)
    }
    const form = new URLSearchParams({ email: 'ada@example.com' })
    const post = { method: 'POST', headers, body: form }
    expect((await auth.handler(new Request(`${ORIGIN}/auth/signin/email`, post))).status).toBe(500)
    expect(site.mails).toEqual([])
    expect(site.writes).toEqual([])
  })

  test.each(HOSTILE)('no header changes the addresses of the service itself: %j', async (value) => {
    const { world, mails } = await createSite()
    const headers = claims(value)
    await world.post('/auth/signin/email', { email: 'ada@example.com' }, { headers })
    expect(new URL(mails[0]?.url ?? '').origin).toBe(ORIGIN)
    const begun = await world.post('/auth/signin/acme', {}, { headers })
    expect(new URL(locationOf(begun)).searchParams.get('redirect_uri')).toBe(
      `${ORIGIN}/auth/callback/acme`,
    )
  })

  test('only a bare host and http or https are read from a header if the host is trusted', async () => {
    const { auth } = await behind({}, true)
    for (const host of HOSTILE) {
      for (const scheme of [
        'http',
        'https',
        'javascript',
        'data',
        'ftp',
        'https://evil.example/',
        '',
        'file',
      ]) {
        const headers = new Headers({ 'x-forwarded-host': host, 'x-forwarded-proto': scheme })
        const answer = await auth.handler(new Request(`${ORIGIN}/auth/providers`, { headers }))
        const { acme } = (await answer.json()) as { acme: { callbackUrl: string } }
        const url = new URL(acme.callbackUrl)
        expect(url.pathname).toBe('/auth/callback/acme')
        expect(url.protocol).toMatch(/^https?:$/)
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', ''])
      }
    }
  })
})

test('T-HOST-3: a hostile first request does not decide for later ones', async () => {
  for (const env of [{ AUTH_URL: ORIGIN }, {}]) {
    const { auth, site } = await behind(env, true)
    const first = await leaving(auth, site, 'http://evil.example', claims('evil.example'))
    expect(first.length).toBeGreaterThan(0)
    const said = await leaving(auth, site, ORIGIN, new Headers())
    expect(readable(said)).not.toMatch(/evil/)
    expect(said.join(' ')).toContain(`${ORIGIN}/auth/callback/acme`)
  }
})

describe('T-HOST-1: the address of an action for an integration', () => {
  test.each(HOSTILE)('for the host %j stays on the site, or is refused', (host) => {
    for (const scheme of [
      'https',
      'http',
      'javascript',
      'data',
      'file',
      'https://evil.example/?',
      ' ',
    ]) {
      const headers = new Headers({ 'x-forwarded-host': host, 'x-forwarded-proto': scheme })
      let url: URL
      try {
        url = createActionURL('session', 'https', headers, {}, '/auth')
      } catch {
        continue
      }
      expect([host, scheme, url.pathname]).toEqual([host, scheme, '/auth/session'])
      expect(url.protocol).toMatch(/^https?:$/)
      expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', ''])
    }
    const configured = createActionURL(
      'session',
      'http',
      claims(host),
      { AUTH_URL: ORIGIN },
      '/auth',
    )
    expect(configured.href).toBe(`${ORIGIN}/auth/session`)
  })
})

describe('T-HOST-4: other spellings of a path', () => {
  test.each([
    '/AUTH/session',
    '/Auth/session',
    '/auth/SESSION',
    '/auth/Session',
    '/auth/sess%69on',
    '/%61uth/session',
    '/auth%2fsession',
    '/auth%2Fsession',
    '/auth/%2fsession',
    '/auth/session%2f',
    '/auth/session%00',
    '/auth/session%20',
    '/auth/session;x',
    '/auth;x/session',
    '/auth/;/session',
    '/auth/session.json',
    '/auth/session.',
    '/auth/session~',
    '/auth/session/x',
    '/auth/session/undefined',
    '/auth/%2e%2e%2fauth/session',
    '/auth/..%2fauth/session',
    '/auth/%252e/session',
    '/auth/.%00/session',
    '/authsession',
    '/authx/session',
    '/x/auth/session',
    '//auth/session',
    '///auth/session',
    '/%2fauth/session',
    '/auth',
    '/auth/',
    '/auth//',
    '/auth/ｓession',
    '/auth/session\u200b',
    '/auth/__proto__',
    '/auth/constructor',
    '/auth/toString',
    '/auth/callback/acme/x',
    '/auth/callback/acme/',
    '/auth//callback///acme',
    '/auth/signin/%61cme',
    '/auth/callback/acm%65',
    '/auth/session/',
    '/auth//session',
    '/auth/signin/acme/..%2fcorp',
  ])('%s is not an action', async (path) => {
    const { world, writes } = await createSite()
    for (const method of ['GET', 'POST']) {
      const answer = await world.core.auth(
        new Request(ORIGIN + path, { method, ...(method === 'POST' ? { body: 'x' } : {}) }),
        world.config,
      )
      expect(answer.status).toBe(400)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(writes).toEqual([])
  })

  test.each([
    '/auth/signin/ACME',
    '/auth/signin/acme%00',
    '/auth/signin/acme%20',
    '/auth/signin/acme;x',
    '/auth/signin/acme.',
    '/auth/signin/__proto__',
    '/auth/signin/constructor',
    '/auth/callback/ACME',
    '/auth/callback/acme%2f',
    '/auth/callback/__proto__',
  ])('%s is not a provider', async (path) => {
    const { world, writes } = await createSite()
    const end = await world.post(path)
    expect(end.status).toBe(404)
    expect(end.headers.get('location')).toBeNull()
    expect(writes).toEqual([])
  })
})

describe('T-HOST-1, T-HOST-2: with a list of hosts', () => {
  const lists: readonly [string, Record<string, string>, readonly string[] | undefined][] = [
    ['in the configuration', {}, ['app.example', 'app.example:8443', '*.preview.example']],
    [
      'in the environment',
      { AUTH_TRUST_HOST: 'app.example, app.example:8443,*.preview.example' },
      undefined,
    ],
  ]
  const allowed = [
    'https://app.example',
    'http://app.example',
    'https://app.example:8443',
    'https://one.preview.example',
    'https://APP.example',
  ]
  const refused = [
    'https://evil.example',
    'https://app.example.evil.example',
    'https://evilapp.example',
    'https://www.app.example',
    'https://app.example:444',
    'https://app.example:3000',
    'https://app.example.',
    'https://preview.example',
    'https://one.two.preview.example',
    'https://one.preview.example:8443',
    'https://preview.example.evil.example',
    'https://evilpreview.example',
    'http://10.0.0.7:3000',
    'http://[::1]',
    'http://localhost',
    'https://xn--80ak6aa92e.example',
  ]

  describe.each(lists)('with %s', (_where, env, list) => {
    test.each(allowed)('responds to %s, with its own address', async (base) => {
      const { auth, site } = await behind(env, list)
      const said = await leaving(auth, site, base, new Headers())
      expect(said.join(' ')).toContain(`${new URL(base).origin}/auth/callback/acme`)
    })

    test.each(refused)('refuses %s: no mail, no redirect, nothing stored', async (base) => {
      const { auth, site, logged } = await behind(env, list)
      for (const path of ['csrf', 'signin', 'session', 'providers', 'error', 'callback/acme']) {
        const answer = await auth.handler(new Request(`${base}/auth/${path}`))
        expect(answer.status).toBe(400)
        expect(await answer.json()).toBe('Bad request.')
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      const request = new Request(`${base}/auth/signin/email`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'ada@example.com' }),
      })
      expect((await auth.handler(request.clone())).status).toBe(400)
      await expect(auth.signIn(request, 'email', { email: 'ada@example.com' })).rejects.toThrow(
        'trustHost',
      )
      await expect(auth.signIn(request, 'acme')).rejects.toThrow('trustHost')
      await expect(auth.signOut(request)).rejects.toThrow('trustHost')
      await expect(auth.session(request)).rejects.toThrow('trustHost')
      expect(await auth.auth(request)).toBeNull()
      expect(site.mails).toEqual([])
      expect(site.writes).toEqual([])
      expect(logged[0]).toContain(JSON.stringify(new URL(base).host))
      expect(logged[0]).toContain('AUTH_TRUST_HOST')
    })

    test.each(HOSTILE)('makes no address of %j from a header', async (value) => {
      const { auth, site } = await behind(env, list)
      const said = await leaving(auth, site, ORIGIN, claims(value))
      expect(readable(said)).not.toMatch(/evil|192\.0\.2\.1|2001:db8|<script>alert/i)
      const addresses = said.flatMap((text) => text.match(/\bhttps?:\/\/[^/\s"'<>?#&;]*/gi) ?? [])
      expect(addresses.length).toBeGreaterThan(10)
      for (const address of addresses) {
        expect(['https://acme.example', ORIGIN, 'http://app.example']).toContain(address)
      }
    })

    test('accepts a header that names a listed host, and ignores one that does not', async () => {
      const { auth } = await behind(env, list)
      const told = async (base: string, headers: Record<string, string>): Promise<unknown> => {
        const answer = await auth.handler(new Request(`${base}/auth/providers`, { headers }))
        if (answer.status !== 200) return answer.status
        const { acme } = (await answer.json()) as { acme: { callbackUrl: string } }
        return new URL(acme.callbackUrl).origin
      }
      const inside = 'http://10.0.0.7:3000'
      const proxied = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https' })
      expect(await told(inside, proxied('app.example'))).toBe(ORIGIN)
      expect(await told(inside, proxied('two.preview.example'))).toBe('https://two.preview.example')
      expect(await told(inside, proxied('evil.example'))).toBe(400)
      expect(await told(inside, proxied('app.example@evil.example'))).toBe(400)
      expect(await told('https://app.example:8443', proxied('evil.example'))).toBe(
        'https://app.example:8443',
      )
    })

    test('T-HOST-3: does not keep a decision of a hostile first request', async () => {
      const { auth, site } = await behind(env, list)
      expect((await auth.handler(new Request('https://evil.example/auth/csrf'))).status).toBe(400)
      const said = await leaving(auth, site, ORIGIN, new Headers())
      expect(said.join(' ')).toContain(`${ORIGIN}/auth/callback/acme`)
      expect(readable(said)).not.toMatch(/evil/)
    })

    const elsewhere = HOSTILE.filter((host) => !host.startsWith('app.example,'))
    test.each(elsewhere)('gives an integration no address of %j', (host) => {
      const config = { basePath: '/auth', ...(list ? { trustHost: list } : {}) }
      for (const headers of [{ host }, { host, 'x-forwarded-host': host }]) {
        expect(() =>
          createActionURL('session', 'https', new Headers(headers), env, config),
        ).toThrow(/host of the request is invalid|no Host/)
      }
      const proxied = new Headers({ host: 'app.example', 'x-forwarded-host': host })
      expect(createActionURL('session', 'https', proxied, env, config).origin).toBe(ORIGIN)
    })
  })

  test('does not read a session for another host', async () => {
    const signedIn = await createSite({ strategy: 'database' })
    await passwordSignIn(signedIn.world)
    const cookie = `${SESSION_COOKIE}=${signedIn.world.jar.get(SESSION_COOKIE)}`
    const there = createLatchkey(
      {
        ...signedIn.config,
        providers: [],
        trustHost: ['app.example'],
        logger: { error: () => {} },
      },
      {},
    )
    const asked = (base: string): Request => new Request(base, { headers: { cookie } })
    expect((await there.auth(asked(ORIGIN)))?.user?.name).toBe('ada')
    expect(await there.auth(asked('https://evil.example'))).toBeNull()
  })

  test('prefers a configured address to the list', async () => {
    for (const [env, list] of [
      [{ AUTH_URL: ORIGIN }, ['other.example']],
      [{ AUTH_URL: ORIGIN, AUTH_TRUST_HOST: 'other.example' }, undefined],
    ] as const) {
      const { auth } = await behind(env, list)
      const answer = await auth.handler(new Request('http://10.0.0.7:3000/auth/providers'))
      expect(await answer.text()).toContain(`${ORIGIN}/auth/callback/acme`)
    }
  })

  test.each([
    [[]],
    [['']],
    [['*']],
    [['*.']],
    [['app.*']],
    [['a*.example']],
    [['*.*.example']],
    [['one.*.example']],
    [['https://app.example']],
    [['app.example/']],
    [['app.example/auth']],
    [['user@app.example']],
    [['app.example:port']],
    [['app.example:99999']],
    [['app.example\\evil.example']],
    [['app.example evil.example']],
    [['app.example?x']],
    [['app.example', 'app.example%2eevil']],
    [[undefined]],
    [[/app/]],
    ['app.example'],
    [{}],
  ])('refuses %j, and nothing starts', (trustHost) => {
    const config = { providers: [], secret: 'a secret for a bad list, 0123456789abc' }
    expect(() => createLatchkey({ ...config, trustHost: trustHost as never }, {})).toThrow(
      /trustHost/,
    )
  })

  test('reports what is wrong with the list in the environment', () => {
    const config = { providers: [], secret: 'a secret for a bad list, 0123456789abc' }
    for (const hosts of ['https://app.example', 'app.example,*', ',', 'app.example;x y']) {
      expect(() => createLatchkey(config, { AUTH_TRUST_HOST: hosts })).toThrow(
        /AUTH_TRUST_HOST|list/,
      )
    }
  })
})
