import { encode } from '@auth/core/jwt'
import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../support/authenticator.ts'
import {
  errorPage,
  location,
  ORIGIN,
  type PasskeySite,
  passkeySite,
  register,
  send,
  signOut,
} from '../support/passkeys.ts'

const ADA = 'ada@example.com'
const SECRET = 'a secret for tests, 0123456789abcdef'
const COOKIE = '__Host-authjs.challenge'

/** A site that runs now, where the other side's tokens are made. */
const site = (): PasskeySite => passkeySite({}, { startsAt: Date.now() })

/** The cookie with which Auth.js keeps a challenge, made with its own functions. */
async function keepAsAuthJs(
  token: { challenge: string; registerData?: unknown },
  { salt = 'encodedWebauthnChallenge', provider = 'passkey' } = {},
): Promise<string> {
  const value = await encode({ secret: SECRET, salt, token, maxAge: 900 })
  return encode({ secret: SECRET, salt: COOKIE, token: { value, provider }, maxAge: 900 })
}

const challenge = Buffer.alloc(32, 3).toString('base64url')
const creation = { challenge, rp: { id: 'app.example' }, user: { id: 'ab'.repeat(32) } }

describe('a passkey ceremony that began at Auth.js', () => {
  test('creates a passkey at Latchkey', async () => {
    const { world, adapter } = site()
    world.jar.set(COOKIE, await keepAsAuthJs({ challenge, registerData: { email: ADA } }))
    const answer = createAuthenticator(ORIGIN).create(creation)
    expect(location(await send(world, 'register', answer))).toBe(ORIGIN)
    expect(await adapter.getUserByEmail(ADA)).toMatchObject({ email: ADA, emailVerified: null })
  })

  test('signs in at Latchkey, although its user handle was not stored', async () => {
    const { world } = site()
    const phone = createAuthenticator(ORIGIN)
    world.jar.set(COOKIE, await keepAsAuthJs({ challenge, registerData: { email: ADA } }))
    await send(world, 'register', phone.create(creation))
    await signOut(world)
    world.jar.set(COOKIE, await keepAsAuthJs({ challenge }))
    const answer = phone.get({ challenge, rpId: 'app.example' })
    expect(location(await send(world, 'authenticate', answer))).toBe(ORIGIN)
    expect((await world.session())?.user?.['email']).toBe(ADA)
  })

  test('adds the passkey to the user who began it, and to nobody else', async () => {
    const { world, adapter } = site()
    await register(world, createAuthenticator(ORIGIN), ADA)
    const ada = await adapter.getUserByEmail(ADA)
    const registerData = { id: ada?.id, email: ADA }
    const own = await keepAsAuthJs({ challenge, registerData })
    world.jar.set(COOKIE, own)
    const answer = createAuthenticator(ORIGIN).create(creation)
    expect(location(await send(world, 'register', answer))).toBe(ORIGIN)
    expect(await adapter.listAuthenticatorsByUserId(ada?.id ?? '')).toHaveLength(2)

    await signOut(world)
    await register(world, createAuthenticator(ORIGIN), 'eve@example.com')
    world.jar.set(COOKIE, await keepAsAuthJs({ challenge, registerData }))
    const other = createAuthenticator(ORIGIN).create(creation)
    expect(location(await send(world, 'register', other))).toBe(
      `${ORIGIN}/auth/signin?error=AccountNotLinked`,
    )
  })

  test('is completed once', async () => {
    const { world } = site()
    const cookie = await keepAsAuthJs({ challenge, registerData: { email: ADA } })
    const answer = createAuthenticator(ORIGIN).create(creation)
    world.jar.set(COOKIE, cookie)
    await send(world, 'register', answer)
    world.jar.set(COOKIE, cookie)
    expect(location(await send(world, 'register', answer))).toBe(errorPage('Configuration'))
  })

  for (const [what, sealed] of [
    ['another purpose', { salt: 'encodedState' }],
    ['another provider', { provider: 'webauthn' }],
  ] as const) {
    test(`is refused when it was sealed for ${what}`, async () => {
      const { world } = site()
      world.jar.set(COOKIE, await keepAsAuthJs({ challenge, registerData: { email: ADA } }, sealed))
      const answer = createAuthenticator(ORIGIN).create(creation)
      expect(location(await send(world, 'register', answer))).toBe(errorPage('Configuration'))
    })
  }
})
