import { afterEach, describe, expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import latchkeyModule from './nuxt.ts'
import {
  createGuard,
  createPlugin,
  requireFactors,
  requireFresh,
  useAuth,
  useSession,
} from './nuxt-app.ts'

// Nuxt itself runs in the tests of the examples. Here is what one application does not have all of.

const nuxt = vi.hoisted(() => ({
  state: {} as { value?: unknown },
  event: undefined as { context: object } | undefined,
  app: {} as object,
  baseURL: '/',
}))

vi.mock('nuxt/app', () => ({
  abortNavigation: (error: object) => ({ aborted: error }),
  defineNuxtPlugin: <T>(plugin: T) => plugin,
  defineNuxtRouteMiddleware: <T>(guard: T) => guard,
  navigateTo: (path: string, options: object) => ({ path, ...options }),
  useNuxtApp: () => ({
    payload: {},
    runWithContext: (call: () => unknown) => call(),
    ...nuxt.app,
  }),
  useRequestEvent: () => nuxt.event,
  useRuntimeConfig: () => ({ app: { baseURL: nuxt.baseURL } }),
  useState: () => nuxt.state,
}))

const ada = { user: { name: 'Ada' }, expires: '2027-01-01T00:00:00.000Z' }

async function start(basePath = '/auth'): Promise<void> {
  const { setup } = createPlugin(basePath) as {
    setup(): Promise<{ provide: { latchkey: unknown; latchkeyPath: string } }>
  }
  const { latchkey, latchkeyPath } = (await setup()).provide
  nuxt.app = { $latchkey: latchkey, $latchkeyPath: latchkeyPath }
}

/** As in a component. */
const shown = (): ReturnType<typeof useSession>['value'] | undefined =>
  effectScope().run(() => useSession().value)

const visit = (): unknown =>
  (createGuard('/auth') as (to: object) => Promise<unknown>)({ fullPath: '/private?page=2' })

const toSignIn = { path: '/auth/signin?callbackUrl=%2Fprivate%3Fpage%3D2', external: true }

afterEach(() => {
  nuxt.state = {}
  nuxt.event = undefined
  nuxt.app = {}
  nuxt.baseURL = '/'
  vi.unstubAllGlobals()
})

describe('in an application', () => {
  test.each([
    ['authenticated', ada, undefined],
    ['unauthenticated', null, toSignIn],
  ])(
    'the session of the server is available at once, on the server and in the browser: %s',
    async (status, data, verdict) => {
      nuxt.event = { context: { latchkey: async () => data } }
      await start()
      expect(shown()).toMatchObject({ status, data })
      expect(await visit()).toEqual(verdict)
      nuxt.event = undefined
      await start()
      expect(shown()).toMatchObject({ status, data })
      expect(await visit()).toEqual(verdict)
    },
  )

  test.each([
    [ada, undefined],
    [null, toSignIn],
  ])('on a prerendered page, the service is called: %j', async (session, verdict) => {
    nuxt.event = { context: {} }
    await start()
    expect(shown()?.status).toBe('loading')
    nuxt.event = undefined
    vi.stubGlobal('fetch', async () => Response.json(session))
    await start()
    expect(useAuth().store.state.status).toBe('loading')
    expect(await visit()).toEqual(verdict)
  })
})

describe.each([
  ['/auth', '/shop/'],
  ['/auth', '/shop'],
  ['/shop/auth', '/shop/'],
  ['/auth/actions', '/auth/'],
  ['/auth', '/auth/'],
])('with the base path %s of the module and the `app.baseURL` %s,', (basePath, baseURL) => {
  const base = baseURL.replace(/\/$/, '')
  const actions = basePath.startsWith(`${base}/`) ? basePath : base + basePath

  test('visitors without a session go to the sign-in page of the application, and back to the page', async () => {
    nuxt.baseURL = baseURL
    nuxt.event = { context: { latchkey: async () => null } }
    await start(basePath)
    const guard = createGuard(basePath) as (to: object) => Promise<unknown>
    const query = new URLSearchParams({ callbackUrl: `${base}/private` })
    const path = `${actions}/signin?${query}`
    expect(await guard({ fullPath: '/private' })).toEqual({ path, external: true })
  })

  test('the browser calls the actions there, and a proof leads back to the page', async () => {
    nuxt.baseURL = baseURL
    const asked: unknown[] = []
    nuxt.event = { context: { latchkeyProof: async (needed: object) => void asked.push(needed) } }
    await requireFresh(600)({ fullPath: '/keys' })
    nuxt.event = undefined
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      asked.push([path, JSON.parse(body)])
      return Response.json({ code: 'unauthenticated' }, { status: 401 })
    })
    await start(basePath)
    const query = new URLSearchParams({ callbackUrl: `${base}/keys` })
    const path = `${actions}/signin?${query}`
    expect(await requireFresh(600)({ fullPath: '/keys' })).toEqual({ path, external: true })
    expect(asked).toEqual([
      { maxAge: 600, redirectTo: `${base}/keys` },
      [`${actions}/reauthenticate/need`, { maxAge: 600, callbackUrl: `${base}/keys` }],
    ])
  })

  test('Nitro, which puts `app.baseURL` in front, handles the actions at the same address', () => {
    const build = { templates: [], transpile: [] }
    const serverHandlers: { route?: string; handler: string }[] = []
    const app = { baseURL }
    const options = { app, build, dev: false, plugins: [], serverHandlers, nitro: {} }
    latchkeyModule({ basePath }, { options, hook() {} })
    expect(base + serverHandlers[0]?.route).toBe(`${actions}/**`)
  })
})

describe('MF-25: the guards of a page that needs a proof', () => {
  const to = { fullPath: '/keys?page=2' }

  test('on the server, the answer leads there and back, or is the status of the page', async () => {
    const asked: unknown[] = []
    const answers = [
      new Response(null, { status: 303, headers: { location: '/auth/reauthenticate?for=x' } }),
      undefined,
      new Response(null, { status: 401 }),
    ]
    const latchkeyProof = async (needed: object): Promise<Response | undefined> => {
      asked.push(needed)
      return answers.shift()
    }
    nuxt.event = { context: { latchkeyProof } }
    const there = { path: '/auth/reauthenticate?for=x', external: true, redirectCode: 303 }
    expect(await requireFresh(600)(to)).toEqual(there)
    expect(await requireFactors(2, { maxAge: 60, redirectTo: '/after' })(to)).toBeUndefined()
    expect(await requireFactors(2)(to)).toEqual({ aborted: { statusCode: 401 } })
    expect(asked).toEqual([
      { maxAge: 600, redirectTo: '/keys?page=2' },
      { factors: 2, maxAge: 60, redirectTo: '/after' },
      { factors: 2, redirectTo: '/keys?page=2' },
    ])
  })

  test('on a page that is rendered for all, nobody is let in', async () => {
    nuxt.event = { context: {} }
    await expect(requireFresh(600)(to)).rejects.toThrow(
      'the page /keys?page=2 needs a proof of identity, so the server must render it for each visitor: remove `prerender`, `swr`, `isr` and `cache` from its route rules',
    )
    // Nuxt then renders the page of the error, with the same middleware.
    nuxt.app = { payload: { error: {} } }
    expect(await requireFresh(600)(to)).toBe(false)
  })

  test('in the browser, the server is asked, unless it has just rendered the page', async () => {
    const asked: unknown[] = []
    const answers = [
      Response.json({ status: 'needed', next: 'https://app.example/auth/reauthenticate?for=x' }),
      Response.json({ status: 'proved' }),
      Response.json({ code: 'unauthenticated' }, { status: 401 }),
      Response.json({ code: 'too_many_attempts' }, { status: 429 }),
    ]
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      asked.push([path, JSON.parse(body)])
      return answers.shift()
    })
    await start()
    const there = { path: 'https://app.example/auth/reauthenticate?for=x', external: true }
    expect(await requireFresh(600)(to)).toEqual(there)
    const further = { phishingResistant: true, redirectTo: '/after' }
    expect(await requireFresh(600, further)(to)).toBeUndefined()
    expect(await requireFactors(2)(to)).toEqual({
      path: '/auth/signin?callbackUrl=%2Fkeys%3Fpage%3D2',
      external: true,
    })
    await expect(requireFactors(2)(to)).rejects.toMatchObject({ code: 'too_many_attempts' })
    // It began with a page without content, as with `ssr: false`.
    Object.assign(nuxt.app, { isHydrating: true })
    answers.push(Response.json({ status: 'proved' }))
    expect(await requireFactors(2)(to)).toBeUndefined()
    expect(asked).toEqual([
      ['/auth/reauthenticate/need', { maxAge: 600, callbackUrl: '/keys?page=2' }],
      [
        '/auth/reauthenticate/need',
        { maxAge: 600, phishingResistant: true, callbackUrl: '/after' },
      ],
      ...Array.from({ length: 3 }, () => [
        '/auth/reauthenticate/need',
        { factors: 2, callbackUrl: '/keys?page=2' },
      ]),
    ])

    Object.assign(nuxt.app, { payload: { serverRendered: true } })
    expect(await requireFactors(2)(to)).toBeUndefined()
    // Later it shows the page without loading it.
    Object.assign(nuxt.app, { isHydrating: false })
    answers.push(Response.json({ status: 'needed', next: '/x' }))
    expect(await requireFactors(2)(to)).toEqual({ path: '/x', external: true })
  })
})

test.each([
  [{}, true],
  [{ cache: { swr: true, maxAge: 60 } }, false],
  [{ isr: true }, false],
])('the session is passed to pages only if no cache keeps them: %j', (rules, isSaid) => {
  const event = { context: {} }
  sessionMiddleware(rules)(event)
  expect('latchkey' in event.context).toBe(isSaid)
  expect('latchkeyProof' in event.context).toBe(isSaid)
})

/** What the module has Nitro run before each page, which has such rules. */
function sessionMiddleware(rules: object): (event: object) => void {
  const nitro: { virtual?: Record<string, string> } = {}
  const build = { templates: [], transpile: [] }
  const options = { build, dev: false, plugins: [], serverHandlers: [], nitro }
  latchkeyModule({}, { options, hook() {} })
  const code = nitro.virtual?.['#latchkey/session'] ?? ''
  // What Nitro's bundler does with it.
  const body = code
    .replaceAll(/^\s*import .*$/gm, '')
    .replace('import.meta.prerender', 'false')
    .replace('export default', 'return')
  // oxlint-disable-next-line typescript/no-implied-eval
  const load = new Function('defineEventHandler', 'getRouteRules', 'authSession', body)
  return load(
    (handler: unknown) => handler,
    () => rules,
  ) as (event: object) => void
}

test('a built application runs in production, unless a variable names another mode', () => {
  const nitro: { virtual?: Record<string, string> } = {}
  const build = { templates: [], transpile: [] }
  const options = { build, dev: false, plugins: [], serverHandlers: [], nitro }
  latchkeyModule({}, { options, hook() {} })
  // oxlint-disable-next-line typescript/no-implied-eval
  const load = new Function('globalThis', nitro.virtual?.['#latchkey/environment'] ?? '')
  for (const [given, mode] of [
    [undefined, 'production'],
    ['staging', 'staging'],
  ] as const) {
    const env = { NODE_ENV: given }
    load({ process: { env } })
    expect(env.NODE_ENV).toBe(mode)
  }
  load({})
})

test('the module uses the base path everywhere, and keeps existing options', () => {
  const options = {
    dev: true,
    build: {
      templates: [] as { filename: string; getContents(): string }[],
      transpile: [] as unknown[],
    },
    plugins: [],
    serverHandlers: [],
    nitro: { virtual: { '#other': 'kept' } as Record<string, string> },
  }
  const hooks: Record<string, (list: never) => void> = {}
  const hook = (name: string, add: (list: never) => void): void => void (hooks[name] = add)
  latchkeyModule({ basePath: '/sign', latchkey: '~~/server/auth' }, { options, hook })
  expect(options.serverHandlers).toEqual([
    { route: '/sign/**', handler: '#latchkey/actions' },
    { middleware: true, handler: '#latchkey/session' },
  ])
  const { '#other': other, '#latchkey/environment': mode, ...own } = options.nitro.virtual
  expect(mode).toBe('')
  expect(other).toBe('kept')
  for (const code of Object.values(own)) expect(code).toContain('from "~~/server/auth"')
  const made = options.build.templates.map(({ getContents }) => getContents())
  expect(made).toEqual([
    expect.stringContaining('createPlugin("/sign")'),
    expect.stringContaining('createGuard("/sign")'),
  ])
  expect(options.plugins).toEqual([{ src: '#build/latchkey/plugin.mjs' }])
  const lists = { middleware: [], imports: [] as unknown[] }
  hooks['app:resolve']?.(lists as never)
  hooks['imports:extend']?.(lists.imports as never)
  expect(lists.middleware).toEqual([
    { name: 'auth', path: '#build/latchkey/auth.mjs', global: false },
  ])
  expect(lists.imports).toEqual([
    { name: 'useAuth', from: 'latchkey/nuxt/app' },
    { name: 'useSession', from: 'latchkey/nuxt/app' },
    { name: 'requireFresh', from: 'latchkey/nuxt/app' },
    { name: 'requireFactors', from: 'latchkey/nuxt/app' },
  ])
})
