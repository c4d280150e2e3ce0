import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { Auth } from '../../src/core/auth.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import { SolidAuth } from '../../src/integrations/solid-start.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { credentials } from '../../src/providers/define.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { createVerifier } from '../../src/verifier/session-verifier.ts'

const ORIGIN = 'https://app.example'
const COOKIE = '__Secure-authjs.session-token'
const secret = 'a secret of these tests, 0123456789abcdef'
const shared: AuthConfig = { secret, trustHost: true, basePath: '/auth', providers: [] }

/** What version 5 of Auth.js tells the browser. */
const OF_AUTH_JS = { name: 'Ada', email: 'ada@example.com', image: null }

async function asking(): Promise<Request> {
  const token = { sub: 'u1', name: 'Ada', email: 'ada@example.com', picture: null }
  const cookie = `${COOKIE}=${await encode({ token, secret, salt: COOKIE })}`
  return new Request(`${ORIGIN}/auth/session`, { headers: { cookie } })
}

type Serve = (config: AuthConfig, request: Request) => Promise<Response | undefined>

/** Functions with the names and the sessions of Auth.js. */
const likeAuthJs: readonly (readonly [name: string, serve: Serve])[] = [
  ['Auth', (config, request) => Auth(request, config)],
  ['SolidAuth', async (config, request) => SolidAuth(config).GET({ request })],
]

describe('NEW-3: the id of the user in a session', () => {
  test('is included with createLatchkey, unless it is switched off', async () => {
    for (const [session, user] of [
      [undefined, { id: 'u1', ...OF_AUTH_JS }],
      [{ maxAge: 600 }, { id: 'u1', ...OF_AUTH_JS }],
      [{ userId: true }, { id: 'u1', ...OF_AUTH_JS }],
      [{ userId: null as never }, { id: 'u1', ...OF_AUTH_JS }],
      [{ userId: false }, OF_AUTH_JS],
    ] as const) {
      const config: AuthConfig = { ...shared, session }
      const latchkey = createLatchkey(config, {})
      expect((await latchkey.auth(await asking()))?.user).toStrictEqual(user)
      const response = await latchkey.handler(await asking())
      expect(((await response.json()) as { user: object }).user).toStrictEqual(user)
      const verified = await createVerifier(config, {})(await asking())
      expect(verified?.user).toStrictEqual(user)
    }
  })

  test.each(likeAuthJs)('is not included with %s, unless it is switched on', async (_, serve) => {
    for (const [session, user] of [
      [undefined, OF_AUTH_JS],
      [{ maxAge: 600 }, OF_AUTH_JS],
      [{ userId: undefined }, OF_AUTH_JS],
      [{ userId: true }, { id: 'u1', ...OF_AUTH_JS }],
    ] as const) {
      const response = await serve({ ...shared, session }, await asking())
      const told = (await response?.json()) as { user: object } | undefined
      expect(told?.user).toStrictEqual(user)
    }
  })

  test('is the id of the stored user', async () => {
    const adapter = memoryAdapter()
    const stored = { id: 'u7', name: 'Ada', email: 'ada@example.com', emailVerified: null }
    await adapter.createUser?.(stored)
    const providers = [credentials({ authorize: async () => ({ id: 'u7' }) })]
    const told = []
    for (const userId of [undefined, false]) {
      const config: AuthConfig = {
        ...shared,
        providers,
        adapter,
        session: { strategy: 'database', userId },
      }
      const latchkey = createLatchkey(config, {})
      const form = new Request(`${ORIGIN}/sign-in`, { method: 'POST' })
      const { headers } = await latchkey.signIn.result(form, 'credentials', {})
      const cookie = headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const request = new Request(ORIGIN, { headers: { cookie } })
      told.push((await latchkey.auth(request))?.user)
    }
    expect(told).toMatchObject([{ id: 'u7', name: 'Ada' }, { name: 'Ada' }])
    expect(told[1]).not.toHaveProperty('id')
  })

  test('is in the session that the callback of the application receives', async () => {
    const callbacks: AuthConfig['callbacks'] = {
      session: ({ session, token }) => ({ ...session, subject: token.sub }),
    }
    const latchkey = createLatchkey({ ...shared, callbacks } as AuthConfig, {})
    const session = { user: { id: 'u1', ...OF_AUTH_JS }, subject: 'u1' }
    expect(await latchkey.auth(await asking())).toMatchObject(session)
    const own = await Auth(await asking(), { ...shared, callbacks })
    expect(((await own.json()) as { user: object }).user).toStrictEqual(OF_AUTH_JS)
  })
})
