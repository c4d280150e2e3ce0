/**
 * Creates the pictures in examples/images: the private page of each installed example, after a sign-in.
 *
 *     npm run examples:screenshots            # all examples that are installed
 *     npm run examples:screenshots -- express # one of them
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { missingExample, startExample } from '../examples/tests/application.ts'
import { type ExampleName, scenarios } from '../examples/tests/scenarios.ts'
import { launch } from '../packages/server/tests/support/chromium.ts'
import { savePicture } from './screenshot-file.ts'

const folder = fileURLToPath(new URL('../examples/images/', import.meta.url))
mkdirSync(folder, { recursive: true })
const wanted = process.argv.slice(2)
const names = (Object.keys(scenarios) as ExampleName[]).filter(
  (name) => wanted.length === 0 || wanted.includes(name),
)
const browser = await launch()
try {
  for (const name of names) {
    const missing = missingExample(name)
    if (missing === undefined) await photograph(name)
    else console.log(`left out: ${missing}`)
  }
} finally {
  await browser.close()
}

async function photograph(name: ExampleName): Promise<void> {
  await using application = await startExample(name, scenarios[name])
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
  await page.waitForURL(`${application.origin}/private`)
  await page.getByText('ada@example.test').first().waitFor()
  await savePicture(page, `${folder}${name}.png`)
  await context.close()
}
