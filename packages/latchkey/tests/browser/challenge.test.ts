import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import { proofOfWork } from '../../src/plugins/limits/challenge/proof-of-work.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { GOOD, passwordsSite } from '../support/passwords-site.ts'

const ADDRESS = 'ada@example.com'
const FORM = 'https://app.example/auth/password/sign-in'

describe('LIM-10: a form with a proof of work', inBrowser, () => {
  let browser: Browser
  beforeAll(async () => {
    if (!missingBrowser) browser = await launch()
  })
  afterAll(() => browser?.close())
  needsBrowser()

  /** A site in a window, whose requests are answered without a server. */
  async function open(context: BrowserContext) {
    const challenge = proofOfWork({ range: [20, 60] })
    const challengeWhen = ({ action }: { action: string }) => action === 'password.sign-in'
    const site = passwordsSite({}, { plugins: [limits({ challenge, challengeWhen })] })
    await site.signUp(ADDRESS, GOOD, site.world.otherBrowser())
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('403'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.route('**/*', async (route) => {
      const asked = route.request()
      const body = asked.postData()
      const request = new Request(asked.url(), {
        method: asked.method(),
        headers: await asked.allHeaders(),
        ...(body !== null && { body }),
      })
      const { core, config } = site.world
      const answer = await core.auth(request, config)
      const headers = Object.fromEntries(answer.headers)
      const cookies = answer.headers.getSetCookie().join('\n')
      await route.fulfill({
        status: answer.status,
        headers: { ...headers, ...(cookies && { 'set-cookie': cookies }) },
        body: await answer.text(),
      })
    })
    return { page, complaints, site }
  }

  test('is sent with the answer, which the script finds meanwhile', async () => {
    await using context = await browser.newContext()
    const { page, complaints, site } = await open(context)
    const answers: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') answers.push(request.postData() ?? '')
    })
    await page.goto(FORM)
    await page.fill('[name=identifier]', ADDRESS)
    await page.fill('[name=password]', GOOD)
    await page.click('form [type=submit]')
    await expect.poll(() => answers.length).toBe(1)
    expect(new URLSearchParams(answers[0]).get('challenge')).toMatch(/^[A-Za-z0-9+/=]{100,}$/)
    await expect
      .poll(async () => {
        const cookies = await context.cookies()
        return cookies.some(({ name }) => name.includes('session-token'))
      })
      .toBe(true)
    expect(complaints).toEqual([])
    expect(site.events.map(({ type }) => type)).not.toContain('challenge.failed')
  })

  test('LIM-11: says without scripts what is the matter, and leads to another way', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false })
    const { page } = await open(context)
    await page.goto(FORM)
    expect(await page.locator('noscript, form').allTextContents()).toContainEqual(
      expect.stringContaining('JavaScript is off'),
    )
    await page.fill('[name=identifier]', ADDRESS)
    await page.fill('[name=password]', GOOD)
    await page.click('form [type=submit]')
    await expect.poll(() => page.locator('form').textContent()).toContain('JavaScript is off')
    expect(await page.locator('a[href="/auth/signin"]').count()).toBeGreaterThan(0)
  })
})
