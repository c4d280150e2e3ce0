/**
 * Creates the pictures in examples/images: the private page of each installed example after a sign-in, or the page
 * that the example `plugin` shows before it.
 *
 *     npm run examples:screenshots            # all examples that are installed
 *     npm run examples:screenshots -- express # one of them
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { missingExample, type Starting, startExample } from '../examples/tests/application.ts'
import { copyParts } from '../examples/tests/copied-parts.ts'
import { scenarios } from '../examples/tests/scenarios.ts'
import { launch } from '../packages/server/tests/support/chromium.ts'
import { savePicture } from './screenshot-file.ts'

const folder = fileURLToPath(new URL('../examples/images/', import.meta.url))
mkdirSync(folder, { recursive: true })
const wanted = process.argv.slice(2)
/** How each example is started, and the page of its picture. */
const examples: Readonly<Record<string, Starting & { readonly page?: string }>> = {
  ...scenarios,
  plugin: { start: ['node', 'server.ts'], page: '/auth/terms' },
}
const names = Object.keys(examples).filter((name) => wanted.length === 0 || wanted.includes(name))
const browser = await launch()
for (const name of names) {
  const missing = missingExample(name)
  if (missing === undefined) await photograph(name)
  else console.log(`left out: ${missing}`)
}
// The browser of the tests stays open until its process ends.
process.exit()

async function photograph(name: string): Promise<void> {
  const { page: path = '/private', ...starting } = examples[name] as (typeof examples)[string]
  copyParts(name)
  await using application = await startExample(name, starting)
  const context = await browser.newContext({
    colorScheme: 'light',
    deviceScaleFactor: 2,
    viewport: { width: 640, height: 240 },
  })
  const page = await context.newPage()
  await page.goto(`${application.origin}/private`)
  await page.click('button:has-text("Development account")')
  await page.fill('input[name=name]', 'ada')
  await page.click('button')
  await page.waitForURL(`${application.origin}${path}`)
  if (path === '/private') await page.getByText('ada@example.test').first().waitFor()
  await savePicture(page, `${folder}${name}.png`)
  await context.close()
}
