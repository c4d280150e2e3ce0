import { describe, expect, test } from 'vitest'
import { AuthError } from '../base/errors.ts'
import { createActionURL } from './action-url.ts'
import type { Env } from './env.ts'

describe('the address of an action', () => {
  for (const [what, protocol, headers, env, basePath, expected] of [
    ['the host', 'http', { host: 'h:1' }, {}, '/auth', 'http://h:1/auth/session'],
    ['a protocol with a colon', 'http:', { host: 'h:1' }, {}, '/auth', 'http://h:1/auth/session'],
    ['no protocol', '', { host: 'h' }, {}, '/auth', 'https://h/auth/session'],
    [
      'a proxy in front',
      'https',
      { host: 'h', 'x-forwarded-host': 'f', 'x-forwarded-proto': 'http' },
      {},
      '/auth',
      'http://f/auth/session',
    ],
    [
      'lists of two proxies',
      'http',
      { host: 'h', 'x-forwarded-host': 'f, g', 'x-forwarded-proto': 'https,http' },
      {},
      '/auth',
      'https://f/auth/session',
    ],
    [
      'empty headers',
      'http',
      { host: 'h', 'x-forwarded-host': '', 'x-forwarded-proto': ' ' },
      {},
      '/auth',
      'http://h/auth/session',
    ],
    [
      'slashes around the base path',
      'http',
      { host: 'h' },
      {},
      '//auth//',
      'http://h/auth/session',
    ],
    ['the base path /', 'http', { host: 'h' }, {}, '/', 'http://h/session'],
    ['no base path', 'http', { host: 'h' }, {}, undefined, 'http://h/session'],
    [
      'AUTH_URL',
      'http',
      { host: 'h' },
      { AUTH_URL: 'https://e.x' },
      '/auth',
      'https://e.x/auth/session',
    ],
    [
      'AUTH_URL with the same path',
      'http',
      {},
      { AUTH_URL: 'https://e.x/auth' },
      '/auth',
      'https://e.x/auth/session',
    ],
    [
      'AUTH_URL with a path and no base path',
      'http',
      {},
      { AUTH_URL: 'https://e.x/p/' },
      undefined,
      'https://e.x/p/session',
    ],
    [
      'AUTH_URL with a path and the base path /',
      'http',
      {},
      { AUTH_URL: 'https://e.x/p' },
      '/',
      'https://e.x/p/session',
    ],
    [
      'AUTH_URL with a query',
      'http',
      {},
      { AUTH_URL: 'https://e.x/p?a=1#b' },
      undefined,
      'https://e.x/p/session',
    ],
    [
      'the legacy name',
      'http',
      {},
      { NEXTAUTH_URL: 'https://n.x' },
      '/auth',
      'https://n.x/auth/session',
    ],
    [
      'both names',
      'http',
      {},
      { AUTH_URL: 'https://e.x', NEXTAUTH_URL: 'https://n.x' },
      '/auth',
      'https://e.x/auth/session',
    ],
    [
      'an empty AUTH_URL',
      'http',
      { host: 'h' },
      { AUTH_URL: '' },
      '/auth',
      'http://h/auth/session',
    ],
  ] as [string, string, Record<string, string>, Env, string | undefined, string][]) {
    test(`from ${what}`, () => {
      const warned: string[] = []
      const logger = { warn: (code: string) => warned.push(code) }
      const url = createActionURL('session', protocol, new Headers(headers), env, {
        basePath,
        logger,
      })
      expect(url.href).toBe(expected)
      expect(warned).toEqual([])
    })
  }

  for (const path of ['/p', '/auth/']) {
    test(`drops the path ${path} of AUTH_URL for another base path, and logs a warning`, () => {
      const warned: string[] = []
      const url = createActionURL(
        'session',
        'http',
        new Headers(),
        { AUTH_URL: `https://e.x${path}` },
        {
          basePath: '/auth',
          logger: { warn: (code) => warned.push(code) },
        },
      )
      expect(url.href).toBe('https://e.x/auth/session')
      expect(warned).toEqual(['env-url-basepath-mismatch'])
    })
  }

  test('accepts a bare base path', () => {
    const url = createActionURL('signin', 'https', new Headers({ host: 'h' }), {}, '/api/auth')
    expect(url.href).toBe('https://h/api/auth/signin')
  })

  test('is not invented without a host', () => {
    expect(() => createActionURL('session', 'https', new Headers(), {}, '/auth')).toThrow(AuthError)
  })
})
