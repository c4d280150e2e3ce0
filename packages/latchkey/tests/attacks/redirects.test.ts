import { describe, expect, test } from 'vitest'
import type { World } from '../../src/entries/testing.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import { hostileInJson, hostileUrls } from './support/hostile-urls.ts'
import {
  approve,
  askForLink,
  CALLBACK_COOKIE,
  createSite,
  jsonPost,
  locationOf,
  ORIGIN,
  passwordSignIn,
  type Site,
  strategies,
} from './support/site.ts'

/** Where a flow may lead on its way: to the site, and to the provider that was asked for. */
const PROVIDER = 'https://acme.example'

/**
 * What is wrong with an answer, in the eyes of a browser that reads its address alone, or from the
 * page that it is on; `undefined` when nothing is.
 */
async function wrongWith(response: Response, to: string = ORIGIN): Promise<string | undefined> {
  if (response.status >= 500) return `status ${response.status}`
  const location = response.headers.get('location')
  if (response.status === 302 && !location) return 'no location'
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith(CALLBACK_COOKIE))
  const kept =
    cookie && decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';')))
  const body =
    response.headers.get('content-type') === 'application/json'
      ? ((await response.clone().json()) as { url?: string } | null)?.url
      : undefined
  for (const [what, address, allowed] of [
    ['location', location, to],
    ['url', body, to],
    ['cookie', kept, ORIGIN],
  ] as const) {
    if (!address) continue
    if (!/^[\x21-\x7e]+$/.test(address)) return `${what} is not plain: ${JSON.stringify(address)}`
    if (!URL.canParse(address)) return `${what} is not absolute: ${address}`
    for (const url of [new URL(address), new URL(address, `${ORIGIN}/auth/callback/acme`)]) {
      if (url.origin !== allowed) return `${what} leaves: ${address}`
      if (url.username || url.password) return `${what} has a user name: ${address}`
    }
  }
  const own = response.headers.getSetCookie().every((text) => /^__(?:Host|Secure)-/.test(text))
  return own ? undefined : 'a cookie that is not ours'
}

/** Tries every hostile target. @returns those that got somewhere, with what happened */
async function successes(
  attempt: (target: string) => Promise<string | undefined>,
  targets: readonly string[] = hostileUrls,
): Promise<string[]> {
  const found: string[] = []
  for (const target of targets) {
    const wrong = await attempt(target)
    if (wrong !== undefined) found.push(`${JSON.stringify(target).slice(0, 120)}: ${wrong}`)
  }
  return found
}

type Channel = 'query' | 'form' | 'JSON body' | 'cookie'

/** Posts with a hostile target somewhere. */
function postWith(
  world: World,
  channel: Channel,
  path: string,
  target: unknown,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  if (channel === 'JSON body') return jsonPost(world, path, { ...fields, callbackUrl: target })
  const text = String(target)
  if (channel === 'form') return world.post(path, { ...fields, callbackUrl: text }, { headers })
  if (channel === 'query') {
    return world.post(`${path}?${new URLSearchParams({ callbackUrl: text })}`, fields, { headers })
  }
  world.jar.set(CALLBACK_COOKIE, encodeURIComponent(text))
  return world.post(path, fields, { headers })
}

const channels: readonly Channel[] = ['query', 'form', 'JSON body', 'cookie']

test('T-REDIR-1: the corpus of targets has at least 300, none of them twice', () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(300)
  expect(hostileUrls.filter((url, at) => hostileUrls.indexOf(url) !== at)).toEqual([])
})

describe.each(strategies)(
  'T-REDIR-1, T-REDIR-2: a hostile target is not followed with %s sessions',
  (strategy) => {
    const open = (): Promise<Site> => createSite({ strategy })

    for (const channel of channels) {
      test(`in the ${channel} of the password form`, async () => {
        const { world } = await open()
        const fields = { username: 'ada', password: 'open sesame' }
        const found = await successes(async (target) => {
          world.jar.clear()
          const end = await postWith(world, channel, '/auth/callback/credentials', target, fields)
          return end.status === 302 ? wrongWith(end) : `status ${end.status}`
        })
        expect(found).toEqual([])
        expect((await world.session())?.user?.['name']).toBe('ada')
      })

      test(`in the ${channel} of a failing password form`, async () => {
        const { world } = await open()
        const path = '/auth/callback/credentials'
        const found = await successes(async (target) =>
          wrongWith(await postWith(world, channel, path, target, { username: 'ada' })),
        )
        expect(found).toEqual([])
      })

      test(`in the ${channel} of a sign-out`, async () => {
        const { world } = await open()
        const found = await successes(async (target) => {
          const end = await postWith(world, channel, '/auth/signout', target)
          return end.status === 302 ? wrongWith(end) : `status ${end.status}`
        })
        expect(found).toEqual([])
      })

      test(`in the ${channel} of a sign-in with a provider, up to its end`, async () => {
        const { world } = await open()
        const found = await successes(async (target) => {
          world.jar.clear()
          const begun = await postWith(world, channel, '/auth/signin/acme', target)
          if (!locationOf(begun).startsWith(`${PROVIDER}/authorize?`)) return 'not begun'
          const wrong = await wrongWith(begun, PROVIDER)
          if (wrong !== undefined) return wrong
          const end = await world.get(approve(begun, 'carol'))
          return world.jar.has('__Secure-authjs.session-token') ? wrongWith(end) : 'no session'
        })
        expect(found).toEqual([])
      })

      test(`in the ${channel} of a sign-in by mail, up to its end`, async () => {
        const site = await open()
        const { world, mails } = site
        const found = await successes(async (target) => {
          world.jar.clear()
          const begun = await postWith(world, channel, '/auth/signin/email', target, {
            email: 'ada@example.com',
          })
          const wrong = await wrongWith(begun)
          if (wrong !== undefined) return wrong
          const link = new URL(mails.at(-1)?.url ?? '')
          const inMail = link.searchParams.get('callbackUrl') ?? ''
          if (link.origin !== ORIGIN || new URL(inMail).origin !== ORIGIN) return `mailed: ${link}`
          const end = await world.get(link.pathname + link.search)
          return world.jar.has('__Secure-authjs.session-token') ? wrongWith(end) : 'no session'
        })
        expect(found).toEqual([])
      })

      test(`in the ${channel} of a request of the browser client, which receives an address`, async () => {
        const { world } = await open()
        const found = await successes(async (target) => {
          const end = await postWith(
            world,
            channel,
            '/auth/signout',
            target,
            {},
            {
              'x-auth-return-redirect': '1',
            },
          )
          return wrongWith(end)
        })
        expect(found).toEqual([])
      })
    }

    test('in the link of a mail that was changed on its way', async () => {
      const site = await open()
      const found = await successes(async (target) => {
        site.world.jar.clear()
        const link = new URL(await askForLink(site), ORIGIN)
        link.searchParams.set('callbackUrl', target)
        const end = await site.world.get(link.pathname + link.search)
        return end.status === 302 ? wrongWith(end) : `status ${end.status}`
      })
      expect(found).toEqual([])
    })

    test('in the query and the cookie of a callback, changed on the way back', async () => {
      const { world } = await open()
      const found = await successes(async (target) => {
        world.jar.clear()
        const begun = await world.post('/auth/signin/acme')
        const query = new URLSearchParams({ callbackUrl: target })
        world.jar.set(CALLBACK_COOKIE, encodeURIComponent(target))
        return wrongWith(await world.get(`${approve(begun, 'carol')}&${query}`))
      })
      expect(found).toEqual([])
    })

    test('in the query of each page, and of requests by programs', async () => {
      const { world } = await open()
      const found: string[] = []
      for (const path of ['signin', 'signout', 'error', 'verify-request', 'csrf', 'session']) {
        found.push(
          ...(await successes(async (target) => {
            const query = new URLSearchParams({ callbackUrl: target, error: target, code: target })
            return wrongWith(await world.get(`/auth/${path}?${query}`))
          })),
        )
      }
      expect(found).toEqual([])
    })

    test('of a type that only JSON has', async () => {
      const { world } = await open()
      for (const target of hostileInJson) {
        world.jar.clear()
        for (const path of ['/auth/signout', '/auth/signin/email', '/auth/callback/credentials']) {
          const end = await jsonPost(world, path, {
            callbackUrl: target,
            email: 'ada@example.com',
            username: 'ada',
            password: 'open sesame',
          })
          expect([JSON.stringify(target), await wrongWith(end)]).toEqual([
            JSON.stringify(target),
            undefined,
          ])
        }
      }
    })

    test('as the result of the `signIn` callback, which the application took from the visitor', async () => {
      let target = ''
      const { world } = await createSite({
        strategy,
        config: { callbacks: { signIn: () => target } },
      })
      const found = await successes(async (hostile) => {
        target = hostile
        const end = await passwordSignIn(world)
        return end.status === 302 ? wrongWith(end) : `status ${end.status}`
      })
      expect(found).toEqual([])
      expect(world.jar.has('__Secure-authjs.session-token')).toBe(false)
    })

    test('as `redirectTo` and as the referrer of programmatic sign-in and sign-out', async () => {
      const site = await open()
      const { handler: _, ...auth } = createLatchkey(
        { ...site.config, trustHost: true, providers: site.config.providers ?? [] },
        {},
      )
      const fields = { username: 'ada', password: 'open sesame', email: 'ada@example.com' }
      const found = await successes(async (target) => {
        const plain = /^[\x20-\x7e]*$/.test(target) ? target : encodeURI(target.toWellFormed())
        const request = (): Request =>
          new Request(`${ORIGIN}/account`, { headers: { referer: plain.trim() } })
        return (
          (await wrongWith(
            await auth.signIn(request(), 'credentials', { ...fields, redirectTo: target }),
          )) ??
          (await wrongWith(await auth.signIn(request(), 'credentials', fields))) ??
          (await wrongWith(
            await auth.signIn(request(), 'email', { ...fields, redirectTo: target }),
          )) ??
          (await wrongWith(
            await auth.signIn(request(), 'acme', { redirectTo: target }),
            PROVIDER,
          )) ??
          (await wrongWith(await auth.signIn(request(), undefined, { redirectTo: target }))) ??
          (await wrongWith(await auth.signOut(request(), { redirectTo: target }))) ??
          (await wrongWith(await auth.signOut(request())))
        )
      })
      expect(found).toEqual([])
      for (const mail of site.mails) expect(new URL(mail.url).origin).toBe(ORIGIN)
    })
  },
)

describe('T-REDIR-1: a target has one meaning only', () => {
  test('for an address without slashes, which differs alone and on a page', async () => {
    const { world } = await createSite()
    for (const target of ['https:app.example/inbox', 'https:/app.example/inbox']) {
      const end = await world.post('/auth/signout', { callbackUrl: target })
      const location = locationOf(end)
      expect(new URL(location, `${ORIGIN}/auth/signout`).href).toBe(new URL(location).href)
    }
  })

  test('for a site with a port: the same host without it is another site', async () => {
    const { world } = await createSite({ origin: 'http://localhost:3000' })
    for (const target of [
      'http://localhost/',
      'http://localhost:3001/',
      'https://localhost:3000/',
    ]) {
      const end = await world.post('/auth/signout', { callbackUrl: target })
      expect(locationOf(end)).toBe('http://localhost:3000')
    }
  })

  test('after a `redirect` callback that returns nonsense, which leads to the site', async () => {
    for (const answer of [
      undefined,
      null,
      1,
      {},
      [],
      '',
      'x',
      'javascript:alert(1)',
      'data:,x',
      '\0',
    ]) {
      const { world } = await createSite({
        config: { callbacks: { redirect: () => answer as string } },
      })
      const end = await world.post('/auth/signout', { callbackUrl: '/x' })
      expect([answer, end.status, locationOf(end)]).toEqual([answer, 302, ORIGIN])
    }
  })

  test('after a `redirect` callback that throws: the visitor gets a page, and nobody is signed in', async () => {
    for (const strategy of strategies) {
      const { world, writes } = await createSite({
        strategy,
        config: {
          callbacks: {
            redirect: () => {
              throw new Error('redirect is out of order')
            },
          },
        },
      })
      const end = await passwordSignIn(world, 'ada', { callbackUrl: '/x' })
      expect(end.status).toBeLessThan(500)
      expect(await wrongWith(end)).toBeUndefined()
      expect(writes).toEqual([])
      expect(await world.session()).toBeNull()
    }
  })
})
