import { describe, expect, test } from 'vitest'
import { hostOf, parseRequest } from './request.ts'

const parse = (url: string, basePath = '/auth', init?: RequestInit) =>
  parseRequest(new Request(url, init), basePath)

describe('a request', () => {
  test.for([
    ['https://app.example/auth/session', 'session', undefined],
    ['https://app.example/auth/callback/acme?code=x', 'callback', 'acme'],
    ['https://app.example/auth//signin//acme/', 'signin', 'acme'],
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
  ])('for %s is none of ours', (url) => {
    expect(() => parse(url)).toThrow(expect.objectContaining({ type: 'UnknownAction' }))
  })

  test('outside of the base path is told where it should be', () => {
    expect(() => parse('https://app.example/api/auth/session')).toThrow(
      '/api/auth/session is not below /auth/; set `basePath`',
    )
  })

  test('may be at the root of the site', () => {
    expect(parse('http://localhost:3000/session', '')).toMatchObject({
      action: 'session',
      base: 'http://localhost:3000',
      secure: false,
    })
    expect(() => parse('http://localhost:3000/x', '')).toThrow('is no action')
  })

  test.for(['HEAD', 'PUT', 'DELETE', 'OPTIONS'])('by %s is not answered', (method) => {
    expect(() => parse('https://app.example/auth/session', '/auth', { method })).toThrow(
      `not ${method}`,
    )
  })

  test('is the same with the fields of its form', () => {
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
