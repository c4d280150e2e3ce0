import { expect, test } from 'vitest'
import { kindOfValue } from './kind-of-value.ts'

test.each([
  ['null', null],
  ['undefined', undefined],
  ['a list', ['canary']],
  ['an object', { name: 'canary' }],
  ['a string', 'canary'],
  ['a number', 42],
  ['a bigint', 42n],
  ['a boolean', true],
  ['a function', () => 'canary'],
  ['a symbol', Symbol('canary')],
])('the message about %s does not show the value itself', (kind, value) => {
  expect(kindOfValue(value)).toBe(kind)
})
