import { describe, expect, test } from 'vitest'
import { definePlugin, type PluginParts } from '../../src/entries/plugin.ts'
import { html } from '../../src/http/html.ts'
import {
  createSite,
  locationOf,
  ORIGIN,
  passwordSignIn,
  strategies,
} from '../attacks/support/site.ts'

const siteWith = (parts: PluginParts, more: object = {}) =>
  createSite({
    config: { plugins: [definePlugin({ name: 'tested', ...more, setUp: () => parts })] },
  })

const cookie = (name: string) => ({ name, value: '1', options: { path: '/' } })

describe('the part `leave`', () => {
  test.each(strategies)('receives the session that ended, %s', async (strategy) => {
    const told: unknown[] = []
    const plugin = definePlugin({
      name: 'tested',
      setUp: () => ({
        session: {},
        leave: {
          async to({ facts, callbackUrl }) {
            told.push([await facts?.sid(), facts?.userId, callbackUrl])
            return { to: `${ORIGIN}/elsewhere` as typeof callbackUrl, cookies: [cookie('left')] }
          },
        },
      }),
    })
    const { world } = await createSite({ strategy, config: { plugins: [plugin] } })
    await passwordSignIn(world)
    const answer = await world.post('/auth/signout', { callbackUrl: '/bye' })
    expect(locationOf(answer)).toBe(`${ORIGIN}/elsewhere`)
    expect(world.jar.get('left')).toBe('1')
    expect(await world.session()).toBeNull()
    await world.post('/auth/signout', { callbackUrl: '/bye' })
    expect(told).toEqual([
      [expect.stringMatching(/^[\w-]{22}$/), 'ada', `${ORIGIN}/bye`],
      [undefined, undefined, `${ORIGIN}/bye`],
    ])
  })

  test('that throws is logged, and the sign-out goes on', async () => {
    const { world } = await siteWith({
      leave: { to: () => Promise.reject(new Error('nobody knows where to')) },
    })
    await passwordSignIn(world)
    expect(locationOf(await world.post('/auth/signout', { callbackUrl: '/bye' }))).toBe(
      `${ORIGIN}/bye`,
    )
    expect(await world.session()).toBeNull()
    expect(world.log.map(({ message }) => message)).toContain('nobody knows where to')
  })

  test('may add to the sign-out page', async () => {
    const { world } = await siteWith({
      leave: {
        to: () => undefined,
        page: async () => ({ note: 'A <note>.', field: { name: 'more', label: 'More' } }),
      },
    })
    await passwordSignIn(world)
    const text = await (await world.get('/auth/signout')).text()
    expect(text).toContain('<p class="note">A &lt;note&gt;.</p>')
    expect(text).toContain('name="more" value="1"')
  })
})

test('`afterIssue` adds cookies to the answer of a sign-in', async () => {
  const { world } = await siteWith({ session: { afterIssue: async () => [cookie('begun')] } })
  await passwordSignIn(world)
  expect(world.jar.get('begun')).toBe('1')
})

test('an `afterSignIn` that throws is logged, and the browser gets the session', async () => {
  const { world } = await siteWith({
    afterSignIn: () => Promise.reject(new Error('a fault of a test')),
  })
  await passwordSignIn(world)
  expect(await world.session()).not.toBeNull()
  expect(world.log.map(({ message }) => message)).toContain('a fault of a test')
})

describe('the result of `before` of an action', () => {
  test('is where the visitor goes if it has an address', async () => {
    const { world } = await siteWith({
      actions: {
        before: ({ action }) => (action === 'signin' ? { to: `${ORIGIN}/no` as never } : undefined),
      },
    })
    expect(locationOf(await world.post('/auth/signin/acme'))).toBe(`${ORIGIN}/no`)
  })

  test('replaces the parameters of the request if it has some', async () => {
    const { world } = await siteWith({
      actions: { before: () => ({ query: { prompt: 'login' } }) },
    })
    const begun = new URL(
      locationOf(await world.post('/auth/signin/acme?prompt=none&display=page')),
    )
    expect(begun.searchParams.get('prompt')).toBe('login')
    expect(begun.searchParams.get('display')).toBe('page')
  })
})

describe('a route', () => {
  const routes = {
    'hooks/*': {
      GET: {
        who: 'anyone',
        run:
          async () =>
          ({ rest }: { rest?: string | undefined }) => ({ json: { rest: rest ?? null } }),
      },
      POST: {
        who: 'anyone',
        callers: 'protocol',
        run:
          async () =>
          async ({ request }: { request: { original: Request } }) => ({
            json: { body: await request.original.text() },
          }),
      },
    },
    'hooks/known': { GET: { who: 'anyone', run: async () => () => ({ json: { rest: 'known' } }) } },
    scripted: {
      GET: {
        who: 'anyone',
        run: async () => () => ({
          page: {
            title: 'A',
            body: html`<p>a</p>`,
            script: 'go()',
            formAction: 'https://op.example',
          },
        }),
      },
    },
  } as const

  test('with a star takes one segment, and any exact route comes first', async () => {
    const { world } = await siteWith({}, { routes })
    const restOf = async (path: string) => (await world.get(path)).json()
    expect(await restOf('/auth/hooks/one')).toEqual({ rest: 'one' })
    expect(await restOf('/auth/hooks/known')).toEqual({ rest: 'known' })
    for (const path of [
      '/auth/hooks/',
      '/auth/hooks',
      '/auth/hooks/one/two',
      '/elsewhere/hooks/one',
    ])
      expect((await world.get(path)).status).toBe(400)
  })

  test('of a protocol gets the body, without a token and without cookies', async () => {
    const { world } = await siteWith({}, { routes })
    const headers = {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
      accept: 'text/html',
    }
    const answer = await world.request('/auth/hooks/x', {
      method: 'POST',
      body: 'anything',
      headers,
    })
    expect(await answer.json()).toEqual({ body: 'anything' })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('may have a page with a script, and forms that lead to one origin', async () => {
    const { world } = await siteWith({}, { routes })
    const page = await world.get('/auth/scripted', { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'sha256-[\w+/]+='; /)
    expect(policy).toMatch(/; form-action https:\/\/op\.example$/)
    expect(await page.text()).toContain('<script>go()</script>')
  })
})
