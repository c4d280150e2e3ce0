/** What happened to other libraries with sessions and their tokens, tried here: each under the id of its public advisory. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import { splitAdapter } from '../../../src/adapters/split/index.ts'
import { createAuthClient } from '../../../src/client/client.ts'
import { type AuthConfig, createLatchkey } from '../../../src/entries/index.ts'
import { authJsRollback } from '../../../src/plugins/auth-js-rollback/index.ts'
import { encode, getToken } from '../../../src/verifier/jwt.ts'
import { createVerifier } from '../../../src/verifier/session-verifier.ts'
import {
  acme,
  createSite,
  locationOf,
  ORIGIN,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
  sqlStore,
  strategies,
} from '../support/site.ts'

const silent = { error() {}, warn() {}, debug() {} }

describe('sessions', () => {
  test('CVE-2023-48309: are not made of the cookies that an interrupted sign-in leaves behind', async () => {
    const config = { plugins: [authJsRollback()] }
    const { world } = await createSite({ strategy: 'jwt', config })
    const begun = await world.post('/auth/signin/corp')
    const state = new URL(locationOf(begun)).searchParams.get('state') ?? ''
    const left = [...world.jar].filter(([, value]) => value.length > 60)
    expect(left.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        '__Secure-authjs.state',
        '__Secure-authjs.pkce.code_verifier',
        '__Secure-authjs.nonce',
      ]),
    )
    for (const value of [state, ...left.map(([, each]) => each)]) {
      const eve = world.otherBrowser()
      eve.jar.set(SESSION_COOKIE, value)
      expect(await eve.session()).toBeNull()
    }
  })

  describe.each(['CVE-2022-25896', 'CVE-2023-29019'])('%s', (_id) => {
    test.each(strategies)(
      'a cookie from before the sign-in is not a session after it (%s)',
      async (strategy) => {
        const { world } = await createSite({ strategy })
        await passwordSignIn(world, 'bob')
        const planted = world.jar.get(SESSION_COOKIE) ?? ''
        const victim = world.otherBrowser()
        victim.jar.set(SESSION_COOKIE, planted)
        await passwordSignIn(victim, 'ada')
        expect(victim.jar.get(SESSION_COOKIE)).not.toBe(planted)
        const eve = world.otherBrowser()
        eve.jar.set(SESSION_COOKIE, planted)
        expect((await eve.session())?.user?.['name']).not.toBe('ada')
      },
    )
  })
})

describe('deleted users', () => {
  test('GHSA-2vg6-77g8-24mp: have no session left in any store', async () => {
    const [one, other] = [await sqlStore(), await sqlStore()]
    for (const [name, adapter] of [
      ['memory', memoryAdapter()],
      ['SQLite', one.adapter],
      ['apart', splitAdapter({ users: other.adapter, sessions: memoryAdapter() })],
    ] as const) {
      const { world } = await createSite({ adapter })
      const [elsewhere, bob] = [world.otherBrowser(), world.otherBrowser()]
      for (const browser of [world, elsewhere]) await passwordSignIn(browser, 'ada')
      await passwordSignIn(bob, 'bob')
      await adapter.deleteUser?.('ada')
      expect([name, await world.session()]).toEqual([name, null])
      // Nor is it somebody's who is given the same id.
      await adapter.createUser?.({ id: 'ada', email: 'eve@example.com', emailVerified: null })
      expect([name, await elsewhere.session()]).toEqual([name, null])
      expect((await bob.session())?.user?.['name']).toBe('bob')
    }
    await one.close()
    await other.close()
  })
})

describe('malformed tokens', () => {
  const secureCookie = true

  test.each(['%', '%zz', '%E0%A4%A', '%00%', '%u0041', '\u00ff%', '='])(
    'GHSA-xmf8-cvqr-rfgj: the token %j throws nowhere and is no session',
    async (token) => {
      const bearer = new Headers({ authorization: `Bearer ${token}` })
      const cookie = new Headers({ cookie: `${SESSION_COOKIE}=${token}` })
      const secret = SECRET
      const config = { secret, providers: [], logger: silent }
      const env = { AUTH_URL: ORIGIN }
      for (const headers of [bearer, cookie]) {
        expect(await getToken({ req: { headers }, secret, secureCookie })).toBeNull()
        expect(await createVerifier(config, env)(headers)).toBeNull()
        expect(await createLatchkey(config, env).auth(headers)).toBeNull()
        const { world } = await createSite({ strategy: 'jwt' })
        const answer = await world.get('/auth/session', { headers })
        expect([answer.status, await answer.json()]).toEqual([200, null])
      }
    },
  )

  test('a valid token is read from the same header', async () => {
    const token = await encode({ secret: SECRET, salt: SESSION_COOKIE, token: { sub: 'ada' } })
    const headers = { authorization: `Bearer ${encodeURIComponent(token)}` }
    const read = await getToken({ req: { headers }, secret: SECRET, secureCookie })
    expect(read).toMatchObject({ sub: 'ada' })
  })
})

describe('GHSA-8fpg-xm3f-6cx3: a configuration that cannot be used', () => {
  const good: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    providers: [acme()],
    logger: silent,
    callbacks: { authorized: ({ auth }) => Boolean(auth) },
  }
  const broken: readonly (readonly [what: string, source: () => AuthConfig])[] = [
    [
      'a provider without addresses',
      () => ({ ...good, providers: [acme({ authorization: undefined })] }),
    ],
    ['no secret', () => ({ ...good, secret: '' })],
    ['an untrusted host', () => ({ ...good, trustHost: false })],
    [
      'a function that fails',
      () => {
        throw new Error('a variable is missing')
      },
    ],
  ]
  const env = { NODE_ENV: 'production' }

  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterEach(() => void vi.restoreAllMocks())

  async function asAda(): Promise<Request> {
    const token = await encode({ secret: SECRET, salt: SESSION_COOKIE, token: { name: 'Ada' } })
    return new Request(`${ORIGIN}/private`, { headers: { cookie: `${SESSION_COOKIE}=${token}` } })
  }

  test.each(broken)('%s is not a session, and opens no page', async (_what, source) => {
    const latchkey = createLatchkey(source, env)
    for (const request of [new Request(`${ORIGIN}/private`), await asAda()]) {
      expect(await latchkey.auth(request)).toBeNull()
      expect(await latchkey.auth.result(request)).toEqual({ status: 'unavailable', session: null })
      await expect(latchkey.session(request)).rejects.toThrow()
      await expect(latchkey.protect(request)).rejects.toThrow()
    }
  })

  test.each(broken)('%s is not a session in the browser', async (_what, source) => {
    const client = clientOf(createLatchkey(source, env))
    await expect(client.getSession()).rejects.toMatchObject({ name: 'ClientError' })
    await client.store.refetch()
    expect(client.store.state).toMatchObject({ data: undefined, status: 'loading' })
  })

  test('while a valid one accepts the same values', async () => {
    const latchkey = createLatchkey(() => good, env)
    expect((await latchkey.auth(await asAda()))?.user).toMatchObject({ name: 'Ada' })
    expect((await latchkey.protect(await asAda())).response).toBeUndefined()
    expect((await latchkey.protect(new Request(`${ORIGIN}/private`))).response?.status).toBe(307)
    expect(await clientOf(latchkey).getSession()).toBeNull()
  })

  function clientOf({ handler }: ReturnType<typeof createLatchkey>) {
    const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
      handler(new Request(new URL(String(input), ORIGIN), init))
    return createAuthClient({}, { fetch })
  }
})

describe('sealed tokens', () => {
  const payload = JSON.stringify({ sub: 'ada', name: 'Ada', exp: Date.UTC(2031, 0, 1) / 1000 })

  /** A token that is sealed with the right key. */
  function seal(header: Record<string, unknown>, plaintext: Uint8Array): string {
    const info = `Auth.js Generated Encryption Key (${SESSION_COOKIE})`
    const key = Buffer.from(hkdfSync('sha256', SECRET, SESSION_COOKIE, info, 32))
    const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(protectedHeader))
    const parts = [
      iv,
      Buffer.concat([cipher.update(plaintext), cipher.final()]),
      cipher.getAuthTag(),
    ]
    return [protectedHeader, '', ...parts.map((part) => part.toString('base64url'))].join('.')
  }

  async function read(token: string): Promise<unknown> {
    const { world } = await createSite({ strategy: 'jwt' })
    world.jar.set(SESSION_COOKIE, token)
    return world.session()
  }

  test('sealed with the right key are sessions, as a control', async () => {
    const header = { alg: 'dir', enc: 'A256GCM' }
    expect(await read(seal(header, Buffer.from(payload)))).not.toBeNull()
  })

  test('CVE-2024-28176: with compression are not unpacked', async () => {
    const header = { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }
    expect(await read(seal(header, deflateRawSync(payload)))).toBeNull()
    expect(await read(seal(header, Buffer.from(payload)))).toBeNull()
  })

  test('CVE-2022-36083: with a number of rounds in the header cost no rounds', async () => {
    const header = { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2s: 'AAAA', p2c: 2 ** 31 - 1 }
    const begun = performance.now()
    expect(await read(seal(header, Buffer.from(payload)))).toBeNull()
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})
