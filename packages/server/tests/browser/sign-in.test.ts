import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessibilityFaults, inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

describe('in a browser', inBrowser, () => {
  const site = siteInBrowser()
  const { at, visit } = site

  async function sessionOf(
    page: Page,
  ): Promise<{ user?: { name?: string; email?: string } } | null> {
    const answer = await page.context().request.get(at('/auth/session'))
    return (await answer.json()) as { user?: { name?: string; email?: string } } | null
  }

  async function signInWithPassword(page: Page, password: string): Promise<void> {
    await page.goto(at('/auth/signin'))
    await page.getByLabel('Email address').fill('demo@example.test')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Asks for a link, and gives it as the mailbox shows it. */
  async function linkFor(page: Page, address: string): Promise<string> {
    await page.goto(at('/auth/signin'))
    await page.getByLabel('Email address').fill(address)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await page.waitForURL(/verify-request/)
    expect(await page.getByRole('heading').textContent()).toBe('Check your email')
    await page.goto(at('/mailbox'))
    const link = await page
      .getByRole('link', { name: 'Open the link' })
      .first()
      .getAttribute('href')
    expect(link).toContain(encodeURIComponent(address))
    return link ?? ''
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(at('/auth/signout'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(at('/'))
    expect(await sessionOf(page)).toBeNull()
  }

  for (const scripts of [true, false]) {
    describe(`with scripts ${scripts ? 'on' : 'off'}`, () => {
      test('a password signs in, the session is shown, and signing out ends it', () =>
        visit(
          async ({ page }) => {
            await signInWithPassword(page, site.service.demo?.account.password ?? '')
            await page.waitForURL(at('/'))
            expect((await sessionOf(page))?.user?.name).toBe('Demo')
            await page.goto(at('/'))
            await page.getByText('The session', { exact: true }).click()
            expect(await page.locator('pre').textContent()).toContain('"name": "Demo"')
            await signOut(page)
            await page.goto(at('/'))
            expect(await page.locator('pre').count()).toBe(0)
          },
          { scripts },
        ))

      test('a wrong password is reported, and does not sign in', () =>
        visit(
          async ({ page }) => {
            await signInWithPassword(page, 'wrong')
            const alert = page.getByRole('alert')
            expect(await alert.textContent()).toContain('Wrong email address or password')
            expect(await page.title()).toMatch(/^Error: Sign in to /)
            await expect
              .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
              .toBe('alert')
            expect(await sessionOf(page)).toBeNull()
          },
          { scripts },
        ))

      test.each(['button', 'enter key'])(
        'an OpenID Connect provider signs in, with consent by the %s',
        (by) =>
          visit(
            async ({ page }) => {
              await page.goto(at('/auth/signin'))
              await page.getByRole('button', { name: 'Continue with Development account' }).click()
              await page.getByLabel('Name').fill('grace')
              await (by === 'button'
                ? page.getByRole('button', { name: 'Allow' }).click()
                : page.getByLabel('Name').press('Enter'))
              await page.waitForURL(at('/'))
              expect((await sessionOf(page))?.user?.email).toBe('grace@example.test')
              await signOut(page)
            },
            { scripts },
          ),
      )

      test('refusing consent leads back to the sign-in page', () =>
        visit(
          async ({ page }) => {
            await page.goto(at('/auth/signin'))
            await page.getByRole('button', { name: 'Continue with Development account' }).click()
            await page.getByRole('button', { name: 'Refuse' }).click()
            await page.waitForURL(/error=OAuthCallbackError/)
            expect(await page.getByRole('status').textContent()).toBe(
              'You cancelled the sign-in with Development account.',
            )
            expect(await sessionOf(page)).toBeNull()
          },
          { scripts },
        ))

      test('a mailed link signs in at once in the browser that requested it, and works once', () =>
        visit(
          async ({ page }) => {
            const link = await linkFor(page, `once-${scripts}@example.test`)
            await page.goto(link)
            await page.waitForURL(at('/'))
            expect((await sessionOf(page))?.user?.email).toBe(`once-${scripts}@example.test`)
            await signOut(page)
            await page.goto(link)
            await page.getByRole('button', { name: 'Sign in here' }).click()
            expect(await page.getByRole('heading').textContent()).toBe(
              'This link or code is no longer valid',
            )
            expect(await sessionOf(page)).toBeNull()
          },
          { scripts },
        ))

      test('a mailed link that is opened in another browser shows a button', async () => {
        let link = ''
        await visit(async ({ page }) => {
          link = await linkFor(page, `other-${scripts}@example.test`)
        })
        await visit(
          async ({ page }) => {
            await page.goto(link)
            expect(await sessionOf(page)).toBeNull()
            await page.getByRole('button', { name: 'Sign in here' }).click()
            await page.waitForURL(at('/'))
            expect((await sessionOf(page))?.user?.email).toBe(`other-${scripts}@example.test`)
          },
          { scripts },
        )
      })
    })
  }

  test('an expired link is reported, with a link to the sign-in page', () =>
    visit(async ({ page }) => {
      const link = await linkFor(page, 'late@example.test')
      const database = new DatabaseSync(join(site.service.directory, '.latchkey', 'latchkey.db'))
      database.exec(`update "verificationToken" set "expires" = ${Date.now() - 1}`)
      database.close()
      await page.goto(link)
      expect(await page.getByRole('heading').textContent()).toBe(
        'This link or code is no longer valid',
      )
      await page.getByRole('link', { name: 'Start again' }).click()
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      expect(await sessionOf(page)).toBeNull()
    }))

  test('the keyboard alone signs in', () =>
    visit(async ({ page }) => {
      await page.goto(at('/auth/signin'))
      const focused = (): Promise<string | null> =>
        page.evaluate(() => document.activeElement?.getAttribute('name') ?? null)
      for (let i = 0; i < 10 && (await focused()) !== 'email'; i++) await page.keyboard.press('Tab')
      expect(await focused()).toBe('email')
      await page.keyboard.type('demo@example.test')
      await page.keyboard.press('Enter')
      await expect.poll(focused).toBe('password')
      await page.keyboard.type(site.service.demo?.account.password ?? '')
      await page.keyboard.press('Enter')
      await page.waitForURL(at('/'))
      expect((await sessionOf(page))?.user?.name).toBe('Demo')
    }))

  test('a form from before another sign-in no longer works', () =>
    visit(async ({ page, context }) => {
      const before = await context.newPage()
      await before.goto(at('/auth/signin'))
      await signInWithPassword(page, site.service.demo?.account.password ?? '')
      await page.waitForURL(at('/'))
      await before.getByRole('button', { name: 'Continue with Development account' }).click()
      await before.waitForURL(/error=/)
      expect(new URL(before.url()).searchParams.get('error')).toBe('MissingCSRF')
    }))

  test('the check of accessibility finds faults', () =>
    visit(async ({ page }) => {
      await page.setContent(
        '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><input></main>',
      )
      expect(await accessibilityFaults(page)).toEqual([expect.stringContaining('label')])
    }))

  test('the session cookie is limited to this site, and away from scripts', () =>
    visit(async ({ page, context }) => {
      await signInWithPassword(page, site.service.demo?.account.password ?? '')
      await page.waitForURL(at('/'))
      const cookies = await context.cookies()
      expect(cookies.map(({ name }) => name)).toContain('authjs.session-token')
      for (const cookie of cookies) {
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
      }
      expect(await page.evaluate(() => document.cookie)).toBe('')
    }))
})
