import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { AuthError } from '../../src/base/errors.ts'
import type { World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { skipCSRFCheck } from '../../src/options/markers.ts'
import Passkey from '../../src/providers/passkey.ts'
import WebAuthn from '../../src/providers/webauthn.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import {
  authenticate,
  CALLBACK,
  errorPage,
  location,
  OPTIONS,
  ORIGIN,
  optionsOf,
  passkeySite,
  register,
  send,
  signOut,
} from '../support/passkeys.ts'
import { recordingEvents, wrapped } from '../support/recording.ts'

const ADA = 'ada@example.com'
const NOT_LINKED = `${ORIGIN}/auth/signin?error=AccountNotLinked`
const strategies = ['jwt', 'database'] as const

const LIST = 'listAuthenticatorsByUserId'
const withoutLists = (calls: string[]): string[] => calls.filter((name) => name !== LIST)

async function emailOf(world: World): Promise<unknown> {
  return (await world.session())?.user?.['email']
}

function challengeCookie(response: Response): string | undefined {
  return response.headers.getSetCookie().find((cookie) => cookie.includes('authjs.challenge='))
}

describe('the options of a passkey', () => {
  test('for a new user are those of a registration', async () => {
    const { world } = passkeySite()
    const answer = await world.get(`${OPTIONS}?email=${ADA}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const body = await answer.json()
    expect(body).toEqual({
      action: 'register',
      options: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rp: { name: 'app.example', id: 'app.example' },
        user: { id: expect.stringMatching(/^[0-9a-f]{64}$/), name: ADA, displayName: ADA },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { credProps: true },
      },
    })
  })

  test('for a visitor are those of an authentication with any passkey', async () => {
    const { world } = passkeySite()
    expect(await optionsOf(world)).toEqual({
      action: 'authenticate',
      options: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 300_000,
        userVerification: 'required',
        rpId: 'app.example',
      },
    })
  })

  test('for a known user name their passkeys', async () => {
    const { world } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    await signOut(world)
    const { action, options } = await optionsOf(world, { email: ADA })
    expect(action).toBe('authenticate')
    expect(options.allowCredentials).toEqual([
      { id: phone.credentials[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
  })

  test('contain no passkey for a known user who has none, if the request names no action', async () => {
    const { world, adapter } = passkeySite()
    await adapter.createUser({ id: 'bob', email: ADA, emailVerified: null })
    const { action, options } = await optionsOf(world, { email: ADA })
    expect([action, options.allowCredentials]).toEqual(['authenticate', []])
  })

  test('are refused for an invalid address', async () => {
    const { world, calls } = passkeySite()
    const answer = await world.get(`${OPTIONS}?email=nobody`)
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'Invalid request' }])
    expect(calls).toEqual([])
  })

  test('are refused for a new user to whom the application gives no address', async () => {
    const getUserInfo = () => ({ user: { email: '' }, exists: false })
    const { world } = passkeySite({ providers: [Passkey({ getUserInfo })] })
    expect((await world.get(`${OPTIONS}?action=register`)).status).toBe(400)
  })

  test('for security keys require less', async () => {
    const { world } = passkeySite({ providers: [WebAuthn()] })
    const path = '/auth/webauthn-options/webauthn'
    expect((await optionsOf(world, {}, path)).options['userVerification']).toBe('preferred')
    expect(
      (await optionsOf(world, { email: ADA }, path)).options['authenticatorSelection'],
    ).toEqual({
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    })
  })

  test('have another challenge each time', async () => {
    const { world } = passkeySite()
    const [one, other] = [await optionsOf(world), await optionsOf(world)]
    expect(one.options.challenge).not.toBe(other.options.challenge)
  })

  test('set the ambient cookies, and the challenge for a quarter of an hour', async () => {
    const { world } = passkeySite()
    const answer = await world.get(OPTIONS)
    const names = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    expect(names).toEqual([
      '__Host-authjs.csrf-token',
      '__Secure-authjs.callback-url',
      '__Host-authjs.challenge',
    ])
    expect(challengeCookie(answer)).toMatch(
      /; Max-Age=900; Path=\/; Expires=Tue, 01 Jan 2030 00:15:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('leave the display name to the application', async () => {
    const getUserInfo = () => ({ user: { email: ADA, name: 'Ada' }, exists: false })
    const { world } = passkeySite({ providers: [Passkey({ getUserInfo })] })
    expect((await optionsOf(world)).options['user']).toMatchObject({
      name: ADA,
      displayName: 'Ada',
    })
  })

  test('use an address in the form in which it is stored', async () => {
    const { world } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ' Ada@Example.COM ')
    expect(await emailOf(world)).toBe(ADA)
    await signOut(world)
    expect((await optionsOf(world, { email: 'ADA@example.com' })).action).toBe('authenticate')
  })

  test('take the relying party from the configuration', async () => {
    const relayingParty = {
      id: ['example', 'other.example'],
      name: ['My site', 'Another'],
      origin: ORIGIN,
    }
    const { world } = passkeySite({ providers: [Passkey({ relayingParty })] })
    const { options } = await optionsOf(world, { email: ADA })
    expect(options.rp).toEqual({ id: 'example', name: 'My site' })
    const phone = createAuthenticator(ORIGIN)
    expect(location(await send(world, 'register', phone.create(options)))).toBe(ORIGIN)
  })

  test('take a single name of the relying party as it is', async () => {
    const relayingParty = { id: 'example', name: 'My site', origin: ORIGIN }
    const { world } = passkeySite({ providers: [Passkey({ relayingParty })] })
    const { options } = await optionsOf(world, { email: ADA })
    expect(options.rp).toEqual({ id: 'example', name: 'My site' })
  })

  test('take the relying party from a function', async () => {
    const seen: unknown[] = []
    const { world } = passkeySite({
      providers: [
        Passkey({
          getRelayingParty({ provider, url }, { query, method, body }) {
            const action = body === undefined ? 'no body' : body['action']
            seen.push([provider.id, url.host, query['email'], method, action])
            return { id: 'app.example', name: 'Mine', origin: ORIGIN }
          },
        }),
      ],
    })
    const { options } = await optionsOf(world, { email: ADA })
    expect(options.rp).toMatchObject({ name: 'Mine' })
    await send(world, 'register', createAuthenticator(ORIGIN).create(options))
    expect(seen).toEqual([
      ['passkey', 'app.example', ADA, 'GET', 'no body'],
      ['passkey', 'app.example', undefined, 'POST', 'register'],
    ])
  })

  test('T-PK-2: are refused for a relying party without an id, which would accept passkeys of every site', async () => {
    const party = { id: '', name: 'Mine', origin: ORIGIN }
    const { world } = passkeySite({ providers: [Passkey({ getRelayingParty: () => party })] })
    expect((await world.get(`${OPTIONS}?email=${ADA}`)).status).toBe(500)
    expect(world.log.at(-1)?.message).toBe('`getRelayingParty` must return an object with an `id`')
    // Nor is one taken when it is lost on the way.
    party.id = 'app.example'
    const { options } = await optionsOf(world, { email: ADA })
    party.id = ''
    const answer = createAuthenticator(ORIGIN).create(options, { rpId: 'evil.example' })
    expect(location(await send(world, 'register', answer))).toBe(errorPage('Configuration'))
    expect(await world.session()).toBeNull()
  })

  test('have the relying party of the site if the configured id is empty', async () => {
    const relayingParty = { id: '' }
    const { world } = passkeySite({ providers: [Passkey({ relayingParty })] })
    const { options } = await optionsOf(world, { email: ADA })
    expect(options.rp).toMatchObject({ id: 'app.example' })
  })

  test('fail with the name of a missing package', async () => {
    const missing = async (): Promise<never> => {
      throw new AuthError('passkeys need the package @simplewebauthn/server')
    }
    const { simpleWebAuthn } = Passkey()
    const { world } = passkeySite({
      providers: [
        Passkey({ simpleWebAuthn: { ...simpleWebAuthn, generateAuthenticationOptions: missing } }),
      ],
    })
    const answer = await world.get(OPTIONS)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toHaveProperty('message')
    expect(world.log.at(-1)?.message).toContain('@simplewebauthn/server')
  })
})

for (const strategy of strategies) {
  describe(`the action for a passkey request, with ${strategy} sessions,`, () => {
    const authenticates = { action: 'authenticate' }
    const registers = { action: 'register' }
    const invalid = { error: 'Invalid request' }
    const rows: readonly [
      asked: string | undefined,
      signedIn: boolean,
      email: 'nobody' | 'known' | 'new',
      expected: object,
    ][] = [
      ['authenticate', false, 'nobody', authenticates],
      ['authenticate', false, 'known', authenticates],
      ['authenticate', false, 'new', authenticates],
      ['authenticate', true, 'nobody', authenticates],
      ['authenticate', true, 'new', authenticates],
      ['register', true, 'nobody', registers],
      ['register', true, 'new', registers],
      ['register', false, 'new', registers],
      ['register', false, 'known', invalid],
      ['register', false, 'nobody', invalid],
      [undefined, true, 'nobody', invalid],
      [undefined, true, 'known', invalid],
      [undefined, true, 'new', invalid],
      [undefined, false, 'nobody', authenticates],
      [undefined, false, 'known', authenticates],
      [undefined, false, 'new', registers],
      ['', false, 'nobody', { error: 'Invalid action' }],
      ['Register', false, 'new', { error: 'Invalid action' }],
    ]
    for (const [asked, signedIn, email, expected] of rows) {
      const who = signedIn ? 'who is signed in' : 'who is not'
      test(`with ${asked ?? 'no action'} of ${who}, address ${email}, is ${JSON.stringify(expected)}`, async () => {
        const { world } = passkeySite({ session: { strategy } })
        await register(world, createAuthenticator(ORIGIN), ADA)
        if (!signedIn) await signOut(world)
        const address = { nobody: undefined, known: ADA, new: 'new@example.com' }[email]
        const query = new URLSearchParams({
          ...(asked === undefined ? {} : { action: asked }),
          ...(address ? { email: address } : {}),
        })
        const answer = await world.get(`${OPTIONS}?${query}`)
        expect(answer.status).toBe('error' in expected ? 400 : 200)
        expect(await answer.json()).toMatchObject(expected)
        expect(challengeCookie(answer) === undefined).toBe('error' in expected)
      })
    }

    test('uses the address of the signed-in user, and adds none', async () => {
      const { world } = passkeySite({ session: { strategy } })
      const phone = createAuthenticator(ORIGIN)
      await register(world, phone, ADA)
      const { options } = await optionsOf(world, { action: 'register', email: 'eve@example.com' })
      expect(options['user']).toMatchObject({ name: ADA })
      expect(options.excludeCredentials).toEqual([
        { id: phone.credentials[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
      ])
    })

    test('D-41: is refused for a user without an address, and an unreadable session counts as absent', async () => {
      const { world, adapter } = passkeySite({ session: { strategy } })
      await register(world, createAuthenticator(ORIGIN), ADA)
      const [call] = [await adapter.getUserByEmail(ADA)]
      await adapter.updateUser({ id: call?.id ?? '', email: null as unknown as string })
      const answer = await world.get(`${OPTIONS}?action=register`)
      expect([answer.status, await answer.json()]).toEqual([400, { error: 'Invalid request' }])
      world.jar.set('__Secure-authjs.session-token', 'nonsense')
      expect((await optionsOf(world)).action).toBe('authenticate')
    })

    test('T-SESS-7: treats an expired session as absent', async () => {
      const { world } = passkeySite({ session: { strategy, maxAge: 3600 } })
      await register(world, createAuthenticator(ORIGIN), ADA)
      const kept = new Map(world.jar)
      world.advance(4000)
      for (const [name, value] of kept) world.jar.set(name, value)
      expect((await world.get(`${OPTIONS}?action=register`)).status).toBe(400)
      expect((await optionsOf(world)).action).toBe('authenticate')
    })
  })

  describe(`passkeys with ${strategy} sessions`, () => {
    const site = (more: Parameters<typeof passkeySite>[0] = {}): ReturnType<typeof passkeySite> =>
      passkeySite({ session: { strategy }, ...more })
    const session = strategy === 'database' ? ['createSession'] : []

    test('sign a new user in who creates one', async () => {
      const { events, told, names } = recordingEvents()
      const { world, calls, writes } = site({ events })
      const phone = createAuthenticator(ORIGIN)
      const end = await register(world, phone, ADA)
      expect(location(end)).toBe(ORIGIN)
      expect(world.jar.has('__Host-authjs.challenge')).toBe(false)

      const id = Buffer.from(phone.credentials[0]?.id ?? '', 'base64url').toString('base64')
      const argument = (name: string): unknown => calls.find(([called]) => called === name)?.[1]
      const user = argument('createUser') as { id: string }
      expect(user).toEqual({ id: expect.any(String), email: ADA, emailVerified: null })
      const account = { providerAccountId: id, provider: 'passkey', type: 'webauthn' }
      expect(argument('linkAccount')).toEqual({ ...account, userId: user.id })
      expect(argument('createAuthenticator')).toEqual({
        providerAccountId: id,
        credentialID: id,
        credentialPublicKey: phone.credentials[0]?.coseKey.toString('base64'),
        counter: 0,
        credentialBackedUp: true,
        credentialDeviceType: 'multiDevice',
        transports: 'internal,hybrid',
        userId: user.id,
      })
      expect(withoutLists(writes()).toSorted()).toEqual(
        ['createUser', 'linkAccount', 'createAuthenticator', ...session].toSorted(),
      )
      expect(await emailOf(world)).toBe(ADA)
      expect(names()).toEqual(['createUser', 'linkAccount', 'signIn', 'session'])
      expect(told.createUser).toMatchObject([{ user: { id: user.id, email: ADA } }])
      expect(told.linkAccount?.[0]?.account).toEqual(account)
      expect(told.signIn?.[0]).toMatchObject({
        user: { id: user.id },
        account: { ...account, userId: user.id },
        isNewUser: true,
      })
      expect(told.signIn?.[0]).not.toHaveProperty('profile')
    })

    test('D-42: store what the application knows of a new user', async () => {
      const getUserInfo = () => ({ user: { email: ADA, name: 'Ada' }, exists: false })
      const { world, adapter } = site({ providers: [Passkey({ getUserInfo })] })
      await register(world, createAuthenticator(ORIGIN))
      expect(await adapter.getUserByEmail(ADA)).toMatchObject({ name: 'Ada', emailVerified: null })
    })

    test('give a new user the id that the application proposes', async () => {
      const getUserInfo = () => ({ user: { id: 'proposed', email: ADA }, exists: false })
      const { world, adapter } = site({ providers: [Passkey({ getUserInfo })] })
      await register(world, createAuthenticator(ORIGIN))
      expect((await adapter.getUserByEmail(ADA))?.id).toBe('proposed')
    })

    test('ignore an empty id', async () => {
      const getUserInfo = () => ({ user: { id: '', email: ADA }, exists: false })
      const { world, adapter } = site({ providers: [Passkey({ getUserInfo })] })
      expect(location(await register(world, createAuthenticator(ORIGIN)))).toBe(ORIGIN)
      expect((await adapter.getUserByEmail(ADA))?.id).toMatch(/^[0-9a-f-]{36}$/)
    })

    test('sign their owner in without a name', async () => {
      const { events, names, told } = recordingEvents()
      const { world, writes } = site({ events })
      const key = createAuthenticator(ORIGIN, { counts: true })
      await register(world, key, ADA)
      await signOut(world)
      writes()
      names()
      const end = await authenticate(world, key)
      expect(location(end)).toBe(ORIGIN)
      expect(await emailOf(world)).toBe(ADA)
      expect(withoutLists(writes())).toEqual(['updateAuthenticatorCounter', ...session])
      expect(names()).toEqual(['signIn', 'session'])
      expect(told.signIn?.[1]).toMatchObject({ user: { email: ADA }, isNewUser: false })
    })

    test('sign their owner in after the address was entered', async () => {
      const { world } = site()
      const phone = createAuthenticator(ORIGIN)
      await register(world, phone, ADA)
      await signOut(world)
      for (const more of [{}, { action: 'authenticate' }]) {
        const { options } = await optionsOf(world, { email: ADA, ...more })
        expect(options.allowCredentials).toMatchObject([{ id: phone.credentials[0]?.id }])
        expect(location(await send(world, 'authenticate', phone.get(options)))).toBe(ORIGIN)
        expect(await emailOf(world)).toBe(ADA)
        await signOut(world)
      }
    })

    for (const [name, algorithm] of [
      ['EdDSA', -8],
      ['ES256', -7],
      ['RS256', -257],
    ] as const) {
      test(`may be of ${name}`, async () => {
        const { world } = site()
        const phone = createAuthenticator(ORIGIN)
        await register(world, phone, ADA, { algorithm })
        await signOut(world)
        expect(location(await authenticate(world, phone))).toBe(ORIGIN)
        expect(await emailOf(world)).toBe(ADA)
      })
    }

    test('lead to the target of the visitor, and new users to the welcome page', async () => {
      const { world } = site({ pages: { newUser: '/welcome' } })
      const phone = createAuthenticator(ORIGIN)
      const { options } = await optionsOf(world, { email: ADA })
      const fields = { callbackUrl: '/inbox' }
      expect(location(await send(world, 'register', phone.create(options), fields))).toBe(
        `/welcome?callbackUrl=${encodeURIComponent(`${ORIGIN}/inbox`)}`,
      )
      await signOut(world)
      const again = await optionsOf(world)
      expect(location(await send(world, 'authenticate', phone.get(again.options), fields))).toBe(
        `${ORIGIN}/inbox`,
      )
    })

    test('return the target to the browser client', async () => {
      const { world } = site()
      const phone = createAuthenticator(ORIGIN)
      const { options } = await optionsOf(world, { email: ADA })
      const answer = await world.request(CALLBACK, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-return-redirect': '' },
        body: JSON.stringify({ action: 'register', data: JSON.stringify(phone.create(options)) }),
      })
      expect([answer.status, await answer.json()]).toEqual([200, { url: ORIGIN }])
      expect(await emailOf(world)).toBe(ADA)
    })

    test('work without CSRF protection', async () => {
      const { world } = site({ skipCSRFCheck })
      expect(location(await register(world, createAuthenticator(ORIGIN), ADA))).toBe(ORIGIN)
    })

    describe('for a signed-in user:', () => {
      test('one more is added', async () => {
        const { events, names, told } = recordingEvents()
        const asked: unknown[] = []
        const callbacks: AuthConfig['callbacks'] = {
          signIn({ user }) {
            asked.push(user.id)
            return true
          },
        }
        const { world, writes, adapter } = site({
          events,
          callbacks,
          pages: { newUser: '/welcome' },
        })
        const [phone, key] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)]
        await register(world, phone, ADA)
        const ada = await adapter.getUserByEmail(ADA)
        await adapter.updateUser({ id: ada?.id ?? '', name: 'Ada' })
        writes()
        names()
        expect(location(await register(world, key))).toBe(ORIGIN)
        const written = withoutLists(writes())
        expect(written.slice(0, 2)).toEqual(['linkAccount', 'createAuthenticator'])
        expect(names()).toEqual(['linkAccount', 'signIn'])
        expect(asked).toEqual([ada?.id, ada?.id])
        expect(told.linkAccount?.[1]).toMatchObject({
          user: { id: ada?.id },
          profile: { id: ada?.id, email: ADA, name: 'Ada' },
        })
        expect(told.signIn?.[1]).toMatchObject({ user: { id: ada?.id }, isNewUser: false })
        expect(await adapter.listAuthenticatorsByUserId(ada?.id ?? '')).toHaveLength(2)
        for (const each of [phone, key]) {
          await signOut(world)
          await authenticate(world, each)
          expect(await emailOf(world)).toBe(ADA)
        }
      })

      test('a lost private key can be replaced by a new passkey, and the account is already linked', async () => {
        const { events, names } = recordingEvents()
        const { world, adapter, writes } = site({ events })
        await register(world, createAuthenticator(ORIGIN), ADA)
        const { id = '' } = (await adapter.getUserByEmail(ADA)) ?? {}
        const { options } = await optionsOf(world, { action: 'register' })
        const answer = createAuthenticator(ORIGIN).create(options)
        const providerAccountId = Buffer.from(answer.id, 'base64url').toString('base64')
        const account = { provider: 'passkey', providerAccountId, type: 'webauthn' } as const
        await adapter.linkAccount({ ...account, userId: id })
        writes()
        names()
        expect(location(await send(world, 'register', answer))).toBe(ORIGIN)
        expect(withoutLists(writes())).not.toContain('linkAccount')
        expect(names()).toEqual(['signIn'])
        expect(await adapter.listAuthenticatorsByUserId(id)).toHaveLength(2)
      })

      test('their own passkey signs in, and nothing is linked', async () => {
        const { events, names } = recordingEvents()
        const { world } = site({ events })
        const phone = createAuthenticator(ORIGIN)
        await register(world, phone, ADA)
        names()
        expect(location(await authenticate(world, phone))).toBe(ORIGIN)
        expect(names()).toEqual(['signIn'])
        expect(await emailOf(world)).toBe(ADA)
      })

      test('a passkey of another user is refused', async () => {
        const { world } = site()
        const [phone, other] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)]
        const bob = world.otherBrowser()
        await register(bob, other, 'bob@example.com')
        await register(world, phone, ADA)
        const { options } = await optionsOf(bob, {})
        expect(options).toBeUndefined()
        const mine = await optionsOf(world, { action: 'authenticate' })
        const answer = other.get({ ...mine.options, allowCredentials: [] })
        expect(location(await send(world, 'authenticate', answer))).toBe(
          errorPage('WebAuthnVerificationError'),
        )
        expect(await emailOf(world)).toBe(ADA)
      })

      test('an older challenge does not switch to another user', async () => {
        const { world } = site()
        const [phone, other] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)]
        await register(world.otherBrowser(), other, 'bob@example.com')
        const { options } = await optionsOf(world)
        const challenge = world.jar.get('__Host-authjs.challenge') ?? ''
        await register(world, phone, ADA)
        world.jar.set('__Host-authjs.challenge', challenge)
        expect(location(await send(world, 'authenticate', other.get(options)))).toBe(NOT_LINKED)
        expect(await emailOf(world)).toBe(ADA)
      })

      test('a registration that another visitor began is refused', async () => {
        const { world, adapter } = site()
        const [phone, key] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)]
        const { options } = await optionsOf(world, { email: 'new@example.com' })
        const challenge = world.jar.get('__Host-authjs.challenge') ?? ''
        await register(world, phone, ADA)
        world.jar.set('__Host-authjs.challenge', challenge)
        expect(location(await send(world, 'register', key.create(options)))).toBe(NOT_LINKED)
        expect(await adapter.getUserByEmail('new@example.com')).toBeNull()
      })

      test('a registration is refused if the session ended in between', async () => {
        const { world, adapter } = site()
        const [phone, key] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)]
        await register(world, phone, ADA)
        const { options } = await optionsOf(world, { action: 'register' })
        await signOut(world)
        expect(location(await send(world, 'register', key.create(options)))).toBe(NOT_LINKED)
        const ada = await adapter.getUserByEmail(ADA)
        expect(await adapter.listAuthenticatorsByUserId(ada?.id ?? '')).toHaveLength(1)
      })
    })

    test('never join an account by its address', async () => {
      const { world, adapter } = site()
      const { options } = await optionsOf(world, { email: ADA })
      await adapter.createUser({ id: 'ada', email: ADA, emailVerified: new Date() })
      const answer = createAuthenticator(ORIGIN).create(options)
      expect(location(await send(world, 'register', answer))).toBe(NOT_LINKED)
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ cause: { provider: 'passkey' } })
      expect(await world.session()).toBeNull()
      expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([])
    })

    test('never join an account whose private key was lost', async () => {
      const { world, adapter, writes } = site()
      const phone = createAuthenticator(ORIGIN)
      const { options } = await optionsOf(world, { email: ADA })
      const answer = phone.create(options)
      await adapter.createUser({ id: 'eve', email: 'eve@example.com', emailVerified: null })
      const id = Buffer.from(answer.id, 'base64url').toString('base64')
      const account = { provider: 'passkey', providerAccountId: id, type: 'webauthn' } as const
      await adapter.linkAccount({ ...account, userId: 'eve' })
      writes()
      expect(location(await send(world, 'register', answer))).toBe(NOT_LINKED)
      expect(withoutLists(writes())).toEqual([])
      expect(await world.session()).toBeNull()
    })

    test('never move the account of another user, whose private key was lost', async () => {
      const { world, adapter } = site()
      await register(world, createAuthenticator(ORIGIN), ADA)
      const { options } = await optionsOf(world, { action: 'register' })
      const answer = createAuthenticator(ORIGIN).create(options)
      await adapter.createUser({ id: 'eve', email: 'eve@example.com', emailVerified: null })
      const id = Buffer.from(answer.id, 'base64url').toString('base64')
      const account = { provider: 'passkey', providerAccountId: id, type: 'webauthn' } as const
      await adapter.linkAccount({ ...account, userId: 'eve' })
      expect(location(await send(world, 'register', answer))).toBe(NOT_LINKED)
      const ada = await adapter.getUserByEmail(ADA)
      expect(await adapter.listAuthenticatorsByUserId(ada?.id ?? '')).toHaveLength(1)
      expect(await adapter.listAuthenticatorsByUserId('eve')).toEqual([])
    })

    for (const [what, signIn, target] of [
      ['no', () => false, errorPage('AccessDenied')],
      ['a place to go', () => '/not-yet', `${ORIGIN}/not-yet`],
    ] as const) {
      test(`D-39: sign nobody in and store nothing if the application answers ${what}`, async () => {
        const asked: unknown[] = []
        let answer: boolean | string = true
        const { world, writes } = site({
          callbacks: {
            signIn(params) {
              asked.push(params)
              return answer
            },
          },
        })
        const phone = createAuthenticator(ORIGIN)
        await register(world, phone, ADA)
        await signOut(world)
        answer = signIn()
        writes()
        expect(
          location(await register(world, createAuthenticator(ORIGIN), 'bob@example.com')),
        ).toBe(target)
        expect(withoutLists(writes())).toEqual([])
        expect(world.jar.has('__Host-authjs.challenge')).toBe(false)
        expect(location(await authenticate(world, phone))).toBe(target)
        expect(withoutLists(writes())).toEqual(['updateAuthenticatorCounter'])
        expect(await world.session()).toBeNull()
        const account = expect.objectContaining({ provider: 'passkey', type: 'webauthn' })
        const asksFor = (email: string) => ({
          user: expect.objectContaining({ email }),
          account,
          callbackUrl: ORIGIN,
        })
        expect(asked).toEqual([asksFor(ADA), asksFor('bob@example.com'), asksFor(ADA)])
      })
    }
  })
}

describe('a response of an authenticator', () => {
  const CONFIGURATION = errorPage('Configuration')

  async function begun(): Promise<{
    world: World
    data: ReturnType<ReturnType<typeof createAuthenticator>['create']>
  }> {
    const { world } = passkeySite()
    const { options } = await optionsOf(world, { email: ADA })
    return { world, data: createAuthenticator(ORIGIN).create(options) }
  }

  for (const [what, fields, type] of [
    ['without an action', { data: '{"id":"AA","response":{}}' }, 'AuthError'],
    ['with another action', { action: 'delete', data: '{"id":"AA","response":{}}' }, 'AuthError'],
    ['without data', { action: 'register' }, 'AuthError'],
    ['without an id', { action: 'register', data: '{"response":{}}' }, 'AuthError'],
    ['with a number as id', { action: 'register', data: '{"id":1,"response":{}}' }, 'AuthError'],
    [
      'with an id that is none',
      { action: 'register', data: '{"id":"?","response":{}}' },
      'AuthError',
    ],
    ['that is a list', { action: 'register', data: '[]' }, 'AuthError'],
    ['without a response', { action: 'register', data: '{"id":"AAAA"}' }, 'AuthError'],
    ['that is no JSON', { action: 'register', data: '{' }, 'CallbackRouteError'],
  ] as const) {
    test(`is refused with ${what}`, async () => {
      const { world } = await begun()
      const answer = await world.postWithoutCsrf(CALLBACK, fields)
      expect(location(answer)).toBe(CONFIGURATION)
      expect(world.log.findLast(({ level }) => level === 'error')?.detail).toMatchObject({ type })
      expect(await world.session()).toBeNull()
    })
  }

  test('as JSON whose `data` is an object is refused', async () => {
    const { world, data } = await begun()
    const answer = await world.request(CALLBACK, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'register', data }),
    })
    expect(location(answer)).toBe(CONFIGURATION)
  })

  test('by GET is refused', async () => {
    const { world } = passkeySite()
    expect(location(await world.get(CALLBACK))).toBe(CONFIGURATION)
  })

  for (const [what, change] of [
    ['without a challenge', (world: World) => world.jar.delete('__Host-authjs.challenge')],
    ['after a quarter of an hour', (world: World) => world.advance(916)],
    [
      'with a challenge that is none',
      (world: World) => world.jar.set('__Host-authjs.challenge', 'x.y.z'),
    ],
  ] as const) {
    test(`is refused with ${what}, and the challenge is used up`, async () => {
      const { world, data } = await begun()
      const kept = new Map(world.jar)
      change(world)
      if (world.jar.has('__Host-authjs.challenge')) {
        const now = world.jar.get('__Host-authjs.challenge') ?? ''
        for (const [name, value] of kept) world.jar.set(name, value)
        world.jar.set('__Host-authjs.challenge', now)
      }
      expect(location(await send(world, 'register', data))).toBe(CONFIGURATION)
      expect(world.log.findLast(({ level }) => level === 'error')?.detail).toMatchObject({
        type: 'InvalidCheck',
      })
      expect(world.jar.has('__Host-authjs.challenge')).toBe(false)
    })
  }

  test('to a challenge of another provider is refused', async () => {
    const { world } = passkeySite({
      providers: [Passkey(), WebAuthn({ enableConditionalUI: false })],
    })
    const { options } = await optionsOf(world, { email: ADA })
    const data = createAuthenticator(ORIGIN).create(options)
    const answer = await send(world, 'register', data, {}, '/auth/callback/webauthn')
    expect(location(answer)).toBe(CONFIGURATION)
  })

  test('without a challenge leaves no challenge to use up', async () => {
    const { world, data } = await begun()
    world.jar.delete('__Host-authjs.challenge')
    const answer = await send(world, 'register', data)
    expect(location(answer)).toBe(CONFIGURATION)
    expect(challengeCookie(answer)).toBeUndefined()
  })

  test('with an unknown passkey is refused', async () => {
    const { world } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    const { options } = await optionsOf(world, { email: ADA })
    phone.create(options)
    const answer = await authenticate(world, phone)
    expect(location(answer)).toBe(CONFIGURATION)
    expect(world.log.at(-1)?.message).toBe('no user has this passkey')
  })

  for (const lost of ['account', 'user'] as const) {
    test(`with a passkey whose ${lost} is gone is refused`, async () => {
      const { world, adapter } = passkeySite()
      const phone = createAuthenticator(ORIGIN)
      await register(world, phone, ADA)
      await signOut(world)
      const method = lost === 'account' ? 'getAccount' : 'getUser'
      adapter[method] = async () => null
      expect(location(await authenticate(world, phone))).toBe(CONFIGURATION)
      const why = world.log.findLast(({ level }) => level === 'error')?.message
      expect(why).toMatch(lost === 'account' ? /has no account$/ : /has no user$/)
      expect(await world.session()).toBeNull()
    })
  }

  test('is refused if the counter cannot be stored', async () => {
    const { world, adapter } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    await signOut(world)
    adapter.updateAuthenticatorCounter = async () => {
      throw new Error('the store is gone')
    }
    expect(location(await authenticate(world, phone))).toBe(CONFIGURATION)
    expect(world.log.at(-1)?.detail).toMatchObject({ type: 'AdapterError' })
    expect(await world.session()).toBeNull()
  })

  test('of a passkey whose user handle Auth.js drew signs in', async () => {
    const { world } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    await signOut(world)
    for (const userHandle of ['ab'.repeat(32), 'cd'.repeat(40), undefined]) {
      expect(location(await authenticate(world, phone, { userHandle }))).toBe(ORIGIN)
      await signOut(world)
    }
  })

  test('signs in if the store gives users ids of its own', async () => {
    const adapter = wrapped(memoryAdapter(), (name, method) =>
      name === 'createUser' ? (user) => method({ ...(user as object), id: '4711' }) : method,
    )
    const { world } = passkeySite({ adapter })
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    expect((await adapter.getUserByEmail(ADA))?.id).toBe('4711')
    for (const expected of [ORIGIN, ORIGIN]) {
      await signOut(world)
      expect(location(await authenticate(world, phone))).toBe(expected)
    }
    const key = createAuthenticator(ORIGIN)
    await register(world, key)
    await signOut(world)
    expect(location(await authenticate(world, key))).toBe(ORIGIN)
  })

  test('signs in after the secret was rotated, from before and after', async () => {
    const { world, adapter } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    const secret = ['a new secret, 0123456789abcdefghij', String(world.config.secret)]
    const after = passkeySite({ adapter, secret }).world
    expect(location(await authenticate(after, phone))).toBe(ORIGIN)
  })
})

test('a provider of passkeys is listed with its type', async () => {
  const { world } = passkeySite()
  expect(await (await world.get('/auth/providers')).json()).toMatchObject({
    passkey: { id: 'passkey', type: 'webauthn' },
  })
})

describe('a passkey request without the name of a provider', () => {
  test('uses the only provider of passkeys', async () => {
    const { world } = passkeySite()
    const { action } = await optionsOf(world, {}, '/auth/webauthn-options')
    expect(action).toBe('authenticate')
  })

  for (const [what, providers, path] of [
    ['none', [], '/auth/webauthn-options'],
    ['two', [Passkey(), WebAuthn({ enableConditionalUI: false })], '/auth/webauthn-options'],
    ['another', [Passkey()], '/auth/webauthn-options/nobody'],
  ] as const) {
    test(`is refused with 400 and the ambient cookies if there is ${what}`, async () => {
      const { world } = passkeySite({ providers })
      const answer = await world.get(path)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({ error: expect.any(String) })
      expect(challengeCookie(answer)).toBeUndefined()
      expect(answer.headers.getSetCookie()).toHaveLength(2)
    })
  }
})

describe('the sign-in page', () => {
  const page = async (world: World): Promise<{ html: string; policy: string }> => {
    const answer = await world.get('/auth/signin')
    const policy = answer.headers.get('content-security-policy') ?? ''
    return { html: await answer.text(), policy }
  }

  test('has a form that the script shows and fills in', async () => {
    const { world } = passkeySite()
    const { html } = await page(world)
    expect(html).toMatch(
      /<form id="passkey-form" action="\/auth\/callback\/passkey" method="post" novalidate hidden data-passkey="passkey" data-autofill class="stack">/,
    )
    expect(html).toMatch(
      /<input id="input-email-for-passkey-provider" type="email" name="email"[^>]* autocomplete="username webauthn"[^>]* data-form-field /,
    )
    expect(html).toContain(
      '<button class="button main" type="submit" id="submitButton-passkey">Use a passkey</button>',
    )
    expect(html).toContain(`value="${await world.csrfToken()}"`)
    expect(html).toContain('Passkeys need a browser that supports them')
  })

  test('allows that script and nothing else to run, and to ask this site only', async () => {
    const { html, policy } = await page(passkeySite().world)
    const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    const hashes = scripts.map(([, text = '']) => {
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    })
    expect(hashes).toHaveLength(2)
    expect(policy).toContain(`script-src ${hashes.join(' ')}; connect-src 'self';`)
    expect(policy).not.toContain('unsafe')
  })

  test('has neither that script nor permission to ask this site without passkeys', async () => {
    const { html, policy } = await page(passkeySite({ providers: [] }).world)
    expect(html).not.toContain('<script')
    expect(policy).not.toMatch(/script-src|connect-src/)
    const other = await passkeySite().world.get('/auth/signout')
    expect(other.headers.get('content-security-policy')).not.toContain('connect-src')
    expect(await other.text()).not.toContain('<script')
  })

  test('offers no passkeys in the address field if `enableConditionalUI` is false', async () => {
    const { world } = passkeySite({ providers: [Passkey({ enableConditionalUI: false })] })
    expect((await page(world)).html).not.toContain('data-autofill')
  })

  test('shows the fields of the application, escaped and without event handlers', async () => {
    const formFields = {
      name: { label: '<b>Name</b>', autocomplete: 'username webauthn', onclick: 'evil()' },
    }
    const { html } = await page(passkeySite({ providers: [Passkey({ formFields })] }).world)
    expect(html).toContain('<label for="input-name-for-passkey-provider">&lt;b&gt;Name')
    expect(html).not.toContain('evil')
  })

  test('explains what went wrong', async () => {
    const { world } = passkeySite()
    const error = await world.get('/auth/error?error=WebAuthnVerificationError')
    expect(error.status).toBe(200)
    expect(await error.text()).toContain('The passkey was not accepted')
  })
})

test('POST signin leads to the page', async () => {
  const { world } = passkeySite()
  expect(location(await world.post('/auth/signin/passkey'))).toBe(`${ORIGIN}/auth/signin`)
})
