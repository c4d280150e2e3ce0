import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

describe('two tabs of one browser', inBrowser, () => {
  const { at, visit } = siteInBrowser()

  /** Goes to the provider, which asks who it is. */
  async function begin(page: Page, target: string): Promise<void> {
    await page.goto(at(`/auth/signin?callbackUrl=${encodeURIComponent(target)}`))
    await page.getByRole('button', { name: 'Continue with Development account' }).click()
    await page.getByLabel('Name').waitFor()
  }

  async function agree(page: Page, name: string, target: string): Promise<void> {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(at(target))
  }

  for (const scripts of [true, false]) {
    test(`T-OIDC-1: complete two sign-ins in reverse, each with its own target, scripts ${scripts ? 'on' : 'off'}`, () =>
      visit(
        async ({ page: first }) => {
          const second = await first.context().newPage()
          await begin(first, '/mailbox')
          await begin(second, '/?tab=second')
          await agree(second, 'grace', '/?tab=second')
          expect(await second.locator('pre').textContent()).toContain('grace')
          await agree(first, 'grace', '/mailbox')
          await first.goto(at('/'))
          expect(await first.locator('pre').textContent()).toContain('grace')
          const kept = await first.context().cookies()
          expect(kept.filter(({ name }) => name.includes('sign-in.'))).toEqual([])
        },
        { scripts },
      ))
  }
})
