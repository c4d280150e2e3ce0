import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  inBrowser,
  launch,
  missingBrowser,
  screenshots,
} from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import {
  axeIn,
  doubleText,
  indistinctControls,
  keyboardFaults,
  layoutShift,
  overflow,
  showPage,
  singleText,
  smallTargets,
  spaceText,
  unspaceText,
} from '../gallery/in-browser.ts'
import { states } from '../gallery/states.ts'

const DESKTOP = { width: 1280, height: 900 }
/** Without transitions, so that colours are final at once. */
const LOOK = { viewport: DESKTOP, reducedMotion: 'reduce' } as const
const PHONE = { width: 390, height: 844 }

describe('each page', inBrowser, () => {
  let browser: Browser
  beforeAll(async () => {
    if (!missingBrowser) browser = await launch()
  })
  afterAll(() => browser?.close())
  needsBrowser()

  for (const lang of ['en', 'ar'] as const) {
    const shown = states.filter(({ isEnglish }) => lang === 'en' || !isEnglish)
    test.concurrent.each(shown)(
      `$name in ${lang} is accessible, fits everywhere and needs no more than its policy allows`,
      async ({ name, open }) => {
        await using context = await browser.newContext({ ...LOOK, locale: lang })
        const { page, complaints } = await showPage(context, await open({ lang }))
        const html = page.locator('html')
        expect(await html.getAttribute('dir')).toBe(lang === 'ar' ? 'rtl' : null)
        expect(await page.content()).not.toMatch(/<[a-z][^>]*\s(?:style|on[a-z]+)=/i)
        expect([await page.locator('h1').count(), await page.locator('main').count()]).toEqual([
          1, 1,
        ])

        const faults = await axeIn(page)
        for (const viewport of [DESKTOP, PHONE]) {
          await page.setViewportSize(viewport)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            if (screenshots) {
              const file = [name.replace('/', '-'), lang, viewport.width, colorScheme].join('-')
              await page.screenshot({ path: join(screenshots, `${file}.png`), fullPage: true })
            }
            expect(await faults(), `${viewport.width} ${colorScheme}`).toEqual([])
          }
        }
        expect(await smallTargets(page)).toEqual([])

        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
        expect(await indistinctControls(page)).toEqual([])
        await page.emulateMedia({ forcedColors: 'none' })

        await page.setViewportSize({ width: 320, height: 640 })
        expect(await overflow(page), '320 px').toBe(0)
        await spaceText(page)
        expect(await overflow(page), 'with text spacing').toBe(0)
        await unspaceText(page)
        await page.setViewportSize({ width: 640, height: 640 })
        await doubleText(page)
        expect(await overflow(page), 'with text of twice its size').toBe(0)
        await singleText(page)
        expect(complaints).toEqual([])
      },
    )
  }

  test.concurrent.each(states)(
    '$name is used with the keyboard alone, and does not move while it loads',
    async ({ open }) => {
      await using context = await browser.newContext(LOOK)
      const { page } = await showPage(context, await open({ lang: 'en' }))
      // A long list of times is painted before they become shorter: a tenth of what counts as good.
      expect(await layoutShift(page)).toBeLessThan(0.01)
      expect(await keyboardFaults(page)).toEqual([])
    },
  )

  test.concurrent.each(states)(
    '$name shows nothing that needs a script without scripts',
    async ({ open }) => {
      await using context = await browser.newContext({ ...LOOK, javaScriptEnabled: false })
      const { page } = await showPage(context, await open({ lang: 'en' }))
      expect(await page.locator('[data-script]:visible').count()).toBe(0)
    },
  )
})
