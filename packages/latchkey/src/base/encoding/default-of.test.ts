import { expect, test } from 'vitest'
import { defaultOf } from './default-of.ts'

test('APP-1: `defaultOf` returns the default export, or the module of a bundler without one', () => {
  const library = { parse: () => 1 }
  expect(defaultOf({ default: library })).toBe(library)
  expect(defaultOf(library as never)).toBe(library)
})
