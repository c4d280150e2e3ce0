import { describe, expect, test } from 'vitest'
import { createCsrfToken, openCsrfCookie } from '../http/cookies/csrf-token.ts'
import { hashSecretsOf } from './secrets.ts'

describe('what hashes are made with', () => {
  test('is each secret and then the joined list, or the joined list first', () => {
    expect(hashSecretsOf(['one', 'two'], undefined)).toEqual(['one', 'two', 'one,two'])
    expect(hashSecretsOf(['one', 'two'], 'joined')).toEqual(['one,two', 'one', 'two'])
  })

  test('is a single secret as it is', () => {
    for (const first of ['first', 'joined'] as const) {
      expect(hashSecretsOf(['one'], first)).toEqual(['one'])
      expect(hashSecretsOf([], first)).toEqual([])
    }
  })

  test('T-KEY-3: finds a CSRF token whose hash the joined list made', async () => {
    const { token, cookie } = await createCsrfToken('one,two', (length) => new Uint8Array(length))
    for (const first of ['first', 'joined'] as const) {
      expect(await openCsrfCookie(cookie, hashSecretsOf(['one', 'two'], first))).toBe(token)
      expect(await openCsrfCookie(cookie, hashSecretsOf(['one', 'three'], first))).toBe(undefined)
    }
  })
})
