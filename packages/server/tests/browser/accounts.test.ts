import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessibilityFaults, inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

const FIRST = 'correct horse battery staple'
const SECOND = 'another rather long password'

describe('accounts in a browser', inBrowser, () => {
  const site = siteInBrowser({ LATCHKEY_LIMITS: 'false' })
  const { at, visit } = site

  async function emailOf(page: Page): Promise<string | undefined> {
    const answer = await page.context().request.get(at('/auth/session'))
    return ((await answer.json()) as { user?: { email?: string } } | null)?.user?.email
  }

  async function signIn(page: Page, address: string, password: string): Promise<void> {
    await page.goto(at('/auth/signin?callbackUrl=/'))
    await page.getByLabel('Email address').fill(address)
    await page.getByRole('button', { name: /^Continue( Last used)?$/ }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Waits for the page after the sign-in, too, so that the next step does not interrupt it. */
  async function isSignedIn(page: Page, address: string): Promise<void> {
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
    expect(await emailOf(page)).toBe(address)
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(at('/auth/signout'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(at('/'))
  }

  /** Returns the code of the newest mail in the mailbox. */
  async function codeOf(page: Page): Promise<string> {
    await page.goto(at('/mailbox'))
    const text = (await page.locator('article').first().textContent()) ?? ''
    return /\b\d{6}\b/.exec(text)?.[0] ?? ''
  }

  for (const scripts of [true, false]) {
    const address = `ada-${scripts ? 'with' : 'without'}@example.test`

    test(`with scripts ${scripts ? 'on' : 'off'}, somebody signs up, signs in, and resets and changes the password`, () =>
      visit(
        async ({ page }) => {
          await page.goto(at('/auth/signin'))
          await page.getByRole('link', { name: 'Create an account' }).click()
          if (scripts) expect(await accessibilityFaults(page)).toEqual([])
          await page.getByLabel('Email address').fill(address)
          await page.getByLabel('Password', { exact: true }).fill('abcabcabcabcabcabc')
          await page.getByRole('button', { name: 'Create account' }).click()
          expect(await page.getByRole('alert').textContent()).toContain('easy to guess')
          expect(await page.getByLabel('Email address').inputValue()).toBe(address)
          await page.getByLabel('Password', { exact: true }).fill(FIRST)
          await page.getByRole('button', { name: 'Create account' }).click()
          await page.waitForURL(at('/auth/password/verify'))
          expect(await emailOf(page)).toBeUndefined()
          const code = await codeOf(page)
          await page.goto(at('/auth/password/verify'))
          await page.getByLabel('Code from the email').fill(code)
          // The script sends a complete code by itself.
          if (!scripts) await page.getByRole('button', { name: 'Confirm address' }).click()
          await isSignedIn(page, address)

          await signOut(page)
          await signIn(page, address, FIRST)
          await isSignedIn(page, address)

          await signOut(page)
          await page.goto(at('/auth/password/forgot'))
          await page.getByLabel('Email address').fill(address)
          await page.getByRole('button', { name: 'Send the link' }).click()
          await page.waitForURL(at('/auth/password/forgot-sent'))
          await expect
            .poll(async () => {
              await page.goto(at('/mailbox'))
              return page.locator('article').first().textContent()
            })
            .toContain('Choose a new password')
          const link = await page
            .getByRole('link', { name: 'Open the link' })
            .first()
            .getAttribute('href')
          await page.goto(link ?? '')
          await page.getByLabel('New password').fill(SECOND)
          await page.getByRole('button', { name: 'Save password' }).click()
          await page.waitForURL(at('/auth/password/reset-done'))
          expect(await emailOf(page)).toBeUndefined()
          await signIn(page, address, FIRST)
          expect(await page.getByRole('alert').textContent()).toContain('Wrong email address')
          await signIn(page, address, SECOND)
          await isSignedIn(page, address)

          await page.goto(at('/.well-known/change-password'))
          expect(new URL(page.url()).pathname).toBe('/auth/password/change')
          if (scripts) expect(await accessibilityFaults(page)).toEqual([])
          await page.getByLabel('Current password').fill(SECOND)
          await page.getByLabel('New password').fill(FIRST)
          await page.getByRole('button', { name: 'Save password' }).click()
          await expect
            .poll(() => page.getByRole('status').first().textContent())
            .toContain('Your password was changed.')
        },
        { scripts },
      ))
  }

  test('the meter says how good a new password is while it is typed', () =>
    visit(async ({ page }) => {
      await page.goto(at('/auth/password/sign-up'))
      const hint = page.locator('#password-hint')
      expect(await hint.textContent()).toContain('At least 15 characters')
      const field = page.getByLabel('Password', { exact: true })
      await field.fill('short')
      expect(await hint.textContent()).toBe('Too short or too simple')
      await field.fill(FIRST)
      expect(await hint.textContent()).toBe('Very good')
    }))

  test('the error of a new password is gone as soon as another one is typed', () =>
    visit(async ({ page }) => {
      await page.goto(at('/auth/password/sign-up'))
      await page.getByLabel('Email address').fill('ada@example.com')
      const field = page.getByLabel('Password', { exact: true })
      await field.fill('abcabcabcabcabcabc')
      await page.getByRole('button', { name: 'Create account' }).click()
      const error = page.locator('#password-error')
      await error.waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await field.fill(FIRST)
      expect(await error.count()).toBe(0)
      expect(await field.getAttribute('aria-invalid')).toBeNull()
    }))
})
