import { describe, expect, test } from 'vitest'
import { hostOf, isActionPath, parseRequest } from './request.ts'

const parse = (url: string, basePath = '/auth', init?: RequestInit, trailingSlash = false) =>
  parseRequest(new Request(url, init), { basePath, trailingSlash })

describe('a request', () => {
  test.for([
    ['https://app.example/auth/session', 'session', undefined],
    ['https://app.example/auth/callback/acme?code=x', 'callback', 'acme'],
    ['https://app.example/auth/signin/acme', 'signin', 'acme'],
    ['https://app.example/auth/signin/undefined', 'signin', undefined],
    ['https://app.example/auth/session?a=b#c?d', 'session', undefined],
    ['https://app.example/auth/session#x?y', 'session', undefined],
  ] as const)('for %s is one for %s', ([url, action, providerId]) => {
    const request = parse(url)
    expect([request.action, request.providerId]).toEqual([action, providerId])
    expect([request.origin, request.base]).toEqual([
      'https://app.example',
      'https://app.example/auth',
    ])
    expect(request.query.has('y')).toBe(false)
    expect(hostOf(request)).toBe('app.example')
  })

  test.for([
    'https://app.example/auth',
    'https://app.example/auth/',
    'https://app.example/other/session',
    'https://app.example/authsession',
    'https://app.example/auth/unknown',
    'https://app.example/auth/session/acme',
    'https://app.example/auth/callback/acme/more',
  ])('for %s is not one of this library', (url) => {
    expect(() => parse(url)).toThrow(expect.objectContaining({ type: 'UnknownAction' }))
  })

  test.for([
    '/auth/session/',
    '/auth//session',
    '/auth/sessio%6e',
    '/auth/signin/acme/',
    '/auth/signin//acme',
    '/auth//callback///acme',
    '/auth/callback/acme//',
    '/auth/callback/%61cme',
  ])('T-HOST-4: refuses another spelling of a path: %s', (path) => {
    expect(() => parse(`https://app.example${path}`)).toThrow(
      expect.objectContaining({ type: 'UnknownAction' }),
    )
    expect(isActionPath(path, '/auth')).toBe(false)
  })

  test('T-HOST-4: in another spelling is refused with the reason and at most a line of the path', () => {
    expect(() => parse('https://app.example/auth/session/')).toThrow(
      '/auth/session/ is not the exact path of an action; remove escapes and additional slashes, or set `trailingSlash` if the site adds a slash',
    )
    const long = `/auth/${'x'.repeat(5000)}`
    expect(() => parse(`https://app.example${long}`)).toThrow(
      `${long.slice(0, 199)}… is not the path of an action`,
    )
  })

  test('may end with one slash if the configuration says that the site adds it', () => {
    const asked = (path: string) => parse(`https://app.example${path}`, '/auth', {}, true)
    expect(asked('/auth/session/').action).toBe('session')
    expect(asked('/auth/callback/acme/').providerId).toBe('acme')
    for (const path of ['/auth/session//', '/auth/', '/auth//', '/auth//session/']) {
      expect(() => asked(path)).toThrow(expect.objectContaining({ type: 'UnknownAction' }))
    }
  })

  test('has an action exactly if its path is open to everybody', () => {
    for (const base of ['/auth', 'auth/', '/auth/']) {
      expect(isActionPath('/auth/signin/acme', base)).toBe(true)
      expect(isActionPath('/auth/providers/1/tokens', base)).toBe(false)
    }
    expect(isActionPath('/session', '/')).toBe(true)
    expect(isActionPath('/session/1', '/')).toBe(false)
  })

  test('outside of the base path gets an error that names the base path', () => {
    expect(() => parse('https://app.example/api/auth/session')).toThrow(
      '/api/auth/session is not below the base path /auth/ (`basePath`, else the path of AUTH_URL); mount the handler there, or set `basePath` to "/api/auth"',
    )
  })

  test('may be at the root of the site', () => {
    expect(parse('http://localhost:3000/session', '')).toMatchObject({
      action: 'session',
      base: 'http://localhost:3000',
      secure: false,
    })
    expect(() => parse('http://localhost:3000/x', '')).toThrow('is not the path of an action')
  })

  test.for(['HEAD', 'PUT', 'DELETE', 'OPTIONS'])('by %s is refused', (method) => {
    expect(() => parse('https://app.example/auth/session', '/auth', { method })).toThrow(
      `got ${method}`,
    )
  })

  test('is equal with the fields of its form', () => {
    const headers = { cookie: 'a=b' }
    const request = parse('https://app.example/auth/session?x=y', '/auth', { headers })
    const filled = request.withForm({ data: 1 })
    for (const member of ['method', 'action', 'origin', 'base', 'secure', 'original'] as const) {
      expect(filled[member], member).toBe(request[member])
    }
    expect(filled.query.get('x')).toBe('y')
    expect(filled.cookies.get('a')).toBe('b')
    expect([filled.form, request.form]).toEqual([{ data: 1 }, {}])
  })
})
