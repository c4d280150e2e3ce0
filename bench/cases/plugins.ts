import { type AuthConfig, createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { definePlugin } from 'latchkey/plugin'
import { limits } from 'latchkey/plugins/limits'
import { sessions } from 'latchkey/plugins/sessions'
import { ourConfig, secret } from '../contenders.ts'
import type { Case, Contender, Planned } from '../measure.ts'

type Plugins = NonNullable<AuthConfig['plugins']>

/** A gate that everybody passes, and a route. */
const gate = definePlugin({
  name: 'gate',
  gate: 'require',
  routes: { gate: { GET: { who: 'user', run: async () => async () => ({ json: {} }) } } },
  setUp: () => ({ atGate: () => undefined }),
})

const SIGN_IN = 'https://app.example/auth/callback/credentials'

/** Reads the session of somebody who signed in. */
async function reading(strategy: 'jwt' | 'database', plugins: Plugins): Promise<Contender> {
  const adapter = memoryAdapter()
  const config: AuthConfig = {
    ...ourConfig(),
    secret,
    adapter,
    session: { strategy },
    ...(plugins.length > 0 && { plugins }),
  }
  const latchkey = createLatchkey(config, {})
  await adapter.createUser?.({
    id: 'u1',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: null,
  })
  const { headers } = await latchkey.signIn(new Request(SIGN_IN, { method: 'POST' }), 'credentials')
  const cookies = headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const cookie = cookies.join('; ')
  return {
    prepare: () => new Request('https://app.example/auth/session', { headers: { cookie } }),
    run: (request) => latchkey.auth(request as Request),
    verify: (session) => (session as { user?: { name?: string } } | null)?.user?.name === 'Ada',
  }
}

/** Beside the same read without plugins. */
async function beside(
  strategy: 'jwt' | 'database',
  plugins: Plugins,
  within?: number,
): Promise<Case> {
  return {
    ours: await reading(strategy, plugins),
    limit: await reading(strategy, []),
    ...(within !== undefined && { within }),
  }
}

const three = (): Plugins => [sessions(), limits(), gate]

/** What plugins cost the read of a session in the process; the limit is the same read without them. */
export const plugins: readonly Planned[] = [
  ['session read, JWT: with `sessions()`, limit: without', () => beside('jwt', [sessions()], 1.15)],
  ['session read, JWT: with three plugins, limit: without', () => beside('jwt', three())],
  [
    'session read, stored: with `sessions()`, limit: without',
    () => beside('database', [sessions()], 1.15),
  ],
  ['session read, stored: with three plugins, limit: without', () => beside('database', three())],
]
