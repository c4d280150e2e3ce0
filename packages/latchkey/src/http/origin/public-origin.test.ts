import { describe, expect, test } from 'vitest'
import { atOrigin, publicOrigin } from './public-origin.ts'

function request(headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  return new Request('http://10.0.0.1:3000/auth/session?a=1', { ...init, headers })
}

describe("the site's own address", () => {
  const forwarded = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' }

  test('T-HOST-1: is the configured one, for any header of a request', () => {
    const hostile = request({ ...forwarded, 'x-forwarded-host': 'evil.example' })
    expect(publicOrigin(hostile, 'https://app.example', true)).toBe('https://app.example')
  })

  test('T-HOST-1: is that of the request if headers are not trusted', () => {
    expect(publicOrigin(request(forwarded), undefined, false)).toBe('http://10.0.0.1:3000')
  })

  for (const [what, headers, origin] of [
    ['what a trusted proxy says', forwarded, 'https://app.example'],
    ['its own without any header', {}, 'http://10.0.0.1:3000'],
    ['with another scheme only', { 'x-forwarded-proto': 'https' }, 'https://10.0.0.1:3000'],
    ['with another host only', { 'x-forwarded-host': 'app.example:8' }, 'http://app.example:8'],
    [
      'the first of a list',
      { 'x-forwarded-host': 'app.example, proxy.internal', 'x-forwarded-proto': 'https,http' },
      'https://app.example',
    ],
    [
      'without a default port',
      { ...forwarded, 'x-forwarded-host': 'app.example:443' },
      'https://app.example',
    ],
    ['its own for an unreadable host', { 'x-forwarded-host': 'a b' }, 'http://10.0.0.1:3000'],
    [
      'its own for a host of any length',
      { 'x-forwarded-host': 'eyJ.'.repeat(8192) },
      'http://10.0.0.1:3000',
    ],
    ['its own for another scheme', { 'x-forwarded-proto': 'javascript' }, 'http://10.0.0.1:3000'],
    ['its own for an empty header', { 'x-forwarded-host': ' ' }, 'http://10.0.0.1:3000'],
  ] as [string, Record<string, string>, string][]) {
    test(`is read from the headers: ${what}`, () => {
      expect(publicOrigin(request(headers), undefined, true)).toBe(origin)
    })
  }

  test('never has a path, a user or a query from a header', () => {
    const sly = request({
      'x-forwarded-host': 'user:pass@app.example/path?x#y',
      'x-forwarded-proto': 'https',
    })
    expect(publicOrigin(sly, undefined, true)).toBe('https://app.example')
  })
})

describe('a request under another address', () => {
  test('keeps its path, query, method, headers and body', async () => {
    const moved = atOrigin(
      request({ 'content-type': 'text/plain', 'x-a': '1' }, { method: 'POST', body: 'text' }),
      'https://app.example',
    )
    expect(moved.url).toBe('https://app.example/auth/session?a=1')
    expect(moved.method).toBe('POST')
    expect(moved.headers.get('x-a')).toBe('1')
    expect(await moved.text()).toBe('text')
  })

  test('is the same object if the address is right', () => {
    const here = request()
    expect(atOrigin(here, 'http://10.0.0.1:3000')).toBe(here)
  })
})
