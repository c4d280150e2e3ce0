import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type CeremonyOptions,
  createAuthenticator,
  type Mutation,
  type SoftAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { authenticate, ORIGIN, register } from '../../../../tests/support/passkeys.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { World } from '../../../entries/testing.ts'
import type { SendMailParams } from '../../../options/provider-options.ts'
import passkey from '../../../providers/passkey.ts'
import { passwordsClient } from '../../passwords/client.ts'
import { twoFactorClient } from '../client.ts'
import type { TwoFactorOptions } from '../settings.ts'

const html = { headers: { accept: 'text/html' } }

/** A site with passkeys. Its mails are kept. */
function passkeySite(options: TwoFactorOptions = {}, keys = passkey()): TwoFactorSite {
  const mails: string[] = []
  const post = {
    id: 'post',
    name: 'Post',
    type: 'email' as const,
    maxAge: 600,
    options: {},
    sendVerificationRequest() {},
    sendMail: ({ mail }: SendMailParams) => void mails.push(mail.text),
  }
  const site = twoFactorSite(options, { providers: [post, keys] })
  return { ...site, code: () => /\b\d{6}\b/.exec(mails.at(-1) ?? '')?.[0] ?? '' }
}

async function signUp(site: TwoFactorSite, email = 'ada@example.com', browser = site.world) {
  const password = 'correct horse battery staple'
  await site.json('password/sign-up', { email, password }, browser)
  return site.json('password/verify', { code: site.code() }, browser)
}

/** Registers a key for the signed-in user, and makes it a second factor. */
async function withKey(site: TwoFactorSite, browser = site.world): Promise<SoftAuthenticator> {
  const key = createAuthenticator(ORIGIN)
  await register(browser, key)
  const used = await site.json('two-factor/use-passkeys', { use: true }, browser)
  expect(used.status).toBe(200)
  expect(await used.json()).toMatchObject({ status: 'added', recoveryCodes: expect.any(Array) })
  // The end of the other sessions and a sign-in are not at the same moment.
  site.world.advance(1)
  return key
}

async function optionsFor(site: TwoFactorSite, browser: World): Promise<CeremonyOptions> {
  const answer = await site.json('two-factor/passkey-options', {}, browser)
  return ((await answer.json()) as { options: CeremonyOptions }).options
}

async function prove(
  site: TwoFactorSite,
  key: SoftAuthenticator,
  browser: World,
  mutation?: Mutation,
): Promise<Response> {
  const data = JSON.stringify(key.get(await optionsFor(site, browser), mutation))
  return site.json('two-factor/passkey', { action: 'authenticate', data }, browser)
}

afterEach(() => vi.unstubAllGlobals())

describe('MF-16: a passkey or security key as a second factor', () => {
  test('is proved by a page with the functions of the clients, which say what can be proved', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const browser = site.world.otherBrowser()
    const page = {
      ask: async (path: string, fields?: object): Promise<unknown> =>
        (await site.json(path, fields, browser)).json(),
      store: { changed: async () => {} },
    }
    const factors = twoFactorClient(page)
    const asked = await passwordsClient(page).signIn({
      identifier: 'ada@example.com',
      password: 'correct horse battery staple',
      redirectTo: '/orders',
    })
    expect(asked).toMatchObject({
      status: 'second_factor_required',
      factors: ['passkey', 'recovery'],
      expires: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    await expect(factors.passkey()).rejects.toThrow(TypeError)

    vi.stubGlobal('PublicKeyCredential', {
      parseRequestOptionsFromJSON: (options: unknown) => options,
    })
    const get = async ({ publicKey }: { publicKey: CeremonyOptions }) => ({
      toJSON: () => key.get(publicKey),
    })
    vi.stubGlobal('navigator', { credentials: { get } })
    expect(await factors.passkey({ trust: true })).toEqual({
      status: 'signed_in',
      url: 'https://app.example/orders',
    })
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('proves it beside the password, also without verification of its user', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    for (const userVerified of [true, false]) {
      const browser = site.world.otherBrowser()
      const first = await site.signIn(undefined, undefined, browser)
      expect(await first.json()).toMatchObject({
        status: 'second_factor_required',
        factors: ['passkey', 'recovery'],
      })
      const options = await optionsFor(site, browser)
      expect(options.allowCredentials?.map(({ id }) => id)).toEqual([key.credentials[0]?.id])
      const done = await prove(site, key, browser, { userVerified })
      expect(await done.json()).toMatchObject({ status: 'signed_in' })
      expect(await browser.session()).not.toBeNull()
    }
    expect(await (await site.world.get('/auth/two-factor/status')).json()).toMatchObject({
      level: 2,
      passkeys: true,
    })
  })

  test('MF-10: a passkey that verified its user passes the gate alone', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const browser = site.world.otherBrowser()
    await authenticate(browser, key)
    expect(await browser.session()).not.toBeNull()
    expect((await site.json('two-factor/recovery-codes', {}, browser)).status).toBe(200)
  })

  test('the page has the form for the script, the box and the other ways', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    await prove(site, key, browser)
    await site.addApp('Phone', browser)
    await site.signIn(undefined, undefined, browser)
    const page = await (await browser.get('/auth/two-factor?method=passkey', html)).text()
    expect(page).toContain('data-options="/auth/two-factor/passkey-options"')
    expect(page).toContain('action="/auth/two-factor/passkey"')
    expect(page).toMatch(/name="trust" value="1" data-for-all/)
    expect(page).toContain('/auth/two-factor?method=totp')
    expect(page).toContain('/auth/two-factor?method=recovery')
  })

  test('the page begins with the factor that was used last in this browser', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const owner = site.world.otherBrowser()
    await site.signIn(undefined, undefined, owner)
    await prove(site, key, owner)
    const app = await site.addApp('Phone', owner)
    const browser = site.world.otherBrowser()
    const first = async (): Promise<string | undefined> => {
      site.world.advance(60)
      await site.signIn(undefined, undefined, browser)
      const page = await (await browser.get('/auth/two-factor', html)).text()
      return /<h1>(.*)<\/h1>/.exec(page)?.[1]
    }
    expect(await first()).toBe('Enter your code')
    await prove(site, key, browser)
    expect(await first()).toBe('Use your passkey')
    await site.verify(app.code(), browser)
    expect(browser.jar.get('__Host-latchkey.last-factor')).toBe('totp')
    expect(await first()).toBe('Enter your code')
    browser.jar.set('__Host-latchkey.last-factor', 'email')
    expect(await first()).toBe('Enter your code')
  })

  test('a response for a sign-in, for another waiting sign-in, of another user or used before is refused', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const eve = site.world.otherBrowser()
    await signUp(site, 'eve@example.com', eve)
    const hers = await withKey(site, eve)

    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const send = (data: object) =>
      site.json('two-factor/passkey', { data: JSON.stringify(data) }, browser)

    const usual = await browser.get('/auth/webauthn-options/passkey?action=authenticate')
    const { options: forSignIn } = (await usual.json()) as { options: CeremonyOptions }
    expect((await send(key.get(forSignIn))).status).toBe(400)

    const [her] = hers.credentials
    expect((await send(hers.get(await optionsFor(site, browser), {}, her))).status).toBe(400)

    const right = key.get(await optionsFor(site, browser))
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    for (const [name, value] of browser.jar)
      if (name.includes('hallenge')) other.jar.set(name, value)
    const elsewhere = { data: JSON.stringify(right) }
    expect((await site.json('two-factor/passkey', elsewhere, other)).status).toBe(400)
    expect((await send(right)).status).toBe(400)
    expect((await send({})).status).toBe(400)
    expect(await browser.session()).toBeNull()
    expect((await prove(site, key, browser)).status).toBe(200)
  })

  test('a sign-in refuses a response to the options of a second factor', async () => {
    const site = passkeySite()
    await signUp(site)
    const key = await withKey(site)
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const data = JSON.stringify(key.get(await optionsFor(site, browser)))
    const fields = { action: 'authenticate', data }
    const answer = await browser.postWithoutCsrf('/auth/callback/passkey', fields)
    expect(answer.headers.get('location')).toContain('error')
    expect(await browser.session()).toBeNull()
  })

  test('MF-13: where everybody must have a factor, a user with a passkey proves it, and sets up no app between the factors', async () => {
    const site = passkeySite({ require: 'all', grace: 1 })
    await signUp(site)
    const key = createAuthenticator(ORIGIN)
    await register(site.world, key)
    site.world.advance(2)
    const browser = site.world.otherBrowser()
    const first = await site.signIn(undefined, undefined, browser)
    expect(await first.json()).toMatchObject({ next: '/auth/two-factor', factors: ['passkey'] })
    expect((await site.json('two-factor/enrol-totp', {}, browser)).status).toBe(403)
    expect((await prove(site, key, browser)).status).toBe(200)
  })

  test('MF-26: where everybody must have a factor, a password alone is no recent proof of a user with a passkey', async () => {
    const site = passkeySite({ require: 'all', grace: 1 })
    await signUp(site)
    const key = createAuthenticator(ORIGIN)
    await register(site.world, key)
    site.world.advance(2)
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    expect((await prove(site, key, browser)).status).toBe(200)
    site.world.advance(3600)
    const refused = await site.json('two-factor/enrol-totp', {}, browser)
    const { next } = (await refused.json()) as { next: string }
    const sealed = new URL(next, ORIGIN).searchParams.get('for')
    const typed = { way: 'password', password: 'correct horse battery staple', for: sealed }
    expect((await site.json('reauthenticate', typed, browser)).status).toBe(400)
    expect((await site.json('two-factor/enrol-totp', {}, browser)).status).toBe(403)
  })

  test('MF-19: a session without any factor that counts can still set up the first one', async () => {
    const site = passkeySite({ require: 'all', grace: 1 })
    await signUp(site)
    site.world.advance(2)
    expect((await site.json('two-factor/enrol-totp', {})).status).toBe(200)
  })

  test('ACC-13: one key that is registered twice is one factor', async () => {
    const site = passkeySite(
      {},
      passkey({
        authenticationOptions: { userVerification: 'discouraged' },
        verifyAuthenticationOptions: { requireUserVerification: false },
      }),
    )
    await signUp(site)
    const key = createAuthenticator(ORIGIN)
    await register(site.world, key)
    await register(site.world, key)
    expect((await site.json('two-factor/use-passkeys', { use: true })).status).toBe(200)
    site.world.advance(1)
    const [one, two] = key.credentials
    expect(two).toBeDefined()
    const browser = site.world.otherBrowser()
    await authenticate(browser, key, { userVerified: false }, one)
    expect(await browser.session()).toBeNull()
    const options = await optionsFor(site, browser)
    expect(options.allowCredentials).toHaveLength(2)
    const data = JSON.stringify(key.get(options, { userVerified: false }, two))
    const second = await site.json('two-factor/passkey', { data }, browser)
    expect([second.status, await browser.session()]).toEqual([400, null])
  })

  test('MF-10: passkeys that were all removed ask for nothing, and a new passkey is a second factor only with the button of the account page', async () => {
    const site = passkeySite()
    await signUp(site)
    await withKey(site)
    const { adapter } = site.world.config
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    const stored = await adapter?.listAuthenticatorsByUserId?.(String(user?.id))
    for (const { providerAccountId } of stored ?? [])
      await adapter?.unlinkAccount?.({ provider: 'passkey', providerAccountId })
    const browser = site.world.otherBrowser()
    const alone = await site.signIn(undefined, undefined, browser)
    expect(await alone.json()).toMatchObject({ status: 'signed_in' })
    await register(browser, createAuthenticator(ORIGIN))
    const again = await site.signIn(undefined, undefined, site.world.otherBrowser())
    expect(await again.json()).toMatchObject({ status: 'signed_in' })
    expect((await site.json('two-factor/use-passkeys', { use: true }, browser)).status).toBe(200)
    const third = await site.signIn(undefined, undefined, site.world.otherBrowser())
    expect(await third.json()).toMatchObject({ status: 'second_factor_required' })
  })

  test('the account page turns it on and off, and the last required factor stays', async () => {
    const site = passkeySite({ require: 'all' })
    await signUp(site)
    expect((await site.json('two-factor/use-passkeys', { use: true })).status).toBe(404)
    const key = await withKey(site)
    const page = await (await site.world.get('/auth/account/two-factor', html)).text()
    expect(page).toContain('1 passkey or security key')
    expect((await site.json('two-factor/use-passkeys', { use: false })).status).toBe(403)
    const browser = site.world.otherBrowser()
    await authenticate(browser, key)
    const refused = await site.json('two-factor/use-passkeys', { use: false }, browser)
    expect(await refused.json()).toMatchObject({ code: 'last_factor' })
    await site.addApp('Phone', browser)
    expect((await site.json('two-factor/use-passkeys', { use: false }, browser)).status).toBe(200)
    expect((await site.json('two-factor/use-passkeys', { use: false }, browser)).status).toBe(404)
    expect((await site.json('two-factor/remove', { all: true }, browser)).status).toBe(409)
  })
})
