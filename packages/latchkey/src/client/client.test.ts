import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { createWorld, type World } from '../entries/testing.ts'
import { stateCookieWith } from '../options/markers.ts'
import Passkey from '../providers/passkey.ts'
import { stateCookie } from '../session/carriers/state-cookie.ts'
import { type AuthClient, createAuthClient, type Page } from './client.ts'
import { finishPopup } from './popup.ts'

// A page in front of the real service, both in this process.

interface Tab {
  readonly client: AuthClient
  readonly page: Page
  readonly requests: string[]
  readonly went: string[]
  readonly window: EventTarget
  readonly document: EventTarget & { visibilityState: 'visible' | 'hidden' }
  readonly navigation: EventTarget
  readonly cookieStore: EventTarget
  readonly navigator: { onLine: boolean }
  /** What happens to requests instead of being answered. */
  fault: undefined | ((path: string) => Response | undefined)
}

class Channel extends EventTarget {
  static readonly all = new Set<Channel>()
  constructor() {
    super()
    Channel.all.add(this)
  }
  postMessage(data: unknown): void {
    const message = () => new MessageEvent('message', { data })
    for (const each of Channel.all) {
      if (each !== this) queueMicrotask(() => each.dispatchEvent(message()))
    }
  }
  close(): void {
    Channel.all.delete(this)
  }
}

function site(hasStateCookie = false): World {
  return createWorld(
    {
      adapter: memoryAdapter(),
      session: { strategy: 'jwt', maxAge: 3600 },
      ...(hasStateCookie ? { [stateCookieWith]: stateCookie } : {}),
      callbacks: {
        jwt: ({ token, session }) => ({ ...token, ...(session as { name?: string }) }),
        session: ({ session, token }) => ({ ...session, user: { name: token.name ?? null } }),
      },
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: {},
          authorize: ({ name }) => (name === 'wrong' ? null : { id: '1', name: String(name) }),
        },
        {
          id: 'acme',
          name: 'Acme',
          type: 'oauth',
          clientId: 'a',
          clientSecret: 'b',
          authorization: 'https://acme.example/authorize',
          token: 'https://acme.example/token',
          userinfo: 'https://acme.example/me',
        },
        Passkey(),
      ],
    },
    { origin: 'https://app.example', startsAt: Date.now() },
  )
}

function tab(world: World): Tab {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  // The others cannot be read by scripts.
  const state = '__Secure-latchkey.session-state'
  const cookie = (): string =>
    world.jar.has(state) ? `mine=1; ${state}=${world.jar.get(state)}` : ''
  Object.defineProperty(document, 'cookie', { get: cookie })
  const navigation = new EventTarget()
  const cookieStore = new EventTarget()
  const self: Omit<Tab, 'client' | 'page'> = {
    requests: [],
    went: [],
    window,
    document,
    navigation,
    cookieStore,
    navigator: { onLine: true },
    fault: undefined,
  }
  const page: Page = {
    addEventListener: window.addEventListener.bind(window) as never,
    removeEventListener: window.removeEventListener.bind(window) as never,
    document: document as never,
    navigation,
    cookieStore,
    navigator: self.navigator,
    BroadcastChannel: Channel,
    location: {
      href: 'https://app.example/page',
      assign: (url) => void self.went.push(String(url)),
      reload: () => void self.went.push('reload'),
    },
    async fetch(input, init) {
      const path = String(input).replace(/^\/auth\//, '')
      self.requests.push(`${init?.method ?? 'GET'} ${path}`)
      const answer = self.fault?.(path) ?? (await world.request(`/auth/${path}`, init))
      const headers = new Headers(answer.headers)
      if (!headers.has('date')) headers.set('date', new Date(world.now()).toUTCString())
      return new Response(answer.body, { status: answer.status, headers })
    },
  }
  return Object.assign(self, { page, client: createAuthClient({}, page) })
}

function offline(): never {
  throw new TypeError('fetch failed')
}

/** Lets promises settle, and whatever waits for them. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await vi.advanceTimersByTimeAsync(0)
}

const nothing = (): void => {}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  Channel.all.clear()
})

describe('a route of a plugin', () => {
  const answering = (page: Tab, answer: Response) => {
    page.fault = (path) => (path.startsWith('terms') ? answer : undefined)
    return page
  }

  test('is called by GET, and by POST if there are fields', async () => {
    const page = answering(tab(site()), Response.json({ current: '1' }))
    expect(await page.client.ask('terms/status')).toEqual({ current: '1' })
    answering(page, new Response(null, { status: 204 }))
    expect(await page.client.ask('terms', { version: '1' })).toBeNull()
    expect(page.requests).toEqual(['GET terms/status', 'POST terms'])
  })

  test('refuses with a code, and names the invalid fields', async () => {
    const errors = [{ field: 'version', code: 'invalid' }]
    const problem = { title: 'Something in the form is missing.', code: 'invalid_input', errors }
    const page = answering(tab(site()), Response.json(problem, { status: 400 }))
    const refusal = await page.client.ask('terms', {}).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_input', errors })
    expect(String(refusal)).toContain(problem.title)
  })

  test('refuses with the page that comes first, and with the time of the next attempt', async () => {
    const next = '/auth/reauthenticate?for=x'
    const problem = { title: 'Sign in again.', code: 'reauthentication_required', next }
    const page = answering(tab(site()), Response.json(problem, { status: 403 }))
    const refusal = await page.client.ask('terms', {}).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ next, retryAfter: undefined })

    const headers = { 'retry-after': '90' }
    answering(page, Response.json({ code: 'too_many_attempts' }, { status: 429, headers }))
    const later = await page.client.ask('terms', {}).catch((error: unknown) => error)
    expect(later).toMatchObject({ status: 429, next: undefined, retryAfter: 90 })
  })

  test('reports the status of an unexpected response', async () => {
    const page = answering(tab(site()), new Response('a page of a proxy', { status: 502 }))
    const refusal = await page.client.ask('terms').catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 502, code: undefined, errors: [] })
  })
})

describe('NEW-2: a base path at which nothing is mounted', () => {
  const missing = (): Response => new Response('<p>Not found</p>', { status: 404 })

  test('ends `loading` with an error that names both paths, and stops the requests', async () => {
    const page = tab(site())
    const told: unknown[] = []
    Object.assign(page.page, { console: { error: (...args: unknown[]) => told.push(...args) } })
    page.fault = missing
    const { store } = page.client
    store.subscribe(nothing)
    await settled()
    const message = expect.stringMatching(
      /^no service at \/auth \(404\).* \/api\/auth in Next\.js, else \/auth/,
    )
    expect(store.state).toMatchObject({
      status: 'unauthenticated',
      data: null,
      error: { status: 404, message },
    })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(page.requests).toEqual(['GET session'])
    expect(told).toEqual([message])
  })

  test('keeps a known session', async () => {
    const page = tab(site())
    page.client.store.set({ user: { name: 'Ada' }, expires: '2100-01-01T00:00:00.000Z' })
    page.fault = missing
    await page.client.store.refetch()
    expect(page.client.store.state).toMatchObject({
      status: 'authenticated',
      error: { status: 404 },
    })
  })

  test.each([
    ['Next.js in the browser', { next: { version: '16.1.1' } }, '/api/auth'],
    ['Next.js on the server', { process: { env: { NEXT_RUNTIME: 'nodejs' } } }, '/api/auth'],
    ['another framework', { next: {}, process: { env: {} } }, '/auth'],
    ['a page', {}, '/auth'],
  ])('differs from the default: with %s it is that of the framework', async (_, scope, path) => {
    const asked: string[] = []
    const page: Page = {
      ...scope,
      fetch: async (input) => {
        asked.push(String(input))
        return Response.json({ csrfToken: 'x' })
      },
    }
    await createAuthClient({}, page).getCsrfToken()
    await createAuthClient({ basePath: '/own' }, page).getCsrfToken()
    expect(asked).toEqual([`${path}/csrf`, '/own/csrf'])
  })
})

describe('signing in', () => {
  test('with a password requests the providers and a token, and sends the form', async () => {
    const page = tab(site())
    const result = await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    expect(result).toEqual({
      error: undefined,
      code: undefined,
      status: 200,
      ok: true,
      url: 'https://app.example/page',
    })
    expect(page.requests).toEqual([
      'GET providers',
      'GET csrf',
      'POST callback/credentials',
      'GET session',
    ])
    expect(page.client.store.state.data?.user).toEqual({ name: 'Ada' })
    expect(page.went).toEqual([])
  })

  test('APP-4: with a wrong password returns an error, is not ok, and changes nothing', async () => {
    const page = tab(site())
    const result = await page.client.signIn('credentials', { name: 'wrong', redirect: false })
    expect(result).toMatchObject({ error: 'CredentialsSignin', code: 'credentials', url: null })
    expect(result?.ok).toBe(false)
    expect(page.requests).not.toContain('GET session')
  })

  test('with a further step is not complete, and other tabs are not notified', async () => {
    const page = tab(site())
    const url = 'https://app.example/auth/terms'
    page.fault = (path) =>
      path.startsWith('callback/') ? Response.json({ url, detour: true }) : undefined
    const result = await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    expect(result).toMatchObject({ ok: false, detour: true, error: undefined, url })
    expect(page.requests).not.toContain('GET session')
  })

  describe('with a token that another tab replaced', () => {
    const missing = 'https://app.example/auth/signin?error=MissingCSRF'
    const refused = (times: number) => (path: string) =>
      path.startsWith('callback/') && times-- > 0 ? Response.json({ url: missing }) : undefined

    test('requests a new one and sends the form once more', async () => {
      const page = tab(site())
      page.fault = refused(1)
      const result = await page.client.signIn('credentials', { name: 'Ada', redirect: false })
      expect(result).toMatchObject({ ok: true, error: undefined })
      const sent = ['GET csrf', 'POST callback/credentials']
      expect(page.requests).toEqual(['GET providers', ...sent, ...sent, 'GET session'])
    })

    test('gives up after a second refusal', async () => {
      const page = tab(site())
      page.fault = refused(2)
      const result = await page.client.signIn('credentials', { name: 'Ada', redirect: false })
      expect(result?.error).toBe('MissingCSRF')
    })

    test('sends nothing more if the target only looks like the error page', async () => {
      const page = tab(site())
      await page.client.signIn('credentials', { name: 'Ada', redirect: false, redirectTo: missing })
      expect(page.requests.filter((each) => each.startsWith('POST'))).toHaveLength(1)
    })
  })

  test('leads to the target of the service', async () => {
    const page = tab(site())
    await page.client.signIn('credentials', { name: 'Ada', redirectTo: '/there#part' })
    expect(page.went).toEqual(['https://app.example/there#part', 'reload'])
    await page.client.signIn('acme', {}, { prompt: 'consent' })
    const target = new URL(page.went[2] ?? '')
    expect([target.host, target.searchParams.get('prompt')]).toEqual(['acme.example', 'consent'])
  })

  test.each([undefined, 'nobody', '__proto__'])('with %s goes to the sign-in page', async (id) => {
    const page = tab(site())
    const { ok, error } = await page.client.signIn(id, { redirect: false })
    expect(page.went).toEqual(['/auth/signin?callbackUrl=https%3A%2F%2Fapp.example%2Fpage'])
    expect([ok, error]).toEqual([false, 'InvalidProvider'])
    expect(await page.client.signIn(id)).toBeUndefined()
  })

  test('fails if the service cannot be reached, and reports its response', async () => {
    const page = tab(site())
    page.fault = offline
    await expect(page.client.signIn('acme')).rejects.toMatchObject({
      name: 'ClientError',
      status: undefined,
    })
    page.fault = () => new Response('Bad gateway', { status: 502 })
    await expect(page.client.signIn('acme')).rejects.toMatchObject({ status: 502 })
    await expect(page.client.getCsrfToken()).rejects.toMatchObject({ status: 502 })
    page.fault = (path) => (path.startsWith('signin') ? Response.json({}) : undefined)
    await expect(page.client.signIn('acme')).rejects.toMatchObject({ status: 200 })
  })

  test('with a passkey throws if the browser does not support passkeys', async () => {
    const page = tab(site())
    await expect(page.client.signIn('passkey')).rejects.toThrow(
      'the browser does not support passkeys',
    )
    expect(page.requests.at(-1)).toBe('GET webauthn-options/passkey')
  })
})

describe('signing in in a popup', () => {
  /** A page whose browser opens windows, and what happens with them. */
  function opening(world: World, opens = true) {
    const page = tab(world)
    const opened = { closed: false, went: [] as string[] }
    const openedWindow = {
      get closed() {
        return opened.closed
      },
      location: { assign: (url: string | URL) => void opened.went.push(String(url)) },
      close: () => (opened.closed = true),
    }
    Object.assign(page.page, { open: () => (opens ? openedWindow : null) })
    /** The page in the window, at this address. */
    const end = (href: string): boolean =>
      finishPopup({ BroadcastChannel: Channel, location: { href }, close: openedWindow.close })
    return Object.assign(page, { opened, end })
  }

  /** Where the window is to end, as the service was told. */
  const endOf = (world: World): string =>
    decodeURIComponent(world.jar.get('__Secure-authjs.callback-url') ?? '')

  test.each([
    ['javascript:alert(1)', 'https://app.example'],
    [' javascript:alert(1)', 'https://app.example'],
    ['data:text/html,x', 'https://app.example'],
    ['https://evil.example/', 'https://app.example'],
    ['//evil.example/', 'https://app.example'],
    ['/\\evil.example/', 'https://app.example'],
    ['\t//evil.example', 'https://app.example'],
    ['https://app.example@evil.example/', 'https://app.example'],
    ['http://app.example/', 'https://app.example'],
    ['blob:https://app.example/1', 'https://app.example'],
    ['http://', 'https://app.example'],
    ['https://ada:secret@app.example/', 'https://app.example'],
    ['/there?a=b', '/there?a=b'],
    ['https://app.example/there', 'https://app.example/there'],
  ])('T-REDIR-1: rejects a target that leaves the site: %j', async (target, told) => {
    for (const name of ['redirectTo', 'callbackUrl']) {
      const world = site()
      const page = opening(world)
      const result = page.client.signIn('acme', { popup: '/done', [name]: target })
      await settled()
      page.end(endOf(world))
      await settled()
      expect(await result).toMatchObject({ ok: true, url: told })
    }
  })

  test('ends when the window reports that it is done', async () => {
    const world = site()
    const page = opening(world)
    const result = page.client.signIn('acme', { popup: '/done', redirectTo: '/there' })
    await settled()
    expect([page.went, page.opened.went.map((url) => new URL(url).host)]).toEqual([
      [],
      ['acme.example'],
    ])
    expect(endOf(world)).toMatch(/^https:\/\/app\.example\/done\?popup=\w+$/)
    expect(page.end('https://app.example/done?popup=another')).toBe(true)
    expect(page.end('https://app.example/done')).toBe(false)
    await settled()
    expect(page.requests).not.toContain('GET session')
    page.requests.length = 0
    page.opened.closed = false
    page.end(endOf(world))
    expect(await result).toMatchObject({ ok: true, error: undefined, url: '/there' })
    expect([page.requests, page.opened.closed]).toEqual([['GET session'], true])
    expect(Channel.all.size).toBe(0)
  })

  test('reports the error of the page', async () => {
    const world = site()
    const page = opening(world)
    const result = page.client.signIn('acme', { popup: '/done' })
    await settled()
    page.end(`${endOf(world)}&error=AccessDenied`)
    expect(await result).toMatchObject({ ok: false, error: 'AccessDenied', url: null })
  })

  test('ends if the user comes back from a closed window', async () => {
    const page = opening(site())
    const result = page.client.signIn('acme', { popup: '/done' })
    await settled()
    let isOver = false
    void result.then(() => (isOver = true))
    page.window.dispatchEvent(new Event('focus'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isOver).toBe(false)
    page.opened.closed = true
    page.window.dispatchEvent(new Event('focus'))
    await vi.advanceTimersByTimeAsync(500)
    expect(await result).toMatchObject({ error: 'PopupClosed', ok: false })
  })

  test('opens the sign-in page in the window, without a provider', async () => {
    const page = opening(site())
    void page.client.signIn(undefined, { popup: '/done' })
    await settled()
    expect(page.went).toEqual([])
    expect(page.opened.went[0]).toMatch(
      /^https:\/\/app\.example\/auth\/signin\?callbackUrl=https%3A%2F%2Fapp\.example%2Fdone%3Fpopup%3D/,
    )
  })

  test('closes the window if the service cannot be reached', async () => {
    const page = opening(site())
    page.fault = offline
    await expect(page.client.signIn('acme', { popup: '/done' })).rejects.toThrow('reached')
    expect(page.opened.closed).toBe(true)
  })

  test('is a redirect if the browser opens no window', async () => {
    const page = opening(site(), false)
    await page.client.signIn('acme', { popup: '/done', redirectTo: '/there' })
    expect(page.went.map((url) => new URL(url).host)).toEqual(['acme.example'])
  })
})

describe('signing out', () => {
  test('ends the session and redirects', async () => {
    const page = tab(site())
    await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    expect(await page.client.signOut({ redirect: false })).toEqual({
      url: 'https://app.example/page',
    })
    expect(page.client.store.state).toMatchObject({ data: null, status: 'unauthenticated' })
    await page.client.signOut({ redirectTo: '/bye' })
    expect(page.went).toEqual(['https://app.example/bye'])
  })

  test('MF-18: sends whether the browser shall be forgotten only if it shall', async () => {
    const page = tab(site())
    await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    const { fetch: ask } = page.page
    const sent: (string | null)[] = []
    page.page.fetch = (input, init) => {
      if (String(input).endsWith('/signout'))
        sent.push(new URLSearchParams(String(init?.body)).get('forget'))
      return ask?.(input, init) as Promise<Response>
    }
    await page.client.signOut({ redirect: false, forget: true })
    await page.client.signOut({ redirect: false, forget: false })
    expect(sent).toEqual(['1', null])
  })

  test('T-SESS-5: fails if the service cannot carry it out, and other tabs are not notified', async () => {
    const page = tab(site())
    page.fault = (path) =>
      path === 'signout'
        ? Response.json(
            { error: 'SignOutError', url: 'https://app.example/auth/error?error=SignOutError' },
            { status: 503 },
          )
        : undefined
    await expect(page.client.signOut()).rejects.toMatchObject({ name: 'ClientError', status: 503 })
    expect(page.went).toEqual([])
  })

  test('is visible to other tabs', async () => {
    const world = site()
    const [one, other] = [tab(world), tab(world)]
    other.client.store.subscribe(nothing)
    await one.client.signIn('credentials', { name: 'Ada', redirect: false })
    await settled()
    expect(other.client.store.state.data?.user).toEqual({ name: 'Ada' })
    await one.client.signOut({ redirect: false })
    await settled()
    expect(other.client.store.state.status).toBe('unauthenticated')
  })

  test('is visible to a tab that has just read the session, with the earlier session', async () => {
    const world = site()
    const [one, other] = [tab(world), tab(world)]
    await one.client.signIn('credentials', { name: 'Ada', redirect: false })
    const { fetch: ask } = other.page
    const slow = Promise.withResolvers<void>()
    other.page.fetch = async (...asked) => {
      const answer = await ask?.(...asked)
      await slow.promise
      return answer as Response
    }
    other.client.store.subscribe(nothing)
    await settled()
    await one.client.signOut({ redirect: false })
    await settled()
    slow.resolve()
    await settled()
    expect(other.client.store.state.status).toBe('unauthenticated')
  })
})

describe('PUB-2: a pending request for the session', () => {
  /** A page whose requests for the session get their response, and their cookies, only when told. */
  async function slowPage(): Promise<Tab & { world: World; release(): void; aborted(): number }> {
    const world = site()
    const page = tab(world)
    await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    const { fetch: ask } = page.page
    const slow = Promise.withResolvers<void>()
    let aborted = 0
    page.page.fetch = async (input, init) => {
      if (!String(input).endsWith('/session')) return (await ask?.(input, init)) as Response
      // What the server wrote before the change, and the browser would receive after it.
      const jar = new Map(world.jar)
      const answer = (await ask?.(input, init)) as Response
      const isSignedIn = (await answer.clone().json()) !== null
      await new Promise<void>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          aborted++
          reject(new DOMException('aborted', 'AbortError'))
        })
        if (isSignedIn) void slow.promise.then(resolve)
        else resolve()
      })
      if (isSignedIn) for (const [name, value] of jar) world.jar.set(name, value)
      return answer
    }
    return Object.assign(page, { world, release: slow.resolve, aborted: () => aborted })
  }

  const reads: Readonly<Record<string, (client: AuthClient) => Promise<unknown>>> = {
    refetch: (client) => client.store.refetch(),
    getSession: (client) => client.getSession(),
    update: (client) => client.store.update({ name: 'Eve' }).catch(() => null),
  }
  for (const [name, read] of Object.entries(reads)) {
    test(`${name}: does not sign in after a sign-out`, async () => {
      const page = await slowPage()
      const under = read(page.client)
      await settled()
      await page.client.signOut({ redirect: false })
      page.release()
      expect(await under).toBeNull()
      await settled()
      expect(page.aborted()).toBe(1)
      expect(page.client.store.state).toMatchObject({ data: null, error: undefined })
      expect(await page.world.session()).toBeNull()
    })
  }

  test('does not sign in anew after a sign-out in another tab', async () => {
    const page = await slowPage()
    const other = tab(page.world)
    page.client.store.subscribe(nothing)
    const under = page.client.store.refetch()
    await settled()
    await other.client.signOut({ redirect: false })
    await settled()
    page.release()
    expect(await under).toBeNull()
    expect(page.client.store.state.data).toBeNull()
    expect(await page.world.session()).toBeNull()
  })

  test('begins only after a pending sign-out', async () => {
    const page = await slowPage()
    const out = page.client.signOut({ redirect: false })
    const under = page.client.getSession()
    await out
    expect(await under).toBeNull()
    expect(page.requests.indexOf('POST signout')).toBeLessThan(
      page.requests.lastIndexOf('GET session'),
    )
    expect(page.aborted()).toBe(0)
  })

  test('is repeated if the sign-out fails, and does not end with an error', async () => {
    const page = await slowPage()
    const under = page.client.getSession()
    await settled()
    page.fault = (path) => (path === 'signout' ? new Response('no', { status: 502 }) : undefined)
    await expect(page.client.signOut({ redirect: false })).rejects.toMatchObject({ status: 502 })
    page.release()
    expect(await under).toMatchObject({ user: { name: 'Ada' } })
  })
})

describe('the session of a page', () => {
  async function signedIn(): Promise<Tab & { world: World }> {
    const world = site()
    const page = tab(world)
    await page.client.signIn('credentials', { name: 'Ada', redirect: false })
    page.client.store.subscribe(nothing)
    page.requests.length = 0
    return Object.assign(page, { world })
  }

  test('is requested when there is a listener, once for all', async () => {
    const page = tab(site())
    const states: string[] = []
    const { store } = page.client
    for (let listener = 0; listener < 5; listener++) {
      store.subscribe(() => states.push(store.state.status))
    }
    expect(store.state.status).toBe('loading')
    await settled()
    expect(page.requests).toEqual(['GET session'])
    expect(new Set(states)).toEqual(new Set(['unauthenticated']))
  })

  test('is not requested if the server has passed it', async () => {
    const page = tab(site())
    const session = { user: { name: 'Ada' }, expires: new Date(Date.now() + 60_000).toISOString() }
    page.client.store.set(session)
    page.client.store.subscribe(nothing)
    await settled()
    expect(page.requests).toEqual([])
    expect(page.client.store.state).toMatchObject({ data: session, status: 'authenticated' })
  })

  test('is the same object as long as it is the same session', async () => {
    const page = await signedIn()
    const before = page.client.store.state
    await page.client.store.refetch()
    expect(page.client.store.state).toBe(before)
  })

  test('stays when the service fails in any way, and comes back by itself', async () => {
    const page = await signedIn()
    for (const fault of [
      offline,
      () => new Response(null, { status: 500 }),
      () => Response.json(null, { status: 500 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ message: 'no' }, { status: 403 }),
    ]) {
      page.fault = fault
      await page.client.store.refetch()
      const { data, status, error } = page.client.store.state
      expect([data?.user, status, error?.name]).toEqual([
        { name: 'Ada' },
        'authenticated',
        'ClientError',
      ])
      page.fault = undefined
      await vi.advanceTimersByTimeAsync(60_000)
      expect(page.client.store.state.error).toBeUndefined()
    }
  })

  test('is unknown if the service never responded: nobody is shown as signed out, or in', async () => {
    const page = tab(site())
    page.fault = offline
    page.client.store.subscribe(nothing)
    await settled()
    expect(page.client.store.state).toMatchObject({ data: undefined, status: 'loading' })
    expect(page.client.store.state.error).toBeDefined()
    page.fault = undefined
    await vi.advanceTimersByTimeAsync(1000)
    expect(page.client.store.state.status).toBe('unauthenticated')
  })

  test('ends at its expiry, even if the service cannot be reached', async () => {
    const page = await signedIn()
    page.fault = offline
    await vi.advanceTimersByTimeAsync(3_590_000)
    expect(page.client.store.state.status).toBe('authenticated')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(page.client.store.state.status).toBe('unauthenticated')
  })

  test.each([-3_600_000, 3_600_000])(
    'does not end earlier or later by a clock that is %i ms off',
    async (off) => {
      const page = await signedIn()
      vi.setSystemTime(Date.now() + off)
      page.world.advance(0)
      await page.client.store.refetch()
      page.fault = offline
      await vi.advanceTimersByTimeAsync(3_500_000)
      expect(page.client.store.state.status).toBe('authenticated')
      await vi.advanceTimersByTimeAsync(110_000)
      expect(page.client.store.state.status).toBe('unauthenticated')
    },
  )

  test('is requested when the page becomes visible, at most every five seconds', async () => {
    const page = await signedIn()
    const look = () => page.document.dispatchEvent(new Event('visibilitychange'))
    for (let time = 0; time < 20; time++) {
      await vi.advanceTimersByTimeAsync(1000)
      look()
      page.window.dispatchEvent(new Event('focus'))
    }
    await settled()
    expect(page.requests.length).toBeGreaterThanOrEqual(3)
    expect(page.requests.length).toBeLessThanOrEqual(4)
    page.requests.length = 0
    page.client.store.configure({ refetchOnWindowFocus: false })
    await vi.advanceTimersByTimeAsync(10_000)
    look()
    await settled()
    expect(page.requests).toEqual([])
  })

  test('is requested after each navigation without a session, since the server may have signed the user in', async () => {
    const world = site()
    const page = tab(world)
    page.client.store.subscribe(nothing)
    await settled()
    await tab(world).client.signIn('credentials', { name: 'Ada', redirectTo: '/' })
    Channel.all.clear()
    await vi.advanceTimersByTimeAsync(1000)
    page.navigation.dispatchEvent(new Event('navigatesuccess'))
    await settled()
    expect(page.client.store.state.data?.user).toEqual({ name: 'Ada' })
  })

  describe('with a state cookie of the service', () => {
    async function openPage(): Promise<Tab & { world: World }> {
      const world = site(true)
      await world.post('/auth/callback/credentials', { name: 'Ada' })
      const page = tab(world)
      page.client.store.subscribe(nothing)
      await settled()
      page.requests.length = 0
      return Object.assign(page, { world })
    }
    const signals: Record<string, (page: Tab) => unknown> = {
      'at the next navigation': (page) =>
        page.navigation.dispatchEvent(new Event('navigatesuccess')),
      'when the page is looked at': (page) => page.window.dispatchEvent(new Event('focus')),
      'at once, where the browser tells of cookies': (page) =>
        page.cookieStore.dispatchEvent(new Event('change')),
    }

    test.each(Object.keys(signals))('reflects %s of the server', async (when) => {
      const page = await openPage()
      const change = signals[when] ?? nothing
      change(page)
      await settled()
      expect(page.requests).toEqual([])
      await page.world.post('/auth/callback/credentials', { name: 'Bob' })
      change(page)
      await settled()
      expect(page.client.store.state.data?.user).toEqual({ name: 'Bob' })
      await page.world.post('/auth/signout')
      change(page)
      await settled()
      expect(page.client.store.state.status).toBe('unauthenticated')
      change(page)
      await settled()
      expect(page.requests).toEqual(['GET session', 'GET session'])
    })

    test('is not requested if the server passed it with the cookie', async () => {
      const page = await openPage()
      await page.world.post('/auth/signout')
      page.client.store.set(null)
      page.cookieStore.dispatchEvent(new Event('change'))
      await settled()
      expect(page.requests).toEqual([])
    })

    test('is not requested after an update of its own', async () => {
      const page = await openPage()
      await page.client.store.update({ name: 'Eve' })
      page.requests.length = 0
      page.cookieStore.dispatchEvent(new Event('change'))
      await settled()
      expect(page.requests).toEqual([])
    })
  })

  test('is requested in intervals, and not while the page is hidden or offline', async () => {
    const page = await signedIn()
    page.client.store.configure({ refetchInterval: 60, refetchWhenOffline: false })
    await vi.advanceTimersByTimeAsync(185_000)
    expect(page.requests).toHaveLength(3)
    page.document.visibilityState = 'hidden'
    await vi.advanceTimersByTimeAsync(185_000)
    expect(page.requests).toHaveLength(3)
    page.document.visibilityState = 'visible'
    page.navigator.onLine = false
    await vi.advanceTimersByTimeAsync(185_000)
    expect(page.requests).toHaveLength(3)
    page.navigator.onLine = true
    page.window.dispatchEvent(new Event('online'))
    await settled()
    expect(page.requests).toHaveLength(4)
  })

  test('is requested when the page comes back from the browser’s memory', async () => {
    const page = await signedIn()
    await page.world.post('/auth/signout')
    page.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await settled()
    expect(page.client.store.state.status).toBe('unauthenticated')
  })

  test('is updated without an interval of loading', async () => {
    const page = await signedIn()
    const { store } = page.client
    const seen: unknown[] = []
    store.subscribe(() => seen.push([store.state.status, store.state.isUpdating]))
    await store.update({ name: 'Bob' })
    expect(store.state.data?.user).toEqual({ name: 'Bob' })
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['["authenticated",true]', '["authenticated",false]']),
    )
    page.fault = (path) => (path === 'session' ? new Response(null, { status: 500 }) : undefined)
    await expect(store.update({ name: 'Eve' })).rejects.toMatchObject({ status: 500 })
    expect(store.state.data?.user).toEqual({ name: 'Bob' })
    expect(store.state).toMatchObject({ isUpdating: false, error: { status: 500 } })
    page.fault = undefined
    await store.update()
    expect(store.state.error).toBeUndefined()
  })

  test('is not replaced by a late response', async () => {
    const page = await signedIn()
    const before = page.client.store.refetch()
    page.client.store.set(null)
    await before
    expect(page.client.store.state.data).toBeNull()
  })

  test('is not requested without listeners', async () => {
    const page = await signedIn()
    const stop = page.client.store.subscribe(nothing)
    stop()
    const other = tab(site())
    const end = other.client.store.subscribe(nothing)
    await settled()
    end()
    other.requests.length = 0
    other.client.store.configure({ refetchInterval: 1 })
    other.window.dispatchEvent(new Event('focus'))
    await vi.advanceTimersByTimeAsync(100_000)
    expect(other.requests).toEqual([])
  })

  test('is not requested on a server', async () => {
    const client = createAuthClient({}, {})
    client.store.subscribe(nothing)
    await settled()
    expect(client.store.state.status).toBe('loading')
  })
})
