import { describe, expect, test } from 'vitest'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import { type Call, definePlugin, type Host, html } from '../../src/entries/plugin.ts'
import { signInAs } from '../../src/entries/testing.ts'
import { atomic } from '../../src/model/adapter.ts'
import type { World } from '../../src/testing/world.ts'
import {
  createSite,
  locationOf,
  PASSWORD,
  providerSignIn,
  type Site,
  type Strategy,
  strategies,
} from '../attacks/support/site.ts'

/** A page that stands between the proof and the session, until what it asks for is stored. */
const asking = (name: 'terms' | 'factor', gate: 'prove' | 'require', amr: readonly string[] = []) =>
  definePlugin<typeof name, object, Host>({
    name,
    gate,
    routes: {
      [name]: {
        GET: {
          who: 'pending',
          run:
            async () =>
            async ({ csrfField, pending }) => ({
              page: {
                title: name,
                body: html`<p>${pending?.user.name}</p><form method="post">${{ html: csrfField }}</form>`,
              },
            }),
        },
        POST: {
          who: 'pending',
          run:
            async () =>
            async ({ pending, request }: Call, host) => {
              const key = `${pending?.user.id}`
              await host.records.create({ kind: name, key, data: {} })
              return host.sessions.resume({ request }, { amr })
            },
        },
      },
    },
    setUp: (host) => ({
      own: host,
      async atGate({ user }) {
        return (await host.records.get(name, user.id)) ? undefined : host.site.path(name)
      },
    }),
  })

interface Gated extends Site {
  readonly events: string[]
}

async function gated(strategy: Strategy, more: Partial<AuthConfig> = {}): Promise<Gated> {
  const events: string[] = []
  const site = await createSite({
    strategy,
    config: {
      plugins: [asking('terms', 'require')],
      events: {
        signIn: ({ user, isNewUser }) => {
          events.push(`signIn ${user.name}${isNewUser ? ', new' : ''}`)
        },
      },
      ...more,
    },
  })
  return { ...site, events }
}

const asAda = (world: World, init: RequestInit = {}) =>
  world.post(
    '/auth/callback/credentials',
    { username: 'ada', password: PASSWORD, callbackUrl: '/after' },
    init,
  )

/** Presses the button of the page that a sign-in was led to. */
async function accept(world: World, path = '/auth/terms'): Promise<Response> {
  const page = await world.get(path, { headers: { accept: 'text/html' } })
  const csrfToken = /name="csrfToken" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
  return world.postWithoutCsrf(path, { csrfToken })
}

const nameOf = async (world: World) => (await world.session())?.user?.['name'] ?? null

describe.each(strategies)('a gate, with %s sessions', (strategy) => {
  test('comes between the proof and the session, and leads on to the target of the visitor', async () => {
    const { world, events } = await gated(strategy)
    const stopped = await asAda(world)
    expect([stopped.status, locationOf(stopped)]).toEqual([302, '/auth/terms'])
    expect(await nameOf(world)).toBeNull()
    expect(events).toEqual([])
    const page = await world.get('/auth/terms', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('ada')

    const done = await accept(world)
    expect([done.status, locationOf(done)]).toEqual([303, 'https://app.example/after'])
    expect(await nameOf(world)).toBe('ada')
    expect(events).toEqual(['signIn ada'])
    expect(world.jar.has('__Host-latchkey.pending')).toBe(false)
  })

  test('redirects a visitor without a sign-in from its page to the sign-in page, and not back', async () => {
    const { world } = await gated(strategy)
    const answer = await world.get('/auth/terms', { headers: { accept: 'text/html' } })
    expect([answer.status, locationOf(answer)]).toEqual([
      303,
      'https://app.example/auth/signin?error=PendingExpired',
    ])
  })

  test('leads a user who passed it to the site, and not to the sign-in page, after the back button', async () => {
    const { world } = await gated(strategy)
    await asAda(world)
    await accept(world)
    const answer = await world.get('/auth/terms', { headers: { accept: 'text/html' } })
    expect([answer.status, locationOf(answer)]).toEqual([303, 'https://app.example'])
    expect(await nameOf(world)).toBe('ada')
  })

  test('lets a user who passed it once pass from then on', async () => {
    const { world } = await gated(strategy)
    await asAda(world)
    await accept(world)
    const elsewhere = world.otherBrowser()
    expect(locationOf(await asAda(elsewhere))).toBe('https://app.example/after')
    expect(await nameOf(elsewhere)).toBe('ada')
  })

  test('tells a program that a step is missing before it is signed in', async () => {
    const { world } = await gated(strategy)
    const answer = await asAda(world, { headers: { 'x-auth-return-redirect': '1' } })
    expect(await answer.json()).toEqual({ url: 'https://app.example/auth/terms', detour: true })
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const done = await world.request('/auth/terms', { method: 'POST', headers, body: '{}' })
    expect(await done.json()).toEqual({ url: 'https://app.example/after' })
    expect(await nameOf(world)).toBe('ada')
  })

  test('tells code that begins a sign-in which step is missing', async () => {
    const { config } = await gated(strategy)
    const latchkey = createLatchkey(
      { trustHost: true, ...config, providers: config.providers ?? [] },
      {},
    )
    const asked = new Request('https://app.example/login', { method: 'POST' })
    const result = await latchkey.signIn.result(asked, 'credentials', {
      username: 'ada',
      password: PASSWORD,
    })
    expect(result).toMatchObject({ url: '/auth/terms', detour: true })
    expect(result.error).toBeUndefined()
  })

  test('passes the jwt callback and the event the arguments of a usual sign-in', async () => {
    const seen: object[] = []
    const { world } = await gated(strategy, {
      callbacks: {
        jwt: ({ token, trigger, account, profile, isNewUser }) => {
          if (trigger) seen.push({ trigger, provider: account?.provider, profile, isNewUser })
          return token
        },
      },
    })
    await providerSignIn(world, 'acme', 'carol')
    await accept(world)
    const profile = { id: 'carol', email: 'carol@example.com' }
    expect(seen).toEqual(
      strategy === 'database'
        ? []
        : [{ trigger: 'signUp', provider: 'acme', profile, isNewUser: true }],
    )
  })

  test('keeps a user who gives up new until the sign-in is complete', async () => {
    const { world, events } = await gated(strategy, { pages: { newUser: '/welcome' } })
    await providerSignIn(world, 'acme', 'carol')
    const later = world.otherBrowser()
    await providerSignIn(later, 'acme', 'carol')
    expect(locationOf(await accept(later))).toContain('/welcome?callbackUrl=')
    expect(events).toEqual(['signIn carol, new'])
    const again = world.otherBrowser()
    expect(locationOf(await providerSignIn(again, 'acme', 'carol'))).toBe('https://app.example')
    expect(events).toEqual(['signIn carol, new', 'signIn carol'])
  })

  test('leaves the earlier session of the browser until there is a new one', async () => {
    const { world, adapter } = await gated(strategy)
    await asAda(world)
    await accept(world)
    await world.post('/auth/callback/credentials', { username: 'bob', password: PASSWORD })
    expect(await nameOf(world)).toBe('ada')
    await accept(world)
    expect(await nameOf(world)).toBe('bob')
    expect(await adapter.getUser?.('ada')).not.toBeNull()
  })

  test('is shown once more after its step was left without a result', async () => {
    const lax = definePlugin<'lax', object, Host>({
      name: 'lax',
      gate: 'require',
      routes: {
        lax: {
          POST: {
            who: 'pending',
            run:
              async () =>
              ({ request }, host) =>
                host.sessions.resume({ request }),
          },
        },
      },
      setUp: (host) => ({ own: host, atGate: () => host.site.path('lax') }),
    })
    const { world } = await gated(strategy, { plugins: [lax] })
    await asAda(world)
    const csrfToken = await world.csrfToken()
    const again = await world.postWithoutCsrf('/auth/lax', { csrfToken })
    expect([again.status, locationOf(again)]).toEqual([303, '/auth/lax'])
    expect(await nameOf(world)).toBeNull()
  })

  test('that proves more comes before one that asks for consent, in any order of the list', async () => {
    const { world } = await gated(strategy, {
      plugins: [asking('terms', 'require'), asking('factor', 'prove', ['otp'])],
    })
    expect(locationOf(await asAda(world))).toBe('/auth/factor')
    // Nobody agrees to anything with one factor of two.
    expect(locationOf(await accept(world, '/auth/factor'))).toBe('/auth/terms')
    expect(locationOf(await accept(world))).toBe('https://app.example/after')
    expect(await nameOf(world)).toBe('ada')
  })
})

describe('T-OTV-1: a sign-in that waits at a gate', () => {
  test('goes on once, also if the page is sent many times', async () => {
    const { world, events } = await gated('database')
    await asAda(world)
    const csrfToken = await world.csrfToken()
    const cookie = [...world.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => {
        const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
        return world.request('/auth/terms', {
          method: 'POST',
          headers,
          body: `csrfToken=${csrfToken}`,
        })
      }),
    )
    expect(
      answers.filter(
        ({ status, headers }) =>
          status === 303 && headers.get('location') === 'https://app.example/after',
      ),
    ).toHaveLength(1)
    expect(events).toEqual(['signIn ada'])
  })

  test('waits ten minutes', async () => {
    const { world } = await gated('jwt')
    await asAda(world)
    const jar = [...world.jar]
    world.advance(601)
    for (const [name, value] of jar) world.jar.set(name, value)
    expect((await world.get('/auth/terms')).status).toBe(401)
  })

  test('is bound to the browser, so its cookie is worth nothing elsewhere', async () => {
    const { world } = await gated('jwt')
    await asAda(world)
    const thief = world.otherBrowser()
    const name = '__Host-latchkey.pending'
    thief.jar.set(name, world.jar.get(name) ?? '')
    expect((await thief.get('/auth/terms')).status).toBe(401)
    const csrfToken = await thief.csrfToken()
    const sent = await thief.postWithoutCsrf('/auth/terms', { csrfToken })
    expect(locationOf(sent)).toContain('/auth/signin')
    expect(await nameOf(thief)).toBeNull()
    expect(locationOf(await accept(world))).toBe('https://app.example/after')
  })

  test('ends if its user is deleted meanwhile', async () => {
    const { world, adapter } = await gated('jwt')
    await asAda(world)
    await adapter.deleteUser?.('ada')
    expect((await world.get('/auth/terms')).status).toBe(401)
  })

  test('is one of at most five for a user, and the oldest is dropped', async () => {
    const { world } = await gated('jwt')
    const browsers = Array.from({ length: 6 }, () => world.otherBrowser())
    for (const browser of browsers) {
      world.advance(1)
      await asAda(browser)
    }
    const waiting = await Promise.all(
      browsers.map(
        async (each) =>
          (await each.get('/auth/terms', { headers: { accept: 'text/html' } })).status,
      ),
    )
    expect(waiting).toEqual([303, 200, 200, 200, 200, 200])
  })

  test('stores nothing that a reader of the store could use', async () => {
    const { world, config } = await gated('jwt')
    await providerSignIn(world, 'acme', 'carol')
    const page = await config.adapter?.[atomic]?.listRecords?.({
      kind: 'pending-sign-in',
      limit: 9,
    })
    expect(page?.records).toHaveLength(1)
    expect(JSON.stringify(page)).not.toMatch(/access-carol|carol@example/)
  })
})

test('the test kit signs people in past all gates', async () => {
  const { config } = await gated('jwt')
  const given = { ...config, providers: config.providers ?? [] }
  const { session } = await signInAs(given, { id: 'x', name: 'Xenia', email: 'x@example.com' })
  expect(session.user?.name).toBe('Xenia')
})

test('the start is refused if the store of a gate has no records', () => {
  const make = () =>
    createLatchkey(
      { plugins: [asking('terms', 'require')], providers: [], secret: 'x'.repeat(40) },
      {},
    )
  expect(make).toThrow('the plugin terms stores records, but there is no record store')
  expect(make).toThrow('Drizzle: with the table `record`')
})
