import { expect, test } from 'vitest'
import { withoutEndSlashes } from '../../base/encoding/end-slashes.ts'
import { hasOneSpelling } from './path.ts'

test.each([
  ['/a/b', '/a/b'],
  ['/a/b///', '/a/b'],
  ['//a', '//a'],
  ['///', ''],
  ['', ''],
])('%j without slashes at its end is %j', (path, plain) => {
  expect(withoutEndSlashes(path)).toBe(plain)
})

test.each([
  '/private/../auth/session',
  '/private/./x',
  '/private/..',
  '/private/%2E%2e/auth/session',
  '/private/.%2e/auth/session?x',
  '/private\\auth',
  'https://app.example/private/../auth/session',
])('T-HOST-4: %j is read in several ways', (address) => {
  expect(hasOneSpelling(address)).toBe(false)
})

test.each([
  '/a/.well-known/x',
  '/a/...',
  '/a/b..',
  '/a?x=/../y',
  'https://app.example/a#/./b',
  '//',
])('%j is read in one way', (address) => {
  expect(hasOneSpelling(address)).toBe(true)
})
