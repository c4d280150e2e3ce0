import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrastOf } from '../../http/css-colour.ts'
import type { Theme } from '../../options/pages.ts'
import { tokensOf } from './tokens.ts'

const schemes = ['light', 'dark'] as const

/** The custom properties of one scheme. */
function propertiesOf(theme: Theme, colorScheme: (typeof schemes)[number]): Map<string, string> {
  const css = tokensOf({ ...theme, colorScheme })
  return new Map(
    [...css.matchAll(/--([\w-]+):([^;}]*)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function contrastIn(theme: Theme, scheme: (typeof schemes)[number]) {
  const properties = propertiesOf(theme, scheme)
  return (one: string, other: string) =>
    contrastOf(properties.get(one) ?? '', properties.get(other) ?? '')
}

/** Text and what is behind it. */
const TEXTS = {
  text: ['page', 'card', 'tint', 'button', 'hover', 'active'],
  soft: ['page', 'card', 'tint', 'active'],
  'on-accent': ['accent'],
  bad: ['card', 'button', 'bad-page'],
  good: ['card', 'good-page'],
  warn: ['card', 'warn-page'],
} as const

describe.each(schemes)('colours of the %s scheme', (scheme) => {
  const contrast = contrastIn({}, scheme)

  test.each(
    Object.entries(TEXTS).flatMap(([text, grounds]) =>
      grounds.map((ground) => [text, ground] as const),
    ),
  )('have a contrast of 4.5:1 for %s on %s', (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['edge', 'card'],
    ['edge', 'page'],
    ['ring', 'card'],
    ['ring', 'page'],
  ])('have a contrast of 3:1 for %s on %s', (line, ground) => {
    expect(contrast(line, ground)).toBeGreaterThanOrEqual(3)
  })

  test('stay readable with any accent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (colour) => {
        const accent = `#${colour.toString(16).padStart(6, '0')}`
        const own = contrastIn({ accent }, scheme)
        expect(own('on-accent', 'accent')).toBeGreaterThanOrEqual(4.5)
        expect(own('ring', 'card')).toBeGreaterThanOrEqual(3)
      }),
      { numRuns: 200 },
    )
  })
})

test('values that are no colours, lengths or names do not count', () => {
  const evil = 'red}body{display:none'
  const theme = {
    accent: evil,
    radius: evil as 'large',
    font: [evil],
    tokens: { accent: evil, radius: evil, font: evil, background: evil, text: evil, danger: evil },
  }
  expect(tokensOf(theme)).toBe(tokensOf({}))
})
