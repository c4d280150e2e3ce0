import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { colourOf, textOn } from '../../src/http/css-colour.ts'
import type { OAuth2Config } from '../../src/options/provider-options.ts'

const folder = new URL('../../src/providers/', import.meta.url)
const styled = await readStyles()

test('most providers of the catalogue have a mark', () => {
  expect(styled.filter(({ style }) => style.mark).length).toBeGreaterThan(50)
})

test.each(styled)('$module: the mark has enough contrast on its colour', ({ style }) => {
  const colour = colourOf(style.brandColor)
  expect(colour, 'a colour in hexadecimal').toMatch(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/)
  // WCAG 2.2, 1.4.3, for text of any size: the sign may be a letter.
  expect(
    contrast(luminance(colour as string), luminance(textOn(colour as string))),
  ).toBeGreaterThan(4.5)
})

/** Those of the folder that state a colour or a sign. */
async function readStyles() {
  const modules = readdirSync(folder).filter((file) => /^[\w-]+\.ts$/.test(file))
  const described = await Promise.all(
    modules.map(async (file) => {
      const { default: make } = (await import(new URL(file, folder).href)) as { default?: unknown }
      return { module: basename(file, '.ts'), style: styleOf(make) }
    }),
  )
  return described.flatMap(({ module, style }) => (style ? [{ module, style }] : []))
}

function styleOf(make: unknown): OAuth2Config<unknown>['style'] {
  if (typeof make !== 'function') return undefined
  try {
    return (make({}) as OAuth2Config<unknown>).style
  } catch {
    // One that sends mail, and wants to know how.
    return undefined
  }
}

/** Relative luminance of a colour in hexadecimal (WCAG 2.2). */
function luminance(colour: string): number {
  const digits = colour.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3')
  const [red = 0, green = 0, blue = 0] = (digits.match(/../g) ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
