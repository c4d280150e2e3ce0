import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The part of `sharp` that is used: the site installs it. */
interface Picture {
  png(options: object): Picture
  toFile(path: string): Promise<{ readonly size: number }>
}

const sharp = createRequire(new URL('../site/package.json', import.meta.url))('sharp') as (
  picture: Uint8Array,
) => Picture

/** Bytes; a page of the docs with larger pictures is slow to open. */
const LARGEST = 100_000

/** Writes a picture of the page and prints its size. */
export async function savePicture(page: Page, path: string): Promise<void> {
  const picture = await page.screenshot({ fullPage: true })
  // The pages have few colors: a palette makes the file a third.
  const { size } = await sharp(picture).png({ palette: true, effort: 10 }).toFile(path)
  if (size > LARGEST)
    throw new Error(`${path} has ${size} bytes, more than ${LARGEST}: make the viewport smaller`)
  console.log(`${path}: ${size} bytes`)
}
