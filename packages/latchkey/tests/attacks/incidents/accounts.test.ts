/** What happened to other libraries with accounts and passkeys, tried here: each under the id of its public advisory. */
import { afterEach, describe, expect, test } from 'vitest'
import { attestingSite, makeChain, trust } from '../../support/attestation-chain.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import {
  authenticate,
  location,
  ORIGIN,
  optionsOf,
  passkeySite,
  register,
  send,
  signOut,
} from '../../support/passkeys.ts'
import { acme, createSite, errorOf, providerSignIn } from '../support/site.ts'

const ADA = 'ada@example.com'
const EVE = 'eve@evil.example'

describe('accounts that join', () => {
  const VICTIM = 'victim@example.com'

  /** A provider that has proved the address, where somebody is known by it already. */
  async function signInOver(emailVerified: Date | null, linking: boolean | 'proven') {
    const provider = acme({
      allowDangerousEmailAccountLinking: linking,
      userinfo: {
        url: 'https://acme.example/user',
        request: () => ({ id: 'victim', email: VICTIM, email_verified: true }),
      },
    })
    const { world, adapter } = await createSite({ config: { providers: [provider] } })
    await adapter.createUser?.({ id: 'there before', email: VICTIM, emailVerified })
    const error = errorOf(await providerSignIn(world, 'acme', 'victim'))
    const account = await adapter.getAccount?.('victim', 'acme')
    const user = await adapter.getUser?.('there before')
    return { error, owner: account?.userId, emailVerified: user?.emailVerified }
  }

  test.each([false, 'proven'] as const)(
    'GHSA-g38m-r43w-p2q7: do not join a user who signed up with the same unproven address before (%s)',
    async (linking) => {
      expect(await signInOver(null, linking)).toEqual({
        error: 'OAuthAccountNotLinked',
        owner: undefined,
        emailVerified: null,
      })
    },
  )

  test('belong to the user who has proved the address here', async () => {
    const proved = new Date(0)
    const joined = { error: null, owner: 'there before', emailVerified: proved }
    expect(await signInOver(proved, 'proven')).toEqual(joined)
  })
})

describe('credentials that are made', () => {
  test('CVE-2025-61928: belong to the signed-in user, even if a request names another one', async () => {
    const { world, adapter } = passkeySite()
    const adas = createAuthenticator(ORIGIN)
    await register(world, adas, ADA)
    const ada = (await adapter.getUserByEmail(ADA))?.id ?? ''
    const before = await adapter.listAuthenticatorsByUserId(ada)
    const claims = { userId: ada, user: ada, id: ada, newUserId: ada, sub: ada }

    const [stranger, signedIn] = [world.otherBrowser(), world.otherBrowser()]
    await register(signedIn, createAuthenticator(ORIGIN), EVE)
    for (const [eve, more] of [
      [stranger, { email: `second.${EVE}` }],
      [signedIn, {}],
    ] as const) {
      const phone = createAuthenticator(ORIGIN)
      const { options } = await optionsOf(eve, { action: 'register', ...more, ...claims })
      const answer = await send(eve, 'register', phone.create(options), claims)
      expect(location(answer)).toBe(ORIGIN)
      await signOut(eve)
      await authenticate(eve, phone)
      expect((await eve.session())?.user?.['email']).toMatch(EVE)
    }
    expect(await adapter.listAuthenticatorsByUserId(ada)).toEqual(before)
    await signOut(world)
    await authenticate(world, adas)
    expect((await world.session())?.user?.['email']).toBe(ADA)
  })
})

describe('passkeys', () => {
  test('without an id, challenges in a race: one with many simultaneous responses makes one session', async () => {
    const { world, calls } = passkeySite()
    const phone = createAuthenticator(ORIGIN)
    await register(world, phone, ADA)
    await signOut(world)
    const { options } = await optionsOf(world, { action: 'authenticate' })
    const answer = phone.get(options)
    calls.splice(0)
    const ends = await Promise.all(
      Array.from({ length: 20 }, () => send(world, 'authenticate', answer)),
    )
    expect(ends.filter((end) => location(end) === ORIGIN)).toHaveLength(1)
    expect(calls.filter(([name]) => name === 'createSession')).toHaveLength(1)
  })

  describe('June 2026, without an id: an attestation that brings its own root', () => {
    afterEach(() => trust())

    test.each(['another root', 'no root'])('is refused while %s is trusted', async (trusted) => {
      const { attest } = await makeChain()
      if (trusted === 'another root') trust((await makeChain()).root)
      const { world, adapter } = attestingSite()
      const attestation = attest('both')
      await register(world, createAuthenticator(ORIGIN), EVE, { attestation })
      expect([await world.session(), await adapter.getUserByEmail(EVE)]).toEqual([null, null])
    })

    test('is accepted while that root is trusted', async () => {
      const { root, attest } = await makeChain()
      trust(root)
      const { world } = attestingSite()
      const attestation = attest('leaf')
      await register(world, createAuthenticator(ORIGIN), EVE, { attestation })
      expect((await world.session())?.user?.['email']).toBe(EVE)
    })
  })
})
