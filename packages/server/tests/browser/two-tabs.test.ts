import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launch, missingBrowser, openWindow } from '../support/chromium.ts'
import { type TestService, testService } from '../support/service.ts'

describe('two tabs of one browser', () => {
  let browser: Browser
  let service: TestService

  beforeAll(async () => {
    if (missingBrowser) return
    browser = await launch()
    service = await testService()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  beforeEach((context) => {
    if (missingBrowser) context.skip(missingBrowser)
  })

  /** Goes to the provider, which asks who it is. */
  async function begin(page: Page, target: string): Promise<void> {
    await page.goto(`${service.address}/auth/signin?callbackUrl=${encodeURIComponent(target)}`)
    await page.getByRole('button', { name: 'Continue with Development account' }).click()
    await page.getByLabel('Name').waitFor()
  }

  async function agree(page: Page, name: string, target: string): Promise<void> {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Allow and continue' }).click()
    await page.waitForURL(`${service.address}${target}`)
  }

  for (const scripts of [true, false]) {
    test(`T-OIDC-1: finish two sign-ins in reverse, each where it wanted to go, scripts ${scripts ? 'on' : 'off'}`, async () => {
      const window = await openWindow(browser, { origin: service.address, scripts })
      try {
        const first = window.page
        const second = await first.context().newPage()
        await begin(first, '/mailbox')
        await begin(second, '/?tab=second')
        await agree(second, 'grace', '/?tab=second')
        expect(await second.locator('pre').textContent()).toContain('grace')
        await agree(first, 'grace', '/mailbox')
        await first.goto(`${service.address}/`)
        expect(await first.locator('pre').textContent()).toContain('grace')
        const kept = await first.context().cookies()
        expect(kept.filter(({ name }) => name.includes('sign-in.'))).toEqual([])
        expect(window.complaints).toEqual([])
      } finally {
        await window.close()
      }
    })
  }
})
