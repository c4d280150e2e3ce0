import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { createMailbox, createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { failingAdapter } from '../support/recording.ts'

// docs/reference/errors.md tells causes from each other by the log. Each row that does so is produced here.

const page = new URL('../../../../docs/reference/errors.md', import.meta.url)

/** The first two cells of the rows of a cause that the log tells. */
const rows = readFileSync(page, 'utf8')
  .split('\n## Of adapters')[0]
  ?.split('\n')
  .flatMap((line) => {
    const [, cause = '', how = ''] = / ?\| (.*?) \| (.*?) \| .* \|$/.exec(line) ?? []
    return /log has (?!the error)|in the log|log names/.test(how) ? [{ cause, how }] : []
  })

const login = Credentials({
  authorize: ({ password }) => (password === 'x' ? { id: 'u1', name: 'Ada' } : null),
})

function worldOf(config: Partial<AuthConfig>): World {
  return createWorld({ providers: [login], ...config })
}

const signIn = async (world: World, callbackUrl = '/'): Promise<Response> =>
  world.post('/auth/callback/credentials', { password: 'x', callbackUrl })

function boom(): never {
  throw new Error('boom')
}

const told = ({ log }: World): string =>
  log
    .map(({ level, message, detail }) => {
      const { name, cause } = Object(detail) as Error & { cause?: { err?: Error } }
      return `${level} ${name ?? ''} ${message} ${cause?.err?.message ?? ''}`
    })
    .join('\n')

/** Logs what a request for a host that is not trusted makes an instance log. */
async function refusedHost(host: string): Promise<string> {
  const lines: string[] = []
  const { handler } = createLatchkey(
    {
      providers: [login],
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: ['app.example'],
      logger: { error: (error) => void lines.push(error.message) },
    },
    {},
  )
  await handler(new Request(`https://${host}/auth/session`))
  return lines.join('\n')
}

/** What makes the log tell each cause, and what it then has. */
const causes: Readonly<Record<string, readonly [produce: () => Promise<string>, has: string]>> = {
  'the `signIn` callback threw': [
    async () => {
      const world = worldOf({ callbacks: { signIn: boom } })
      await signIn(world)
      return told(world)
    },
    'boom',
  ],
  'the `jwt` callback returned `null`: the browser is redirected as after a sign-in, but there is no session':
    [
      async () => {
        const world = worldOf({ callbacks: { jwt: () => null } })
        await signIn(world)
        return told(world)
      },
      'the `jwt` callback began no session',
    ],
  'the adapter could not store the token': [
    async () => {
      const { provider } = createMailbox()
      const adapter = failingAdapter('createVerificationToken')
      const world = worldOf({ providers: [provider], adapter })
      await world.post('/auth/signin/email', { email: 'ada@example.com' })
      return told(world)
    },
    'AdapterError',
  ],
  'the store is down': [
    async () => {
      const { provider, last } = createMailbox()
      const session = { strategy: 'database' } as const
      const adapter = failingAdapter('deleteSession')
      const world = worldOf({ providers: [provider], adapter, session })
      await world.post('/auth/signin/email', { email: 'ada@example.com' })
      const { pathname, search } = new URL(last().url)
      await world.get(pathname + search)
      await world.post('/auth/signout')
      return told(world)
    },
    'AdapterError',
  ],
  'the store failed': [
    async () => {
      const session = { strategy: 'database' } as const
      const world = worldOf({ adapter: failingAdapter('getSessionAndUser'), session })
      world.jar.set('__Secure-authjs.session-token', 'a-token')
      await world.get('/auth/session')
      return told(world)
    },
    'AdapterError',
  ],
  'all users share one address for the limit': [
    async () => {
      const world = worldOf({ adapter: memoryAdapter(), plugins: [limits()] })
      await world.post('/auth/signout')
      return told(world)
    },
    'limits-unknown-client',
  ],
  'the address names a provider that does not exist (`UnknownProvider`)': [
    async () => {
      const world = worldOf({})
      expect((await world.post('/auth/signin/gihub')).status).toBe(404)
      return told(world)
    },
    'warn  unknown-provider',
  ],
  'a URL of another site was given as `callbackUrl` or `redirectTo`': [
    async () => {
      const world = worldOf({})
      const answer = await signIn(world, 'https://other.example/')
      expect(answer.headers.get('location')).toBe('https://app.example')
      return told(world)
    },
    'callback-url-unusable',
  ],
  'the request names another host than your list': [
    async () => refusedHost('other.example'),
    'other.example',
  ],
  'a health check or a scanner uses the IP address': [
    async () => refusedHost('192.0.2.7'),
    '192.0.2.7',
  ],
}

test('each cause in the table of the docs is produced here', () => {
  expect(rows?.map(({ cause }) => cause).sort()).toEqual(Object.keys(causes).sort())
})

test.each(Object.entries(causes))(
  'the log names the cause of a lost sign-in: %s',
  async (_, [produce, has]) => {
    expect(await produce()).toContain(has)
  },
)
