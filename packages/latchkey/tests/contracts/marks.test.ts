import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import type { OAuth2Config } from '../../src/options/provider-options.ts'

const folder = new URL('../../src/providers/', import.meta.url)
const styled = await readStyles()

test('most providers of the catalogue have a mark', () => {
  expect(styled.filter(({ style }) => style.mark).length).toBeGreaterThan(50)
})

test.each(styled)('$module has colours in hexadecimal, and marks that are paths', ({ style }) => {
  const { brandColor, mark, colouredMark } = style
  expect(brandColor).toMatch(COLOUR)
  expect(mark ?? 'M0 0').toMatch(PATH)
  for (const { d, fill } of colouredMark?.paths ?? []) {
    expect(d).toMatch(PATH)
    expect(fill).toMatch(COLOUR)
  }
})

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const PATH = /^[Mm][\w\s.,-]+$/

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
