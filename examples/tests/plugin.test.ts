import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../packages/server/tests/support/chromium.ts'
import { type Application, missingExample, startExample } from './application.ts'

const missing = missingBrowser ?? missingExample('plugin')

describe('the example of a plugin, built against the package', {
  ...inBrowser,
  timeout: 120_000,
}, () => {
  let browser: Browser
  let application: Application
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  beforeAll(async () => {
    if (missing !== undefined) return
    browser = await launch()
    application = await startExample('plugin', { start: ['node', 'server.ts'] })
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await application?.[Symbol.asyncDispose]()
  })

  const at = (path: string): string => application.origin + path

  async function signIn(page: Page, who: string): Promise<void> {
    await page.goto(at('/private'))
    await page.click('button:has-text("Development account")')
    await page.waitForURL(`${application.development}/**`)
    await page.fill('input[name=name]', who)
    await page.click('button')
  }

  const onServer = (page: Page): Promise<string | null> => page.locator('#server').textContent()

  async function jsonAt(page: Page, path: string): Promise<unknown> {
    return (await page.context().request.get(at(path))).json()
  }

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'asks for consent to the terms once, and leads to the target of the visitor, %s',
    async (name, javaScriptEnabled) => {
      const context = await browser.newContext({
        javaScriptEnabled,
        viewport: { width: 420, height: 640 },
      })
      const page = await context.newPage()
      const who = javaScriptEnabled ? 'alice' : 'bob'
      await signIn(page, who)
      await page.waitForURL(at('/auth/terms'))
      expect(await page.textContent('h1')).toBe('Our terms')
      expect(await page.textContent('p')).toContain('2026-01')
      const shots = process.env['SCREENSHOTS']
      if (shots) {
        mkdirSync(shots, { recursive: true })
        await page.screenshot({ path: join(shots, `terms ${name}.png`) })
      }
      // Nobody is signed in before.
      await page.goto(at('/'))
      expect(await onServer(page)).toBe('nobody')
      await page.goto(at('/auth/terms'))
      await page.click('button:has-text("Accept")')
      await page.waitForURL(at('/private'))
      expect(await onServer(page)).toBe(`${who}@example.test`)
      expect(await jsonAt(page, '/accepted')).toEqual({ accepted: '2026-01' })
      const status = { accepted: '2026-01', current: '2026-01' }
      expect(await jsonAt(page, '/auth/terms/status')).toEqual(status)
      await context.close()

      const later = await browser.newContext({ javaScriptEnabled })
      const again = await later.newPage()
      await signIn(again, who)
      await again.waitForURL(at('/private'))
      await later.close()
    },
  )

  test('works with its client in the page', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at('/'))
    const asked = () =>
      page.evaluate(async () => {
        const answer = await fetch('/auth/terms/status', {
          headers: { accept: 'application/json' },
        })
        return [answer.status, ((await answer.json()) as { code?: string }).code]
      })
    expect(await asked()).toEqual([401, 'unauthenticated'])
    await context.close()
  })
})
