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
  cutTexts,
  doubleText,
  gaps,
  indistinctControls,
  keyboardFaults,
  layoutShift,
  overflow,
  screensOf,
  singleText,
  smallTargets,
  spaceText,
  squeezed,
  strayButtons,
  unspaceText,
} from '../gallery/in-browser.ts'
import { states } from '../gallery/states.ts'

const DESKTOP = { width: 1280, height: 900 }
/** Without transitions, so that colours are final at once. */
const LOOK = { viewport: DESKTOP, reducedMotion: 'reduce' } as const
/** A tenth of what counts as good. */
const STILL = 0.01
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
    const onScreen = screensOf(() => browser, { ...LOOK, locale: lang })
    test.concurrent.each(shown)(
      `$name in ${lang} is accessible, by keyboard alone too, fits everywhere, keeps still, and needs no more than its policy allows`,
      async ({ name, open }) => {
        await onScreen(await open({ lang }), async ({ page, complaints }) => {
          expect(await layoutShift(page), 'moved while it was loaded').toBeLessThan(STILL)
          const html = page.locator('html')
          expect(await html.getAttribute('dir')).toBe(lang === 'ar' ? 'rtl' : null)
          expect(await page.content()).not.toMatch(/<[a-z][^>]*\s(?:style|on[a-z]+)=/i)
          expect([await page.locator('h1').count(), await page.locator('main').count()]).toEqual([
            1, 1,
          ])

          expect(await strayButtons(page)).toEqual([])
          expect(await gaps(page)).toEqual([])
          expect(await page.locator('main').ariaSnapshot(), 'dots are for the eye').not.toContain(
            '·',
          )

          await page.setViewportSize(DESKTOP)
          await page.emulateMedia({ colorScheme: 'light' })
          const faults = await axeIn(page)
          for (const viewport of [DESKTOP, PHONE]) {
            await page.setViewportSize(viewport)
            expect(await cutTexts(page), String(viewport.width)).toEqual([])
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme })
              if (screenshots) {
                const file = [name.replace('/', '-'), lang, viewport.width, colorScheme].join('-')
                await page.screenshot({ path: join(screenshots, `${file}.png`), fullPage: true })
              }
              const only = colorScheme === 'dark' ? 'colours' : undefined
              expect(await faults(only), `${viewport.width} ${colorScheme}`).toEqual([])
            }
          }
          expect(await smallTargets(page)).toEqual([])

          await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
          expect(await indistinctControls(page)).toEqual([])
          await page.emulateMedia({ forcedColors: 'none' })

          await page.setViewportSize({ width: 320, height: 640 })
          expect(await overflow(page), '320 px').toBe(0)
          expect(await squeezed(page), '320 px').toEqual([])
          await spaceText(page)
          expect(await overflow(page), 'with text spacing').toBe(0)
          await unspaceText(page)
          await page.setViewportSize({ width: 640, height: 640 })
          await doubleText(page)
          expect(await overflow(page), 'with text of twice its size').toBe(0)
          await singleText(page)
          expect(await keyboardFaults(page)).toEqual([])
          // The check of accessibility also looks into the frame of a mail, which runs no script.
          const own = complaints.filter(
            (text) => !text.includes("script execution in 'about:srcdoc'"),
          )
          expect(own).toEqual([])
        })
      },
    )
  }

  const withoutScripts = screensOf(() => browser, { ...LOOK, javaScriptEnabled: false })
  test.concurrent.each(states)(
    '$name shows nothing that needs a script without scripts',
    async ({ open }) => {
      await withoutScripts(await open({ lang: 'en' }), async ({ page }) => {
        expect(await page.locator('[data-script]:visible').count()).toBe(0)
      })
    },
  )
})
