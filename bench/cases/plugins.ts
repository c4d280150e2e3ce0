import { randomBytes } from 'node:crypto'
import { type AuthConfig, createLatchkey } from 'latchkey'
import { type Adapter, atomic } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { definePlugin } from 'latchkey/plugin'
import { limits } from 'latchkey/plugins/limits'
import { sessions } from 'latchkey/plugins/sessions'
import { lastRelease, libraryAt } from '../before.ts'
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

/** Records of the log that say of so many other sessions that they were ended. */
async function endOthers(adapter: Adapter, many: number): Promise<void> {
  const now = Date.now()
  for (let seq = 1; seq * PER_RECORD <= many; seq++) {
    const s = Array.from({ length: PER_RECORD }, () => [
      randomBytes(16).toString('base64url'),
      Math.floor(now / 1000) + 86_400,
    ])
    const data = { id: randomBytes(16).toString('base64url'), at: now, s, u: [] }
    const record = { kind: 'revocation-log', key: String(seq), data, version: 1 }
    await adapter[atomic]?.createRecord?.({ ...record, createdAt: new Date(now) }, new Date(now))
  }
}

/** Entries of one record. */
const PER_RECORD = 500

/** Reads the session of somebody who signed in. @param ended how many others were ended; `create` of another release */
async function reading(
  strategy: 'jwt' | 'database',
  plugins: Plugins,
  { ended = 0, create = createLatchkey }: { ended?: number; create?: typeof createLatchkey } = {},
): Promise<Contender> {
  const adapter = memoryAdapter()
  await endOthers(adapter, ended)
  const config: AuthConfig = {
    ...ourConfig(),
    secret,
    adapter,
    session: { strategy },
    ...(plugins.length > 0 && { plugins }),
  }
  const latchkey = create(config, {})
  await adapter.createUser?.({
    id: 'u1',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: null,
  })
  const { headers } = await latchkey.signIn(new Request(SIGN_IN, { method: 'POST' }), 'credentials')
  const cookies = headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const cookie = cookies.join('; ')
  // The second read has what was ended read as well.
  for (let reads = 0; reads < 3; reads++) {
    await latchkey.auth(new Request('https://app.example/', { headers: { cookie } }))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
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

/** Beside the last release, which is built for this. */
async function besideRelease(strategy: 'jwt' | 'database'): Promise<Case> {
  const release = lastRelease()
  if (release === undefined) throw new Error('this clone has no commit of a release')
  const { createLatchkey: create, close } = await libraryAt(release)
  return {
    ours: await reading(strategy, []),
    limit: await reading(strategy, [], { create }),
    within: 1.02,
    close,
  }
}

const three = (): Plugins => [sessions(), limits(), gate]

/** What plugins cost the read of a session in the process; the limit is the same read without them. */
export const plugins: readonly Planned[] = [
  [
    'session read, JWT: without plugins, limit: the last release (PERF-1)',
    () => besideRelease('jwt'),
  ],
  [
    'session read, stored: without plugins, limit: the last release (PERF-1)',
    () => besideRelease('database'),
  ],
  [
    'session read, JWT: with `sessions()`, limit: without (PERF-2)',
    () => beside('jwt', [sessions()], 1.15),
  ],
  [
    'session read, JWT: with 100,000 ended sessions, limit: with none ended (PERF-2)',
    async () => ({
      ours: await reading('jwt', [sessions()], { ended: 100_000 }),
      limit: await reading('jwt', [sessions()]),
      within: 1.05,
    }),
  ],
  ['session read, JWT: with three plugins, limit: without', () => beside('jwt', three())],
  [
    'session read, stored: with `sessions()`, limit: without (PERF-4)',
    () => beside('database', [sessions()], 1.02),
  ],
  ['session read, stored: with three plugins, limit: without', () => beside('database', three())],
]
