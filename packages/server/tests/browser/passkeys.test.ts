import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessibilityFaults, inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

/** An authenticator that is part of the device, as the browser sees it. */
interface Device {
  readonly id: string
  readonly cdp: CDPSession
  credentials(): Promise<{ credentialId: string; signCount: number; userHandle?: string }[]>
}

describe('passkeys in a browser', inBrowser, () => {
  // A passkey belongs to a name; there are none for a bare address.
  const site = siteInBrowser({ HOST: 'localhost' })
  const { at, visit } = site

  /** @param present whether somebody touches it as soon as it asks */
  async function plugIn(page: Page, present = true): Promise<Device> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: present,
      },
    })
    return {
      id,
      cdp,
      async credentials() {
        const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })
        return credentials
      },
    }
  }

  const setPresent = ({ id, cdp }: Device, enabled: boolean): Promise<unknown> =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

  async function emailOf(page: Page): Promise<string | undefined> {
    const answer = await page.context().request.get(at('/auth/session'))
    return ((await answer.json()) as { user?: { email?: string } } | null)?.user?.email
  }

  const button = (page: Page): ReturnType<Page['getByRole']> =>
    page.getByRole('button', { name: 'Use a passkey' })

  const field = (page: Page): ReturnType<Page['getByLabel']> => page.getByLabel('Email address')

  /** From here on the browser offers no passkeys by itself: what happens is the button's doing. */
  const offerNothing = (page: Page): Promise<unknown> =>
    page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

  /**
   * Presses the button at a moment that nobody can hit: as the page's offer begins, or as soon as it
   * is answered, when the answer is on its way to the site.
   */
  const pressWhenOffer = (page: Page, moment: 'begins' | 'is answered'): Promise<unknown> =>
    page.addInitScript(`{
      const get = navigator.credentials.get.bind(navigator.credentials)
      const press = () => document.querySelector('form[data-passkey] button').click()
      navigator.credentials.get = async (request) => {
        if (request.mediation !== 'conditional') return get(request)
        const answer = get(request)
        if (${moment === 'begins'}) press()
        else answer.then(() => setTimeout(press))
        return answer
      }
    }`)

  /** Opens the page and presses the button. */
  async function press(page: Page, email = ''): Promise<void> {
    await page.goto(at('/auth/signin'))
    if (email) await field(page).fill(email)
    await button(page).click()
  }

  async function register(page: Page, email: string): Promise<void> {
    await press(page, email)
    await page.waitForURL(at('/'))
    expect(await emailOf(page)).toBe(email)
  }

  /** Signs in by mail. */
  async function openLink(page: Page, email: string): Promise<void> {
    await page.goto(at('/auth/signin?callbackUrl=/'))
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await page.waitForURL(/verify-request/)
    await page.goto(at('/mailbox'))
    await page.getByRole('link', { name: 'Open the link' }).first().click()
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(at('/auth/signout'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(at('/'))
    expect(await emailOf(page)).toBeUndefined()
  }

  test('a new user creates one, and signs in with it by pressing the button', () =>
    visit(async ({ page, screenshot }) => {
      const device = await plugIn(page)
      await register(page, 'ada@example.test')
      const [made] = await device.credentials()
      expect(made?.userHandle).toBeDefined()
      await signOut(page)
      await offerNothing(page)
      await page.goto(at('/auth/signin'))
      await screenshot('sign-in-passkey')
      await button(page).click()
      await page.waitForURL(at('/'))
      expect(await emailOf(page)).toBe('ada@example.test')
      expect(await device.credentials()).toHaveLength(1)
    }))

  test('the browser offers one in the address field', () =>
    visit(async ({ page }) => {
      const device = await plugIn(page)
      await register(page, 'autofill@example.test')
      await signOut(page)
      await page.goto(at('/auth/signin?callbackUrl=/mailbox'))
      await page.waitForURL(at('/mailbox'))
      expect(await emailOf(page)).toBe('autofill@example.test')
      expect((await device.credentials())[0]?.signCount).toBeGreaterThan(1)
    }))

  for (const moment of ['begins', 'is answered'] as const) {
    test(`the button works at the moment in which the offer ${moment}`, () =>
      visit(async ({ page }) => {
        const device = await plugIn(page)
        const email = `${moment.replace(' ', '-')}@example.test`
        await register(page, email)
        await signOut(page)
        const answers: string[] = []
        page.on('request', (request) => {
          if (request.method() === 'POST') answers.push(new URL(request.url()).pathname)
        })
        await pressWhenOffer(page, moment)
        await page.goto(at('/auth/signin?callbackUrl=/mailbox'))
        await page.waitForURL(at('/mailbox'))
        expect(await emailOf(page)).toBe(email)
        expect(answers).toEqual(['/auth/callback/passkey'])
        expect((await device.credentials())[0]?.signCount).toBeGreaterThan(1)
      }))
  }

  test('a user signs in after entering the address', () =>
    visit(async ({ page }) => {
      await plugIn(page)
      await register(page, 'by-address@example.test')
      await signOut(page)
      await offerNothing(page)
      await press(page, 'By-Address@example.test')
      await page.waitForURL(at('/'))
      expect(await emailOf(page)).toBe('by-address@example.test')
    }))

  test('a signed-in user can prove it anew', () =>
    visit(async ({ page }) => {
      const device = await plugIn(page)
      await register(page, 'again@example.test')
      await offerNothing(page)
      await page.goto(at('/auth/signin?callbackUrl=/mailbox'))
      await button(page).click()
      await page.waitForURL(at('/mailbox'))
      expect(await emailOf(page)).toBe('again@example.test')
      expect((await device.credentials())[0]?.signCount).toBeGreaterThan(1)
    }))

  test('a user adds a passkey of a second device, and signs in with each', async () => {
    const email = 'two-devices@example.test'
    await visit(async ({ page: laptop }) => {
      const device = await plugIn(laptop)
      await register(laptop, email)
      await setPresent(device, false)
      await openLink(laptop, email)
      await laptop.waitForURL(at('/'))
      await setPresent(device, true)
      await visit(async ({ page: phone, screenshot }) => {
        await plugIn(phone)
        await openLink(phone, email)
        await phone.waitForURL(at('/'))
        await screenshot('home-add-passkey')
        expect(await accessibilityFaults(phone)).toEqual([])
        await phone.getByRole('button', { name: 'Add a passkey' }).click()
        await phone.waitForLoadState()
        await expect.poll(async () => (await storedFor(email)).length).toBe(2)

        await phone.getByRole('button', { name: 'Add a passkey' }).click()
        await expect
          .poll(() => phone.getByRole('status').textContent())
          .toBe('This device has a passkey for this account already.')
        await signOut(phone)
        await phone.goto(at('/auth/signin?callbackUrl=/mailbox'))
        await phone.waitForURL(at('/mailbox'))
        expect(await emailOf(phone)).toBe(email)
      })
      await signOut(laptop)
      await laptop.goto(at('/auth/signin?callbackUrl=/mailbox'))
      await laptop.waitForURL(at('/mailbox'))
      expect(await emailOf(laptop)).toBe(email)
    })
  })

  test('a refused or missing one is reported, and the page still works', () =>
    visit(async ({ page, screenshot }) => {
      const device = await plugIn(page)
      const { id: authenticatorId, cdp } = device
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname.includes('/webauthn-options/')) asked.push(search)
      })
      await press(page, 'refused@example.test')
      await page.getByRole('status').filter({ hasText: 'Nothing happened' }).waitFor()
      // D-127: the browser may offer any passkey again, whatever the fields say.
      await expect
        .poll(() => asked)
        .toEqual(['?action=authenticate', '?email=refused%40example.test', '?action=authenticate'])
      await screenshot('sign-in-passkey-refused')
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await emailOf(page)).toBeUndefined()
      expect(await button(page).isEnabled()).toBe(true)

      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
      await button(page).click()
      await page.waitForURL(at('/'))
      expect(await emailOf(page)).toBe('refused@example.test')

      await signOut(page)
      for (const { credentialId } of await device.credentials()) {
        await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
      }
      await press(page, 'refused@example.test')
      await page.getByRole('status').filter({ hasText: 'there is no passkey' }).waitFor()
      expect(await button(page).isEnabled()).toBe(true)
      expect(await emailOf(page)).toBeUndefined()
    }))

  test('an invalid address is reported', () =>
    visit(async ({ page }) => {
      await press(page, 'no address')
      await page.getByRole('status').filter({ hasText: 'Check what you entered' }).waitFor()
      expect(await button(page).isEnabled()).toBe(true)
    }))

  test('a passkey that the site does not know leads to the error page', () =>
    visit(async ({ page }) => {
      const device = await plugIn(page)
      await register(page, 'forgotten@example.test')
      await setPresent(device, false)
      await signOut(page)
      const [gone] = await storedFor('forgotten@example.test')
      await remove(gone ?? '')
      await setPresent(device, true)
      await page.goto(at('/auth/signin'))
      await page.waitForURL(/\/auth\/error/)
      expect(await page.getByRole('heading').textContent()).toBe('Sorry, sign-in is not available')
      expect(await emailOf(page)).toBeUndefined()
    }))

  test('have no button without scripts, and the other ways work', () =>
    visit(
      async ({ page }) => {
        await page.goto(at('/auth/signin'))
        expect(await button(page).isVisible()).toBe(false)
        await openLink(page, 'no-scripts@example.test')
        await page.waitForURL(at('/'))
        expect(await emailOf(page)).toBe('no-scripts@example.test')
      },
      { scripts: false },
    ))

  test('have no button in a browser that does not support them', () =>
    visit(async ({ page }) => {
      await page.addInitScript('delete globalThis.PublicKeyCredential')
      await page.goto(at('/auth/signin'))
      await page.getByLabel('Email address').waitFor()
      expect(await button(page).count()).toBe(0)
    }))

  for (const scheme of ['light', 'dark'] as const) {
    test(`the page is accessible and fits a phone, ${scheme}`, () =>
      visit(
        async ({ page, screenshot }) => {
          await page.goto(at('/auth/signin'))
          await button(page).waitFor()
          await screenshot('sign-in-with-passkeys')
          expect(await accessibilityFaults(page)).toEqual([])
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(overflow).toBe(0)
        },
        { scheme, width: scheme === 'light' ? 900 : 360 },
      ))
  }

  test('the keyboard alone creates one', () =>
    visit(async ({ page }) => {
      await plugIn(page)
      await page.goto(at('/auth/signin'))
      await field(page).focus()
      await page.keyboard.type('keyboard@example.test')
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
      for (let i = 0; i < 5 && (await focused()) !== 'Use a passkey'; i++)
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(at('/'))
      expect(await emailOf(page)).toBe('keyboard@example.test')
    }))

  /** Ids of the passkeys that are stored for an address. */
  async function storedFor(email: string): Promise<string[]> {
    const database = new DatabaseSync(join(site.service.directory, '.latchkey', 'latchkey.db'))
    const rows = database
      .prepare(
        'select "credentialID" as id from "authenticator" join "user" on "user"."id" = "userId" where "email" = ?',
      )
      .all(email)
    database.close()
    return rows.map((row) => String(row['id']))
  }

  async function remove(credentialID: string): Promise<void> {
    const database = new DatabaseSync(join(site.service.directory, '.latchkey', 'latchkey.db'))
    database.prepare('delete from "authenticator" where "credentialID" = ?').run(credentialID)
    database.close()
  }
})
