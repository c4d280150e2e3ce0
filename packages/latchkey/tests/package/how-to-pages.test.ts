import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { blocksOf } from '../../../../tools/docs-blocks.ts'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { Adapter } from '../../src/entries/adapters.ts'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import type { PluginOption } from '../../src/entries/plugin.ts'
import { customFetch } from '../../src/options/markers.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import { type SessionsApi, sessions } from '../../src/plugins/sessions/index.ts'
import Github from '../../src/providers/github.ts'
import { createTestProvider } from '../../src/testing/provider.ts'
import { browse, type World } from '../../src/testing/world.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const origin = 'https://app.example'
const github = createTestProvider({
  id: 'github',
  profile: { id: 7, login: 'ada', name: 'Ada', email: 'ada@example.com' },
})

beforeEach(() => {
  vi.stubEnv('AUTH_SECRET', 'a secret for tests, 0123456789abcdef')
  vi.stubEnv('AUTH_URL', origin)
  vi.stubEnv('AUTH_GITHUB_ID', github.client.clientId)
  vi.stubEnv('AUTH_GITHUB_SECRET', github.client.clientSecret)
  vi.stubGlobal('fetch', github.client[customFetch])
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** The functions of a page that answer requests. */
type Handler = (request: Request) => Promise<Response>

/** The blocks of a page as the files of one application. */
interface Application {
  /** Loads the block that exports this name; of several, the one with this number. */
  load<T>(name: string, number?: number): Promise<T>
}

/** Writes the blocks of a page into a folder, as a reader does. Of several blocks with the name of one file, the first is the file. */
function applicationOf(page: string): Application {
  // Inside of the repository, where the package is found by its name.
  const folder = mkdtempSync(join(root, '.docs-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const blocks = blocksOf(readFileSync(join(root, `docs/how-to/${page}.md`), 'utf8'))
    .filter(({ language }) => language === 'ts')
    .map((block) => ({ ...block, name: block.file ?? `line-${block.line}.ts` }))
  const written = blocks.filter((block) => blocks.find(({ name }) => name === block.name) === block)
  for (const { name, code } of written) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
  return {
    async load<T>(name: string, number = 0): Promise<T> {
      const exported = new RegExp(`^export (?:async )?(?:const|function) ${name}\\b`, 'm')
      const block = written.filter(({ code }) => exported.test(code))[number]
      if (!block) throw new Error(`${page} has no block that exports ${name}`)
      const before = process.cwd()
      // The page names files of the working directory.
      process.chdir(folder)
      try {
        const made = (await import(/* @vite-ignore */ join(folder, block.name))) as Record<
          string,
          T
        >
        return made[name] as T
      } finally {
        process.chdir(before)
      }
    },
  }
}

/** A browser at the application, in which Ada has signed in with GitHub. */
async function signedIn(handler: Handler, userAgent = 'Mozilla/5.0 Firefox/130.0'): Promise<World> {
  const core = {
    auth: (request: Request) => {
      request.headers.set('user-agent', userAgent)
      return handler(request)
    },
    plan: () => ({ basePath: '/auth' }),
  } as unknown as World['core']
  const config = { providers: [] }
  const world = browse({ core, config, origin, log: [], now: Date.now, advance: () => {} })
  await github.signIn(world)
  expect((await world.session())?.user?.['name']).toBe('Ada')
  return world
}

function requestFrom({ jar }: World, headers: Record<string, string> = {}): Request {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return new Request(`${origin}/page`, { headers: { cookie, ...headers } })
}

test('"Offer API keys": the API accepts a key that the user created on the page, until it is revoked', async () => {
  const page = applicationOf('offer-api-keys')
  const latchkey = await page.load<{ handler: Handler; maintain(): Promise<unknown> }>('latchkey')
  const api = await page.load<Handler>('handler')
  const browser = await signedIn(latchkey.handler)

  const keys = await browser.get('/auth/account/keys', { headers: { accept: 'text/html' } })
  expect(keys.status).toBe(200)
  const made = await browser.post('/auth/api-keys/create', { name: 'CI', 'scope:read': '1' })
  const [token = ''] = /\bacme_[0-9A-Za-z]{65}\b/.exec(await made.text()) ?? []
  expect(token).not.toBe('')

  const call = (bearer: string): Promise<Response> =>
    api(new Request(`${origin}/orders`, { headers: { authorization: `Bearer ${bearer}` } }))
  const accepted = await call(token)
  expect([accepted.status, await accepted.json()]).toEqual([
    200,
    { user: expect.any(String), key: 'CI' },
  ])
  expect((await call(token.replace(/.{8}$/, '00000000'))).status).toBe(401)

  const listed = await (await browser.get('/auth/api-keys/list')).json()
  expect(listed).toMatchObject({ keys: [{ name: 'CI', scopes: ['read'] }] })
  await browser.post('/auth/api-keys/end', { id: listed.keys[0].id })
  expect((await call(token)).status).toBe(401)
  await latchkey.maintain()
})

test('"List and end sessions": the account page lists the sessions of two browsers, and ends them', async () => {
  const page = applicationOf('list-and-end-sessions')
  const latchkey = await page.load<{ handler: Handler }>('latchkey')
  const devices = await page.load<Handler>('devices')
  const mayDelete = await page.load<(request: Request) => Promise<boolean>>('mayDelete')
  const signOutEverywhere =
    await page.load<(userId: string) => Promise<number>>('signOutEverywhere')
  const browser = await signedIn(latchkey.handler)
  const phone = await signedIn(latchkey.handler)

  const list = await (await devices(requestFrom(browser))).json()
  expect(list).toHaveLength(2)
  expect(list.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
  expect(await mayDelete(requestFrom(phone))).toBe(true)

  const userId = String((await browser.session())?.user?.['id'])
  expect(await signOutEverywhere(userId)).toBe(2)
  expect(await mayDelete(requestFrom(phone))).toBe(false)
  expect(await browser.session()).toBeNull()
})

test('"List and end sessions": a sign-in on another device sends a mail', async () => {
  const sendMail = vi.fn(async () => {})
  vi.stubGlobal('sendMail', sendMail)
  const page = applicationOf('list-and-end-sessions')
  const eventsWith = await page.load<(adapter: Adapter) => AuthConfig['events']>('eventsWith')
  const adapter = memoryAdapter()
  const latchkey = createLatchkey({
    adapter,
    providers: [Github],
    plugins: [sessions()],
    events: eventsWith(adapter),
  })
  await signedIn(latchkey.handler)
  sendMail.mockClear()
  await signedIn(latchkey.handler, 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0.0.0 Safari/537.36')
  expect(sendMail).toHaveBeenCalledExactlyOnceWith(
    'ada@example.com',
    expect.stringContaining('You signed in with Chrome on Windows.'),
  )
})

test('"List and end sessions": a cookie in another browser is reported', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  const page = applicationOf('list-and-end-sessions')
  const bound = await page.load<{ plugins: [PluginOption<'sessions', SessionsApi>] }>('bound')
  const latchkey = createLatchkey({ ...bound, adapter: memoryAdapter(), providers: [Github] })
  const browser = await signedIn(latchkey.handler, 'Mozilla/5.0 (X11; Linux) Firefox/130.0')
  const copied = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/130.0.0.0 Safari/537.36' }
  await latchkey.api.sessions.confirm(requestFrom(browser, copied))
  expect(warn).toHaveBeenCalledWith('suspected session', expect.any(String), expect.anything())
})

test('"The file in your framework": an instance in addition reads the sessions of the first', async () => {
  const adapter = memoryAdapter()
  const config = {
    basePath: '/auth',
    adapter,
    providers: [Github],
    plugins: [sessions(), passwords()],
  }
  const inFramework = createLatchkey(config)
  const latchkey = createLatchkey(config)
  const browser = await signedIn(inFramework.handler)
  const asked = requestFrom(browser, { accept: 'text/html' })
  expect((await latchkey.auth(asked))?.user?.name).toBe('Ada')
  await expect(latchkey.requireFresh(asked, 600)).resolves.toMatchObject({ factors: 1 })
  await expect(latchkey.requireFactors(asked, 2)).rejects.toMatchObject({ type: 'StepUpRequired' })
  const userId = String((await browser.session())?.user?.['id'])
  await latchkey.api.passwords.set(userId, 'seventeen green umbrellas', { endSessions: false })
  const refused = await latchkey.stepUpResponse(asked, { maxAge: 60 })
  const location = refused.headers.get('location') ?? ''
  expect(location).toContain('/auth/reauthenticate?')
  // The first instance opens what the second one sealed into the address.
  expect((await browser.get(location)).status).toBe(200)
})

test('"Protect an API": the API accepts the token of the page and of the server, and no other', async () => {
  const page = applicationOf('protect-an-api')
  const latchkey = await page.load<{ handler: Handler }>('latchkey')
  const orders = await page.load<Handler>('orders', 1)
  const api = await page.load<Handler>('handler')
  const browser = await signedIn(latchkey.handler)
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init)
    return request.url.startsWith(origin) ? latchkey.handler(request) : api(request)
  })

  const userId = (await browser.session())?.user?.['id']
  const answer = await orders(requestFrom(browser))
  expect([answer.status, await answer.json()]).toEqual([200, { user: userId }])

  const issued = await browser.get('/auth/token?audience=https://api.example')
  const { access_token } = (await issued.json()) as { access_token: string }
  const call = (token: string): Promise<Response> =>
    api(new Request('https://api.example', { headers: { authorization: `Bearer ${token}` } }))
  expect((await call(access_token)).status).toBe(200)
  expect((await call(`${access_token.slice(0, -8)}AAAAAAAA`)).status).toBe(401)
})

test('"Limit attempts": a client that begins too many sign-ins is refused', async () => {
  const page = applicationOf('limit-attempts')
  const { handler } = await page.load<{ handler: Handler }>('latchkey')
  const { withClientAddress } = await import('../../src/plugins/limits/index.ts')
  const from = (address: string) => (request: Request) =>
    handler(withClientAddress(request, address))
  const browser = await signedIn(from('192.0.2.1'))
  const error = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => error.mockRestore())
  let refused: Response | undefined
  // 300 in a minute, and as many again of a known browser.
  for (let attempt = 0; attempt < 700 && !refused; attempt++) {
    const answer = await browser.post('/auth/signin/github')
    if (answer.status !== 302) refused = answer
  }
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  await signedIn(from('192.0.2.99'))
})
