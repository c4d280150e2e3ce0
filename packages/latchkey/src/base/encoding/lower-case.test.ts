import { expect, test } from 'vitest'
import { lowerCase } from './lower-case.ts'

test('addresses are kept in lower case', () => {
  expect(lowerCase('Zoë.ÅNGSTRÖM@Example.COM')).toBe('zoë.ångström@example.com')
})

test('letters beyond ASCII never become those of another address', () => {
  const ascii = /^[\0-\u007F]$/
  const beyond = Array.from({ length: 0x10ffff - 0x7f }, (_, at) => String.fromCodePoint(at + 0x80))
  expect(beyond.filter((letter) => ascii.test(lowerCase(letter)))).toEqual([])
})
