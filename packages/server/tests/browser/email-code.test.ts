import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

describe('a mailed code, in a browser', inBrowser, () => {
  const { at, visit } = siteInBrowser()

  async function addressOf(page: Page): Promise<string | undefined> {
    const answer = await page.context().request.get(at('/auth/session'))
    return ((await answer.json()) as { user?: { email?: string } } | null)?.user?.email
  }

  /** Asks for a mail, and reads its code in the mailbox. */
  async function codeFor(page: Page, address: string): Promise<string> {
    await page.goto(at('/auth/signin'))
    await page.getByLabel('Email address').fill(address)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await page.waitForURL(/verify-request/)
    const mailbox = await (await page.context().request.get(at('/mailbox'))).text()
    const [mail = ''] = mailbox.split('<section').filter((each) => each.includes(address))
    const code = /<code><bdi dir="ltr">(\d+)</.exec(mail)?.[1] ?? ''
    expect(code).toMatch(/^\d{6}$/)
    return code
  }

  async function enter(page: Page, code: string): Promise<void> {
    const { pathname } = new URL(page.url())
    await page.getByLabel('Code from the email').fill(code)
    // With scripts, a complete code is sent at once.
    const button = page.getByRole('button', { name: 'Sign in' })
    if (pathname === new URL(page.url()).pathname)
      await button.click({ timeout: 1000 }).catch(() => undefined)
  }

  const wrong = (code: string): string => code.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))

  for (const [scripts, width] of [
    [true, 900],
    [true, 360],
    [false, 360],
  ] as const) {
    test(`is corrected and signs in, with scripts ${scripts ? 'on' : 'off'}, ${width} wide`, () =>
      visit(
        async ({ page }) => {
          const address = `ada-${scripts}-${width}@example.test`
          const code = await codeFor(page, address)
          await enter(page, wrong(code))
          await page.waitForURL(/error=WrongCode/)
          expect(await page.locator('#input-code-error').textContent()).toContain(
            'This code is wrong',
          )
          await expect
            .poll(() => page.evaluate(() => document.activeElement?.id))
            .toBe('input-code')
          expect(await addressOf(page)).toBeUndefined()
          await enter(page, `${code.slice(0, 3)} ${code.slice(3)}`)
          await page.waitForURL(at('/'))
          expect(await addressOf(page)).toBe(address)
        },
        { scripts, width },
      ))
  }

  test('is typed with the keyboard only', () =>
    visit(async ({ page }) => {
      const code = await codeFor(page, 'keys@example.test')
      const focused = (): Promise<string | null> =>
        page.evaluate(() => document.activeElement?.getAttribute('name') ?? null)
      for (let i = 0; i < 5 && (await focused()) !== 'code'; i++) await page.keyboard.press('Tab')
      expect(await focused()).toBe('code')
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await page.waitForURL(at('/'))
      expect(await addressOf(page)).toBe('keys@example.test')
    }))

  test('with too many wrong attempts leaves the link valid', () =>
    visit(async ({ page }) => {
      const code = await codeFor(page, 'often@example.test')
      for (let i = 0; i < 5; i++) await enter(page, wrong(code))
      await enter(page, code)
      await page.waitForURL(/error=TooManyAttempts/)
      expect(await page.getByRole('alert').textContent()).toContain('Open the link')
      await page.goto(at('/mailbox'))
      await page.getByRole('link', { name: 'Open the link' }).first().click()
      await page.waitForURL(at('/'))
      expect(await addressOf(page)).toBe('often@example.test')
    }))

  for (const scheme of ['light', 'dark'] as const) {
    const width = scheme === 'light' ? 900 : 360

    test(`has pages that are accessible and fit a phone, ${scheme}`, () =>
      visit(
        async ({ page, screenshot }) => {
          const fits = async (): Promise<void> => {
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            )
            expect(overflow).toBe(0)
          }
          const code = await codeFor(page, `look-${scheme}@example.test`)
          await page.getByLabel('Code from the email').fill(code.slice(0, 4))
          await screenshot('code')
          await fits()
          await enter(page, wrong(code))
          await page.waitForURL(/error=WrongCode/)
          await screenshot('code-wrong')
          await fits()
          await page.goto(at('/mailbox'))
          const card = page.locator('article', { hasText: `look-${scheme}` })
          const source = (await card.locator('iframe').getAttribute('src')) ?? ''
          await screenshot('mailbox-code')
          await fits()
          await page.goto(at(source))
          await screenshot('code-mail')
        },
        { scheme, width },
      ))
  }
})
