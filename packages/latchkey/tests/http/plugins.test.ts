import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { AuthError } from '../../src/entries/errors.ts'
import { type AuthConfig, createLatchkey, skipCSRFCheck } from '../../src/entries/index.ts'
import {
  type Call,
  definePlugin,
  type Host,
  html,
  Problem,
  type SiteRequest,
} from '../../src/entries/plugin.ts'
import { type AtomicAbilities, atomic } from '../../src/model/adapter.ts'
import { createWorld, type World } from '../../src/testing/world.ts'
import { createSite, locationOf, PASSWORD, strategies } from '../attacks/support/site.ts'

/** What the routes of the plugin below are given. */
interface Notes {
  readonly host: Host
}

interface NotesApi {
  told(request: Request): Promise<unknown>
  count(request: Request): Promise<number>
}

/** People write notes; whatever a route can do is in one of its paths. */
const notes = () =>
  definePlugin<'notes', NotesApi, Notes>({
    name: 'notes',
    needs: ['records'],
    problems: {
      full: { status: 422, title: 'There is no room for more notes.' },
      elsewhere: { status: 409, title: 'Notes are written elsewhere.' },
    },
    routes: {
      notes: {
        GET: {
          who: 'user',
          run:
            async () =>
            async ({ current }, { host }) => {
              const { records } = await host.records.list({
                kind: 'note',
                limit: 100,
                userId: `${current?.user.id}`,
              })
              return { json: { notes: records.map(({ data }) => data) } }
            },
        },
        POST: {
          who: 'user',
          input: async () => v.strictObject({ text: v.pipe(v.string(), v.maxLength(20)) }),
          run:
            async () =>
            async ({ input, current }: Call<{ text: string }>, { host }) => {
              if (input.text === 'one too many') throw new Problem('full')
              if (input.text === 'elsewhere')
                throw new Problem('elsewhere', 'of a test', { next: host.site.path('notes/form') })
              if (input.text === 'a slip') throw new Problem('ful')
              if (input.text === 'a bug') throw new Error('canary of a bug')
              const key = crypto.randomUUID()
              await host.records.create({
                kind: 'note',
                key,
                userId: `${current?.user.id}`,
                data: input,
              })
              return { json: { added: true }, to: host.site.path('notes/form') }
            },
        },
      },
      'notes/form': {
        GET: {
          who: 'anyone',
          run:
            async () =>
            async ({ csrfField }) => ({
              page: {
                title: 'Write a note',
                body: html`<form action="/auth/notes" method="post">${{ html: csrfField }}<input name="text"></form>`,
              },
              json: { form: true },
            }),
        },
      },
    },
    setUp: (host) => ({
      own: { host },
      api: {
        told: async (request) => [host.sessions.strategy(), await host.sessions.read(request)],
        async count(request) {
          const current = await host.sessions.current(request)
          const { records } = await host.records.list({
            kind: 'note',
            limit: 100,
            userId: `${current?.user.id}`,
          })
          return records.length
        },
      },
    }),
  })

test('a plugin receives the events of the application, after its handlers', async () => {
  const told: string[] = []
  const hears = definePlugin({
    name: 'hears',
    setUp: () => ({
      listen: {
        signIn: ({ user }) => void told.push(`plugin: in ${user.name}`),
        signOut: (message) =>
          void told.push(`plugin: out ${'token' in message && message.token?.name}`),
      },
    }),
  })
  const fails = definePlugin({
    name: 'fails',
    setUp: () => ({ listen: { signIn: () => Promise.reject(new Error('canary of a listener')) } }),
  })
  const { world } = await createSite({
    strategy: 'jwt',
    config: {
      plugins: [hears, fails],
      events: { signIn: ({ user }) => void told.push(`application: in ${user.name}`) },
    },
  })
  await world.post('/auth/callback/credentials', { username: 'ada', password: PASSWORD })
  await world.post('/auth/signout')
  expect(told).toEqual(['application: in ada', 'plugin: in ada', 'plugin: out ada'])
  expect(world.log.map(({ message }) => message)).toContain('canary of a listener')
  expect(await world.session()).toBeNull()
})

const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
const AS_PAGE = { accept: 'text/html' }

const postJson = (world: World, body: unknown, headers: HeadersInit = JSON_OF_OURS) =>
  world.request('/auth/notes', { method: 'POST', headers, body: JSON.stringify(body) })

/** Ada's browser at a site with the plugin. */
async function adasWorld(
  strategy: (typeof strategies)[number] = 'jwt',
  more: Partial<AuthConfig> = {},
) {
  const { world } = await createSite({ strategy, config: { plugins: [notes()], ...more } })
  const fields = { username: 'ada', password: PASSWORD }
  const isChecked = more.skipCSRFCheck === undefined
  await (isChecked ? world.post : world.postWithoutCsrf)('/auth/callback/credentials', fields)
  return world
}

async function problemOf(answer: Response): Promise<Record<string, unknown>> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
  return (await answer.json()) as Record<string, unknown>
}

describe.each(strategies)('GEN-6: the routes of a plugin, with %s sessions', (strategy) => {
  test("accept JSON of the site's pages, and return JSON", async () => {
    const world = await adasWorld(strategy)
    const added = await postJson(world, { text: 'milk' })
    expect([added.status, await added.json()]).toEqual([200, { added: true }])
    const listed = await world.get('/auth/notes')
    expect(await listed.json()).toEqual({ notes: [{ text: 'milk' }] })
    expect(listed.headers.get('cache-control')).toBe('private, no-cache, no-store')
    expect([...added.headers.getSetCookie(), ...listed.headers.getSetCookie()]).toEqual([])
  })

  test("accept forms of the site's pages, and redirect", async () => {
    const world = await adasWorld(strategy)
    const page = await world.get('/auth/notes/form', { headers: AS_PAGE })
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await page.text()
    expect(text).toContain('<title>Write a note – ')
    const csrfToken = /name="csrfToken" value="(\w+)"/.exec(text)?.[1] ?? ''
    const sent = await world.postWithoutCsrf('/auth/notes', { text: 'eggs', csrfToken })
    expect([sent.status, locationOf(sent)]).toEqual([303, '/auth/notes/form'])
    expect(await (await world.get('/auth/notes')).json()).toEqual({ notes: [{ text: 'eggs' }] })
  })

  test('show a page also to a program that does not ask for HTML, if there is nothing else', async () => {
    const about = { page: { title: 'About', body: html`<p>About</p>` } }
    const shows = definePlugin({
      name: 'shows',
      routes: {
        about: {
          GET: { who: 'anyone', run: async () => async () => about },
          POST: { who: 'anyone', run: async () => async () => about },
        },
        feed: { GET: { who: 'anyone', callers: 'scripts', run: async () => async () => about } },
      },
      setUp: () => ({}),
    })
    const { world } = await createSite({ strategy, config: { plugins: [shows] } })
    const page = await world.get('/auth/about', { headers: { accept: '*/*' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('About')])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const init = { method: 'POST', headers: JSON_OF_OURS, body: '{}' }
    expect((await world.request('/auth/about', init)).status).toBe(204)
    expect((await world.get('/auth/feed', { headers: AS_PAGE })).status).toBe(204)
  })

  test('know the signed-in user, and refuse other visitors', async () => {
    const { world } = await createSite({ strategy, config: { plugins: [notes()] } })
    const refused = await world.get('/auth/notes')
    expect(refused.status).toBe(401)
    expect(await problemOf(refused)).toMatchObject({ status: 401, code: 'unauthenticated' })
    const page = await world.get('/auth/notes', { headers: AS_PAGE })
    expect([page.status, locationOf(page)]).toEqual([
      303,
      'https://app.example/auth/signin?callbackUrl=https%3A%2F%2Fapp.example%2Fauth%2Fnotes',
    ])
    expect((await world.get('/auth/notes/form')).status).toBe(200)
  })
})

describe('T-WEB-2: a plugin does nothing for other sites:', () => {
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://app.example' }, 200],
    [{ origin: 'https://app.example' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://app.example' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
  ])('JSON with %j gets %i', async (headers, status) => {
    const world = await adasWorld()
    const answer = await postJson(
      world,
      { text: 'x' },
      { ...headers, 'content-type': 'application/json' },
    )
    expect(answer.status).toBe(status)
    if (status === 403) expect(await problemOf(answer)).toMatchObject({ code: 'csrf' })
    const { notes: left } = (await (await world.get('/auth/notes')).json()) as { notes: unknown[] }
    expect(left).toHaveLength(status === 200 ? 1 : 0)
  })

  test('a program without an origin authenticates itself with the token, in the body or in a header', async () => {
    const world = await adasWorld()
    const csrfToken = await world.csrfToken()
    const type = { 'content-type': 'application/json' }
    expect((await postJson(world, { text: 'x', csrfToken }, type)).status).toBe(200)
    const inHeader = { ...type, 'x-csrf-token': csrfToken }
    expect((await postJson(world, { text: 'x' }, inHeader)).status).toBe(200)
    const wrong = {
      ...type,
      'x-csrf-token': csrfToken.replace(/^./, (c) => (c === '0' ? '1' : '0')),
    }
    expect((await postJson(world, { text: 'x' }, wrong)).status).toBe(403)
  })

  test('a form is accepted if the framework protects its forms', async () => {
    const world = await adasWorld('jwt', { skipCSRFCheck })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = async (headers: HeadersInit) =>
      (await world.request('/auth/notes', { method: 'POST', headers, body: 'text=x' })).status
    expect(await sent({ ...type, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await sent({ ...type, origin: 'https://evil.example' })).toBe(403)
    expect(await sent({ ...type, 'sec-fetch-site': 'same-origin' })).toBe(303)
  })

  test('a form needs the token', async () => {
    const world = await adasWorld()
    const answer = await world.postWithoutCsrf('/auth/notes', { text: 'x' })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('The form has expired')
  })
})

describe('a body sent to a plugin', () => {
  test.each([
    ['a field too much', { text: 'x', more: 1 }],
    ['a field of another type', { text: 1 }],
    ['a field that is too long', { text: 'x'.repeat(21) }],
    ['no field', {}],
  ])('is refused with the names of the fields: %s', async (_, body) => {
    const answer = await postJson(await adasWorld(), body)
    expect(answer.status).toBe(400)
    const { errors } = await problemOf(answer)
    expect(errors).toHaveLength(1)
    expect(JSON.stringify(errors)).not.toContain('x'.repeat(21))
  })

  test.each([
    ['a list', '[]', 400],
    ['no JSON', '{', 400],
    ['a dangerous name', '{"text":"x","a":{"__proto__":1}}', 400],
    ['many levels', `{"a":${'['.repeat(9)}${']'.repeat(9)}}`, 400],
    ['very many levels', '['.repeat(60_000), 400],
    ['too much', JSON.stringify({ text: 'x'.repeat(65_536) }), 413],
  ])('is checked as a whole: %s', async (_, body, status) => {
    const world = await adasWorld()
    const answer = await world.request('/auth/notes', {
      method: 'POST',
      headers: JSON_OF_OURS,
      body,
    })
    expect(answer.status).toBe(status)
  })

  test.each(['text/plain', 'application/json+x', 'multipart/form-data', ''])(
    'must be a form or JSON, not %j',
    async (type) => {
      const world = await adasWorld()
      const headers = { ...JSON_OF_OURS, 'content-type': type }
      const answer = await world.request('/auth/notes', {
        method: 'POST',
        headers,
        body: '{"text":"x"}',
      })
      expect(answer.status).toBe(415)
    },
  )

  test('is refused if a form has a field twice', async () => {
    const world = await adasWorld()
    const csrfToken = await world.csrfToken()
    const answer = await world.request('/auth/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `csrfToken=${csrfToken}&text=a&text=b`,
    })
    expect(answer.status).toBe(400)
  })

  test('is refused if the route takes none, and so is a query', async () => {
    const world = await adasWorld()
    expect((await world.get('/auth/notes?a=1')).status).toBe(400)
    expect((await world.get('/auth/notes?callbackUrl=/x')).status).toBe(200)
  })
})

describe('a response of a plugin', () => {
  test('lists the allowed methods', async () => {
    const world = await adasWorld()
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const answer = await world.request('/auth/notes', { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
    expect((await world.request('/auth/notes/form', { method: 'HEAD' })).status).toBe(200)
  })

  test('is a problem with the status of its table', async () => {
    const answer = await postJson(await adasWorld(), { text: 'one too many' })
    expect(answer.status).toBe(422)
    expect(await problemOf(answer)).toEqual({
      type: 'about:blank',
      title: 'There is no room for more notes.',
      status: 422,
      code: 'full',
    })
  })

  test('is a problem that redirects people, and names the address for programs', async () => {
    const world = await adasWorld()
    const answer = await postJson(world, { text: 'elsewhere' })
    expect(answer.status).toBe(409)
    expect(await problemOf(answer)).toMatchObject({ code: 'elsewhere', next: '/auth/notes/form' })
    const sent = await world.post('/auth/notes', { text: 'elsewhere' })
    expect([sent.status, locationOf(sent)]).toEqual([303, '/auth/notes/form'])
  })

  test('is 500 for a bug, which only the log describes', async () => {
    const world = await adasWorld()
    const answer = await postJson(world, { text: 'a bug' })
    expect(answer.status).toBe(500)
    expect(JSON.stringify(await problemOf(answer))).not.toContain('canary')
    expect(JSON.stringify(world.log.map(({ message }) => message))).toContain('canary of a bug')
  })

  test('tells people in plain words what went wrong, and offers what may help', async () => {
    const world = await adasWorld()
    const browser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const referer = `${world.origin}/auth/notes/form`
    const sent = await world.post(
      '/auth/notes',
      { text: 'a bug' },
      { headers: { ...browser, referer } },
    )
    const page = await sent.text()
    expect(page).toContain('<h1>Something went wrong</h1>')
    expect(page).toContain('Something is wrong on our side')
    expect(page).toContain('<a class="button main" href="/auth/notes/form">Try again</a>')

    const abilities: AtomicAbilities = world.config.adapter?.[atomic] ?? {}
    abilities.listRecords = () => Promise.reject(new Error('the store is away'))
    const read = await (await world.get('/auth/notes', { headers: browser })).text()
    expect(read).toContain(
      '<h1>This does not work at the moment</h1>\n<p class="lead">Try again soon.',
    )
    expect(read).toContain('<a class="button main" href="?">Try again</a>')
  })

  test('is 500 for a problem that its table does not have, which the log names', async () => {
    const world = await adasWorld()
    const answer = await postJson(world, { text: 'a slip' })
    expect(answer.status).toBe(500)
    expect(world.log.map(({ message }) => message)).toContain(
      'a plugin threw the problem "ful", which is not in its `problems`; add it there',
    )
  })

  test('is 503 while the store fails', async () => {
    const world = await adasWorld()
    const abilities: AtomicAbilities = world.config.adapter?.[atomic] ?? {}
    abilities.listRecords = () => Promise.reject(new Error('the store is away'))
    const answer = await world.get('/auth/notes')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await problemOf(answer)).toMatchObject({ code: 'store_unavailable' })
  })

  test('belongs to one exact path: similar paths are unknown actions', async () => {
    const world = await adasWorld()
    for (const path of [
      '/auth/notes/',
      '/auth//notes',
      '/auth/note%73',
      '/auth/notes/x',
      '/auth/Notes',
    ]) {
      expect((await world.get(path)).status).toBe(400)
    }
  })
})

describe('the api of a plugin', () => {
  const config = (more: Partial<AuthConfig> = {}) =>
    ({
      adapter: memoryAdapter(),
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: true,
      providers: [],
      plugins: [notes()],
      ...more,
    }) satisfies AuthConfig

  test('is typed by the list of plugins, and called with the request', async () => {
    const latchkey = createLatchkey({ ...config(), plugins: [notes()] }, {})
    const count: number = await latchkey.api.notes.count(new Request('https://app.example/'))
    expect(count).toBe(0)
  })

  test('is found if the configuration is a function', async () => {
    const latchkey = createLatchkey(async () => ({ ...config(), plugins: [notes()] }), {})
    expect(await latchkey.api.notes.count(new Request('https://app.example/'))).toBe(0)
  })

  test.each(strategies)(
    'reads %s sessions as the browser sees them, and extends none',
    async (strategy) => {
      const world = await adasWorld(strategy)
      world.advance(3 * 86_400)
      const latchkey = createLatchkey({ ...config(), ...world.config, plugins: [notes()] }, {})
      const headers = { cookie: [...world.jar].map((pair) => pair.join('=')).join('; ') }
      const told = await latchkey.api.notes.told(new Request('https://app.example/', { headers }))
      expect(told).toMatchObject([strategy, { user: { name: 'ada' } }])
    },
  )

  test('is no promise, and its errors name the missing part', async () => {
    const latchkey = createLatchkey(config(), {})
    expect(await Promise.resolve(latchkey.api)).toBe(latchkey.api)
    const api = latchkey.api as unknown as Record<string, Record<string, () => Promise<unknown>>>
    await expect(api['notes']?.['missing']?.()).rejects.toThrow('`missing`')
    await expect(api['other']?.['count']?.()).rejects.toThrow('api.other')
  })

  test('handles its own paths and actions, and nothing else', async () => {
    const latchkey = createLatchkey(config(), {})
    const answers = (path: string) => latchkey.answers(new Request(`https://app.example${path}`))
    expect(await answers('/auth/notes')).toBe(true)
    expect(await answers('/auth/session')).toBe(true)
    expect(await answers('/auth/notes/other')).toBe(false)
    expect(await answers('/notes')).toBe(false)
  })

  test('is open to visitors also if `authorized` refuses everybody', async () => {
    const latchkey = createLatchkey({ ...config(), callbacks: { authorized: () => false } }, {})
    const open = await latchkey.protect(new Request('https://app.example/auth/notes/form'))
    expect(open).toMatchObject({ open: true, response: undefined })
  })
})

describe('the start with plugins is refused', () => {
  const plugin = (more: object) => ({ ...notes(), ...more })
  test.each([
    ['twice the same name', [notes(), notes()], 'the plugin notes is in `plugins` twice'],
    [
      'a path of two',
      [notes(), plugin({ name: 'other' })],
      'the plugins notes and other both have the path notes',
    ],
    [
      'what a plugin checks itself',
      [plugin({ check: ({ secret }: AuthConfig) => new AuthError(`got ${typeof secret}`) })],
      'got string',
    ],
    [
      'what two provide for all',
      [
        plugin({ provides: ['limiter'], routes: {} }),
        plugin({ provides: ['limiter'], routes: {}, name: 'other' }),
      ],
      'the plugins notes and other both provide limiter',
    ],
    [
      'a path of an action',
      [plugin({ routes: { 'session/list': {} } })],
      'session is a built-in action',
    ],
    [
      'a path with another spelling',
      [plugin({ routes: { 'a//b': {} } })],
      'a path must consist of lower-case letters',
    ],
    ['a name that is none', [plugin({ name: 'a-b' })], 'the name of a plugin'],
    ['what was not made by us', [{ name: 'bare', setUp: () => ({}) }], '`definePlugin`'],
    ['a plugin that is missing', [plugin({ needs: ['plugin:limits'] })], 'needs the plugin limits'],
    ['a mail provider that is missing', [plugin({ needs: ['mail'] })], 'there is no mail provider'],
    ['records that are missing', [notes()], 'the plugin notes stores records'],
  ])('for %s', (what, plugins, message) => {
    const adapter = what.startsWith('records') ? undefined : memoryAdapter()
    const make = () =>
      createLatchkey({ adapter, plugins, providers: [], secret: 'x'.repeat(40) }, {})
    expect(make).toThrow(message)
  })
})

test.each([
  [
    'a part that there is not',
    { setUp: () => ({ own: undefined, events: {} }) },
    'returns the unknown member "events"; expected one of: api, own,',
  ],
  ['a gate that asks nobody', { gate: 'require' as const }, 'needs both `gate`'],
  [
    'what it provides and does not declare',
    {
      setUp: () => ({ provides: { limiter: { count: async () => ({ allowed: true as const }) } } }),
    },
    'must name "limiter" both in its list',
  ],
  [
    'what it declares and does not provide',
    { provides: ['sessions' as const] },
    'must name "sessions" both',
  ],
  ['a gate without a place', { setUp: () => ({ atGate: () => undefined }) }, 'needs both `gate`'],
])('%s prevents the first response, and the log has the reason', async (_, more, message) => {
  const plugin = definePlugin({ name: 'odd', setUp: () => ({}), ...more })
  const world = createWorld({ adapter: memoryAdapter(), plugins: [plugin] })
  expect((await world.get('/auth/session')).status).toBe(500)
  expect(JSON.stringify(world.log.map((line) => line.message))).toContain(
    message.replaceAll('"', '\\"'),
  )
})

test('without plugins there are no routes and no api of plugins', async () => {
  const world = createWorld({})
  expect(world.core.plan(world.config).plugins).toBeUndefined()
  expect((await world.get('/auth/notes')).status).toBe(400)
})

describe('the caller of a route', () => {
  const answers = definePlugin({
    name: 'answers',
    problems: { odd: { status: 422, title: 'Odd.' } },
    routes: {
      'answers/script': {
        GET: {
          who: 'user',
          callers: 'scripts',
          run: async () => async () => ({ json: { ok: true } }),
        },
      },
      'answers/server': {
        GET: {
          who: 'anyone',
          callers: 'servers',
          run: async () => async () => ({
            json: { ok: true },
            headers: { 'cache-control': 'public, max-age=60' },
          }),
        },
        POST: {
          who: 'anyone',
          callers: 'servers',
          input: async () => v.strictObject({ name: v.string() }),
          run:
            async () =>
            async ({ current, input }: Call<{ name: string }>) => {
              if (input.name === 'odd') throw new Problem('odd')
              return { json: { who: current?.user.id ?? null, name: input.name } }
            },
        },
      },
    },
    setUp: () => ({}),
  })
  const site = async () => {
    const { world } = await createSite({ config: { plugins: [answers] } })
    await world.post('/auth/callback/credentials', { username: 'ada', password: PASSWORD })
    return world
  }
  const HTML = { accept: 'text/html' }

  test('that is a script never gets a page, nor a redirect to one', async () => {
    const world = await site()
    const answer = await world.get('/auth/answers/script', { headers: HTML })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const stranger = await world.otherBrowser().get('/auth/answers/script', { headers: HTML })
    expect(stranger.status).toBe(401)
    expect(stranger.headers.get('content-type')).toBe('application/problem+json')
    expect(stranger.headers.getSetCookie()).toEqual([])
  })

  test('that is a server is known by no cookie, proves no origin, and gets no page', async () => {
    const world = await site()
    for (const body of [new URLSearchParams({ name: 'x' }), '{"name":"x"}']) {
      const headers = {
        ...HTML,
        'content-type': typeof body === 'string' ? 'application/json' : FORM,
        'sec-fetch-site': 'cross-site',
      }
      const answer = await world.request('/auth/answers/server', { method: 'POST', headers, body })
      expect(await answer.json()).toEqual({ who: null, name: 'x' })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const odd = await world.postWithoutCsrf('/auth/answers/server', { name: 'odd' })
    expect([odd.status, odd.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
    const wrong = await world.postWithoutCsrf('/auth/answers/server', { more: '1' })
    expect(wrong.status).toBe(400)
  })

  test('may get a cacheable response, which has no other header of caches', async () => {
    const answer = await (await site()).get('/auth/answers/server')
    expect(Object.fromEntries(answer.headers)).toEqual({
      'cache-control': 'public, max-age=60',
      'content-type': 'application/json',
    })
  })
})

const FORM = 'application/x-www-form-urlencoded'

describe('the keys that the host derives from the secrets:', () => {
  const SECRETS = ['a test secret of 32 characters!!', 'another secret of 32 characters.']
  const hostOf = (secret: string[]): Host => {
    let given: Host | undefined
    const takes = definePlugin({
      name: 'takes',
      setUp(host) {
        given = host
        return { api: {} }
      },
    })
    const { core, config } = createWorld({ secret, plugins: [takes] })
    core.plan(config).plugins?.api('takes')
    if (!given) throw new Error('no host')
    return given
  }

  test('a hash for each secret, and that of the first for new values', async () => {
    const token = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
    const hashes = await hostOf(SECRETS).keys.hashes('native-code', token)
    expect(hashes).toEqual(['WlEEwHoP90faoNMEodFdwLKCgfD5gcna-A25tgaFWPw', expect.any(String)])
    expect(await hostOf(SECRETS).keys.hash('native-code', token)).toBe(hashes[0])
    expect((await hostOf(SECRETS.toReversed()).keys.hashes('native-code', token))[1]).toBe(
      hashes[0],
    )
  })

  test('32 bytes for each secret, different for another purpose', async () => {
    const host = hostOf(SECRETS)
    const [one, two, ...more] = await host.keys.derive('one')
    expect([one?.length, two?.length, more]).toEqual([32, 32, []])
    const [other] = await host.keys.derive('other')
    expect(new Set([one, two, other].map(String)).size).toBe(3)
    expect(await hostOf(SECRETS.toReversed()).keys.derive('one')).toEqual([two, one])
  })
})

test('each plugin checks the configuration once, for any number of plugins', () => {
  const checked: string[] = []
  const checking = (name: string) =>
    definePlugin({
      name,
      check() {
        checked.push(name)
        return undefined
      },
      setUp: () => ({}),
    })
  createLatchkey(
    { plugins: ['one', 'two', 'three'].map(checking), providers: [], secret: 'x'.repeat(40) },
    {},
  )
  expect(checked).toEqual(['one', 'two', 'three'])
})

test('members of a host also work by their former names, until 1.0', async () => {
  let host: Host | undefined
  const takes = definePlugin({ name: 'takes', setUp: (given) => ((host = given), { api: {} }) })
  const { core, config } = createWorld({ plugins: [takes] })
  core.plan(config).plugins?.api('takes')
  if (!host) throw new Error('no host')
  const { site, sessions, providers, keys, work } = host
  expect(host.path('takes')).toBe(site.path('takes'))
  expect(await host.keyedHash('a', 'b')).toBe(await keys.hash('a', 'b'))
  expect(host.providers()).toEqual(providers.ids())
  expect(host.sessions()).toBe(sessions.control())
  const former = [
    'session',
    'longestSession',
    'provider',
    'keyedHashes',
    'derivedKeys',
    'lease',
  ] as const
  expect(former.map((name) => host?.[name])).toEqual([
    sessions.read,
    sessions.longest,
    providers.client,
    keys.hashes,
    keys.derive,
    work.lease,
  ])
})

describe('sessions that a carrier of a plugin finds, and that begin without a browser', () => {
  /** Sessions that are named in a header, and last a minute. */
  const held = (given: { host?: Host }) =>
    definePlugin({
      name: 'held',
      setUp(host) {
        given.host = host
        return {
          session: {},
          carriers: [
            {
              find({ headers, secure }) {
                const value = headers?.get('x-session')
                return value ? { value, secure, holder: { via: 'device', maxAge: 60 } } : undefined
              },
              write: () => [],
              clear: () => [],
              isInHeader: ({ headers }) => headers?.has('x-session') === true,
            },
          ],
        }
      },
    })

  test.each(strategies)('work with %s sessions', async (strategy) => {
    const given: { host?: Host } = {}
    const { world, adapter } = await createSite({ strategy, config: { plugins: [held(given)] } })
    world.core.plan(world.config).plugins?.api('held')
    const { host } = given
    const user = await adapter.getUser?.('ada')
    if (!host || !user) throw new Error('no host')
    const original = new Request('https://app.example/')
    const request = { original, secure: true } as SiteRequest
    const { value } = await host.sessions.begin({
      user,
      amr: ['pwd'],
      authTime: 1,
      before: await host.sessions.beforeProof('ada'),
      holder: { via: 'device', name: 'A device', maxAge: 60 },
      request,
    })
    const asked = new Request(original, { headers: { 'x-session': value } })
    expect((await host.sessions.current(asked))?.user.id).toBe('ada')
    expect(await host.sessions.current(original)).toBeNull()
    world.advance(60 + 16)
    expect(await host.sessions.current(asked)).toBeNull()
  })
})

test('a plugin learns the network of a client from the connection or the plugin limits', async () => {
  const { limits } = await import('../../src/plugins/limits/index.ts')
  const { withClientAddress } = await import('../../src/http/origin/client-address.ts')
  const addressWith = async (plugins: AuthConfig['plugins'], connection = '10.0.0.1') => {
    let given: Host | undefined
    const takes = definePlugin({ name: 'takes', setUp: (host) => ((given = host), { api: {} }) })
    const { core, config } = createWorld({ plugins: [...(plugins ?? []), takes] })
    core.plan(config).plugins?.api('takes')
    const headers = { 'x-forwarded-for': '192.0.2.9, 198.51.100.7' }
    return given?.site.clientAddress(
      withClientAddress(new Request('https://a.example', { headers }), connection),
    )
  }
  expect(await addressWith([], '198.51.100.7')).toBe('198.51.100.7')
  expect(await addressWith([])).toBeUndefined()
  expect(await addressWith([limits({ store: 'process', client: { hops: 1 } })])).toBe(
    '198.51.100.7',
  )
  // A proxy that nobody named: nobody knows where the client is.
  expect(await addressWith([limits({ store: 'process' })])).toBeUndefined()
})
