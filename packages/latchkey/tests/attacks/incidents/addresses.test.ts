/** What happened to other libraries with addresses, hosts and paths, tried here: each under the id of its public advisory. */
import { describe, expect, test } from 'vitest'
import { systemPorts } from '../../../src/base/ports.ts'
import { createAuthClient } from '../../../src/client/client.ts'
import { createLatchkey } from '../../../src/entries/index.ts'
import { createSealer } from '../../../src/protocols/sealing/sealer.ts'
import {
  approve,
  askForLink,
  changed,
  createSite,
  errorOf,
  locationOf,
  ORIGIN,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
} from '../support/site.ts'

/** Signs in in every way with that target. @returns where the visitor ends up */
async function endsWith(callbackUrl: string): Promise<string[]> {
  const site = await createSite()
  const { world } = site
  const fields = { callbackUrl }
  const ends = [await passwordSignIn(world, 'ada', fields)]
  const other = world.otherBrowser()
  ends.push(await other.get(approve(await other.post('/auth/signin/acme', fields), 'carol')))
  ends.push(await other.get(await askForLink({ ...site, world: other }, 'new@example.com', fields)))
  return ends.map(locationOf)
}

describe('addresses and paths', () => {
  test.each([
    '%',
    'http://',
    'https://[',
    'javascript:alert(1)',
    '\u0000',
    'https://a b/',
    ':',
    '\\',
  ])('CVE-2022-31093: with the callback URL %j cause no error', async (callbackUrl) => {
    const { world } = await createSite()
    const query = `callbackUrl=${encodeURIComponent(callbackUrl)}`
    for (const action of ['signin', 'signout', 'session', 'providers', 'csrf', 'error']) {
      expect((await world.get(`/auth/${action}?${query}`)).status).toBeLessThan(500)
    }
    const end = await passwordSignIn(world, 'ada', { callbackUrl })
    expect([end.status, new URL(locationOf(end)).origin]).toEqual([302, ORIGIN])
    expect(await world.session()).not.toBeNull()
  })

  test.each([
    ['CVE-2022-24858', `${ORIGIN}.evil.example/`],
    ['CVE-2022-24858', `${ORIGIN}@evil.example/`],
    ['CVE-2022-24858', `${ORIGIN}:443@evil.example/`],
    ['CVE-2022-24858', `${ORIGIN}evil.example/`],
    ['CVE-2022-29214', '//evil.example/'],
    ['CVE-2022-29214', '/\\evil.example/'],
    ['CVE-2022-29214', '/\t/evil.example/'],
  ])('%s: with the callback URL %j lead nowhere else', async (_id, callbackUrl) => {
    const ends = await endsWith(callbackUrl)
    expect(ends.map((end) => new URL(end).origin)).toEqual([ORIGIN, ORIGIN, ORIGIN])
  })

  test('with a callback URL of the site lead there', async () => {
    for (const target of ['/inbox?page=2', `${ORIGIN}/inbox?page=2`]) {
      expect(await endsWith(target)).toEqual(Array(3).fill(`${ORIGIN}/inbox?page=2`))
    }
  })

  test('GHSA-8jhw-6pjj-8723: with any callback URL in a mailed link stay on the site', async () => {
    const targets = ['https://evil.example/', '//evil.example', 'evil.example', '/\\evil.example']
    for (const target of [...targets, '/inbox']) {
      const site = await createSite()
      const link = changed(await askForLink(site), 'callbackUrl', target)
      const end = await site.world.get(link)
      expect([target, site.world.jar.has(SESSION_COOKIE)]).toEqual([target, true])
      const { origin, pathname } = new URL(locationOf(end))
      expect([target, origin]).toEqual([target, ORIGIN])
      if (target === '/inbox') expect(pathname).toBe(target)
    }
  })

  test('AIKIDO-2026-10059: with a sign-in page without a scheme stay on the site', async () => {
    const { world } = await createSite()
    for (const target of ['//evil.example', '//evil.example/inbox', '///evil.example', '/inbox']) {
      const page = await world.get(`/auth/signin?callbackUrl=${encodeURIComponent(target)}`)
      const [, callbackUrl = ''] =
        /name="callbackUrl" value="([^"]*)"/.exec(await page.text()) ?? []
      const end = locationOf(await passwordSignIn(world, 'ada', { callbackUrl }))
      for (const url of [callbackUrl, end]) {
        expect([target, new URL(url).origin]).toEqual([target, ORIGIN])
      }
      if (target === '/inbox') expect(end).toBe(ORIGIN + target)
    }
  })

  test('AIKIDO-2026-10059: with two slashes stay on the site at a sign-in page of the application', async () => {
    const { world } = await createSite({ config: { pages: { signIn: '/login' } } })
    for (const target of ['//evil.example', '///evil.example', '/inbox']) {
      const page = await world.get(`/auth/signin?callbackUrl=${encodeURIComponent(target)}`)
      const { pathname, searchParams } = new URL(locationOf(page), ORIGIN)
      expect([pathname, searchParams.get('callbackUrl')]).toEqual(['/login', ORIGIN + target])
    }
  })

  test('AIKIDO-2026-10059: with two slashes stay on the site in the client', async () => {
    const { world } = await createSite()
    const went: string[] = []
    const client = createAuthClient(
      {},
      {
        location: {
          href: `${ORIGIN}/page`,
          assign: (url) => void went.push(new URL(url, ORIGIN).href),
          reload: () => {},
        },
        fetch: (input, init) => world.request(String(input), init),
      },
    )
    const fields = { username: 'ada', password: 'open sesame' }
    for (const redirectTo of ['//evil.example', '//evil.example/inbox', '/inbox']) {
      await client.signIn('credentials', { ...fields, redirectTo })
      await client.signIn(undefined, { redirectTo })
      await client.signOut({ redirectTo })
    }
    expect(went).toHaveLength(9)
    expect(new Set(went.map((url) => new URL(url).origin))).toEqual(new Set([ORIGIN]))
    expect(went.filter((url) => url === `${ORIGIN}/inbox`)).toHaveLength(2)
  })

  test('GHSA-9x4v-xfq5-m8x5: with a parameter never have it in the markup of a page', async () => {
    const { world } = await createSite()
    for (const text of [
      '<img src=x onerror=alert(1)>',
      '"><script>alert(1)</script>',
      "'-alert(1)-'",
    ]) {
      for (const page of ['error', 'signin', 'verify-request', 'signout']) {
        const query = new URLSearchParams({ error: text, email: text, provider: text, type: text })
        const answer = await world.get(`/auth/${page}?${query}`)
        expect([page, (await answer.text()).includes(text)]).toEqual([page, false])
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      }
    }
    const known = await world.get('/auth/error?error=AccessDenied')
    expect(await known.text()).toContain('You cannot sign in with this account')
  })

  test('GHSA-x732-6j76-qmhm: in another spelling bypass no check', async () => {
    const { world } = await createSite()
    await passwordSignIn(world)
    for (const path of [
      '//auth/signout',
      '/auth//signout',
      '/auth///signout/',
      '/auth/./signout',
    ]) {
      const end = await world.postWithoutCsrf(path)
      expect([path, end.status === 400 || errorOf(end) === 'MissingCSRF']).toEqual([path, true])
    }
    expect(await world.session()).not.toBeNull()
  })
})

describe('lists of hosts', () => {
  const lists = [
    ['GHSA-36rg-gfq2-3h56', 'app.example'],
    ['GHSA-vp58-j275-797x', '*.app.example'],
  ] as const

  /** Each contains, begins with or ends with what is listed. */
  const hostile = [
    'app.example.evil.example',
    'www.app.example.evil.example',
    'evil-app.example',
    'evilapp.example',
    'evil.example?.app.example',
    'evil.example#.app.example',
    'evil.example/.app.example',
    'evil.example\\.app.example',
    'www.app.example@evil.example',
    'evil.example:443?www.app.example',
    'a.b.app.example',
  ]

  test.each(lists)('%s: with %s listed no other host is trusted', async (_id, entry) => {
    const { auth } = listed({ trustHost: [entry] })
    const callbackAt = async (host: string): Promise<string> => {
      const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
      const own = new Request(`https://${known(entry)}/auth/providers`, { headers })
      const answer = (await (await auth.handler(own)).json()) as Record<
        string,
        { callbackUrl: string }
      >
      return new URL(answer['acme']?.callbackUrl ?? '').host
    }
    for (const host of hostile) expect([host, await callbackAt(host)]).toEqual([host, known(entry)])
    expect(await callbackAt(`${known(entry)}:443`)).toBe(known(entry))
    // Nor is one that the runtime itself saw.
    for (const host of ['app.example.evil.example', 'evil-app.example', 'a.b.app.example']) {
      const answer = await auth.handler(new Request(`https://${host}/auth/providers`))
      expect([host, answer.status]).toEqual([host, 400])
    }
  })

  test.each(lists)(
    '%s: with %s listed no other deployment receives a response',
    async (_id, entry) => {
      const usual = await createSite()
      const { world } = await createSite({
        origin: 'https://proxy.example',
        config: {
          redirectProxyUrl: 'https://proxy.example/auth',
          redirectProxyOrigins: [`https://${entry}`],
          providers: usual.config.providers ?? [],
        },
      })
      // As a deployment seals it that believes whatever host it is asked by.
      const handedTo = async (host: string): Promise<string> => {
        const ports = { now: () => world.now(), random: systemPorts.random }
        const origin = `https://${host}/auth/callback/acme`
        const sealed = { random: 'x', origin }
        const state = await createSealer([SECRET], 'encodedState').seal(sealed, 900, ports)
        return new URL(locationOf(await world.get(`/auth/callback/acme?code=c&state=${state}`)))
          .host
      }
      for (const host of hostile)
        expect([host, await handedTo(host)]).toEqual([host, 'proxy.example'])
      expect(await handedTo(known(entry))).toBe(known(entry))
    },
  )

  function known(entry: string): string {
    return entry.replace('*', 'www')
  }

  function listed(config: { trustHost: readonly string[] | true }) {
    const logger = { error() {}, warn() {}, debug() {} }
    const provider = {
      id: 'acme',
      name: 'Acme',
      type: 'oauth',
      clientId: 'client',
      clientSecret: 'client secret',
      authorization: 'https://acme.example/authorize',
      token: 'https://acme.example/token',
      userinfo: 'https://acme.example/user',
    } as const
    return {
      auth: createLatchkey({ secret: SECRET, providers: [provider], logger, ...config }, {}),
    }
  }

  test.each([
    ['some:', 'junk'],
    ['https', 'evil.example/elsewhere'],
    ['https', 'evil.example'],
  ])(
    'GHSA-569q-mpph-wgww: a first request that says %j and %j changes no later one',
    async (scheme, host) => {
      const { auth } = listed({ trustHost: true })
      const claims = { 'x-forwarded-proto': scheme, 'x-forwarded-host': host }
      await auth.handler(new Request(`${ORIGIN}/auth/session`, { headers: claims }))
      await auth.auth(new Request(ORIGIN, { headers: claims }))
      for (const action of ['session', 'csrf', 'signin']) {
        expect((await auth.handler(new Request(`${ORIGIN}/auth/${action}`))).status).toBe(200)
      }
      const answer = await auth.handler(new Request(`${ORIGIN}/auth/providers`))
      expect(await answer.json()).toMatchObject({
        acme: { callbackUrl: `${ORIGIN}/auth/callback/acme` },
      })
    },
  )
})
