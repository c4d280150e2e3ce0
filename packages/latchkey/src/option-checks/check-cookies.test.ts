import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../options/auth-config.ts'
import { validate } from './validate.ts'

function judged(config: Partial<AuthConfig>): ReturnType<typeof validate> {
  return validate({ trustHost: true, secret: 'x'.repeat(32), providers: [], ...config }, [])
}

describe('cookies that an application configures', () => {
  for (const [what, cookies, message] of [
    [
      'an attribute that is none',
      { sessionToken: { options: { sameSite: 'never' as never } } },
      '`cookies.sessionToken`: a cookie has an invalid SameSite: "Never"',
    ],
    [
      'a name that no cookie can have',
      { csrfToken: { name: 'my token' } },
      '`cookies.csrfToken`: "my token" is not a valid cookie name',
    ],
    [
      'a date that is none',
      { nonce: { options: { expires: new Date(Number.NaN) } } },
      '`cookies.nonce`: cookie __Secure-authjs.nonce: `expires` must be a valid Date',
    ],
  ] as const) {
    test(`are refused at the start, by name: ${what}`, () => {
      expect(judged({ cookies }).fault).toMatchObject({ type: 'AuthError', message })
    })
  }

  test('are checked without a call of their encoding', () => {
    const encode = (): string => {
      throw new Error('called')
    }
    expect(judged({ cookies: { sessionToken: { options: { encode } } } }).fault).toBeUndefined()
  })

  for (const [what, config, needs] of [
    [
      'a name of one host, for several',
      { cookies: { csrfToken: { options: { domain: 'example.com' } } } },
      "__Host-authjs.csrf-token (`cookies.csrfToken`); set `path: '/'`, and remove `domain`",
    ],
    [
      'a name of one host, below a path',
      { cookies: { sessionToken: { name: '__Host-sid', options: { path: '/app' } } } },
      "__Host-sid (`cookies.sessionToken`); set `path: '/'`, and remove `domain`",
    ],
    [
      'a name of one host, without https',
      { cookies: { csrfToken: { options: { secure: false } } } },
      '__Host-authjs.csrf-token (`cookies.csrfToken`); set `secure`',
    ],
    [
      'a name of https, without it',
      { cookies: { sessionToken: { name: '__secure-sid' } }, useSecureCookies: false },
      '__secure-sid (`cookies.sessionToken`); set `secure`',
    ],
    [
      'SameSite=None, without https',
      { cookies: { state: { options: { sameSite: 'none', secure: false } } } },
      '__Secure-authjs.state (`cookies.state`); set `secure`',
    ],
    [
      'a partition, without https',
      { cookies: { nonce: { name: 'n', options: { partitioned: true, secure: false } } } },
      'n (`cookies.nonce`); set `secure`',
    ],
  ] as const) {
    test(`are warned about if browsers refuse them: ${what}`, () => {
      const { fault, warnings } = judged(config)
      expect(fault).toBeUndefined()
      expect(warnings).toContainEqual(['cookie-refused', `browsers reject the cookie ${needs}`])
    })
  }

  test('cause no warning if browsers accept them', () => {
    const cookies = {
      sessionToken: { name: '__Host-sid' },
      state: { options: { sameSite: 'none', domain: 'example.com' } },
      csrfToken: { name: 'csrf', options: { domain: 'example.com' } },
    } as const
    expect(judged({ cookies })).toEqual({ fault: undefined, warnings: [] })
    expect(judged({ useSecureCookies: false })).toEqual({ fault: undefined, warnings: [] })
  })
})
