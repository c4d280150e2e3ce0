import { describe, expect, test } from 'vitest'
import { withCookies } from './per-event.ts'

const extended = { headers: new Headers({ 'set-cookie': 'authjs.session-token=new; Path=/' }) }
const cached = (control?: string) =>
  new Response('page', control === undefined ? {} : { headers: { 'cache-control': control } })

describe('the response of a page with the cookie of an extended session', () => {
  test.each([
    undefined,
    'public, max-age=60',
    's-maxage=60',
    'max-age=60',
    'private, max-age=60',
    'no-store',
  ])('prevents caching, also with the Cache-Control %s', (control) => {
    const answer = withCookies(cached(control), extended)
    expect(answer.headers.getSetCookie()).toEqual(['authjs.session-token=new; Path=/'])
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  test('keeps a `Cache-Control` that already prevents caching', () => {
    const ours = 'private, no-cache, no-store'
    expect(withCookies(cached(ours), extended).headers.get('cache-control')).toBe(ours)
  })

  test('without a cookie stays cacheable', () => {
    const page = cached('public, max-age=60')
    expect(withCookies(page, { headers: new Headers() })).toBe(page)
  })
})
