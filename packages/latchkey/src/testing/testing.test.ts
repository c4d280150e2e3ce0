import { describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { accounts } from '../entries/accounts.ts'
import {
  createMailbox,
  createSoftPasskey,
  createTestProvider,
  createWorld,
  enrolTotp,
  signInAs,
  signUpAs,
} from '../entries/testing.ts'
import { createLatchkey } from '../instance/create-latchkey.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { customFetch, skipCSRFCheck } from '../options/markers.ts'
import { platform } from '../plugins/passwords/hashing/engine/node.ts'
import type { HashPlatform } from '../plugins/passwords/hashing/engine/platform.ts'
import { hashSettingsOf } from '../plugins/passwords/hashing/hash-settings.ts'
import { createHasher } from '../plugins/passwords/hashing/hasher.ts'
import { passwords } from '../plugins/passwords/index.ts'
import { sessions } from '../plugins/sessions/index.ts'
import Apple from '../providers/apple.ts'
import GitHub from '../providers/github.ts'
import Google from '../providers/google.ts'
import Passkey from '../providers/passkey.ts'

const silent = { error() {}, warn() {}, debug() {} }

describe('the hashes of a world', () => {
  const costsOf = async (hashing?: 'configured', argon2?: HashPlatform['argon2']) => {
    const { ports } = createWorld({}, { ...(hashing && { hashing }) }).core.plan({ providers: [] })
    const used = { ...platform, ...(argon2 && { argon2 }) }
    const hasher = createHasher(hashSettingsOf({}), { ports, logger: silent }, used)
    return (await hasher.hash('correct horse battery staple')).split('$').at(argon2 ? 2 : 3)
  }

  test('are cheap unless a test asks for the configured ones', async () => {
    expect(await costsOf()).toBe('m=8,t=1,p=1')
    expect(await costsOf('configured')).toBe('m=19456,t=2,p=1')
  })

  test('are cheap without argon2, too, as on older versions of Node.js', async () => {
    const none = async () => undefined
    expect(await costsOf(undefined, none)).toBe('ln=1,r=8,p=1')
    expect(await costsOf('configured', none)).toBe('ln=17,r=8,p=1')
  })
})

describe('the test provider', () => {
  for (const adapter of [undefined, memoryAdapter()]) {
    test(`signs in, ${adapter ? 'with' : 'without'} an adapter`, async () => {
      const idp = createTestProvider()
      const world = createWorld({ providers: [idp.provider], adapter })
      const end = await idp.signIn(world)
      expect(end.headers.get('location')).toBe(world.origin)
      expect((await world.session())?.user).toMatchObject({
        name: 'Ada Lovelace',
        email: 'ada@example.com',
      })
      expect(idp.asked).toEqual([
        'GET https://provider.test/.well-known/openid-configuration',
        'POST https://provider.test/token',
        'GET https://provider.test/keys',
      ])
    })
  }

  test('signs in the named user, and refuses', async () => {
    const idp = createTestProvider({ profile: { sub: '1', name: 'Grace' } })
    const world = createWorld({ providers: [idp.provider] })
    const refused = await idp.signIn(world, { error: 'access_denied' })
    expect(refused.headers.get('location')).toContain('error=')
    expect(await world.session()).toBeNull()
    await idp.signIn(world)
    expect((await world.session())?.user?.['name']).toBe('Grace')
    idp.profile = { sub: '2', name: 'Hedy' }
    await idp.signIn(world.otherBrowser())
    expect((await world.session())?.user?.['name']).toBe('Grace')
    await idp.signIn(world)
    expect((await world.session())?.user?.['name']).toBe('Hedy')
  })

  test('stands for providers of the catalogue', async () => {
    const google = createTestProvider({ issuer: 'https://accounts.google.com' })
    const github = createTestProvider({ profile: { id: 7, login: 'ada', email: 'a@example.com' } })
    const world = createWorld({ providers: [Google(google.client), GitHub(github.client)] })
    await google.signIn(world, { id: 'google' })
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
    await github.signIn(world, { id: 'github' })
    expect((await world.session())?.user?.['email']).toBe('a@example.com')
    expect(github.asked).toEqual([
      'POST https://github.com/login/oauth/access_token',
      'GET https://api.github.com/user',
    ])
  })

  test('stands for Apple, whose scopes do not say that it is an OpenID provider', async () => {
    const idp = createTestProvider({ issuer: 'https://appleid.apple.com' })
    const world = createWorld({ providers: [Apple(idp.client)] })
    await idp.signIn(world, { id: 'apple' })
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
  })

  test('accepts a code once, with the verifier of its sign-in, and knows its own tokens', async () => {
    const idp = createTestProvider()
    const send = idp.client[customFetch]
    const authorization = 'https://provider.test/authorize?redirect_uri=https://app.example/back'
    const redeem = async (code: string | null, more = ''): Promise<number> => {
      const body = `code=${code}&redirect_uri=https://app.example/back${more}`
      return (await send('https://provider.test/token', { method: 'POST', body })).status
    }
    const code = idp.authorize(authorization).searchParams.get('code')
    expect([await redeem(code), await redeem(code), await redeem('x')]).toEqual([200, 400, 400])
    const bound = idp.authorize(`${authorization}&code_challenge=x`).searchParams.get('code')
    expect(await redeem(bound, '&code_verifier=y')).toBe(400)
    expect((await send('https://provider.test/userinfo')).status).toBe(401)
  })

  test('is not called by an application without that provider', async () => {
    const world = createWorld({ providers: [] })
    await expect(createTestProvider().signIn(world)).rejects.toThrow(/not to the provider/)
  })
})

test('the test mailbox has the mails, and their links sign in', async () => {
  const mailbox = createMailbox()
  const providers = [{ ...mailbox.provider, code: true }]
  const world = createWorld({ providers, adapter: memoryAdapter() })
  expect(() => mailbox.last()).toThrow('no mail was sent')
  await world.post('/auth/signin/email', { email: 'ada@example.com' })
  await world.otherBrowser().post('/auth/signin/email', { email: 'eve@example.com' })
  expect(mailbox.mails.map(({ to }) => to)).toEqual(['ada@example.com', 'eve@example.com'])
  expect(mailbox.last().to).toBe('eve@example.com')
  expect(mailbox.last().code).toMatch(/^\d{6}$/)
  expect(() => mailbox.last('grace@example.com')).toThrow('no mail was sent to grace@example.com')
  await world.get(mailbox.last('ada@example.com').url)
  expect((await world.session())?.user?.['email']).toBe('ada@example.com')
})

test('the test mailbox has the mails of plugins by kind', async () => {
  const mailbox = createMailbox()
  const plugins = [sessions(), passwords()]
  const world = createWorld({ providers: [mailbox.provider], adapter: memoryAdapter(), plugins })
  expect(() => mailbox.lastOf('verify-address')).toThrow('no mail verify-address was sent')
  await world.request('/auth/password/sign-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery staple' }),
  })
  const { code, urls } = mailbox.lastOf('verify-address', 'ada@example.com')
  expect(code).toMatch(/^\d{6}$/)
  expect(urls).toEqual([expect.stringContaining('/auth/password/verify?token=')])
  expect(mailbox.sent).toHaveLength(1)
  expect(() => mailbox.lastOf('verify-address', 'eve@example.com')).toThrow(
    'no mail verify-address was sent to eve@example.com',
  )
})

describe('the test passkey', () => {
  const config: Partial<AuthConfig> = {
    providers: [Passkey()],
  }

  test('is made for a new user, who signs in with it from then on', async () => {
    const world = createWorld({ ...config, adapter: memoryAdapter() })
    const passkey = createSoftPasskey()
    await expect(passkey.signIn(world)).rejects.toThrow('register one')
    await passkey.register(world, 'ada@example.com')
    expect((await world.session())?.user?.['email']).toBe('ada@example.com')
    const other = world.otherBrowser()
    expect(await other.session()).toBeNull()
    await passkey.signIn(other)
    expect((await other.session())?.user?.['email']).toBe('ada@example.com')
  })

  test('cannot be used with an application without passkeys', async () => {
    const world = createWorld({ providers: [] })
    await expect(createSoftPasskey().register(world, 'a@example.com')).rejects.toThrow(
      'the application returned no options for a passkey',
    )
  })
})

describe('`signInAs` of the test kit', () => {
  const secret = 'a secret for tests, 0123456789abcdef'
  const base = { secret, trustHost: true, logger: silent, providers: [] }

  for (const strategy of ['jwt', 'database'] as const) {
    for (const origin of ['http://localhost:3000', 'https://app.example']) {
      test(`signs in to ${origin} with ${strategy} sessions`, async () => {
        const config = {
          ...base,
          adapter: memoryAdapter(),
          session: { strategy },
          callbacks: {
            session: ({ session }: { session: { expires: string | Date; user: object } }) => ({
              ...session,
              expires: String(session.expires),
              tenant: 7,
            }),
          },
        } as const
        const ada = { name: 'Ada', email: 'ada@example.com' }
        const { cookies, headers, session } = await signInAs(config, ada, origin)
        expect(session.tenant).toBe(7)
        expect(session.user).toMatchObject(ada)

        const { auth } = createLatchkey(config, {})
        expect((await auth(new Request(`${origin}/page`, { headers })))?.user).toMatchObject(ada)

        const secure = origin.startsWith('https:')
        const name = `${secure ? '__Secure-' : ''}authjs.session-token`
        const cookie = cookies.find((each) => each.name === name)
        expect(cookie).toMatchObject({ url: origin, httpOnly: true, secure, sameSite: 'Lax' })
        expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000)
        const pairs = cookies.map((each) => `${each.name}=${each.value}`)
        expect(headers.get('cookie')).toBe(pairs.join('; '))
      })
    }
  }

  test('creates a stored user, and the same one each time', async () => {
    const adapter = memoryAdapter()
    const stored = await adapter.createUser?.({
      id: 'u1',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      emailVerified: null,
    })
    const config: AuthConfig = {
      ...base,
      adapter,
      callbacks: { session: ({ session, user }) => ({ ...session, user: { id: user.id } }) },
    }
    for (const round of [1, 2]) {
      const { session } = await signInAs(config, { name: `Ada ${round}`, email: 'ada@example.com' })
      expect(session.user?.id).toBe(stored?.id)
    }
  })

  test('returns cookies with the attributes of the application', async () => {
    const options = (sameSite: 'none' | 'strict') => ({ options: { sameSite } })
    const config = {
      ...base,
      cookies: { sessionToken: options('none'), csrfToken: options('strict') },
    }
    const { cookies } = await signInAs(config, { email: 'ada@example.com' }, 'https://app.example')
    expect(Object.fromEntries(cookies.map(({ name, sameSite }) => [name, sameSite]))).toEqual({
      '__Host-authjs.csrf-token': 'Strict',
      '__Secure-authjs.callback-url': 'Lax',
      '__Secure-authjs.session-token': 'None',
    })
    expect((await signInAs(config, {})).session.expires).toMatch(/^\d{4}-/)
  })

  test('calls the `signIn` callback, which may refuse', async () => {
    const config = { ...base, callbacks: { signIn: () => false } }
    await expect(signInAs(config, { id: '1' })).rejects.toThrow(/refused.*AccessDenied/)
  })
})

test.each([
  ['`skipCSRFCheck`', { skipCSRFCheck }],
  ["another deployment's `redirectProxyUrl`", { redirectProxyUrl: 'https://proxy.example/auth' }],
])('PAIR-13: `signInAs` signs in to an application with %s', async (_, more) => {
  const config = { providers: [], secret: 'a secret for tests, 0123456789abcdef', ...more }
  const { session } = await signInAs(config as AuthConfig, { name: 'Ada' })
  expect(session).toMatchObject({ user: { name: 'Ada' } })
})

describe('accounts in a world', () => {
  const site = () => {
    const mailbox = createMailbox()
    const world = createWorld({
      adapter: memoryAdapter(),
      providers: [mailbox.provider],
      plugins: accounts(),
    })
    return { world, mailbox }
  }
  const credentials = { identifier: 'ada@example.com', password: 'correct horse battery staple' }

  test('somebody signs up, sets up an app, and signs in with both', async () => {
    const { world, mailbox } = site()
    await signUpAs(world, mailbox, { name: 'Ada' })
    expect((await world.session())?.user).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
    const app = await enrolTotp(world)
    expect(app.recoveryCodes).toHaveLength(10)
    const other = world.otherBrowser()
    const first = await other.json('/auth/password/sign-in', credentials)
    expect(await first.json()).toMatchObject({ status: 'second_factor_required' })
    expect(await other.session()).toBeNull()
    const code = await app.code()
    await other.json('/auth/two-factor/verify', { method: 'totp', code })
    expect((await other.session())?.user).toMatchObject({ name: 'Ada' })
  })

  test('a step that is refused throws with the response', async () => {
    const { world, mailbox } = site()
    const account = { email: 'ada@example.com', password: 'short' }
    await expect(signUpAs(world, mailbox, account)).rejects.toThrow(
      /sign-up was refused: 422 .*too_short/,
    )
    await expect(enrolTotp(world)).rejects.toThrow(/enrol-totp was refused: 401/)
  })

  test('the same device is known, and another browser is new', async () => {
    const { world, mailbox } = site()
    await signUpAs(world, mailbox)
    const mails = () => mailbox.sent.filter(({ kind }) => kind === 'new-device').length
    const same = world.sameDevice()
    expect(await same.session()).toBeNull()
    await same.json('/auth/password/sign-in', credentials)
    expect(mails()).toBe(0)
    await world.otherBrowser().json('/auth/password/sign-in', credentials)
    await vi.waitFor(() => expect(mails()).toBe(1), 30_000)
  })
})
