import { expect, test } from 'vitest'
import { growthOf, literalsIn } from './check-expressions.ts'

test('finds the expressions of a source, in every place', () => {
  const source = `
    const a: RegExp = /a+/g
    export function f(text?: string): string { return text?.replace(/\\/+$/, '') ?? \`\${/b/.exec('')}\` }`
  expect(literalsIn(source).map(({ pattern, flags }) => `${pattern} ${flags}`)).toEqual([
    'a+ g',
    '\\/+$ ',
    'b ',
  ])
})

test.each([
  ['\\/+$', ''],
  ['^(a+)+$', ''],
  ['\\s*(.*?)\\s*$', ''],
  ['(?<=a)b.*c', 'gs'],
])('/%s/%s takes more than linear time', (pattern, flags) => {
  expect(growthOf({ pattern, flags })).toMatch(/polynomial|exponential/)
})

test.each([
  ['^[a-z]+$', 'i'],
  ['[^/]+', 'g'],
  ['<(\\w+)>', 'dg'],
  // What is tried out, since it looks around, is measured.
  ['(?<![\\w.-])((?=[\\w.-]*(?:secret|code|nonce))[\\w.-]+\\s*[=:]\\s*)[^\\s;,]+', 'gi'],
])('/%s/%s takes linear time', (pattern, flags) => {
  expect(growthOf({ pattern, flags })).toBeUndefined()
})
