import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { accounts } from '../../src/entries/accounts.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { Plugin } from '../../src/plugin/plugin.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { GOOD } from '../support/passwords-site.ts'
import { API } from '../support/tokens-site.ts'

/** All plugins with routes for people and their browsers. */
const plugins = [
  ...accounts({ emailCode: true, usernames: true, passwords: { verify: 'after' } }),
  tokens({
    jwt: { audiences: { [API]: { scopes: ['read'] } } },
    apiKeys: { scopes: ['read'] },
    device: { clients: [{ id: 'cli', name: 'CLI' }] },
    native: { clients: [{ id: 'phone', name: 'Phone', redirectUris: ['https://app.example/cb'] }] },
  }),
  providerTokens(),
  federatedLogout(),
]

/** What the store was asked to change, without the log of ended sessions, which begins with a read of it. */
const changes: string[] = []

function noting(): NonNullable<AuthConfig['adapter']> {
  const adapter = memoryAdapter()
  const noted = <Members extends object>(members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, run]) => [
        name,
        typeof run === 'function' && !/^(get|list|useRecords)/.test(name)
          ? (...args: { readonly kind?: string }[]) => {
              if (args[0]?.kind !== 'revocation-log') changes.push(name)
              return run(...args)
            }
          : run,
      ]),
    ) as Members
  const { transaction: _, ...abilities } = adapter[atomic] ?? {}
  return { ...noted(adapter), [atomic]: noted(abilities) }
}

/** Ada, whose browser another site uses. */
let world: World
let jar: ReadonlyMap<string, string>

beforeEach(async () => {
  world = createWorld({
    adapter: noting(),
    session: { strategy: 'jwt' },
    plugins,
    providers: [Passkey()],
  })
  await world.json('/auth/password/sign-up', { email: 'ada@example.com', password: GOOD })
  const identifier = 'ada@example.com'
  const { status } = await world.json('/auth/password/sign-in', { identifier, password: GOOD })
  if (status !== 200) throw new Error(`the sign-in was answered with ${status}`)
  await world.csrfToken()
  jar = new Map(world.jar)
})

afterEach(() => {
  changes.length = 0
})

/** Sends a request with the cookies of Ada, whatever an earlier one did to them. */
async function send(path: string, init: RequestInit): Promise<Response> {
  world.jar.clear()
  for (const [name, value] of jar) world.jar.set(name, value)
  changes.length = 0
  return world.request(`/auth/${path}`, init)
}

/** The routes of all plugins that browsers use, with those of the page for a further proof. */
function* routesOf(method: 'GET' | 'POST'): Generator<string> {
  for (const { routes = {} } of plugins as unknown as Plugin[])
    for (const [route, { [method]: found }] of Object.entries(routes))
      if (found && found.callers !== 'servers' && found.callers !== 'protocol')
        yield route.replace('*', 'acme')
  yield 'reauthenticate'
  if (method === 'POST') yield 'reauthenticate/need'
}

/** What browsers say of a request that no page of this origin sent. */
const elsewhere: Readonly<Record<string, Record<string, string>>> = {
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'another host of the same site': {
    'sec-fetch-site': 'same-site',
    origin: 'https://blog.app.example',
  },
  'an address that was typed': { 'sec-fetch-site': 'none' },
  'a header in another spelling': { 'sec-fetch-site': 'Same-Origin' },
  'a header that was joined': { 'sec-fetch-site': 'same-origin, cross-site' },
  'an empty header': { 'sec-fetch-site': '' },
  'a sandboxed frame': { origin: 'null' },
  'another site, in an old browser': { origin: 'https://evil.example' },
  'the same host without TLS': { origin: 'http://app.example' },
  'another port': { origin: 'https://app.example:444' },
  'a host that begins alike': { origin: 'https://app.example.evil.example' },
  'a browser that says nothing': {},
}

const bodies = {
  'application/json': '{}',
  'text/plain': '{}',
  'application/x-www-form-urlencoded': 'name=Eve',
} as const

describe('ACC-3: at each route of each plugin that changes something', () => {
  test.each(Object.keys(elsewhere))(
    'T-WEB-2, T-WEB-5: a forged request of %s changes nothing',
    async (from) => {
      const asked: string[] = []
      for (const route of routesOf('POST')) {
        for (const [type, body] of Object.entries(bodies)) {
          const headers = { ...elsewhere[from], 'content-type': type }
          const answer = await send(route, { method: 'POST', headers, body })
          const set = answer.headers.getSetCookie().filter((each) => !each.includes('csrf-token'))
          const status = type === 'text/plain' ? 415 : 403
          expect([route, type, answer.status, changes, set]).toEqual([route, type, status, [], []])
        }
        asked.push(route)
      }
      expect(asked.length).toBeGreaterThan(60)
    },
  )

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'FOO'])(
    'the method %s is refused, also for a page of this origin',
    async (method) => {
      for (const route of new Set([...routesOf('GET'), ...routesOf('POST')])) {
        const answer = await send(route, { method, headers: { 'sec-fetch-site': 'same-origin' } })
        expect([route, answer.status, changes]).toEqual([route, 405, []])
        expect(answer.headers.get('allow')).toMatch(/^(GET, HEAD|POST|GET, HEAD, POST)$/)
      }
    },
  )
})
