import { describe, expect, test } from 'vitest'
import { type AuthConfig, createLatchkey, type Session } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { authHandler, authSession, requireAuth } from './tanstack-start.ts'

// TanStack Start itself runs in the tests of the examples. Here is what one application does not have all of.

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: AuthConfig = {
  secret,
  session: { updateAge: 0 },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [],
}
const latchkey = createLatchkey(config, { AUTH_TRUST_HOST: 'true' })

function ask(headers: HeadersInit = {}): Request {
  return new Request('http://app.example/private?page=2', { headers })
}

async function ada(): Promise<Request> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return ask({ cookie: `${SESSION}=${token}` })
}

/** What comes after a middleware: says who it was told, and sets a cookie of its own. */
function page({ context: { session } }: { context: { session: Session | null } }): object {
  const headers = { 'set-cookie': 'own=1' }
  const response = new Response(session?.user?.name ?? 'nobody', { headers })
  return { context: { session, more: true }, response }
}

/** What would be run here, were it asked to. */
function never(): never {
  throw new Error('not for everybody')
}

test('the route handles the actions', async () => {
  const request = new Request('http://app.example/auth/csrf')
  expect(await (await authHandler(latchkey)({ request })).json()).toHaveProperty('csrfToken')
})

describe('authSession', () => {
  test('sets the session in the context, and extends it on the response', async () => {
    const result = await authSession(latchkey)({ request: await ada(), next: page })
    expect(result).toMatchObject({ context: { session: { user: { name: 'Ada' } }, more: true } })
    expect(await result.response.text()).toBe('Ada')
    expect(result.response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^authjs\.session-token=/),
      'own=1',
    ])
  })

  test('sets `null` without a session', async () => {
    const { response } = await authSession(latchkey)({ request: ask(), next: page })
    expect([await response.text(), response.headers.getSetCookie()]).toEqual(['nobody', ['own=1']])
  })
})

describe('requireAuth', () => {
  test('continues with a session', async () => {
    const { response } = await requireAuth(latchkey)({ request: await ada(), next: page })
    expect(await response.text()).toBe('Ada')
    expect(response.headers.getSetCookie()).toHaveLength(2)
  })

  test('redirects requests without a session to the sign-in page', async () => {
    const { response } = await requireAuth(latchkey)({ request: ask(), next: never })
    expect(response.headers.get('location')).toBe(
      'http://app.example/auth/signin?callbackUrl=http%3A%2F%2Fapp.example%2Fprivate%3Fpage%3D2',
    )
  })

  test('responds with 401 to scripts, and refuses users that `authorized` does not accept', async () => {
    const script = ask({ accept: 'application/json' })
    const { response } = await requireAuth(latchkey)({ request: script, next: never })
    expect(response.status).toBe(401)
    const guard = requireAuth(latchkey, ({ auth }) => auth?.user?.name === 'Grace')
    const refused = await guard({ request: await ada(), next: never })
    expect(refused.response.status).toBe(403)
  })
})
