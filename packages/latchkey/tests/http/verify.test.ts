import { encode as peerEncode } from '@auth/core/jwt'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type AuthConfig, createLatchkey } from '../../src/entries/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import type { Env } from '../../src/options/env.ts'
import type { PluginOption } from '../../src/options/plugin-option.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { encode } from '../../src/verifier/jwt.ts'
import { revocations } from '../../src/verifier/revocations.ts'
import { createVerifier, type VerifierConfig } from '../../src/verifier/session-verifier.ts'
import theirs from '../peers/next-auth-4.json' with { type: 'json' }

const secret = 'a secret for tests, 0123456789abcdef'
const older = 'the secret of last year, 0123456789ab'
const [PLAIN, SECURE] = ['authjs.session-token', '__Secure-authjs.session-token']
const claims = { sub: '1', name: 'Ada', email: 'ada@example.com', picture: null }
const logger = { error: vi.fn<(error: Error) => void>(), warn() {}, debug() {} }

// Both say when a session ends, to the second.
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
beforeEach(() => logger.error.mockClear())

interface Visit {
  readonly config?: Partial<AuthConfig>
  readonly env?: Env
  readonly url?: string
  readonly headers?: Record<string, string>
  /** What is asked for is in the headers, and the request is not given. */
  readonly bare?: boolean
}

/** What the verifier says; it is what the whole library says. */
async function whoIs({ config = {}, env = {}, url, headers, bare = false }: Visit) {
  const request = new Request(url ?? 'https://app.example/page', headers ? { headers } : {})
  const whole: AuthConfig = { providers: [], secret, trustHost: true, logger, ...config }
  const input = bare ? request.headers : request
  const answer = await createVerifier(whole, env)(input)
  expect(await createLatchkey(whole, env).auth(input)).toEqual(answer)
  return answer?.user?.name
}

async function cookie(
  name: string,
  { by = secret, token = claims, salt = name, maxAge = 600 } = {},
): Promise<string> {
  return `${name}=${await encode({ token, secret: by, salt, maxAge })}`
}

describe('a verifier agrees with the whole library', () => {
  test('over https and http, each with its own cookie name', async () => {
    const [plain, secure] = [await cookie(PLAIN), await cookie(SECURE)]
    const url = 'http://app.example/'
    expect(await whoIs({ headers: { cookie: secure } })).toBe('Ada')
    expect(await whoIs({ headers: { cookie: plain } })).toBeUndefined()
    expect(await whoIs({ url, headers: { cookie: plain } })).toBe('Ada')
    expect(await whoIs({ url, headers: { cookie: secure } })).toBeUndefined()
    const config = { useSecureCookies: true }
    expect(await whoIs({ url, config, headers: { cookie: secure } })).toBe('Ada')
  })

  test('for headers alone, where the cookie shows whether it was https', async () => {
    for (const name of [PLAIN, SECURE]) {
      expect(await whoIs({ bare: true, headers: { cookie: await cookie(name) } })).toBe('Ada')
    }
    const env = { AUTH_URL: 'https://app.example' }
    const headers = { cookie: await cookie(PLAIN) }
    expect(await whoIs({ bare: true, env, headers })).toBeUndefined()
  })

  test('behind a trusted proxy that names the scheme', async () => {
    const headers = { cookie: await cookie(SECURE), 'x-forwarded-proto': 'https' }
    const url = 'http://10.0.0.1/'
    expect(await whoIs({ url, headers })).toBe('Ada')
    const env = { AUTH_URL: 'https://app.example' }
    expect(await whoIs({ url, env, headers: { cookie: headers.cookie } })).toBe('Ada')
    const old = { NEXTAUTH_URL: 'https://app.example' }
    expect(await whoIs({ url, env: old, headers: { cookie: headers.cookie } })).toBe('Ada')
  })

  test('for listed hosts, and no others', async () => {
    const headers = { cookie: await cookie(SECURE) }
    const config = { trustHost: ['app.example'] }
    expect(await whoIs({ config, headers })).toBe('Ada')
    expect(await whoIs({ config, url: 'https://evil.example/', headers })).toBeUndefined()
    expect(logger.error.mock.lastCall?.[0].name).toBe('UntrustedHost')
    // Whoever has an address of its own is asked for that, whatever a request says.
    const env = { AUTH_URL: 'https://app.example' }
    expect(await whoIs({ config, env, url: 'https://10.0.0.1/', headers })).toBe('Ada')
  })

  test('for a session in pieces', async () => {
    const token = { ...claims, name: 'A'.repeat(9000) }
    const sealed = await encode({ token, secret, salt: SECURE })
    const pieces = sealed.match(/.{1,3900}/g) ?? []
    expect(pieces.length).toBeGreaterThan(2)
    const pairs = pieces.map((piece, i) => `${SECURE}.${i}=${piece}`)
    expect(await whoIs({ headers: { cookie: pairs.toReversed().join('; ') } })).toBe(token.name)
    expect(await whoIs({ headers: { cookie: pairs.slice(1).join('; ') } })).toBeUndefined()
  })

  test('with a list of secrets, of the configuration or of the environment', async () => {
    const headers = { cookie: await cookie(SECURE, { by: older }) }
    expect(await whoIs({ headers })).toBeUndefined()
    expect(logger.error.mock.lastCall?.[0].name).toBe('JWTSessionError')
    expect(await whoIs({ headers, config: { secret: [secret, older] } })).toBe('Ada')
    const env = { AUTH_SECRET: older, AUTH_SECRET_1: secret }
    expect(await whoIs({ headers, env, config: { secret: undefined } })).toBe('Ada')
    const old = { NEXTAUTH_SECRET: older }
    expect(await whoIs({ headers, env: old, config: { secret: undefined } })).toBe('Ada')
    expect(await whoIs({ headers, config: { jwt: { secret: older } } })).toBe('Ada')
  })

  test('for sessions that Auth.js issued', async () => {
    for (const salt of [PLAIN, SECURE]) {
      const sealed = await peerEncode({ token: claims, secret, salt })
      expect(await whoIs({ bare: true, headers: { cookie: `${salt}=${sealed}` } })).toBe('Ada')
    }
  })

  test('for sessions of next-auth 4, if these are accepted', async () => {
    const accepting = { secret: theirs.secret, acceptSessionsFrom: ['next-auth@4'] } as const
    for (const [prefix, url] of [
      ['', 'http://app.example/'],
      ['__Secure-', 'https://app.example/'],
    ] as const) {
      const headers = { cookie: `${prefix}next-auth.session-token=${theirs.session}` }
      expect(await whoIs({ url, headers, config: { secret: theirs.secret } })).toBeUndefined()
      expect(await whoIs({ url, headers, config: accepting })).toBe('Ada')
      expect(await whoIs({ url, headers, config: { ...accepting, secret } })).toBeUndefined()
    }
    const token = { ...claims, name: 'Grace' }
    const ours = await cookie(SECURE, { by: theirs.secret, token })
    const both = `__Secure-next-auth.session-token=${theirs.session}; ${ours}`
    expect(await whoIs({ headers: { cookie: both }, config: accepting })).toBe('Grace')
    expect(await whoIs({ config: accepting })).toBeUndefined()
    const headers = { cookie: `__Secure-next-auth.session-token=${theirs.session}` }
    const cookies = { sessionToken: { name: 'mine' } }
    expect(await whoIs({ headers, config: { ...accepting, cookies } })).toBe('Ada')
  })

  test('for values that were changed, have expired, or were sealed for another purpose', async () => {
    const good = await cookie(SECURE)
    const changed = good.slice(0, -4) + (good.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    const expired = await cookie(SECURE, { maxAge: -60 })
    const other = await cookie(SECURE, { salt: 'authjs.state' })
    for (const each of [changed, expired, other, `${SECURE}=x`, 'a=b', '']) {
      expect(await whoIs({ headers: { cookie: each } })).toBeUndefined()
    }
    expect(await whoIs({})).toBeUndefined()
  })

  test('with a cookie of another name', async () => {
    const cookies = { sessionToken: { name: 'mine' } }
    const headers = { cookie: await cookie('mine') }
    expect(await whoIs({ headers, config: { cookies } })).toBe('Ada')
    expect(await whoIs({ headers })).toBeUndefined()
  })

  test('with the callbacks of the application, which may end a session', async () => {
    const headers = { cookie: await cookie(SECURE) }
    const callbacks = {
      jwt: ({ token }: { token: object }) => ({ ...token, name: 'Countess' }),
    }
    expect(await whoIs({ headers, config: { callbacks } })).toBe('Countess')
    const ended = { jwt: () => null }
    expect(await whoIs({ headers, config: { callbacks: ended } })).toBeUndefined()
    const lost = { jwt: (() => undefined) as never }
    expect(await whoIs({ headers, config: { callbacks: lost } })).toBeUndefined()
    const broken = {
      session(): never {
        throw new Error('the callback is broken')
      },
    }
    expect(await whoIs({ headers, config: { callbacks: broken } })).toBeUndefined()
  })

  test('with a callback that returns nothing, which means no session', async () => {
    const headers = { cookie: await cookie(SECURE) }
    const config: Partial<AuthConfig> = { callbacks: { session: () => undefined as never } }
    expect(await whoIs({ headers, config })).toBeUndefined()
    const latchkey = createLatchkey({ providers: [], secret, trustHost: true, logger, ...config })
    const request = new Request('https://app.example/', { headers })
    expect(await latchkey.auth(request)).toBeNull()
    expect(await latchkey.auth.result(request)).toEqual({ status: 'none', session: null })
  })

  test("with the application's own decoder, and its own lifetime", async () => {
    const decode = async ({ token }: { token?: string | undefined }) =>
      token === 'open' ? { name: 'Sesame', iat: 4_000_000_000 } : null
    const config = { jwt: { decode }, session: { maxAge: 60 } }
    expect(await whoIs({ config, headers: { cookie: `${SECURE}=open` } })).toBe('Sesame')
    expect(await whoIs({ config, headers: { cookie: `${SECURE}=shut` } })).toBeUndefined()
  })
})

describe('a verifier cannot be created', () => {
  test('for sessions in a database', () => {
    const stored = [
      { secret, session: { strategy: 'database' } },
      { secret, adapter: memoryAdapter() },
    ] as const
    for (const config of stored) {
      expect(() => createVerifier(config, {})).toThrow(/in a database/)
    }
    const sealed = { secret, adapter: memoryAdapter(), session: { strategy: 'jwt' } } as const
    expect(createVerifier(sealed, {})).toBeTypeOf('function')
  })

  test('without a secret, or with an invalid address', () => {
    expect(() => createVerifier({}, {})).toThrow(/AUTH_SECRET/)
    expect(() => createVerifier({ secret }, { AUTH_URL: 'app.example' })).toThrow(/AUTH_URL/)
  })
})

test('without a logger the console is used, and shows no secret', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const headers = new Headers({ cookie: await cookie(PLAIN, { by: older }) })
  expect(await createVerifier({ secret }, {})(headers)).toBeNull()
  expect(told.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^\[latchkey\]\[error\] JWTSessionError: the session token cannot be opened: it was sealed with another secret \(.+ \(latchkey\/docs\/reference\/errors\.md#jwtsessionerror\)$/,
      ),
    ],
  ])
  expect(String(told.mock.calls)).not.toContain(secret)
  told.mockRestore()
})

describe('plugins at a verifier', () => {
  const sealed = async (token: Record<string, unknown>): Promise<Request> =>
    new Request('https://app.example/', {
      headers: { cookie: await cookie(SECURE, { token: { ...claims, ...token } }) },
    })
  const judge = (verdict: 'good' | 'ended' | 'unsure', more: { unchecked?: string } = {}) =>
    definePlugin({
      name: 'judge',
      judgesSessions: true,
      atEdge: () => ({ onRead: () => verdict, ...more }),
      setUp: () => ({ session: { onRead: () => verdict } }),
    })
  const verifierWith = (plugin: PluginOption, more: Partial<VerifierConfig> = {}) => {
    const warn = vi.fn<(code: string, detail?: string) => void>()
    const config = { secret, plugins: [plugin], logger: { ...logger, warn }, ...more }
    return { verify: createVerifier(config, {}), warn }
  }

  test('are asked for what they know without a store', async () => {
    const request = await sealed({})
    const said = async (verdict: 'good' | 'ended' | 'unsure') => {
      const { session, failed, ended } = await verifierWith(judge(verdict)).verify.result(request)
      return { name: session?.user?.name, failed, ended }
    }
    expect(await said('good')).toEqual({ name: 'Ada', failed: false, ended: false })
    expect(await said('ended')).toEqual({ name: undefined, failed: false, ended: true })
    expect(await said('unsure')).toEqual({ name: undefined, failed: true, ended: false })
  })

  test('sessions: a session whose absolute end has passed is over at the verifier', async () => {
    const { verify } = verifierWith(sessions())
    const now = Math.floor(Date.now() / 1000)
    expect(await verify(await sealed({ sid: 'a'.repeat(22), abs: now + 60 }))).not.toBeNull()
    expect((await verify.result(await sealed({ sid: 'a'.repeat(22), abs: now - 1 }))).ended).toBe(
      true,
    )
  })

  test('that cannot know everything there cause a warning, unless another source is asked', () => {
    const warnings = (plugin: PluginOption, more: Partial<VerifierConfig> = {}) =>
      verifierWith(plugin, more).warn.mock.calls
    expect(warnings(judge('good'))).toEqual([])
    expect(warnings(sessions({ revocations: false }))).toEqual([])
    expect(warnings(sessions())).toEqual([
      [
        'sessions-unchecked',
        expect.stringMatching(
          /^the plugin sessions cannot check at the edge which sessions were ended; /,
        ),
      ],
    ])
    const asked = { revocations: revocations({ url: 'https://app.example/auth/revocations' }) }
    expect(warnings(sessions(), asked)).toEqual([])
    const bare = definePlugin({ name: 'bare', judgesSessions: true, setUp: () => ({}) })
    expect(warnings(bare)).toHaveLength(1)
    expect(warnings(definePlugin({ name: 'other', setUp: () => ({}) }))).toEqual([])
  })

  test('that judge sessions must declare it, since nobody would be warned', async () => {
    const silent = definePlugin({
      name: 'silent',
      setUp: () => ({ session: { onRead: () => 'good' } }),
    })
    const whole: AuthConfig = { providers: [], secret, trustHost: true, logger, plugins: [silent] }
    const reading = createLatchkey(whole, {}).auth(await sealed({}))
    const said = await reading.then(String, (error: Error) => error.message)
    expect(said).toMatch(/the plugin silent needs `judgesSessions: true`/)
  })
})
