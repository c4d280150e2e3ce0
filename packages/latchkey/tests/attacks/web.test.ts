import { describe, expect, test } from 'vitest'
import type { World } from '../../src/entries/testing.ts'
import { signInMail } from '../../src/mail/sign-in-mail.ts'
import {
  acme,
  approve,
  askForLink,
  createSite,
  errorOf,
  jsonPost,
  locationOf,
  ORIGIN,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  type Site,
  strategies,
} from './support/site.ts'

const PAGES = [
  '/auth/signin',
  '/auth/signin?error=CredentialsSignin&callbackUrl=/x&email=ada@example.com',
  '/auth/signin?error=Unknown',
  '/auth/signout',
  '/auth/error',
  '/auth/error?error=Configuration',
  '/auth/error?error=AccessDenied',
  '/auth/error?error=Verification',
  '/auth/verify-request',
  '/auth/verify-request?provider=email&type=email',
  '/auth/callback/email?token=x&email=ada@example.com',
]

const ROUTES = [
  ...PAGES,
  '/auth/csrf',
  '/auth/providers',
  '/auth/session',
  '/auth/session?data=x',
  '/auth/signin/credentials?username=bob&password=open%20sesame',
  '/auth/signin/email?email=ada@example.com',
  '/auth/signin/acme',
  '/auth/callback/credentials?username=bob&password=open%20sesame',
  '/auth/webauthn-options/acme',
  '/auth/unknown',
]

describe.each(strategies)('T-WEB-1: cookies over https with %s sessions', (strategy) => {
  test('are limited to the site, to https and away from scripts in every flow', async () => {
    const seen = new Map<string, Set<string>>()
    const plain = await createSite()
    const site = await createSite({
      strategy,
      config: {
        providers: [
          ...(plain.config.providers ?? []),
          acme({
            id: 'posting',
            authorization: {
              url: 'https://acme.example/authorize',
              params: { response_mode: 'form_post' },
            },
          }),
        ],
      },
    })
    const { core, config } = site.world
    const world = site.world.otherBrowser()
    const spied = { ...site, mails: plain.mails, world }
    const request = world.request
    world.request = async (path, init) => {
      const answer = await request(path, init)
      for (const line of answer.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split('; ')
        const name = pair.slice(0, pair.indexOf('='))
        const kinds = seen.get(name) ?? new Set()
        seen.set(
          name,
          kinds.add(
            attributes
              .filter((text) => !/^(?:Expires|Max-Age)=/.test(text))
              .sort()
              .join('; '),
          ),
        )
      }
      return answer
    }
    world.get = world.request
    expect(core.plan(config).fault).toBeUndefined()
    for (const path of ROUTES) await world.get(path)
    await passwordSignIn(world)
    await passwordSignIn(world, 'nobody')
    await jsonPost(world, '/auth/session', { data: 1 })
    site.world.advance(2 * 24 * 60 * 60)
    await world.session()
    await world.post('/auth/signout')
    for (const provider of ['acme', 'corp', 'posting']) {
      await world.post('/auth/signout')
      await providerSignIn(world, provider, `visitor-of-${provider}`)
      await world.get(`/auth/callback/${provider}?code=x`)
    }
    await world.get(await askForLink(spied, 'dora@example.com'))
    world.jar.set(SESSION_COOKIE, 'forged')
    await world.session()

    const strict = 'HttpOnly; Path=/; SameSite=Lax; Secure'
    const posting = 'HttpOnly; Path=/; SameSite=None; Secure'
    expect(seen.size).toBeGreaterThanOrEqual(6)
    for (const [name, kinds] of seen) {
      expect(name).toMatch(/^__(?:Host|Secure)-/)
      const isCheck = /sign-in|state|pkce|nonce/.test(name)
      expect([
        name,
        [...kinds].filter((kind) => kind !== strict && !(isCheck && kind === posting)),
      ]).toEqual([name, []])
    }
  })
})

describe('T-WEB-2: forms and requests of another site', () => {
  const senders: readonly (readonly [string, Record<string, string>])[] = [
    ['another site', { origin: 'https://evil.example' }],
    ['another site, says the browser', { 'sec-fetch-site': 'cross-site' }],
    ['another site that claims to be ours', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['a site whose name begins with ours', { origin: 'https://app.example.evil.example' }],
    ['a site whose name ends with ours', { origin: 'https://evilapp.example' }],
    ['a sibling', { origin: 'https://other.app.example' }],
    ['an origin that is none', { origin: 'evil' }],
    ['two origins', { origin: `${ORIGIN} https://evil.example` }],
    ['a file', { origin: 'file://' }],
  ]
  const innocent: readonly (readonly [string, Record<string, string>])[] = [
    ['a program', {}],
    ['our own page', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'same-site' }],
  ]
  const types: Readonly<Record<string, (fields: Record<string, string>) => string>> = {
    'application/x-www-form-urlencoded': (fields) => new URLSearchParams(fields).toString(),
    'application/json': (fields) => JSON.stringify(fields),
    'text/plain': (fields) => JSON.stringify(fields),
    'text/plain; application/json': (fields) => JSON.stringify(fields),
    'multipart/form-data; boundary=x': (fields) =>
      `${Object.entries(fields)
        .map(
          ([name, value]) =>
            `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .join('')}--x--`,
  }
  const forms: Readonly<Record<string, Record<string, string>>> = {
    '/auth/callback/credentials': { username: 'bob', password: 'open sesame' },
    '/auth/signin/acme': {},
    '/auth/signin/email': { email: 'bob@example.com' },
    '/auth/signout': {},
    '/auth/session': { data: 'x' },
  }

  /** What a victim's browser would send for a page of another site. @returns what changed */
  async function harm(
    site: Site,
    world: World,
    path: string,
    init: RequestInit,
  ): Promise<string[]> {
    const [writes, mails] = [site.writes.length, site.mails.length]
    const before = world.jar.get(SESSION_COOKIE)
    const end = await world.request(path, init)
    const changed: string[] = []
    if (end.status >= 500) changed.push(`status ${end.status}`)
    if (site.writes.length !== writes) changed.push('store')
    if (site.mails.length !== mails) changed.push('mail')
    if (world.jar.get(SESSION_COOKIE) !== before) changed.push('session')
    if (locationOf(end).startsWith('https://acme.example')) changed.push('sent off')
    return changed
  }

  for (const [who, headers] of [...senders, ...innocent]) {
    test(`from ${who} do nothing with a wrong token, a missing one, or another visitor's`, async () => {
      const site = await createSite()
      const { world } = site
      await passwordSignIn(world, 'ada')
      const own = await world.csrfToken()
      const foreign = await world.otherBrowser().csrfToken()
      for (const [path, fields] of Object.entries(forms)) {
        for (const [type, encode] of Object.entries(types)) {
          for (const csrfToken of [
            undefined,
            '',
            'x',
            foreign,
            `${own}0`,
            own.toUpperCase() === own ? 'x' : own.toUpperCase(),
          ]) {
            for (const extra of ['', `?csrfToken=${own}`, '?_method=POST']) {
              const body = encode({ ...fields, ...(csrfToken === undefined ? {} : { csrfToken }) })
              const all = {
                ...headers,
                'content-type': type,
                'x-csrf-token': own,
                'x-http-method-override': 'GET',
              }
              const changed = await harm(site, world, path + extra, {
                method: 'POST',
                headers: all,
                body,
              })
              expect([path, type, csrfToken, changed]).toEqual([path, type, csrfToken, []])
            }
          }
        }
      }
      expect((await world.session())?.user?.['name']).toBe('ada')
    })
  }

  for (const [who, headers] of senders) {
    test(`from ${who} do nothing even with the right token`, async () => {
      const site = await createSite()
      const { world } = site
      await passwordSignIn(world, 'ada')
      const csrfToken = await world.csrfToken()
      for (const [path, fields] of Object.entries(forms)) {
        for (const [type, encode] of Object.entries(types)) {
          const all = { ...headers, 'content-type': type }
          const body = encode({ ...fields, csrfToken })
          const changed = await harm(site, world, path, { method: 'POST', headers: all, body })
          expect([path, type, changed]).toEqual([path, type, []])
        }
      }
    })
  }

  test('by any other method are not accepted', async () => {
    const site = await createSite()
    await passwordSignIn(site.world)
    const csrfToken = await site.world.csrfToken()
    for (const method of [
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'HEAD',
      'PROPFIND',
      'post',
      'QUERY',
    ]) {
      for (const path of Object.keys(forms)) {
        if (method === 'post') continue
        const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }
        const answer = await site.world.request(`${path}?csrfToken=${csrfToken}`, {
          method,
          headers,
        })
        expect([method, path, answer.status]).toEqual([method, path, 400])
      }
    }
    expect(await site.world.session()).not.toBeNull()
  })

  test('are refused for a visitor without a cookie, with any token', async () => {
    const site = await createSite()
    for (const csrfToken of ['', '|', 'x|x', '0'.repeat(64), 'undefined', 'null']) {
      const world = site.world.otherBrowser()
      const end = await world.postWithoutCsrf('/auth/signin/acme', { csrfToken })
      expect([csrfToken, errorOf(end)]).toEqual([csrfToken, 'MissingCSRF'])
    }
  })
})

describe('T-WEB-3: the built-in pages', () => {
  test.each(PAGES)(
    '%s loads nothing, cannot be framed, is not kept and hands no address on',
    async (path) => {
      const { world } = await createSite()
      const page = await world.get(path)
      const text = await page.text()
      const { headers } = page
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      // Its own script, if it has one, and nothing else.
      expect(policy).not.toMatch(/script-src(?! '[^']+';)|unsafe|\*|https?:/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('strict-origin')
      expect(headers.get('cache-control')).toContain('no-store')
      expect(text).not.toMatch(
        /<(?:script |iframe|object|embed|link|base|meta http-equiv)|\son\w+=|@import|url\(/i,
      )
      const addresses = [
        ...text.matchAll(/\b(?:src|href|action|srcset|poster|formaction)="([^"]*)"/g),
      ]
      for (const [, address = ''] of addresses) {
        expect(new URL(address, `${ORIGIN}${path}`).origin).toBe(ORIGIN)
      }
    },
  )
})

describe('T-WEB-4: text with markup', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    '</title><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '" autofocus onfocus="alert(1)',
    "' onmouseover='alert(1)",
    '<!--',
    ']]>',
    '&lt;script&gt;',
    '{{7*7}}${7*7}<%= 7*7 %>',
    'javascript:alert(1)',
    'x\r\nSet-Cookie: a=b',
    'x\n\n<html>',
    'ada\u202e@moc.elpmaxe',
    '\u2066evil\u2069 \u2067x\u2069 \u202ax\u202c',
    'a\0b<script>',
    '\u0000csrfToken\u0000',
    '\u0000host\u0000',
    '\u2028\u2029\u0085\u001b[31m',
    '\ufeff<script>',
    '＜script＞',
    '%3Cscript%3E',
    'x'.repeat(5000),
  ]

  test('in every parameter of every page stays text, in one direction', async () => {
    const { world } = await createSite()
    const plain = new Map<string, string>()
    const tagsOf = (text: string): string => (text.match(/<[a-z!/][a-z0-9]*/gi) ?? []).join(' ')
    const bare = ['signin', 'signout', 'error', 'verify-request', 'callback/email']
    for (const page of bare) {
      for (const hostile of HOSTILE) {
        const query = new URLSearchParams({
          error: hostile,
          email: hostile,
          callbackUrl: hostile,
          token: hostile,
          provider: hostile,
          type: hostile,
          csrfToken: hostile,
          code: hostile,
        })
        const answer = await world.get(`/auth/${page}?${query}`)
        const text = await answer.text()
        const known = plain.get(page) ?? tagsOf(text)
        plain.set(page, known)
        expect([page, hostile, tagsOf(text)]).toEqual([page, hostile, known])
        // Inside the tags, without what stands in quotes, nothing is left that runs.
        const tags = text.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
        expect(
          tags.filter((tag) =>
            /^<(?:script(?!>)|img|svg(?! class="" viewBox=))|\son\w+=/i.test(tag),
          ),
        ).toEqual([])
        expect([
          page,
          hostile,
          /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/.test(text),
        ]).toEqual([page, hostile, false])
        for (const [name, value] of answer.headers) {
          expect([page, hostile, name, /[^\x20-\x7e]/.test(value)]).toEqual([
            page,
            hostile,
            name,
            false,
          ])
        }
        expect(answer.headers.getSetCookie().every((line) => line.startsWith('__'))).toBe(true)
      }
    }
  })

  test('in the name of a provider, a field or an error of the application stays text', async () => {
    for (const hostile of HOSTILE) {
      if (hostile.includes('\0')) continue
      const { world } = await createSite({
        config: {
          providers: [
            acme({ name: hostile, style: { brandColor: hostile, bg: hostile } }),
            {
              id: 'credentials',
              name: hostile,
              type: 'credentials',
              credentials: {
                [hostile]: {
                  label: hostile,
                  type: hostile,
                  placeholder: hostile,
                  [hostile]: hostile,
                  onclick: hostile,
                },
              },
              authorize: () => null,
            },
          ],
          theme: { brandColor: hostile, buttonText: hostile, logo: hostile },
        },
      })
      const answer = await world.get('/auth/signin')
      const text = await answer.text()
      const given = text.replace(
        /<svg class="(?:i|mark)" .*?<\/svg>|<script>\(function.*?<\/script>/g,
        '',
      )
      expect(given).not.toMatch(/<script|<img src=x|<svg|<html>\s*<\/|\sonclick=/i)
      expect(text.match(/<\/style>/g)).toHaveLength(1)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).not.toMatch(/script-src(?! '[^']+';)|unsafe/)
      expect(policy).not.toMatch(/[^\x20-\x7e]/)
    }
  })

  test('in a mail stays text', () => {
    for (const hostile of HOSTILE) {
      const url = new URL(`${ORIGIN}/auth/callback/email`)
      url.searchParams.set('callbackUrl', hostile)
      url.searchParams.set('email', hostile)
      const theme = { name: hostile, brandColor: hostile, buttonText: hostile, accent: hostile }
      const mail = signInMail({ url: url.href, theme: { ...theme, name: '' }, provider: {} })
      const named = signInMail({ url: url.href, theme, provider: {} })
      expect(named.html).not.toMatch(/<script|<img|<svg/i)
      expect(mail.subject).toBe('Sign in to app.example')
      expect(mail.html).not.toMatch(/<script|<img|<svg|\son\w+="?alert/i)
      expect(`${mail.html}${mail.text}`).not.toMatch(
        /[\u0000-\u0008\r\u001b\u2028-\u202e\u2066-\u2069]/,
      )
      const links = [...mail.html.matchAll(/<a href="([^"?]*)/g)].map(([, link]) => link)
      expect(links).toEqual([`${ORIGIN}/auth/callback/email`, ORIGIN])
    }
  })
})

describe.each(strategies)('T-WEB-5: reading pages with %s sessions', (strategy) => {
  test('changes nothing at any address, by GET or HEAD, signed in or not', async () => {
    for (const isSignedIn of [false, true]) {
      const site = await createSite({ strategy })
      const { world } = site
      await askForLink(site)
      const link = new URL(site.mails[0]?.url ?? '')
      const visitor = world.otherBrowser()
      if (isSignedIn) await passwordSignIn(visitor)
      const before = [site.writes.length, visitor.jar.get(SESSION_COOKIE)]
      for (const path of [
        ...ROUTES,
        link.pathname + link.search,
        `${link.pathname}${link.search}&csrfToken=x`,
      ]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await visitor.request(path, { method })
          expect([path, answer.status < 500 || path.includes('Configuration')]).toEqual([
            path,
            true,
          ])
        }
      }
      expect([site.writes.length, visitor.jar.get(SESSION_COOKIE)]).toEqual(before)
      expect(site.mails).toHaveLength(1)
      expect(site.sent).toEqual([])
      expect((await visitor.session()) !== null).toBe(isSignedIn)
    }
  })
})

test('T-WEB-6: a form is never repeated at a redirect, whose status is 302 or 303', async () => {
  const { world, mails } = await createSite()
  const statuses = [
    (await passwordSignIn(world)).status,
    (await passwordSignIn(world, 'nobody')).status,
    (await world.post('/auth/signin/acme')).status,
    (await world.post('/auth/signin/email', { email: 'ada@example.com' })).status,
    (await world.otherBrowser().post(new URL(mails[0]?.url ?? '').href)).status,
    (await world.post('/auth/signout')).status,
    (await world.postWithoutCsrf('/auth/signout')).status,
    (await world.get(approve(await world.post('/auth/signin/acme'), 'carol'))).status,
  ]
  expect(new Set(statuses)).toEqual(new Set([302]))
})

describe('T-WEB-7: scripts of other sites', () => {
  const origins = [
    'https://evil.example',
    'null',
    ORIGIN,
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'https://evilapp.example',
    'https://sub.app.example',
    'https://APP.EXAMPLE',
    'https://app.example/',
  ]
  test.each(origins)('%s can read nothing', async (origin) => {
    const { world } = await createSite()
    await passwordSignIn(world)
    for (const path of ROUTES) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await world.request(path, {
          method,
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type,x-auth-return-redirect',
          },
        })
        const granted = [...answer.headers.keys()].filter((name) =>
          name.startsWith('access-control'),
        )
        expect([path, method, granted]).toEqual([path, method, []])
      }
    }
  })
})
