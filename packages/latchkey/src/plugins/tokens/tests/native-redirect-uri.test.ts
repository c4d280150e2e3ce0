import { describe, expect, test } from 'vitest'
import { challengeOf } from '../native/codes.ts'
import { faultOfRedirectUri, isRegistered, placeOf, withQuery } from '../native/redirect-uri.ts'

describe('TOK-12: the redirect URI of an app', () => {
  test.each([
    'https://app.example/app/callback',
    'https://app.example:8443/app?x=1',
    'com.example.app:/callback',
    'com.example.app:/',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8080/callback',
    'http://[::1]/callback',
  ])('may be %s', (uri) => {
    expect(faultOfRedirectUri(uri)).toBeUndefined()
  })

  test.each([
    'http://localhost/callback',
    'http://127.0.0.1',
    'http://127.0.0.1/callback#x',
    'http://127.0.0.2/callback',
    'http://app.example/callback',
    'https://app.example',
    'https://app.example/',
    'https://app.example/callback#x',
    'https://app.example/*',
    'https://*.example/callback',
    'https://user@app.example/callback',
    'myapp:/callback',
    'com.example.app:/callback#x',
    'com.example.app:/a b',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/callback',
    '',
  ])('may not be %s', (uri) => {
    expect(faultOfRedirectUri(uri)).toMatch(/./)
  })

  test('T-ST-24: matches byte for byte, except for the port of the machine itself', () => {
    const registered = [
      'https://app.example/app/callback',
      'com.example.app:/callback',
      'http://127.0.0.1/callback?a',
    ]
    for (const uri of [
      ...registered,
      'http://127.0.0.1:1/callback?a',
      'http://127.0.0.1:65535/callback?a',
    ])
      expect(isRegistered(uri, registered), uri).toBe(true)
    for (const uri of [
      'https://app.example/app/callback/',
      'https://app.example/app/callback?x',
      'https://app.example/app/../app/callback',
      'https://APP.example/app/callback',
      'https://app.example:443/app/callback',
      'com.example.app:/callback2',
      'http://127.0.0.1:65536/callback?a',
      'com.example.app:/Callback',
      'http://127.0.0.1:80/callback',
      'http://127.0.0.1:80/callback?a#x',
      'http://127.0.0.1:80@evil.example/callback?a',
      'http://127.0.0.1.evil.example/callback?a',
      'http://localhost:80/callback?a',
      'http://[::1]:80/callback?a',
      'http://127.1:80/callback?a',
    ])
      expect(isRegistered(uri, registered), uri).toBe(false)
  })

  test('gets parameters behind the existing ones', () => {
    expect(withQuery('com.example.app:/callback', { code: 'a b' })).toBe(
      'com.example.app:/callback?code=a+b',
    )
    expect(withQuery('https://a.example/b?c=1', { code: 'x' })).toBe(
      'https://a.example/b?c=1&code=x',
    )
    expect(placeOf('com.example.app:/callback')).toBe('com.example.app')
    expect(placeOf('https://a.example/b')).toBe('a.example')
  })
})

test('TOK-13: the code challenge agrees with RFC 7636, appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})
