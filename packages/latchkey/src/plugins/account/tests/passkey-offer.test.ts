import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { authenticate } from '../../../../tests/support/passkeys.ts'
import { GOOD, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { createAuthClient } from '../../../client/client.ts'
import type { World } from '../../../entries/testing.ts'
import Passkey from '../../../providers/passkey.ts'
import { passwordsClient } from '../../passwords/client.ts'
import { twoFactor } from '../../two-factor/index.ts'

const ORIGIN = 'https://app.example'
const html = { headers: { accept: 'text/html' } }
const COOKIE = '__Host-latchkey.passkey-offer'

afterEach(() => vi.unstubAllGlobals())

/** What the response of a sign-in offers. */
async function offers(answer: Promise<Response> | Response): Promise<unknown> {
  return ((await (await answer).json()) as { offers?: unknown }).offers
}

const signIn = (site: AccountSite, world: World): Promise<unknown> =>
  offers(site.signIn('ada@example.com', GOOD, world))

async function overview({ world }: AccountSite): Promise<string> {
  return (await world.get('/auth/account', html)).text()
}

/** The days for which a browser keeps the cookie of the offer. */
function daysOf({ headers }: Response, { world }: AccountSite): number {
  const cookie = headers.getSetCookie().find((each) => each.startsWith(COOKIE)) ?? ''
  const expires = Date.parse(/Expires=([^;]*)/i.exec(cookie)?.[1] ?? '')
  return Math.round((expires - world.now()) / (24 * 60 * 60 * 1000))
}

/** Stands for the browser. @param create `navigator.credentials.create` */
function browserWith(
  create: (asked: { publicKey: CeremonyOptions; mediation?: string }) => unknown,
  conditionalCreate = true,
): void {
  vi.stubGlobal('PublicKeyCredential', {
    parseCreationOptionsFromJSON: (options: unknown) => options,
    getClientCapabilities: async () => ({ conditionalCreate }),
  })
  vi.stubGlobal('navigator', { credentials: { create } })
}

function openPage({ world }: AccountSite) {
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('sec-fetch-site', 'same-origin')
    return world.request(String(input), { ...init, headers })
  }
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const client = createAuthClient({}, { fetch, document, BroadcastChannel })
  onTestFinished(client.store.subscribe(() => {}))
  return passwordsClient(client)
}

/** Makes a passkey as a browser does that asks nobody. */
function conditional(options: CeremonyOptions) {
  const authenticator = createAuthenticator(ORIGIN)
  const made = authenticator.create(options, { userPresent: false, userVerified: false })
  return { authenticator, data: JSON.stringify(made) }
}

async function passkeyOptions(site: AccountSite): Promise<CeremonyOptions> {
  return (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
}

describe('PW-28: a passkey is offered after a sign-in with a password', () => {
  test('once in 30 days for a browser, and after a sign-up', async () => {
    const site = accountSite()
    const answer = await site.signUp()
    expect(daysOf(answer, site)).toBe(30)
    expect(await offers(answer)).toEqual(['passkey'])
    expect(await signIn(site, site.world)).toBeUndefined()
    expect(await signIn(site, site.world.otherBrowser())).toEqual(['passkey'])
    // The browser has thrown the cookie away.
    site.world.jar.delete(COOKIE)
    expect(await signIn(site, site.world)).toEqual(['passkey'])
  })

  test('not for 180 days in a browser that refused', async () => {
    const site = accountSite()
    await site.signUp()
    expect(daysOf(await site.json('account/refuse-passkey'), site)).toBe(180)
    expect(await signIn(site, site.world)).toBeUndefined()
    expect(await overview(site)).not.toContain('Sign in without your password')
    site.world.jar.delete(COOKIE)
    expect(await overview(site)).toContain('Sign in without your password')
    await openPage(site).refusePasskey()
    expect(await signIn(site, site.world)).toBeUndefined()
  })

  test('not to somebody who has a passkey', async () => {
    const site = accountSite()
    await site.signUp()
    const made = createAuthenticator(ORIGIN).create(await passkeyOptions(site))
    await site.json('account/add-passkey', { data: JSON.stringify(made) })
    expect(await signIn(site, site.world.otherBrowser())).toBeUndefined()
    expect(await overview(site)).not.toContain('Sign in without your password')
  })

  test('not without a passkey provider or without the plugin account', async () => {
    const alone = passwordsSite({ limits: false }, {}, {}, [Passkey()])
    expect(await offers(alone.signUp())).toBeUndefined()
  })

  test('not while the sign-in waits for a second factor', async () => {
    const site = accountSite(
      {},
      { plugins: [twoFactor({ require: 'all', grace: 0, limits: false })] },
    )
    const answer = (await (await site.signUp()).json()) as Record<string, unknown>
    expect(answer['status']).not.toBe('signed_in')
    expect(answer).not.toHaveProperty('offers')
  })

  test('`offerPasskey` lets the browser make one without a question, and it signs in', async () => {
    const site = accountSite()
    await site.signUp()
    let authenticator = createAuthenticator(ORIGIN)
    const asked: unknown[] = []
    browserWith(async ({ publicKey, mediation }) => {
      asked.push(mediation)
      const made = conditional(publicKey)
      ;({ authenticator } = made)
      return { toJSON: () => JSON.parse(made.data) as unknown }
    })
    expect(await openPage(site).offerPasskey()).toBe(true)
    expect(asked).toEqual(['conditional'])
    const other = site.world.otherBrowser()
    await authenticate(other, authenticator)
    expect(await other.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('`offerPasskey` is false in a browser that cannot, or does not want to', async () => {
    const site = accountSite()
    await site.signUp()
    const page = openPage(site)
    expect(await page.offerPasskey()).toBe(false)
    browserWith(() => {
      throw new Error('must not be asked')
    }, false)
    expect(await page.offerPasskey()).toBe(false)
    browserWith(async () => {
      throw new DOMException('no', 'NotAllowedError')
    })
    expect(await page.offerPasskey()).toBe(false)
  })

  test('a passkey that nobody was asked for is refused where people are asked', async () => {
    const site = accountSite()
    await site.signUp()
    const { data } = conditional(await passkeyOptions(site))
    expect((await site.json('account/add-passkey', { data })).status).toBe(400)
    const again = conditional(await passkeyOptions(site))
    const sent = { data: again.data, conditional: true }
    expect((await site.json('account/add-passkey', sent)).status).toBe(201)
    // The script opens the page itself.
    const page = await site.world.get('/auth/account/passkeys', {
      headers: { accept: 'text/html' },
    })
    expect(await page.text()).toMatch(/role="status"[^>]*>.*was added/)
  })

  test('the script asks the browser only within 5 minutes after the password', async () => {
    const site = accountSite()
    await site.signUp()
    const fresh = await overview(site)
    expect(fresh).toContain('data-passkey-upgrade="{&quot;options&quot;:')
    expect(fresh).toContain("mediation: 'conditional'")
    site.world.advance(301)
    const later = await overview(site)
    expect(later).toContain('Sign in without your password next time')
    expect(later).not.toContain('data-passkey-upgrade')
    expect(later).not.toContain("mediation: 'conditional'")
  })

  test('the page has a form to refuse, which works without a script', async () => {
    const site = accountSite()
    await site.signUp()
    expect(await overview(site)).toContain('action="/auth/account/refuse-passkey"')
    const refused = await site.world.post('/auth/account/refuse-passkey', {}, html)
    expect([refused.status, refused.headers.get('location')]).toEqual([303, '/auth/account'])
    expect(await overview(site)).not.toContain('Sign in without your password')
  })
})
