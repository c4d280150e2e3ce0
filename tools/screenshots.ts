/**
 * Makes the pictures in docs/images: pages of the gallery in Chromium, at twice the pixels.
 *
 *     npm run docs:screenshots
 */
import { fileURLToPath } from 'node:url'
import { showPage } from '../packages/latchkey/tests/gallery/in-browser.ts'
import { states } from '../packages/latchkey/tests/gallery/states.ts'
import { launch } from '../packages/server/tests/support/chromium.ts'
import { savePicture } from './screenshot-file.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))

/** The state of the gallery on each picture. */
const pictures: Readonly<Record<string, string>> = {
  'sign-in': 'sign-in/providers-mail-and-passkey',
  error: 'error/AccessDenied',
  sessions: 'sessions/two',
}

const browser = await launch()
for (const [file, name] of Object.entries(pictures)) {
  const state = states.find((each) => each.name === name)
  if (!state) throw new Error(`the gallery has no state ${name}`)
  const context = await browser.newContext({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
    viewport: { width: 480, height: 320 },
  })
  const { page } = await showPage(context, await state.open({ lang: 'en' }))
  await savePicture(page, `${folder}${file}.png`)
}
// The browser of the tests stays open until its process ends.
process.exit()
