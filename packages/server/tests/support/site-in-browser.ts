import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launch, missingBrowser, openWindow, type Window, type WindowOptions } from './chromium.ts'
import { needsBrowser } from './needs-browser.ts'
import { type TestService, testService } from './service.ts'

/** A service with its demo, and a browser that looks at it. */
export interface SiteInBrowser {
  /** There once the tests run. */
  readonly service: TestService
  /** An address of the service. */
  at(path: string): string
  /** Opens a window, and at the end sees that nothing happened in it that should not. */
  visit(
    work: (window: Window) => Promise<void>,
    options?: Omit<WindowOptions, 'origin'>,
  ): Promise<void>
}

/** For the tests of the `describe` that calls it; without a browser they are skipped. */
export function siteInBrowser(env: Record<string, string> = {}): SiteInBrowser {
  let browser: Browser | undefined
  let service: TestService | undefined
  beforeAll(async () => {
    if (missingBrowser) return
    browser = await launch()
    service = await testService(env)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  needsBrowser()

  const site: SiteInBrowser = {
    get service() {
      if (!service) throw new Error('the service is not there before the tests run')
      return service
    },
    at: (path) => `${site.service.address}${path}`,
    async visit(work, options = {}) {
      if (!browser) throw new Error('the browser is not there before the tests run')
      const window = await openWindow(browser, { origin: site.service.address, ...options })
      try {
        await work(window)
        expect(window.complaints).toEqual([])
      } finally {
        await window.close()
      }
    },
  }
  return site
}
