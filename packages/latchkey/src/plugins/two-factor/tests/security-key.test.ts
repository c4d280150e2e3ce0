import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
  type Mutation,
  type SoftAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import {
  addSecurityKey,
  authenticate,
  ORIGIN,
  optionsOf,
  register,
  send,
} from '../../../../tests/support/passkeys.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import type { World } from '../../../entries/testing.ts'
import { type TwoFactorOptions, twoFactor } from '../index.ts'

const html = { headers: { accept: 'text/html' } }
const WITHOUT: Mutation = { userVerified: false, backupEligible: false }

function keySite(options: TwoFactorOptions = {}): AccountSite {
  const recovery = { hash: CHEAP, count: 5 }
  return accountSite({}, { plugins: [twoFactor({ limits: false, recovery, ...options })] })
}

type Listed = readonly { id: string; name: string; firstFactor: boolean; secondFactor: boolean }[]

const list = async (site: AccountSite, world = site.world): Promise<Listed> =>
  (await site.read('account/passkeys', world))['passkeys'] as Listed

/** A signed-in user with a password and a security key. */
async function withKey(options: TwoFactorOptions = {}) {
  const site = keySite(options)
  await site.signUp()
  const key = createAuthenticator(ORIGIN)
  const added = await addSecurityKey(site, key)
  expect(added.status).toBe(201)
  site.world.advance(1)
  return { site, key, added }
}

async function prove(site: AccountSite, key: SoftAuthenticator, browser: World): Promise<Response> {
  const asked = await site.json('two-factor/passkey-options', {}, browser)
  const { options } = (await asked.json()) as { options: CeremonyOptions }
  const data = JSON.stringify(key.get(options, WITHOUT))
  return site.json('two-factor/passkey', { data }, browser)
}

/** Signs in with password and key. */
async function signIn(site: AccountSite, key: SoftAuthenticator): Promise<World> {
  const browser = site.world.otherBrowser()
  const first = await site.signIn(undefined, undefined, browser)
  expect(await first.json()).toMatchObject({ status: 'second_factor_required' })
  expect(await (await prove(site, key, browser)).json()).toMatchObject({ status: 'signed_in' })
  return browser
}

/** Proves the key on the page to which a step sends. */
async function proveAgain(
  site: AccountSite,
  key: SoftAuthenticator,
  browser: World,
  refused: Response,
  mutation: Mutation = {},
): Promise<Response> {
  const { next } = (await refused.json()) as { next: string }
  const needed = new URL(next, ORIGIN).searchParams.get('for')
  const asked = await site.json('two-factor/passkey-options', {}, browser)
  const { options } = (await asked.json()) as { options: CeremonyOptions }
  const data = JSON.stringify(key.get(options, { ...WITHOUT, ...mutation }))
  const fields = { way: 'security-key', action: 'authenticate', data, for: needed }
  return site.json('reauthenticate', fields, browser)
}

describe('MF-16: a security key that is only a second factor', () => {
  test('is asked for as one that is not discoverable, verifies its user if it can, and is not registered yet', async () => {
    const site = keySite()
    await site.signUp()
    const passkey = createAuthenticator(ORIGIN)
    await register(site.world, passkey)
    const asked = await site.json('account/passkey-options', { second: true })
    expect(await asked.json()).toMatchObject({
      authenticatorSelection: {
        residentKey: 'discouraged',
        requireResidentKey: false,
        userVerification: 'preferred',
      },
      excludeCredentials: [{ id: passkey.credentials[0]?.id }],
    })
    const usual = await site.json('account/passkey-options')
    expect(await usual.json()).toMatchObject({
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  test('is added without verification of its user, with recovery codes, and then proves every sign-in with the password', async () => {
    const { site, key, added } = await withKey()
    expect(await added.json()).toMatchObject({
      passkey: { name: 'Security key', firstFactor: false, secondFactor: true },
      recoveryCodes: expect.any(Array),
    })
    expect(await list(site)).toMatchObject([{ firstFactor: false, secondFactor: true }])
    const browser = await signIn(site, key)
    expect(await browser.session()).not.toBeNull()
    expect((await site.json('two-factor/recovery-codes', {}, browser)).status).toBe(200)
  })

  test('signs nobody in on its own, even if it verified its user, and is not named before the first factor', async () => {
    const { site, key } = await withKey()
    const browser = site.world.otherBrowser()
    for (const userVerified of [true, false]) {
      await authenticate(browser, key, { userVerified, backupEligible: false })
      expect(await browser.session()).toBeNull()
    }
    const email = 'ada@example.com'
    const { options } = await optionsOf(browser, { action: 'authenticate', email })
    const ids = options.allowCredentials?.map(({ id }) => id)
    expect(ids).toHaveLength(1)
    expect(ids).not.toContain(key.credentials[0]?.id)
  })

  test('is no way into the account: the password beside it is the last one', async () => {
    const { site, key } = await withKey()
    const adapter = site.world.config.adapter
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    await adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    const browser = await signIn(site, key)
    const refused = await site.json('password/remove', {}, browser)
    expect(await refused.json()).toMatchObject({ code: 'last_way_in' })
  })

  test('does not become a passkey: its options work only on the page of the account, and those of passkeys ask for verification', async () => {
    const site = keySite()
    await site.signUp()
    const asked = await site.json('account/passkey-options', { second: true })
    const options = (await asked.json()) as CeremonyOptions
    const key = createAuthenticator(ORIGIN)
    await send(site.world, 'register', key.create(options))
    expect(await list(site)).toEqual([])
    const usual = await site.json('account/passkey-options')
    const data = JSON.stringify(
      createAuthenticator(ORIGIN).create((await usual.json()) as CeremonyOptions, WITHOUT),
    )
    expect((await site.json('account/add-passkey', { data })).status).toBe(400)
    expect(await list(site)).toEqual([])
  })

  test('without the presence of a person is not added', async () => {
    const site = keySite()
    await site.signUp()
    const asked = await site.json('account/passkey-options', { second: true })
    const made = createAuthenticator(ORIGIN).create((await asked.json()) as CeremonyOptions, {
      userPresent: false,
      userVerified: false,
    })
    const fields = { data: JSON.stringify(made), conditional: true }
    expect((await site.json('account/add-passkey', fields)).status).toBe(400)
  })

  test('MF-26: is a recent proof for a step with two factors, in this session only', async () => {
    const { site, key } = await withKey()
    const browser = await signIn(site, key)
    const other = await signIn(site, key)
    site.world.advance(3600)
    const id = (await list(site, browser))[0]?.id ?? ''
    const remove = async () => site.json('account/remove-passkey', { id }, browser)
    const wrong = await proveAgain(site, key, browser, await remove(), { challenge: 'AAAA' })
    expect(wrong.status).toBe(400)
    const asked = await site.json('two-factor/passkey-options', {}, other)
    const { options } = (await asked.json()) as { options: CeremonyOptions }
    for (const [name, value] of other.jar)
      if (name.includes('challenge')) browser.jar.set(name, value)
    const fields = { action: 'authenticate', data: JSON.stringify(key.get(options, WITHOUT)) }
    const stolen = await site.json('reauthenticate', { way: 'security-key', ...fields }, browser)
    expect(stolen.status).toBe(400)
    const proved = await proveAgain(site, key, browser, await remove())
    expect(await proved.json()).toMatchObject({ status: 'proved' })
    expect((await remove()).status).toBe(204)
    expect(await list(site, browser)).toEqual([])
    const free = site.world.otherBrowser()
    await site.signIn(undefined, undefined, free)
    expect(await free.session()).not.toBeNull()
  })

  test('the page for a further proof has its form', async () => {
    const { site, key } = await withKey()
    const browser = await signIn(site, key)
    const page = await (await browser.get('/auth/reauthenticate', html)).text()
    expect(page).toContain('action="/auth/reauthenticate/security-key"')
    expect(page).toContain('data-options="/auth/two-factor/passkey-options"')
  })

  test('last_factor: the last one of a user who must have one stays', async () => {
    const { site, key } = await withKey({ require: 'all' })
    const browser = await signIn(site, key)
    const [own] = await list(site, browser)
    const refused = await site.json('account/remove-passkey', { id: own?.id }, browser)
    expect(await refused.json()).toMatchObject({ code: 'last_factor' })
  })

  test('a page adds it where there are second factors, and says what it is', async () => {
    const { site, key } = await withKey()
    const { world } = site
    const factors = await (await world.get('/auth/account/two-factor', html)).text()
    expect(factors).toContain('Add a security key')
    expect(await (await world.get('/auth/account/passkeys', html)).text()).toContain(
      'Second factor only',
    )
    // Whoever has one must prove it before adding another one.
    const browser = await signIn(site, key)
    const adding = await browser.post('/auth/account/passkey-options', { second: '1' }, html)
    expect(await adding.text()).toContain('does not sign you in on its own')
  })

  test('is not added where `methods` has no passkeys, nor without the plugin', async () => {
    for (const site of [keySite({ methods: ['totp'] }), accountSite()]) {
      await site.signUp()
      expect((await site.json('account/passkey-options', { second: true })).status).toBe(404)
      const page = await (await site.world.get('/auth/account/two-factor', html)).text()
      expect(page).not.toContain('Add a security key')
    }
  })
})
