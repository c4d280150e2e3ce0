import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { toNodeListener } from 'latchkey/node'
import { signInAs } from 'latchkey/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launch, missingBrowser } from '../support/chromium.ts'

let browser: Browser | undefined
beforeAll(async () => {
  if (!missingBrowser) browser = await launch()
})
afterAll(() => browser?.close())

// In cookies, a name of this length takes several.
for (const [strategy, name] of [
  ['jwt', 'A'.repeat(6000)],
  ['database', 'Ada'],
] as const) {
  test(`the cookies of signInAs sign a browser in, with ${strategy} sessions`, async (context) => {
    if (!browser) return context.skip(missingBrowser)
    const config = {
      secret: 'a secret for tests, 0123456789abcdef',
      trustHost: true,
      adapter: memoryAdapter(),
      session: { strategy, userId: true },
      providers: [],
      logger: { error() {}, warn() {}, debug() {} },
    }
    const server = createServer(toNodeListener(createLatchkey(config, {}))).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`

    const user = { name, email: 'ada@example.com' }
    const { cookies, session } = await signInAs(config, user, origin)
    const window = await browser.newContext()
    onTestFinished(() => window.close())
    await window.addCookies(cookies)
    const page = await window.newPage()
    await page.goto(`${origin}/auth/session`)
    expect(JSON.parse((await page.textContent('body')) ?? '')).toEqual({
      ...session,
      expires: expect.stringMatching(/^\d{4}-/) as string,
    })
    expect(session.user?.name).toBe(name)
  })
}
