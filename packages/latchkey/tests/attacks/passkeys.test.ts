import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { atomic } from '../../src/model/adapter.ts'
import { storedCredentialId } from '../../src/protocols/webauthn/credential-id.ts'
import { createUserHandle, readUserHandle } from '../../src/protocols/webauthn/user-handle.ts'
import Passkey from '../../src/providers/passkey.ts'
import WebAuthn from '../../src/providers/webauthn.ts'
import { type Attest, attestingSite, makeChain, trust } from '../support/attestation-chain.ts'
import {
  type Cbor,
  createAuthenticator,
  type Mutation,
  makeKey,
  type SoftAuthenticator,
  signWith,
} from '../support/authenticator.ts'
import {
  authenticate,
  CALLBACK,
  errorPage,
  location,
  OPTIONS,
  ORIGIN,
  optionsOf,
  type PasskeySite,
  passkeySite,
  register,
  send,
  signOut,
} from '../support/passkeys.ts'
import { wrapped } from '../support/recording.ts'

const ADA = 'ada@example.com'
const EVE = 'eve@evil.example'
const CHALLENGE = '__Host-authjs.challenge'
const SESSION = '__Secure-authjs.session-token'
const UNVERIFIED = errorPage('WebAuthnVerificationError')
const CONFIGURATION = errorPage('Configuration')
const SECRET = 'a secret for tests, 0123456789abcdef'

/** Ada has a passkey and is signed out. */
async function adasSite(
  options: { counts?: boolean } = {},
  config: Parameters<typeof passkeySite>[0] = {},
): Promise<PasskeySite & { phone: SoftAuthenticator }> {
  const site = passkeySite(config)
  const phone = createAuthenticator(ORIGIN, options)
  await register(site.world, phone, ADA)
  await signOut(site.world)
  return { ...site, phone }
}

/** Where an answer leads, and whose session there is after it. */
async function endOf(
  answer: Response,
  { world }: PasskeySite,
): Promise<{ to: string | null; user: unknown }> {
  return { to: location(answer), user: (await world.session())?.user?.['email'] }
}

function refused(to: string): object {
  return { to, user: undefined }
}

describe('T-PK-1: a challenge', () => {
  test('has 32 random bytes', async () => {
    const { world } = passkeySite()
    const drawn = new Set<string>()
    for (let i = 0; i < 50; i++) {
      const { challenge } = (await optionsOf(world)).options
      expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
      drawn.add(challenge)
    }
    expect(drawn.size).toBe(50)
  })

  test('of a registration is not accepted for a sign-in', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const { options } = await optionsOf(world, { email: EVE })
    expect(
      await endOf(
        await send(world, 'authenticate', phone.get({ ...options, rpId: 'app.example' })),
        site,
      ),
    ).toEqual(refused(CONFIGURATION))
  })

  test('of a sign-in is not accepted for a registration', async () => {
    const site = await adasSite()
    const { options } = await optionsOf(site.world)
    const rp = { id: 'app.example' }
    const answer = createAuthenticator(ORIGIN).create({ ...options, rp })
    expect(await endOf(await send(site.world, 'register', answer), site)).toEqual(
      refused(CONFIGURATION),
    )
    const logged = site.world.log.findLast(({ level }) => level === 'error')
    expect(logged?.message).toBe(
      'the challenge was created for a sign-in, not for a registration; request new options',
    )
  })

  for (const action of ['register', 'authenticate'] as const) {
    test(`D-40: is used once, to ${action}`, async () => {
      const site = await adasSite()
      const { world } = site
      const phone = action === 'register' ? createAuthenticator(ORIGIN) : site.phone
      const { options } = await optionsOf(world, action === 'register' ? { email: EVE } : {})
      const answer = action === 'register' ? phone.create(options) : phone.get(options)
      const kept = new Map(world.jar)
      expect(location(await send(world, action, answer))).toBe(ORIGIN)
      await signOut(world)
      for (const [name, value] of kept) world.jar.set(name, value)
      expect(await endOf(await send(world, action, answer), site)).toEqual(refused(CONFIGURATION))
      expect(world.log.findLast(({ level }) => level === 'error')?.detail).toMatchObject({
        type: 'InvalidCheck',
      })
    })
  }

  test('is used up by a wrong response', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const { options } = await optionsOf(world)
    const kept = new Map(world.jar)
    const wrong = phone.get(options, { origin: 'https://evil.example' })
    expect(await endOf(await send(world, 'authenticate', wrong), site)).toEqual(refused(UNVERIFIED))
    expect(world.jar.has(CHALLENGE)).toBe(false)
    for (const [name, value] of kept) world.jar.set(name, value)
    const right = phone.get(options)
    expect(await endOf(await send(world, 'authenticate', right), site)).toEqual(
      refused(CONFIGURATION),
    )
  })

  test('T-AUD-1: is not in the log, even after a response to another one', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const { options } = await optionsOf(world)
    await send(world, 'authenticate', phone.get(options, { challenge: 'AAAA' }))
    await register(world, createAuthenticator(ORIGIN), EVE, { challenge: 'AAAA' })
    const log = world.log.map(({ message, detail }) => `${message} ${inspect(detail)}`).join('\n')
    expect(log).toContain('another challenge')
    expect(log).not.toContain(options.challenge)
  })

  test('T-SESS-8: is not accepted as a session, and a session is not accepted as a challenge', async () => {
    const site = await adasSite({}, { session: { strategy: 'jwt' } })
    const { world, phone } = site
    await authenticate(world, phone)
    const session = world.jar.get(SESSION) ?? ''
    await signOut(world)
    const { options } = await optionsOf(world)
    world.jar.set(SESSION, world.jar.get(CHALLENGE) ?? '')
    expect(await world.session()).toBeNull()
    world.jar.set(CHALLENGE, session)
    const answer = await send(world, 'authenticate', phone.get(options))
    expect(await endOf(answer, site)).toEqual(refused(CONFIGURATION))
  })

  test('of another browser is refused', async () => {
    const site = await adasSite()
    const { options } = await optionsOf(site.world.otherBrowser())
    await optionsOf(site.world)
    const answer = site.phone.get(options)
    expect(await endOf(await send(site.world, 'authenticate', answer), site)).toEqual(
      refused(UNVERIFIED),
    )
  })

  test('is refused if another site sends the form', async () => {
    const site = await adasSite()
    const { world, phone } = site
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-site', origin: ORIGIN },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      const { options } = await optionsOf(world)
      const answer = await world.request(CALLBACK, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ action: 'authenticate', data: JSON.stringify(phone.get(options)) }),
      })
      expect(await endOf(answer, site)).toEqual(refused(`${ORIGIN}/auth/signin?error=MissingCSRF`))
    }
  })
})

describe('T-OTV-1: of 50 parallel uses of a challenge exactly one succeeds:', () => {
  for (const [action, counts] of [
    ['register', false],
    ['authenticate', false],
    ['authenticate', true],
  ] as const) {
    test(`${action}, with an authenticator that counts ${counts ? '' : 'no '}signatures`, async () => {
      const site = await adasSite({ counts })
      const { world } = site
      const phone = action === 'register' ? createAuthenticator(ORIGIN) : site.phone
      const { options } = await optionsOf(world, action === 'register' ? { email: EVE } : {})
      const answer = action === 'register' ? phone.create(options) : phone.get(options)
      site.calls.splice(0)
      const ends = await Promise.all(Array.from({ length: 50 }, () => send(world, action, answer)))
      expect(ends.filter((end) => location(end) === ORIGIN)).toHaveLength(1)
      expect(ends.filter((end) => location(end) === CONFIGURATION)).toHaveLength(49)
      expect(site.calls.filter(([name]) => name === 'createSession')).toHaveLength(1)
      expect(site.calls.filter(([name]) => name === 'createAuthenticator')).toHaveLength(
        action === 'register' ? 1 : 0,
      )
    })
  }

  test('of 20 parallel registrations of one passkey, each with a challenge of its own, one succeeds', async () => {
    const site = passkeySite()
    const id = Buffer.alloc(16, 7).toString('base64url')
    const ends = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const world = site.world.otherBrowser()
        return register(world, createAuthenticator(ORIGIN), `user${i}@example.com`, { id })
      }),
    )
    expect(ends.filter((end) => location(end) === ORIGIN)).toHaveLength(1)
    const authenticator = await site.adapter.getAuthenticator(storedCredentialId(id) ?? '')
    const users = await Promise.all(
      Array.from({ length: 20 }, (_, i) => site.adapter.getUserByEmail(`user${i}@example.com`)),
    )
    expect(users.filter(Boolean).map((user) => user?.id)).toEqual([authenticator?.userId])
  })
})

/** One wrong thing each; what all of them share is that nothing else is wrong. */
const mutations: Readonly<Record<string, Mutation>> = {
  'another type': { type: 'webauthn.other' },
  'another challenge': { challenge: Buffer.alloc(32, 1).toString('base64url') },
  'an empty challenge': { challenge: '' },
  'an origin of another host': { origin: 'https://evil.example' },
  'an origin that only begins like ours': { origin: `${ORIGIN}.evil.example` },
  'an origin that only ends like ours': { origin: 'https://evil-app.example' },
  'an origin below ours': { origin: 'https://sub.app.example' },
  'an origin over http': { origin: 'http://app.example' },
  'an origin with a port': { origin: `${ORIGIN}:8443` },
  'an origin with a slash': { origin: `${ORIGIN}/` },
  'an origin in capitals': { origin: 'https://APP.example' },
  'no origin': { origin: 'null' },
  'a frame of another site': { crossOrigin: true },
  'a frame of another site that is named': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'a top origin alone': { topOrigin: ORIGIN },
  'the RP id of another site': { rpId: 'evil.example' },
  'the RP id above ours': { rpId: 'example' },
  'nobody present': { userPresent: false },
  'nobody verified': { userVerified: false },
  'a backup that is not possible': { backupEligible: false, backedUp: true },
  'a raw id that is another': { rawId: 'AAAA' },
  'another type of credential': { credentialType: 'password' },
}

describe('T-PK-2: a passkey is refused', () => {
  const more: Readonly<Record<string, Mutation>> = {
    ...mutations,
    'the type of the other ceremony': { type: 'webauthn.create' },
    'the key of somebody else': { key: makeKey(-7).privateKey },
    'another possibility of backups than before': { backupEligible: false },
  }
  for (const [what, mutation] of Object.entries(more)) {
    test(`with ${what}`, async () => {
      const site = await adasSite()
      site.writes()
      expect(await endOf(await authenticate(site.world, site.phone, mutation), site)).toEqual(
        refused(UNVERIFIED),
      )
      expect(site.writes().filter((name) => name !== 'listAuthenticatorsByUserId')).toEqual([])
      expect(await signsIn(site)).toBe(ADA)
    })
  }

  for (const member of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
    test(`with a ${member} that was changed, or is missing`, async () => {
      const site = await adasSite()
      for (const change of [flipped, () => '', () => undefined, () => 7, () => '????']) {
        const { options } = await optionsOf(site.world)
        const answer = site.phone.get(options)
        answer.response[member] = change(String(answer.response[member]))
        expect(await endOf(await send(site.world, 'authenticate', answer), site)).toEqual(
          refused(UNVERIFIED),
        )
      }
      expect(await signsIn(site)).toBe(ADA)
    })
  }

  test('with a counter that does not move, or moves back', async () => {
    const site = await adasSite({ counts: true })
    const { world, phone } = site
    for (let i = 0; i < 3; i++) {
      await authenticate(world, phone)
      await signOut(world)
    }
    for (const counter of [3, 2, 0]) {
      expect(await endOf(await authenticate(world, phone, { counter }), site)).toEqual(
        refused(UNVERIFIED),
      )
    }
    expect(await signsIn(site)).toBe(ADA)
  })

  test('of another user than the one who was named', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const eves = createAuthenticator(ORIGIN)
    await register(world, eves, EVE)
    await signOut(world)
    for (const action of [undefined, 'authenticate']) {
      const params = { email: ADA, ...(action ? { action } : {}) }
      const { options } = await optionsOf(world, params)
      const answer = eves.get({ ...options, allowCredentials: [] })
      expect(await endOf(await send(world, 'authenticate', answer), site)).toEqual(
        refused(UNVERIFIED),
      )
    }
    const { options } = await optionsOf(world, {
      email: 'nobody@example.com',
      action: 'authenticate',
    })
    const answer = phone.get({ ...options, allowCredentials: [] })
    expect(await endOf(await send(world, 'authenticate', answer), site)).toEqual(
      refused(UNVERIFIED),
    )
  })

  test('from an origin that is not listed', async () => {
    const app = 'https://m.app.example'
    const relayingParty = { id: 'app.example', name: 'Site', origin: [ORIGIN, app] }
    const site = await adasSite({}, { providers: [Passkey({ relayingParty })] })
    const { world, phone } = site
    expect(location(await authenticate(world, phone, { origin: app }))).toBe(ORIGIN)
    await signOut(world)
    const answer = await authenticate(world, phone, { origin: 'https://n.app.example' })
    expect(await endOf(answer, site)).toEqual(refused(UNVERIFIED))
  })
})

test('PUB-8: the log names the option for the origin of an Android app', async () => {
  const app = 'android:apk-key-hash:pNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck'
  const site = await adasSite()
  expect(await endOf(await authenticate(site.world, site.phone, { origin: app }), site)).toEqual(
    refused(UNVERIFIED),
  )
  const logged = site.world.log.map(({ message }) => message).join('\n')
  expect(logged).toContain(`the passkey was used in the app "${app}"`)
  expect(logged).toContain('add that origin to `relayingParty.origin`')
})

test('T-PK-2: a visitor who was not verified is let in if the application allows it', async () => {
  const options = { requireUserVerification: false }
  const { world } = passkeySite({
    providers: [
      Passkey({ verifyAuthenticationOptions: options, verifyRegistrationOptions: options }),
    ],
  })
  const key = createAuthenticator(ORIGIN)
  expect(location(await register(world, key, ADA, { userVerified: false }))).toBe(ORIGIN)
  await signOut(world)
  expect(location(await authenticate(world, key, { userVerified: false }))).toBe(ORIGIN)
})

describe('T-PK-2: a registration is refused', () => {
  const more: Readonly<Record<string, Mutation & { algorithm?: -35 }>> = {
    ...mutations,
    'the type of the other ceremony': { type: 'webauthn.get' },
    'an algorithm that was not offered': { algorithm: -35 },
    'a credential id that is too long': { id: Buffer.alloc(1024, 1).toString('base64url') },
  }
  for (const [what, mutation] of Object.entries(more)) {
    test(`with ${what}`, async () => {
      const site = passkeySite()
      const answer = await register(site.world, createAuthenticator(ORIGIN), EVE, mutation)
      const expected = what.includes('too long') ? CONFIGURATION : UNVERIFIED
      expect(await endOf(answer, site)).toEqual(refused(expected))
      expect(site.writes().filter((name) => name !== 'listAuthenticatorsByUserId')).toEqual([])
    })
  }

  test('with an attestation object that was changed, or is missing', async () => {
    const site = passkeySite()
    for (const change of ['', undefined, 7, '????', 'AAAA']) {
      const { options } = await optionsOf(site.world, { email: EVE })
      const answer = createAuthenticator(ORIGIN).create(options)
      answer.response['attestationObject'] = change
      expect(await endOf(await send(site.world, 'register', answer), site)).toEqual(
        refused(UNVERIFIED),
      )
    }
  })

  test('only in part if some transports are invalid: the valid ones are stored', async () => {
    const site = passkeySite()
    const transports = ['internal', 'a,b', '', '\r\nset-cookie: x', 'x'.repeat(50)]
    const phone = createAuthenticator(ORIGIN)
    await register(site.world, phone, EVE, { transports })
    const id = storedCredentialId(phone.credentials[0]?.id ?? '') ?? ''
    expect((await site.adapter.getAuthenticator(id))?.transports).toBe('internal')
  })
})

describe('T-PK-3: a registered passkey', () => {
  test('D-38: cannot be registered by a visitor, and still works', async () => {
    const site = await adasSite()
    const { world, phone, adapter } = site
    const id = phone.credentials[0]?.id ?? ''
    const before = await adapter.getAuthenticator(storedCredentialId(id) ?? '')
    const answer = await register(world, createAuthenticator(ORIGIN), EVE, { id })
    expect(await endOf(answer, site)).toEqual(refused(UNVERIFIED))
    expect(await adapter.getUserByEmail(EVE)).toBeNull()
    expect(await adapter.getAuthenticator(storedCredentialId(id) ?? '')).toEqual(before)
    expect(await signsIn(site)).toBe(ADA)
  })

  test('cannot be registered by another signed-in user', async () => {
    const site = await adasSite()
    const { world, phone, adapter } = site
    const id = phone.credentials[0]?.id ?? ''
    await register(world, createAuthenticator(ORIGIN), EVE)
    expect(location(await register(world, createAuthenticator(ORIGIN), undefined, { id }))).toBe(
      UNVERIFIED,
    )
    const eve = await adapter.getUserByEmail(EVE)
    expect(await adapter.listAuthenticatorsByUserId(eve?.id ?? '')).toHaveLength(1)
  })

  test('cannot be registered under another name than the attested one', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const id = phone.credentials[0]?.id ?? ''
    const { options } = await optionsOf(world, { email: EVE })
    const answer = createAuthenticator(ORIGIN).create(options, { id })
    const other = Buffer.alloc(32, 9).toString('base64url')
    expect(
      await endOf(await send(world, 'register', { ...answer, id: other, rawId: other }), site),
    ).toEqual(refused(UNVERIFIED))
    expect(await signsIn(site)).toBe(ADA)
  })

  for (const who of ['somebody new', 'somebody who is signed in']) {
    test(`of another user's account is not given to ${who}, even if the store lost the credential`, async () => {
      const site = await adasSite()
      const { world, phone, adapter } = site
      const id = phone.credentials[0]?.id ?? ''
      const ada = await adapter.getUserByEmail(ADA)
      if (who !== 'somebody new') await register(world, createAuthenticator(ORIGIN), EVE)
      adapter.getAuthenticator = async () => null
      site.writes()
      const email = who === 'somebody new' ? EVE : undefined
      const answer = await register(world, createAuthenticator(ORIGIN), email, { id })
      expect(location(answer)).toBe(`${ORIGIN}/auth/signin?error=AccountNotLinked`)
      expect(site.writes()).not.toContain('createAuthenticator')
      const account = await adapter.getAccount(storedCredentialId(id) ?? '', 'passkey')
      expect(account?.userId).toBe(ada?.id)
    })
  }

  for (const who of ['somebody new', 'somebody who is signed in']) {
    test(`T-DATA-3: that a store without transactions cannot keep leaves no account of ${who}`, async () => {
      let isFull = false
      const { [atomic]: _, ...store } = memoryAdapter()
      const adapter = wrapped(store, (name, method) => (...args) => {
        if (name === 'createAuthenticator' && isFull) throw new Error('no room for passkeys')
        return method(...args)
      })
      const site = passkeySite({ adapter })
      const { world } = site
      if (who !== 'somebody new') await register(world, createAuthenticator(ORIGIN), ADA)
      isFull = true
      const phone = createAuthenticator(ORIGIN)
      const email = who === 'somebody new' ? EVE : undefined
      expect(location(await register(world, phone, email))).toBe(CONFIGURATION)
      const id = storedCredentialId(phone.credentials[0]?.id ?? '') ?? ''
      expect(await adapter.getAccount(id, 'passkey')).toBeNull()
      expect(await adapter.getUserByEmail(EVE)).toBeNull()
      isFull = false
      expect(location(await register(world, createAuthenticator(ORIGIN), email))).toBe(ORIGIN)
    })
  }

  test('with an address that was taken meanwhile makes no user, whether or not the store would accept one', async () => {
    const store = memoryAdapter()
    const made: unknown[] = []
    const adapter = wrapped(store, (name, method) =>
      name === 'createUser' ? async (user) => made.push(user) && user : method,
    )
    const { world } = passkeySite({ adapter })
    const { options } = await optionsOf(world, { email: EVE })
    await store.createUser?.({ id: 'eve', email: EVE, emailVerified: null })
    const answer = createAuthenticator(ORIGIN).create(options)
    expect(location(await send(world, 'register', answer))).toBe(
      `${ORIGIN}/auth/signin?error=AccountNotLinked`,
    )
    expect(made).toEqual([])
    expect(await world.session()).toBeNull()
    expect(await adapter.listAuthenticatorsByUserId('eve')).toEqual([])
  })

  test('T-LINK-4: of five with one address at once makes one user, whether or not the store would accept more', async () => {
    const made: unknown[] = []
    const { [atomic]: _, ...plain } = memoryAdapter()
    const adapter = wrapped(plain, (name, method) => async (...args) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (name === 'createUser') made.push(args)
      return method(...args)
    })
    const { world } = passkeySite({ adapter })
    const ready = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = world.otherBrowser()
        const { options } = await optionsOf(browser, { email: EVE })
        return [browser, createAuthenticator(ORIGIN).create(options)] as const
      }),
    )
    const ends = await Promise.all(ready.map(([browser, made]) => send(browser, 'register', made)))
    const taken = `${ORIGIN}/auth/signin?error=AccountNotLinked`
    const others = ends.map(location).filter((end) => end !== ORIGIN)
    expect(others).toEqual([taken, taken, taken, taken])
    expect(made).toHaveLength(1)
  })

  test('cannot be registered a second time by its owner', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const id = phone.credentials[0]?.id ?? ''
    await authenticate(world, phone)
    expect(location(await register(world, createAuthenticator(ORIGIN), undefined, { id }))).toBe(
      UNVERIFIED,
    )
  })

  test('is found in each spelling of its id', () => {
    for (const [id, stored] of [
      ['-_8', '+/8='],
      ['+/8=', '+/8='],
      ['AA', 'AA=='],
      ['AB', undefined],
      ['', undefined],
      ['A', undefined],
      ['AA AA', undefined],
      ['AA\u0000', undefined],
    ] as const) {
      expect(storedCredentialId(id)).toBe(stored)
    }
  })
})

describe('T-PK-4: the user handle', () => {
  test('of another user is refused', async () => {
    const site = await adasSite()
    const { world, phone } = site
    const eves = createAuthenticator(ORIGIN)
    await register(world, eves, EVE)
    await signOut(world)
    const [adas] = phone.credentials
    const answer = await authenticate(world, eves, { userHandle: adas?.userHandle })
    expect(await endOf(answer, site)).toEqual(refused(UNVERIFIED))
    const other = await authenticate(world, phone, {
      userHandle: eves.credentials[0]?.userHandle,
    })
    expect(await endOf(other, site)).toEqual(refused(UNVERIFIED))
    expect(await signsIn(site)).toBe(ADA)
  })

  test('never decides which user is signed in', async () => {
    const site = await adasSite()
    const { world } = site
    const eves = createAuthenticator(ORIGIN)
    await register(world, eves, EVE)
    await signOut(world)
    await authenticate(world, eves, { userHandle: 'a handle of Auth.js, or none of ours' })
    expect((await world.session())?.user?.['email']).toBe(EVE)
  })

  test('must belong to the user of the account, or the sign-in fails', async () => {
    const site = await adasSite()
    const { adapter, world, phone } = site
    const eve = await adapter.createUser({ id: 'eve', email: EVE, emailVerified: null })
    const found = adapter.getAccount.bind(adapter)
    adapter.getAccount = async (id, provider) => {
      const account = await found(id, provider)
      return account && { ...account, userId: eve.id }
    }
    expect(await endOf(await authenticate(world, phone), site)).toEqual(refused(CONFIGURATION))
  })

  test('is compared with the stored credential, also in a store that ignores case', async () => {
    const site = await adasSite()
    const { adapter, world, phone } = site
    const adas = await adapter.getAuthenticator(
      storedCredentialId(phone.credentials[0]?.id ?? '') ?? '',
    )
    adapter.getAuthenticator = async () => adas
    const id = Buffer.alloc(32, 5).toString('base64url')
    const answer = await authenticate(world, phone, { id })
    expect(await endOf(answer, site)).toEqual(refused(CONFIGURATION))
    const logged = world.log.findLast(({ level }) => level === 'error')
    expect(logged?.message).toBe('no user has this passkey')
  })

  test('is read for the provider where the passkey was registered', async () => {
    const site = await adasSite(
      {},
      { providers: [Passkey(), WebAuthn({ enableConditionalUI: false })] },
    )
    const { world, phone } = site
    const { options } = await optionsOf(world, {}, '/auth/webauthn-options/webauthn')
    const answer = phone.get(options)
    const end = await send(world, 'authenticate', answer, {}, '/auth/callback/webauthn')
    expect(await endOf(end, site)).toEqual(refused(CONFIGURATION))
    expect(await signsIn(site)).toBe(ADA)
  })

  test('is the same for each passkey of a user, and shows no address', async () => {
    const site = await adasSite()
    const { world, phone, adapter } = site
    await authenticate(world, phone)
    const key = createAuthenticator(ORIGIN)
    await register(world, key)
    const handle = key.credentials[0]?.userHandle ?? ''
    expect(handle).toBe(phone.credentials[0]?.userHandle)
    const ada = await adapter.getUserByEmail(ADA)
    expect(await readUserHandle(handle, [SECRET])).toEqual({ kind: 'id', id: ada?.id })
  })

  test('cannot be made without the secret', async () => {
    const id = '6f1f3b0e-7c1a-4c6e-9d5b-2a2b0f4f3a11'
    const handle = await createUserHandle(id, 'another secret, 0123456789abcdefgh')
    expect(await readUserHandle(handle, [SECRET])).toEqual({ kind: 'foreign' })
    const ours = await createUserHandle(id, SECRET)
    expect(await readUserHandle(ours, ['new', SECRET])).toEqual({ kind: 'id', id })
    const changed = (ours.startsWith('0') ? '1' : '0') + ours.slice(1)
    expect(await readUserHandle(changed, [SECRET])).toEqual({ kind: 'foreign' })
  })

  test('of an id that is not a UUID is a hash of the id', async () => {
    const handle = await createUserHandle('ada', SECRET)
    expect(handle).toMatch(/^[0-9a-f]{64}$/)
    const owner = await readUserHandle(handle, [SECRET])
    expect(owner.kind === 'hash' && (await owner.is('ada'))).toBe(true)
    expect(owner.kind === 'hash' && (await owner.is('eve'))).toBe(false)
  })

  test('of another user is refused if ids are not UUIDs', async () => {
    const site = passkeySite({
      providers: [
        Passkey({
          getUserInfo: (_context, { query: { email } }) =>
            email === undefined ? null : { user: { id: `id of ${email}`, email }, exists: false },
        }),
      ],
    })
    const { world, adapter } = site
    const devices: SoftAuthenticator[] = []
    for (const email of [ADA, EVE]) {
      await register(world, createAuthenticator(ORIGIN), email)
      const second = createAuthenticator(ORIGIN)
      await register(world, second)
      devices.push(second)
      await signOut(world)
    }
    const [adas, eves] = devices
    if (!adas || !eves) throw new Error('there are two')
    const userHandle = adas.credentials[0]?.userHandle
    expect((await adapter.getUserByEmail(EVE))?.id).toBe(`id of ${EVE}`)
    expect(await endOf(await authenticate(world, eves, { userHandle }), site)).toEqual(
      refused(UNVERIFIED),
    )
    expect(location(await authenticate(world, eves))).toBe(ORIGIN)
  })
})

describe('T-PK-5: with a required attestation', () => {
  afterEach(() => trust())

  test('a chain that ends at a trusted root is accepted', async () => {
    const { root, attest } = await makeChain()
    trust(root)
    const answer = await register(attestingSite().world, createAuthenticator(ORIGIN), EVE, {
      attestation: attest('leaf'),
    })
    expect(location(answer)).toBe(ORIGIN)
  })

  for (const trusted of ['another root', 'no root'] as const) {
    test(`a chain with a root of its own is refused while ${trusted} is trusted`, async () => {
      const { attest } = await makeChain()
      if (trusted === 'another root') trust((await makeChain()).root)
      const site = attestingSite()
      const answer = await register(site.world, createAuthenticator(ORIGIN), EVE, {
        attestation: attest('both'),
      })
      expect(await endOf(answer, site)).toEqual(refused(UNVERIFIED))
    })
  }

  test('a missing attestation is refused, and so is a self-attestation', async () => {
    trust((await makeChain()).root)
    const self: Attest = ({ authenticatorData, clientDataHash, credential }) => [
      'packed',
      new Map<Cbor, Cbor>([
        ['alg', -7],
        [
          'sig',
          signWith(-7, credential.privateKey, Buffer.concat([authenticatorData, clientDataHash])),
        ],
      ]),
    ]
    for (const mutation of [{}, { attestation: self }]) {
      const site = attestingSite()
      const answer = await register(site.world, createAuthenticator(ORIGIN), EVE, mutation)
      expect(await endOf(answer, site)).toEqual(refused(UNVERIFIED))
      // Where nobody asked for one, it does no harm.
      const other = passkeySite().world
      const taken = await register(other, createAuthenticator(ORIGIN), EVE, mutation)
      expect(location(taken)).toBe(ORIGIN)
    }
  })
})

describe('T-PK-6: the options of an authentication', () => {
  async function shapeOf(site: PasskeySite, email: string): Promise<unknown> {
    const answer = await site.world
      .otherBrowser()
      .get(`${OPTIONS}?action=authenticate&email=${email}`)
    const body = JSON.parse(await answer.text())
    const { allowCredentials, challenge, ...rest } = body.options
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.length)
    return {
      status: answer.status,
      members: Object.keys(body.options),
      rest,
      challenge: challenge.length,
      credentials: allowCredentials.map((one: Record<string, unknown>) => Object.keys(one)),
      cookies,
      headers: [...answer.headers.keys()],
    }
  }

  test('look the same for a user with a passkey, a user without, and an unknown address', async () => {
    const site = await adasSite()
    await site.adapter.createUser({ id: 'bob', email: 'bob@example.com', emailVerified: null })
    const known = await shapeOf(site, ADA)
    expect(known).toMatchObject({ status: 200, credentials: [['id', 'transports', 'type']] })
    for (const email of ['bob@example.com', 'nobody@example.com', 'no address at all']) {
      expect(await shapeOf(site, email)).toEqual(known)
    }
  })

  test('are the same each time, also for an unknown address, and after the secret was rotated', async () => {
    const { world } = passkeySite()
    const rotated = passkeySite({ secret: ['the new secret, 0123456789abcdefghi', SECRET] }).world
    const ask = async (of: typeof world, email: string): Promise<unknown> =>
      (await optionsOf(of, { action: 'authenticate', email })).options.allowCredentials
    const first = await ask(world, 'nobody@example.com')
    expect(await ask(world, 'nobody@example.com')).toEqual(first)
    expect(await ask(world, 'Nobody@Example.com')).toEqual(first)
    expect(await ask(rotated, 'nobody@example.com')).toEqual(first)
    expect(await ask(world, 'somebody@example.com')).not.toEqual(first)
  })

  test('cannot be predicted without the secret', async () => {
    const ask = async (secret: string): Promise<unknown> => {
      const { world } = passkeySite({ secret })
      const asked = { action: 'authenticate', email: 'nobody@example.com' }
      return (await optionsOf(world, asked)).options.allowCredentials?.[0]?.id
    }
    expect(await ask('another secret, 0123456789abcdefgh')).not.toBe(await ask(SECRET))
  })

  test('read the store as often for an unknown address as for a user', async () => {
    const site = await adasSite()
    const counts: number[] = []
    for (const email of [ADA, 'nobody@example.com']) {
      site.calls.splice(0)
      await optionsOf(site.world.otherBrowser(), { action: 'authenticate', email })
      counts.push(site.calls.length)
    }
    expect(counts[0]).toBe(counts[1])
  })

  test('name other kinds of authenticators for other addresses', async () => {
    const { world } = passkeySite()
    const lengths = new Set<number>()
    const beginnings = new Set<string>()
    for (let i = 0; i < 40; i++) {
      const { options } = await optionsOf(world, {
        action: 'authenticate',
        email: `${i}@x.example`,
      })
      const [invented] = options.allowCredentials ?? []
      expect(invented?.transports).toContain('internal')
      lengths.add(Buffer.from(invented?.id ?? '', 'base64url').length)
      beginnings.add(invented?.id.slice(0, 20) ?? '')
    }
    expect(beginnings.size).toBe(40)
    expect([...lengths].toSorted((a, b) => a - b)).toEqual([16, 20, 32])
  })
})

/** Whose session the passkey still begins. */
async function signsIn({
  world,
  phone,
}: PasskeySite & { phone: SoftAuthenticator }): Promise<unknown> {
  await authenticate(world, phone)
  return (await world.session())?.user?.['email']
}

/** The same with the last bit of a byte in the middle turned around. */
function flipped(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString('base64url')
}
