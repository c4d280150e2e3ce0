import { AdapterConflict } from 'latchkey/adapters'
import { describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { guarded } from '../store/store-use.ts'
import { createApp, type StoreState } from './app.ts'
import type { Exchange } from './exchange.ts'

interface Visit {
  /** Of the store, while the request is answered. */
  readonly failure?: unknown
  readonly problem?: StoreState['problem']
  readonly accept?: string
  /** What the library says that went wrong. */
  readonly error?: string
  readonly path?: string
}

async function visit(
  answer: Response,
  { failure, problem = () => undefined, accept = '*/*', path = 'callback/x', ...told }: Visit = {},
): Promise<{ exchange: Exchange; status: number; answer: Response }> {
  const adapter = guarded({
    getUser() {
      if (failure !== undefined) throw failure
      return null
    },
  })
  const app = createApp({
    basePath: '/auth',
    pluginRoutes: ['account/sessions', 'logout/backchannel/*'],
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json', secrets: new Set() }),
    async handler() {
      try {
        await adapter.getUser?.('ada')
      } catch {
        // The library answers all the same.
      }
      return { response: answer, ...told }
    },
    draining: () => false,
    store: { gone: () => false, problem, timeout: 1 },
  })
  const exchange = { id: 'x', method: 'GET', path: '/', ownHost: true, outcome: 'none' }
  const request = new Request(`http://localhost/auth/${path}`, { headers: { accept } })
  const response = await app.fetch(request, { exchange })
  return { exchange, status: response.status, answer: response }
}

test('PW-9: well-known paths are those that the library has', async () => {
  const asked: string[] = []
  const app = createApp({
    basePath: '/auth',
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json', secrets: new Set() }),
    async handler({ url }) {
      const { pathname } = new URL(url)
      asked.push(pathname)
      const status = pathname === '/auth/account/passkey-endpoints' ? 404 : 200
      return { response: Response.json({}, { status }) }
    },
    draining: () => false,
    store: { gone: () => false, problem: () => undefined, timeout: 1 },
  })
  const get = async (name: string) => {
    const exchange = { id: 'x', method: 'GET', path: '/', ownHost: true, outcome: 'none' }
    const request = new Request(`http://localhost/.well-known/${name}`)
    const { status, headers } = await app.fetch(request, { exchange })
    return { status, to: headers.get('location'), outcome: exchange.outcome }
  }
  expect(await get('change-password')).toEqual({
    status: 302,
    to: '/auth/password/change',
    outcome: 'change-password',
  })
  expect(await get('passkey-endpoints')).toEqual({ status: 404, to: null, outcome: 'not-found' })
  expect(asked).toEqual(['/auth/password/rules', '/auth/account/passkey-endpoints'])
})

describe('while the store fails', () => {
  const to = (location: string) =>
    new Response(null, { status: 302, headers: { location, 'set-cookie': 'a=; Max-Age=0' } })
  const failure = new Error('connect ECONNREFUSED')
  const problem = () => 'database-locked'

  test.each([
    [() => to('/auth/error?error=Configuration'), 'Configuration'],
    [() => to('https://app.example/login?a=b'), 'AccessDenied'],
    [() => new Response('null', { status: 400 }), undefined],
    [() => new Response(null, { status: 500 }), undefined],
  ])('a failed response becomes 503, and the cookies stay (%#)', async (answer, error) => {
    const told = error === undefined ? {} : { error }
    const page = await visit(answer(), { failure, problem, accept: 'text/html,*/*', ...told })
    expect(page).toMatchObject({
      status: 503,
      exchange: { outcome: 'callback:database-locked' },
    })
    expect(page.answer.headers.get('retry-after')).toBe('60')
    expect(page.answer.headers.getSetCookie()).toEqual([])
    expect(page.answer.headers.has('location')).toBe(false)
    expect(await page.answer.text()).toContain('<h1>Not available')
    const script = await visit(answer(), { failure, problem, ...told })
    expect(await script.answer.json()).toEqual({ status: 'unavailable' })
    expect(script.answer.headers.get('retry-after')).toBe('60')
  })

  test('a browser keeps its cookies to finish a sign-in by mail later', async () => {
    const error = 'Configuration'
    const answer = to('/auth/error')
    const cookie = '__Host-latchkey.email-request=sealed; Path=/'
    answer.headers.append('set-cookie', cookie)
    const page = await visit(answer, { failure, problem, accept: 'text/html', error })
    expect(page.status).toBe(503)
    expect(page.answer.headers.getSetCookie()).toEqual([cookie])
  })

  test('a response of 503 stays as it is, and has a time to retry', async () => {
    const { answer } = await visit(Response.json({ code: 'x' }, { status: 503 }), { failure })
    expect(await answer.json()).toEqual({ code: 'x' })
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('other responses stay as they are', async () => {
    expect(await visit(to('/'), { failure, problem })).toMatchObject({ status: 302 })
    for (const error of ['AccessDenied', 'Configuration']) {
      const refused = await visit(to('/auth/error'), { problem, error })
      expect(refused).toMatchObject({ status: 302, exchange: { outcome: 'callback' } })
    }
  })

  test('a conflict in the store is no failure of it', async () => {
    const error = 'OAuthAccountNotLinked'
    const taken = { failure: new AdapterConflict('user.email'), error }
    expect(await visit(to('/auth/signin'), taken)).toMatchObject({ status: 302 })
  })

  test('the log spends no time on a reason that is not used', async () => {
    const begun = performance.now()
    const never = () => new Promise<undefined>(() => {})
    const { exchange } = await visit(to('/auth/error'), {
      failure,
      problem: never,
      error: 'Configuration',
    })
    expect(exchange.outcome).toBe('callback:store-failed')
    expect(performance.now() - begun).toBeLessThan(1500)
  })
})

test.each([
  ['signin/acme', 'signin'],
  ['account/sessions', 'account/sessions'],
  ['logout/backchannel/acme', 'logout/backchannel'],
  ['logout/backchannel', 'unknown-action'],
  ['logout/backchannel/a/b', 'unknown-action'],
  ['made-up', 'unknown-action'],
])('the log names the action of %s: %s', async (path, outcome) => {
  expect((await visit(new Response(null), { path })).exchange).toMatchObject({ outcome })
})

describe('the error code of an answer', () => {
  test('is logged by the code of the library', async () => {
    const { exchange } = await visit(new Response(null), { error: 'AccessDenied' })
    expect(exchange).toMatchObject({ outcome: 'callback', error: 'AccessDenied' })
  })

  test('is not read from an address, which anybody could have invented', async () => {
    const headers = { location: '/auth/signin?error=AccessDenied' }
    const { exchange } = await visit(new Response(null, { status: 302, headers }))
    expect(exchange).not.toHaveProperty('error')
  })
})
