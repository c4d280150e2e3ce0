import { describe, expect, test, vi } from 'vitest'
import { type AuthConfig, createLatchkey, type Session } from '../entries/index.ts'
import { encode } from '../verifier/jwt.ts'
import { authHandler, authSession, requireAuth, sessionContext } from './react-router.ts'

// React Router itself runs in the tests of the examples. Here is what one application does not have all of.

vi.mock('react-router', () => ({ createContext: (defaultValue: unknown) => ({ defaultValue }) }))

const secret = 'a secret of these tests, 0123456789abcdef'
const SESSION = 'authjs.session-token'

const config: AuthConfig = {
  secret,
  session: { updateAge: 0 },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [],
}
const latchkey = createLatchkey(config, { AUTH_TRUST_HOST: 'true' })

async function ada(): Promise<{ headers: { cookie: string } }> {
  const token = await encode({ secret, salt: SESSION, token: { sub: '1', name: 'Ada' } })
  return { headers: { cookie: `${SESSION}=${token}` } }
}

function argumentsOf(path: string, init: RequestInit = {}) {
  const known = new Map<unknown, Session | null>()
  return { request: new Request(`http://app.example${path}`, init), context: known, known }
}

function nameIn(known: ReadonlyMap<unknown, Session | null>): string | null | undefined {
  return known.get(sessionContext)?.user?.name
}

test('the route handles the actions', async () => {
  const handler = authHandler(latchkey)
  expect(await (await handler(argumentsOf('/auth/csrf'))).json()).toHaveProperty('csrfToken')
})

describe('authSession', () => {
  test('sets the session in the context, and extends it on the response', async () => {
    const args = argumentsOf('/', await ada())
    const answer = await authSession(latchkey)(args, async () => {
      return Response.json(nameIn(args.known))
    })
    expect(await answer.json()).toBe('Ada')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^authjs\.session-token=/),
    ])
    const visitor = argumentsOf('/')
    await authSession(latchkey)(visitor, async () => new Response())
    expect(visitor.known.get(sessionContext)).toBeNull()
  })

  test('keeps a sign-out', async () => {
    const args = argumentsOf('/sign-out', { method: 'POST', ...(await ada()) })
    const answer = await authSession(latchkey)(args, () => latchkey.signOut(args.request))
    const session = answer.headers.getSetCookie().filter((line) => line.startsWith(SESSION))
    expect(session).toEqual([expect.stringMatching(/^authjs\.session-token=; Max-Age=0/)])
  })
})

describe('requireAuth', () => {
  test('throws the redirect to the sign-in page, which redirects back to the page', async () => {
    const url = new URL('http://app.example/private?x=1')
    const next = vi.fn()
    const going = requireAuth(latchkey)(
      { ...argumentsOf('/private.data?x=1&_routes=r'), url },
      next,
    )
    const answer = await going.catch((thrown: unknown) => thrown as Response)
    const target = new URL(answer.headers.get('location') ?? '')
    expect(target.pathname).toBe('/auth/signin')
    expect(target.searchParams.get('callbackUrl')).toBe('http://app.example/private?x=1')
    expect(answer.headers.get('x-remix-reload-document')).toBe('true')
    expect(next).not.toHaveBeenCalled()
  })

  test('continues with a session, or only for the users that `authorized` accepts', async () => {
    const args = argumentsOf('/private', await ada())
    const next = async (): Promise<Response> => Response.json(nameIn(args.known))
    const answer = await requireAuth(latchkey)(args, next)
    expect(await answer.json()).toBe('Ada')
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    const chosen = requireAuth(latchkey, ({ auth }) => auth?.user?.name === 'Eve')
    await expect(chosen(args, next)).rejects.toBeInstanceOf(Response)
  })
})
