import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inBrowser, launch, missingBrowser } from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import { axeIn, overflow, showPage, smallTargets } from '../gallery/in-browser.ts'
import { mails } from '../gallery/mails.ts'

describe('each mail', inBrowser, () => {
  let browser: Browser
  beforeAll(async () => {
    if (!missingBrowser) browser = await launch()
  })
  afterAll(() => browser?.close())
  needsBrowser()

  for (const lang of ['en', 'ar'] as const) {
    test.concurrent.each(mails)(
      `$name in ${lang} can be read in the light, in the dark, on a phone and without its styles`,
      async ({ write }) => {
        await using context = await browser.newContext({ locale: lang })
        const headers = { 'content-type': 'text/html; charset=utf-8' }
        const { html } = write({ lang })
        const { page, complaints } = await showPage(context, new Response(html, { headers }))
        const faults = await axeIn(page)
        for (const width of [900, 320]) {
          await page.setViewportSize({ width, height: 800 })
          expect(await overflow(page), `${width} px`).toBe(0)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            expect(await faults(), `${width} ${colorScheme}`).toEqual([])
          }
        }
        expect(await smallTargets(page)).toEqual([])
        expect(complaints).toEqual([])

        const bare = html.replaceAll(/ style="[^"]*"/g, '')
        const { page: plain } = await showPage(context, new Response(bare, { headers }))
        expect(await (await axeIn(plain))()).toEqual([])
        expect(await plain.getByRole('heading').count()).toBe(1)
      },
    )
  }
})
