import { expect, test } from 'vitest'
import { checkPage, pageOf } from './paging.ts'

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'the limit %s of a page is refused with a RangeError',
  (limit) => {
    expect(() => checkPage({ limit })).toThrow(RangeError)
    expect(() => checkPage({ limit })).toThrow('the number of rows must be at least 1')
  },
)

test.each([null, 0, {}, ['a']])('the cursor %j of a page is refused with a TypeError', (after) => {
  expect(() => checkPage({ limit: 1, after })).toThrow(TypeError)
  expect(() => checkPage({ limit: 1, after })).toThrow('`after` must be the `next` of the previous')
})

test('a page with further entries ends with the cursor of its last entry, and the last page with null', () => {
  const cursorOf = (entry: string) => `after ${entry}`
  expect(pageOf(['a', 'b', 'c'], 2, cursorOf)).toEqual({ page: ['a', 'b'], next: 'after b' })
  expect(pageOf(['a', 'b'], 2, cursorOf)).toEqual({ page: ['a', 'b'], next: null })
  expect(pageOf([], 2, cursorOf)).toEqual({ page: [], next: null })
})
