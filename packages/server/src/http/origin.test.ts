import { describe, expect, test } from 'vitest'
import { fixedOrigin, trustedOrigin } from './origin.ts'
import { localOrigin } from './public-address.ts'

describe('T-HOST-1: the public origin', () => {
  test('is the configured one, before any header', () => {
    const rule = fixedOrigin('https://login.example.com')
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    expect(rule(headers)).toEqual({
      origin: 'https://login.example.com',
      host: 'login.example.com',
    })
  })

  test('is that of a trusted proxy', () => {
    const headers = {
      host: 'inner:3000',
      'x-forwarded-host': 'a.example',
      'x-forwarded-proto': 'https',
    }
    expect(trustedOrigin(true)(headers)).toEqual({ origin: 'https://a.example', host: 'a.example' })
    expect(trustedOrigin(true)({ host: 'a.example:8080' })).toEqual({
      origin: 'http://a.example:8080',
      host: 'a.example:8080',
    })
  })

  test('is one of the configured list', () => {
    const rule = trustedOrigin(['a.example', 'b.example:8443'])
    expect(rule({ host: 'A.example' })).toEqual({ origin: 'http://a.example', host: 'a.example' })
    expect(rule({ host: 'b.example:8443' })).toEqual({
      origin: 'http://b.example:8443',
      host: 'b.example:8443',
    })
    expect(rule({ host: 'b.example' })).toEqual({ refused: 'unknown' })
    expect(rule({ host: 'a.example.evil.example' })).toEqual({ refused: 'unknown' })
    expect(rule({ host: 'a.example', 'x-forwarded-host': 'evil.example' })).toEqual({
      refused: 'unknown',
    })
  })

  test.each([
    '',
    'a.example, evil.example',
    'a.example/path',
    'a.example?x',
    'a.example#x',
    'user@a.example',
    'a.example:99999',
    'a.example:',
    'a b',
    'a\\b',
    '.',
    '-a',
    '[::1',
    'ä.example',
    `${'a'.repeat(300)}.example`,
  ])('is not read from %j', (host) => {
    expect(trustedOrigin(true)({ host })).toEqual({ refused: 'unusable' })
    expect(trustedOrigin(true)({ host: 'a.example', 'x-forwarded-host': host || ' ' })).toEqual({
      refused: 'unusable',
    })
  })

  test.each(['ftp', 'https, http', 'javascript', ''])(
    'is not accepted with the scheme %j',
    (scheme) => {
      const headers = { host: 'a.example', 'x-forwarded-proto': scheme || ' ' }
      expect(trustedOrigin(true)(headers)).toEqual({ refused: 'unusable' })
    },
  )
})

test.each([
  [undefined, 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['box.local', 'http://box.local:3000'],
])('listening on %s, a browser opens %s', (host, origin) => {
  expect(localOrigin(host, 3000)).toBe(origin)
})
