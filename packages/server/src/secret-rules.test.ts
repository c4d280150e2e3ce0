import { describe, expect, test } from 'vitest'
import { freshSecret, weaknessOf } from './secret-rules.ts'

describe('T-KEY-1: a secret for production', () => {
  test.each([
    ['', 'is too short: it has 0 characters, and needs at least 32'],
    ['secret', 'is a known example'],
    ['changeme', 'is a known example'],
    ['changeme-changeme-changeme-changeme', 'repeats a few characters'],
    ['please-changeme-before-you-use-this-in-production', 'is a known example'],
    ['my-super-secret-value-for-the-session-cookies', 'is a known example'],
    ['secret-test-secret-dev-secret-example-1234', 'is a known example'],
    ['a'.repeat(64), 'repeats a few characters'],
    ['abab'.repeat(16), 'repeats a few characters'],
    ['0123456789abcdef0123456789abcdef', 'repeats a few characters'],
    ['abcdefghijklmnopqrstuvwxyz0123456789', 'is a sequence of keys'],
    ['112112221112122211121122211121212', 'repeats a few characters'],
    ['kP9x', 'is too short: it has 4 characters, and needs at least 32'],
    [
      'V7q1zJx0Lr8mTn3cYw5bKd2fGh6sAp4',
      'is too short: it has 31 characters, and needs at least 32',
    ],
  ])('must not be %j', (secret, weakness) => {
    expect(weaknessOf(secret)).toBe(weakness)
  })

  test('may be printed by "latchkey secret", each time a new one', () => {
    const secrets = Array.from({ length: 200 }, freshSecret)
    expect(new Set(secrets).size).toBe(200)
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(weaknessOf(secret)).toBeUndefined()
    }
  })

  test('may be hexadecimal, or a sentence that nobody knows', () => {
    expect(weaknessOf('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b')).toBeUndefined()
    expect(weaknessOf('violet tractors hum beneath nine quiet moons')).toBeUndefined()
  })
})
