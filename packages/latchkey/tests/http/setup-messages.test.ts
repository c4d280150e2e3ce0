import { describe, expect, test } from 'vitest'
import { accounts } from '../../src/entries/accounts.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { createWorld } from '../../src/entries/testing.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import GitHub from '../../src/providers/github.ts'
import { approve, createSite, errorOf, ORIGIN, type Site } from '../attacks/support/site.ts'

// Mistakes that people make when they set a site up, and what the log says of them.

async function tokenAnswer(answer: () => Response): Promise<Site> {
  return createSite({
    answer: ({ pathname }) => (pathname === '/token' ? answer() : undefined),
  })
}

async function comeBack({ world }: Site, change: Record<string, string> = {}): Promise<Response> {
  const back = new URL(approve(await world.post('/auth/signin/acme'), 'carol'), ORIGIN)
  if (Object.keys(change).length > 0) back.searchParams.delete('code')
  for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value)
  return world.get(back.pathname + back.search)
}

function logged({ world }: Site): string {
  const error = world.log.findLast(({ level }) => level === 'error')
  return error?.message ?? ''
}

describe('a wrong client secret', () => {
  const refused = { error: 'invalid_client', error_description: 'The secret is wrong' }
  test.each([
    ['with a body', {}],
    ['with a challenge and a body', { 'www-authenticate': 'Basic realm="tokens"' }],
  ])('(%s) is logged with the provider, its response, and the variables', async (_, headers) => {
    const site = await tokenAnswer(() => Response.json(refused, { status: 401, headers }))
    expect(errorOf(await comeBack(site))).toBe('Configuration')
    const message = logged(site)
    for (const part of [
      'the provider acme',
      'invalid_client',
      'The secret is wrong',
      'AUTH_ACME_ID',
      'AUTH_ACME_SECRET',
    ]) {
      expect(message).toContain(part)
    }
  })

  test('that is answered with a challenge alone is also named', async () => {
    const headers = { 'www-authenticate': 'Basic realm="tokens"' }
    const site = await tokenAnswer(() => new Response('', { status: 401, headers }))
    expect(errorOf(await comeBack(site))).toBe('Configuration')
    expect(logged(site)).toContain('AUTH_ACME_SECRET')
  })

  test('logs at most one line of the response', async () => {
    const long = { error: 'invalid_client', error_description: 'x'.repeat(5000) }
    const site = await tokenAnswer(() => Response.json(long, { status: 401 }))
    await comeBack(site)
    expect(logged(site).length).toBeLessThan(600)
  })
})

describe('a callback URL that is not registered', () => {
  const register = `register exactly this callback URL there: ${ORIGIN}/auth/callback/acme`

  test.each([
    ['redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL'],
    ['invalid_request', 'Mismatching redirect URI'],
  ])('is named if the provider leads back with %s', async (error, error_description) => {
    const site = await createSite()
    // Not "try another account": the visitor can do nothing about it.
    expect(errorOf(await comeBack(site, { error, error_description }))).toBe('Configuration')
    expect(logged(site)).toContain(register)
    expect(logged(site)).toContain(error)
  })

  test('is named if the token endpoint reports it', async () => {
    const answer = { error: 'invalid_grant', error_description: 'redirect_uri did not match' }
    const site = await tokenAnswer(() => Response.json(answer, { status: 400 }))
    expect(errorOf(await comeBack(site))).toBe('Configuration')
    expect(logged(site)).toContain(register)
  })
})

test('a visitor who declines, and a provider that fails, are no fault of the site', async () => {
  for (const error of ['access_denied', 'server_error', 'login_required']) {
    const site = await createSite()
    expect(errorOf(await comeBack(site, { error }))).toBe('OAuthCallbackError')
  }
})

describe('invalid providers', () => {
  test.each<[unknown, string]>([
    [{}, '`providers` must be a list, got an object'],
    [GitHub, '`providers` must be a list, got a function'],
    [[GitHub, undefined], '`providers[1]` must be a provider, got undefined; check its import'],
    [[false], '`providers[0]` must be a provider, got false; remove it'],
    [[{ default: GitHub }], '`providers[0]` is a module; use its default export'],
  ])('are named at the start: %o', (providers, message) => {
    const config = { providers, secret: 'x'.repeat(32), trustHost: true } as never
    expect(() => createLatchkey(config, {})).toThrow(message)
  })
})

describe('invalid plugins', () => {
  test.each<[unknown, string]>([
    [{}, '`plugins` must be a list, got an object'],
    [[sessions(), undefined], '`plugins[1]` must be a plugin, got undefined; check its import'],
    [[false], '`plugins[0]` must be a plugin, got false; remove it'],
    [['sessions'], '`plugins[0]` must be a plugin, got sessions; remove it'],
    [[sessions], '`plugins[0]` must be a plugin, got a function; call it'],
    [[accounts()], '`plugins[0]` is a list itself; spread it: [...plugins]'],
    [[{ name: 'own' }], 'the plugin own was not created with `definePlugin`'],
  ])('are named at the start: %o', (plugins, message) => {
    const config = { providers: [], plugins, secret: 'x'.repeat(32), trustHost: true } as never
    expect(() => createLatchkey(config, {})).toThrow(message)
  })

  test('do not include `null`', () => {
    const config = { providers: [], plugins: null, secret: 'x'.repeat(32) } as never
    expect(() => createLatchkey(config, {})).not.toThrow()
  })
})

test('a `session` callback that returns nothing is logged once', async () => {
  const world = createWorld({
    providers: [
      {
        id: 'credentials',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => ({ id: '1', name: 'Ada' }),
      },
    ],
    callbacks: { session: (() => {}) as never },
  })
  await world.post('/auth/callback/credentials')
  for (let i = 0; i < 2; i++) expect(await (await world.get('/auth/session')).json()).toBe(null)
  const warned = world.log.filter(({ level }) => level === 'warn')
  expect(warned.map(({ message }) => message)).toEqual(['session-missing'])
})
