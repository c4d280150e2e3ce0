import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The part of `sharp` that is used: the site installs it. */
interface Picture {
  png(options: object): Picture
  webp(options: object): Picture
  toFile(path: string): Promise<{ readonly size: number }>
}

const sharp = createRequire(new URL('../site/package.json', import.meta.url))('sharp') as (
  picture: Uint8Array,
) => Picture

/** Bytes; a page of the docs with larger pictures is slow to open. */
const LARGEST = 100_000

/**
 * Writes a picture of the page as PNG or WebP, and prints its size.
 *
 * @param isWhole whether the picture has the whole page, and not only what the window shows
 */
export async function savePicture(
  page: Page,
  path: string,
  { isWhole = true }: { readonly isWhole?: boolean } = {},
): Promise<void> {
  const picture = sharp(await page.screenshot({ fullPage: isWhole }))
  // The pages have few colors: a palette makes the file a third.
  const compressed = path.endsWith('.webp')
    ? picture.webp({ quality: 88, effort: 6, smartSubsample: true })
    : picture.png({ palette: true, effort: 10 })
  const { size } = await compressed.toFile(path)
  if (size > LARGEST)
    throw new Error(`${path} has ${size} bytes, more than ${LARGEST}: make the viewport smaller`)
  console.log(`${path}: ${size} bytes`)
}
