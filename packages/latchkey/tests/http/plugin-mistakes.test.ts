import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { OAuthAccountNotLinked } from '../../src/base/errors.ts'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'

/** A plugin with a mistake that only TypeScript would find. */
function mistaken(members: object): AuthConfig {
  const plugin = definePlugin({ name: 'tested', setUp: () => ({}), ...members })
  const secret = 'a secret for tests, 0123456789abcdef'
  return { providers: [], adapter: memoryAdapter(), secret, trustHost: true, plugins: [plugin] }
}

const answers = async () => () => ({ json: {} })

test.each<[string, object, string]>([
  [
    'a method in small letters',
    { get: { who: 'user', run: answers } },
    'route get x of the plugin tested has an unsupported method',
  ],
  [
    'no `who`',
    { GET: { run: answers } },
    'must have `who`: anyone, user, pending or a list of these, got nothing',
  ],
  ['an unknown `who`', { GET: { who: ['user', 'users'], run: answers } }, 'got "users"'],
])('a route with %s prevents the start', (_, x, message) => {
  expect(() => createLatchkey(mistaken({ routes: { x } }), {})).toThrow(message)
})

test.each<[string, object, string]>([
  [
    '`run` answers itself',
    { run: async () => ({ json: {} }) },
    '`run` of the route GET /auth/x must return the request handler',
  ],
  [
    'nothing is returned',
    { run: async () => () => undefined },
    'the handler of the route GET /auth/x must return an object',
  ],
  [
    'the schema is none',
    { run: answers, input: async () => ({ text: 'string' }) },
    '`input` of a route must return a Standard Schema',
  ],
])('a route where %s is logged with a solution', async (_, members, message) => {
  const logged: string[] = []
  const logger = { error: (error: Error) => logged.push(error.message) }
  const config = mistaken({ routes: { x: { GET: { who: 'anyone', ...members } } } })
  const { handler } = createLatchkey({ ...config, logger }, {})
  expect((await handler(new Request('https://app.example/auth/x'))).status).toBe(500)
  expect(logged.join('\n')).toContain(message)
})

test('a plugin without `setUp` prevents the start', () => {
  expect(() => createLatchkey(mistaken({ setUp: undefined }), {})).toThrow(
    'the plugin tested needs the function `setUp`',
  )
})

test.each<[string, () => unknown, string]>([
  ['a promise', async () => ({}), 'got a promise'],
  ['nothing', () => undefined, 'got undefined'],
])('`setUp` that returns %s is named in the error', async (_, setUp, message) => {
  const latchkey = createLatchkey(mistaken({ setUp }), {})
  await expect(latchkey.maintain()).rejects.toThrow(message)
})

test.each([
  ['error', new Error('ipaddr.js is missing')],
  ['signin', new Error('ipaddr.js is missing')],
  ['signin', new OAuthAccountNotLinked('ipaddr.js is missing')],
])(
  'a plugin that fails at each action causes no redirect loop from %s: %s',
  async (path, error) => {
    const before = () => {
      throw error
    }
    const logged: string[] = []
    const logger = { error: (error: Error) => logged.push(error.message) }
    const config = mistaken({ setUp: () => ({ actions: { before } }) })
    const { handler } = createLatchkey({ ...config, logger }, {})
    let url = `https://app.example/auth/${path}`
    let answer = await handler(new Request(url))
    for (let hops = 0; answer.status === 302 && hops < 5; hops++) {
      url = new URL(answer.headers.get('location') ?? '', url).href
      answer = await handler(new Request(url))
    }
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('<h1>')
    expect(logged).toContain('ipaddr.js is missing')
  },
)
