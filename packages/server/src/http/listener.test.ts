import { expect, test } from 'vitest'
import { loggablePath } from './exchange.ts'
import { targetOf } from './listener.ts'

test.each([
  ['/', '/'],
  ['/auth/session?x=1', '/auth/session?x=1'],
  ['//evil.example/x', '//evil.example/x'],
  ['/a%20b', '/a%20b'],
  ['/auth/signin/a%2Fb', '/auth/signin/a%2Fb'],
  ['http://evil.example/auth/session', '/auth/session'],
  ['/x?a=/../b', '/x?a=/../b'],
])('T-HOST-4: %s is accepted as a path', (line, target) => {
  expect(targetOf(line)).toBe(target)
})

test.each([
  '',
  '*',
  'evil.example:443',
  '/a/../b',
  '/a/./b',
  '/%2e%2e/b',
  '/a/%2E/b',
  '/a\\b',
  '/a#b',
  '/a b',
  '/ä',
  'javascript:alert(1)',
  'http://evil.example',
])('T-HOST-4: %j has another spelling, or is no path', (line) => {
  expect(targetOf(line)).toBeUndefined()
})

test('a path is logged without segments that could be a token', () => {
  expect(loggablePath('/reset/4bQ9mZ2xT7rK5wN8vL3cJ6hGs')).toBe('/reset/…')
  expect(loggablePath(`/${'a/'.repeat(500)}`).length).toBeLessThan(130)
  expect(loggablePath('/auth/callback/development')).toBe('/auth/callback/development')
})
