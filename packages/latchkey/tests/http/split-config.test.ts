import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey, splitConfig } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email } from '../../src/providers/define.ts'
import GitHub from '../../src/providers/github.ts'
import Passkey from '../../src/providers/passkey.ts'

const whole = {
  providers: [
    GitHub,
    Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) }),
    email({ id: 'mail', name: 'Mail', sendVerificationRequest: async () => {} }),
    Passkey(),
  ],
  adapter: memoryAdapter(),
  session: { strategy: 'jwt', maxAge: 600 },
  events: { session: () => expect.fail('an event was told at the edge') },
  callbacks: {
    session: ({ session }: { session: { expires: string; user: { name?: string | null } } }) => ({
      ...session,
      greeting: `Hello ${session.user.name}`,
    }),
    authorized: ({ auth }: { auth: unknown }) => auth !== null,
  },
  pages: { signIn: '/enter' },
  logger: { error() {}, warn() {}, debug() {} },
} as const
const env = { AUTH_SECRET: 'a secret for tests, 0123456789abcdef', AUTH_URL: 'https://app.example' }

test('the half for the edge accepts the sessions of the whole, and protects pages', async () => {
  const signedIn = await createLatchkey(whole, env).signIn(
    new Request('https://app.example/'),
    'credentials',
  )
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const edge = createLatchkey(splitConfig(whole), env)
  const page = (headers: HeadersInit): Request =>
    new Request('https://app.example/page', { headers })

  expect((await edge.auth(page({ cookie })))?.greeting).toBe('Hello Ada')
  expect((await edge.protect(page({ cookie }))).response).toBeUndefined()
  expect((await edge.protect(page({}))).response?.headers.get('location')).toBe(
    'https://app.example/enter?callbackUrl=https%3A%2F%2Fapp.example%2Fpage',
  )
})

test('the half for the edge has all that needs neither Node.js nor the adapter, and the whole is unchanged', () => {
  const edge = splitConfig(whole)
  expect(edge.providers).toEqual([GitHub])
  expect(Object.keys(edge).sort()).toEqual(
    ['callbacks', 'logger', 'pages', 'providers', 'session'].sort(),
  )
  expect(whole.providers).toHaveLength(4)
})

test('sessions that are stored, or may be, are refused', () => {
  for (const session of [{ strategy: 'database' }, {}, undefined]) {
    expect(() => splitConfig({ ...whole, session } as never)).toThrow(/strategy: 'jwt'/)
  }
})

test('a plugin has its paths at the edge, and what works without a store', async () => {
  const read: string[] = []
  const warnings: unknown[] = []
  const terms = definePlugin({
    name: 'terms',
    judgesSessions: true,
    needs: ['records'],
    gate: 'require',
    routes: {
      terms: { GET: { who: 'anyone', run: async () => async () => ({ json: { terms: true } }) } },
    },
    atEdge: () => ({
      unchecked: 'who is a guest',
      onRead(session) {
        read.push(session.strategy)
        return 'good'
      },
    }),
    setUp: () => ({ atGate: () => undefined, api: { hello: async () => 'hello' } }),
  })
  const config = { ...whole, plugins: [terms] } as const
  const signedIn = await createLatchkey(config, env).signIn(
    new Request('https://app.example/'),
    'credentials',
  )
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const errors: Error[] = []
  const logger = {
    ...whole.logger,
    error: (error: Error) => void errors.push(error),
    warn: (...warning: unknown[]) => void warnings.push(warning),
  }
  const edge = createLatchkey({ ...splitConfig(config), logger }, env)
  const at = (path: string): Request =>
    new Request(`https://app.example${path}`, { headers: { cookie } })

  expect((await edge.auth(at('/page')))?.greeting).toBe('Hello Ada')
  expect(read).toEqual(['jwt'])
  const unchecked = 'the plugin terms cannot check at the edge who is a guest'
  expect(warnings).toContainEqual(['sessions-unchecked', unchecked])
  // Its page is open to whoever waits at the gate, and the other half answers it.
  const page = new Request('https://app.example/auth/terms')
  expect((await edge.protect(page)).open).toBe(true)
  expect((await edge.handler(at('/auth/terms'))).status).toBe(500)
  expect(errors.at(-1)?.message).toMatch(/^the plugin terms needs the store/)
})

test.each([
  ['plugins', undefined, '`plugins[0]`'],
  ['plugins', null, '`plugins[0]`'],
  ['plugins', () => ({}), '`plugins[0]` must be a plugin, got a function; call it'],
  ['providers', undefined, '`providers[0]`'],
])(
  'an invalid member of `%s` is named at the start, also at the edge: %s',
  (option, odd, message) => {
    const config = { ...whole, providers: [GitHub], [option]: [odd] }
    const edge = splitConfig(config as never)
    expect(() =>
      createLatchkey(edge as never, { AUTH_SECRET: 'a secret of thirty-two characters' }),
    ).toThrow(message)
  },
)
