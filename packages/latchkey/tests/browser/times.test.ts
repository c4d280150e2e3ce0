import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { inBrowser, launch } from '../../../server/tests/support/chromium.ts'
import { needsBrowser } from '../../../server/tests/support/needs-browser.ts'
import { layoutShift, showPage } from '../gallery/in-browser.ts'
import { states } from '../gallery/states.ts'

needsBrowser()

test(
  'a page of times that arrives in two pieces does not move when the second one is there',
  inBrowser,
  async () => {
    const state = states.find(({ name }) => name === 'sessions/many')
    if (!state) throw new Error('the gallery has no page with many sessions')
    const response = await state.open({ lang: 'en' })
    const text = await response.text()
    // In the text of a time in the middle.
    const times = [...text.matchAll(/<time[^>]*data-relative>/g)]
    const middle = times[Math.floor(times.length / 2)]
    if (!middle) throw new Error('the page has no times')
    const cut = middle.index + middle[0].length + 5
    const server = createServer((_request, answer) => {
      answer.setHeaders(response.headers)
      answer.write(text.slice(0, cut))
      setTimeout(() => answer.end(text.slice(cut)), 300)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    await using browser = await launch()
    await using page = await browser.newPage({ viewport: { width: 1280, height: 900 } })

    await page.goto(`http://127.0.0.1:${port}/`)
    expect(await layoutShift(page)).toBeLessThan(0.01)
    const shown = await page.locator('time[data-relative]').allInnerTexts()
    expect(shown.filter((time) => time.endsWith('UTC'))).toEqual([])
    expect(shown).toHaveLength(times.length)
    server.close()
  },
)

test('a browser whose clock is behind shows no time to come', inBrowser, async () => {
  const state = states.find(({ name }) => name === 'two-factor/account-browsers')
  if (!state) throw new Error('the gallery has no page with trusted browsers')
  await using browser = await launch()
  await using context = await browser.newContext()
  // The browsers were used minutes after the begin, where the clock of the window stands.
  const { page } = await showPage(context, await state.open({ lang: 'en' }))
  const shown = await page.locator('time[data-relative]').allInnerTexts()
  expect(shown.length).toBeGreaterThan(2)
  expect(new Set(shown)).toEqual(new Set(['this minute']))
})
