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

interface Motif {
  /** The state of the gallery. */
  readonly state: string
  /** The ending of the file is the scheme, in both of them. */
  readonly hasSchemes?: boolean
  /** Pixels of CSS. Without a height, the picture has the whole page. @default { width: 480 } */
  readonly size?: { readonly width: number; readonly height?: number }
}

const small = { width: 420, height: 560 }

/** The pictures by the names of their files. Those for the first page of the site and the README have both schemes. */
const pictures: Readonly<Record<string, Motif>> = {
  'sign-in.png': { state: 'sign-in/providers-mail-and-passkey' },
  'error.png': { state: 'error/AccessDenied' },
  'sessions.png': { state: 'sessions/two' },
  'page-sign-in.webp': {
    state: 'sign-in/providers-and-password',
    hasSchemes: true,
    size: small,
  },
  'page-account.webp': {
    state: 'account/overview-all',
    hasSchemes: true,
    size: { width: 1000, height: 560 },
  },
  'page-account-phone.webp': { state: 'account/overview-all', hasSchemes: true, size: small },
}

const browser = await launch()
for (const [file, { state: name, hasSchemes = false, size }] of Object.entries(pictures)) {
  const state = states.find((each) => each.name === name)
  if (!state) throw new Error(`the gallery has no state ${name}`)
  for (const scheme of hasSchemes ? (['light', 'dark'] as const) : (['light'] as const)) {
    const context = await browser.newContext({
      colorScheme: scheme,
      reducedMotion: 'reduce',
      deviceScaleFactor: 2,
      viewport: { width: 480, height: 320, ...size },
    })
    const { page } = await showPage(context, await state.open({ lang: 'en' }))
    const path = folder + (hasSchemes ? file.replace('.webp', `-${scheme}.webp`) : file)
    await savePicture(page, path, { isWhole: size?.height === undefined })
  }
}
// The browser of the tests stays open until its process ends.
process.exit()
