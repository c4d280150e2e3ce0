import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { compile } from 'svelte/compiler'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import type { AuthClient } from '../../src/client/client.ts'
import { createLatchkey, type Latchkey, type Session } from '../../src/entries/index.ts'
import { toNodeListener } from '../../src/integrations/node.ts'

// A page for each binding, as its framework renders it, in a real browser and in front of the service.

/** What a page leaves in its window. */
declare const window: { client: AuthClient; leave(): void; enter(session?: Session): void }

const pages: Readonly<Record<string, string>> = {
  React: `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { createAuthClient, SessionProvider, useSession } from './react.ts'
    function Who() {
      return createElement('p', { id: 'who' }, show(useSession()))
    }
    const root = createRoot(document.querySelector('main'))
    root.render(createElement(SessionProvider, { client }, createElement(Who)))
    window.leave = () => root.unmount()`,
  Vue: `
    import { createApp, h } from 'vue'
    import { createAuthClient, useSession } from './vue.ts'
    const app = createApp({
      setup() {
        const session = useSession(client)
        return () => h('p', { id: 'who' }, show(session.value))
      },
    })
    app.mount('main')
    window.leave = () => app.unmount()`,
  Svelte: `
    import { mount, unmount } from 'svelte'
    import { createAuthClient } from './svelte.ts'
    import Who from './who.svelte'
    const who = mount(Who, { target: document.querySelector('main'), props: { client, show } })
    window.leave = () => unmount(who)`,
  Solid: `
    import { createEffect } from 'solid-js'
    import { render } from 'solid-js/web'
    import { createAuthClient, createSession } from './solid.ts'
    function Who() {
      const session = createSession(client)
      const line = Object.assign(document.createElement('p'), { id: 'who' })
      createEffect(() => { line.textContent = show(session()) })
      return line
    }
    window.leave = render(Who, document.querySelector('main'))`,
}

/** A page of React whose next page, without a load, needs a session. */
const GATED = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { createAuthClient, SessionProvider, useSession } from './react.ts'
  function Who({ required }) {
    return createElement('p', { id: 'who' }, show(useSession({ required })))
  }
  const root = createRoot(document.querySelector('main'))
  const render = (session, required) =>
    root.render(
      createElement(SessionProvider, { client, session }, createElement(Who, { required, key: required })),
    )
  render(window.name === 'layout' ? null : undefined, false)
  window.enter = (session) => render(session, true)`

/** A page of React with the shared client, and the props that its address has. */
const PROPS = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { createAuthClient, SessionProvider, useSession } from './react.ts'
  function Who() {
    return createElement('p', { id: 'who' }, show(useSession()))
  }
  const props = JSON.parse(new URLSearchParams(location.search).get('props'))
  createRoot(document.querySelector('main')).render(
    createElement(SessionProvider, props, createElement(Who)),
  )`

const COMPONENT = `
  <script>
    import { sessionStore } from './svelte.ts'
    let { client, show } = $props()
    const session = sessionStore(client)
  </script>
  <p id="who">{show($session)}</p>`

const sources = fileURLToPath(new URL('../../src/client', import.meta.url))

const svelte: Plugin = {
  name: 'svelte',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.svelte$/ }, ({ path }) => ({ path, namespace: 'component' }))
    onLoad({ filter: /.*/, namespace: 'component' }, () => ({
      contents: compile(COMPONENT, { generate: 'client' }).js.code,
      resolveDir: sources,
    }))
  },
}

/** The script of a page, as an application's bundler makes it. */
async function scriptOf(source: string): Promise<string> {
  const shared = `
    const client = createAuthClient()
    const show = ({ data, status, isUpdating }) => [status, data?.user?.name].join(' ').trim()
    window.client = client`
  const { outputFiles } = await build({
    stdin: { contents: shared + source, resolveDir: sources },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [svelte],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  })
  return outputFiles[0]?.text ?? ''
}

function serviceWith(stateCookie: boolean): Latchkey {
  return createLatchkey(
    {
      secret: 'a secret of these tests, 0123456789abcdef',
      trustHost: true,
      session: { stateCookie },
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: ({ name }) => ({ id: '1', name: String(name) }),
        },
      ],
      callbacks: {
        jwt: ({ token, session }) => ({ ...token, ...(session as object | undefined) }),
      },
    },
    {},
  )
}

/** Pages by the names of their bindings, and what server functions do, below `/server/`. */
async function serve(stateCookie: boolean, scripts: ReadonlyMap<string, string>): Promise<Server> {
  const latchkey = serviceWith(stateCookie)
  const onServer: Record<string, (request: Request) => Promise<{ headers: Headers }>> = {
    '/server/sign-in': (request) =>
      latchkey.signIn.result(request, 'credentials', { name: 'Grace' }),
    '/server/sign-out': (request) => latchkey.signOut.result(request),
    '/server/update': (request) => latchkey.updateSession(request, { name: 'Hopper' }),
  }
  const handler = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth/')) return latchkey.handler(request)
    const work = onServer[pathname]
    if (work) return new Response(null, { status: 204, headers: (await work(request)).headers })
    const script = scripts.get(pathname.slice(1)) ?? ''
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    return new Response(`<main></main><script type="module">${script}</script>`, { headers })
  }
  const server = createServer(toNodeListener({ handler })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('in a browser', inBrowser, () => {
  let browser: Browser
  const servers: Server[] = []
  const origins: Record<'quiet' | 'telling', string> = { quiet: '', telling: '' }

  needsBrowser()
  beforeAll(async () => {
    if (missingBrowser !== undefined) return
    const scripts = new Map<string, string>()
    for (const [name, source] of Object.entries(pages)) scripts.set(name, await scriptOf(source))
    scripts.set('gated', await scriptOf(GATED))
    scripts.set('props', await scriptOf(PROPS))
    for (const [name, stateCookie] of [
      ['quiet', false],
      ['telling', true],
    ] as const) {
      const server = await serve(stateCookie, scripts)
      servers.push(server)
      origins[name] = `http://localhost:${(server.address() as AddressInfo).port}`
    }
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    for (const server of servers) server.close()
  })

  async function visit<T>(run: (context: BrowserContext) => Promise<T>): Promise<T> {
    const context = await browser.newContext()
    context.setDefaultTimeout(15_000)
    try {
      return await run(context)
    } finally {
      await context.close()
    }
  }

  async function open(context: BrowserContext, address: string): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => {
      throw error
    })
    await page.goto(address)
    return page
  }

  async function expectShown(text: string, ...tabs: readonly Page[]): Promise<void> {
    for (const page of tabs) {
      await expect.poll(() => page.textContent('#who'), { timeout: 5000 }).toBe(text)
    }
  }

  const onServer = (page: Page, what: 'sign-in' | 'sign-out' | 'update'): Promise<unknown> =>
    page.evaluate(
      (path) => fetch(path, { method: 'POST' }).then(({ status }) => status),
      `/server/${what}`,
    )

  const signIn = (page: Page): Promise<unknown> =>
    page.evaluate(() => window.client.signIn('credentials', { name: 'Ada', redirect: false }))

  describe.each(Object.keys(pages))('%s', (name) => {
    test('shows the signed-in user, in each tab, as it changes', async () => {
      await visit(async (context) => {
        const page = await open(context, `${origins.quiet}/${name}`)
        const other = await open(context, `${origins.quiet}/${name}`)
        await expectShown('unauthenticated', page, other)
        await signIn(page)
        await expectShown('authenticated Ada', page, other)
        await other.evaluate(() => window.client.store.update({ name: 'Bob' }))
        await expectShown('authenticated Bob', page, other)
        await context.setOffline(true)
        const known = await page.evaluate(() => window.client.store.refetch())
        expect(known?.user?.name).toBe('Bob')
        await expectShown('authenticated Bob', page)
        await context.setOffline(false)
        await page.evaluate(() => window.client.signOut({ redirect: false }))
        await expectShown('unauthenticated', page, other)
      })
    })

    test('shows what the server did, in every tab, until it is unmounted', async () => {
      await visit(async (context) => {
        const page = await open(context, `${origins.telling}/${name}`)
        const other = await open(context, `${origins.telling}/${name}`)
        await expectShown('unauthenticated', page, other)
        for (const [what, text] of [
          ['sign-in', 'authenticated Grace'],
          ['update', 'authenticated Hopper'],
          ['sign-out', 'unauthenticated'],
        ] as const) {
          await onServer(page, what)
          await expectShown(text, page, other)
        }
        await page.evaluate(() => window.leave())
        const asked: string[] = []
        page.on('request', (request) => asked.push(new URL(request.url()).pathname))
        await onServer(page, 'sign-in')
        await expectShown('authenticated Grace', other)
        expect(asked).toEqual(['/server/sign-in'])
      })
    })
  })

  describe('NEW-2: a page of React sends no request before it has the props', () => {
    const session = { user: { name: 'Ada' }, expires: '2999-01-01T00:00:00.000Z' }

    test.each([
      [{}, 'unauthenticated', ['/auth/session']],
      [{ basePath: '/elsewhere' }, 'unauthenticated', ['/elsewhere/session']],
      [{ session }, 'authenticated Ada', []],
    ])('%j', async (props, text, expected) => {
      await visit(async (context) => {
        const page = await context.newPage()
        const asked: string[] = []
        page.on('request', (request) => asked.push(new URL(request.url()).pathname))
        await page.route('**/elsewhere/**', (route) => route.fulfill({ status: 404 }))
        const query = new URLSearchParams({ props: JSON.stringify(props) })
        await page.goto(`${origins.quiet}/props?${query}`)
        await expectShown(text, page)
        expect(asked.filter((path) => path.endsWith('/session'))).toEqual(expected)
      })
    })
  })

  describe('a page of React that needs a session', () => {
    test('sends a visitor without one to the sign-in page', async () => {
      await visit(async (context) => {
        const page = await open(context, `${origins.telling}/gated`)
        await expectShown('unauthenticated', page)
        await page.evaluate(() => window.enter())
        await page.waitForURL('**/auth/signin?**')
        expect(new URL(page.url()).searchParams.get('error')).toBe('SessionRequired')
      })
    })

    test('waits for the request that is in progress after the server signed in', async () => {
      await visit(async (context) => {
        const page = await open(context, `${origins.telling}/gated`)
        await expectShown('unauthenticated', page)
        await page.route('**/auth/session', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 300))
          await route.continue()
        })
        await page.evaluate(async () => {
          await fetch('/server/sign-in', { method: 'POST' })
          window.enter()
        })
        await expectShown('authenticated Grace', page)
      })
    })

    test('uses the session of the layout', async () => {
      await visit(async (context) => {
        const page = await context.newPage()
        await page.addInitScript("window.name = 'layout'")
        await page.goto(`${origins.quiet}/gated`)
        await expectShown('unauthenticated', page)
        await page.evaluate(() =>
          window.enter({ user: { name: 'Ada' }, expires: '2999-01-01T00:00:00.000Z' }),
        )
        await expectShown('authenticated Ada', page)
        expect(new URL(page.url()).pathname).toBe('/gated')
      })
    })
  })
})
