import { describe, expect, test } from 'vitest'
import { createCsrfToken, openCsrfCookie } from '../http/cookies/csrf-token.ts'
import { hashSecretsOf } from './secrets.ts'

describe('the secrets for hashes', () => {
  test('are each secret and then the joined list, or the joined list first', () => {
    expect(hashSecretsOf(['one', 'two'], undefined)).toEqual(['one', 'two', 'one,two'])
    expect(hashSecretsOf(['one', 'two'], 'joined')).toEqual(['one,two', 'one', 'two'])
  })

  test('are one text for a single secret', () => {
    for (const first of ['first', 'joined'] as const) {
      expect(hashSecretsOf(['one'], first)).toEqual(['one'])
      expect(hashSecretsOf([], first)).toEqual([])
    }
  })

  test('T-KEY-3: include the joined list, so an older CSRF token is found', async () => {
    const { token, cookie } = await createCsrfToken('one,two', (length) => new Uint8Array(length))
    for (const first of ['first', 'joined'] as const) {
      expect(await openCsrfCookie(cookie, hashSecretsOf(['one', 'two'], first))).toBe(token)
      expect(await openCsrfCookie(cookie, hashSecretsOf(['one', 'three'], first))).toBe(undefined)
    }
  })
})
