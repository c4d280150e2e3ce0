import { describe, expect, test } from 'vitest'
import { withCookies } from './set-cookies.ts'

const extended = { headers: new Headers({ 'set-cookie': 'authjs.session-token=new; Path=/' }) }
const cached = (control?: string) =>
  new Response('page', control === undefined ? {} : { headers: { 'cache-control': control } })

describe('a page that gets the cookie of an extended session', () => {
  test.each([
    undefined,
    'public, max-age=60',
    's-maxage=60',
    'max-age=60',
    'private, max-age=60',
    'no-store',
  ])('is kept by no cache, whatever it says of itself (%s)', (control) => {
    const answer = withCookies(cached(control), extended)
    expect(answer.headers.getSetCookie()).toEqual(['authjs.session-token=new; Path=/'])
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  test('and says all that the service does keeps it', () => {
    const ours = 'private, no-cache, no-store'
    expect(withCookies(cached(ours), extended).headers.get('cache-control')).toBe(ours)
  })

  test('and where nothing is set, stays for everybody', () => {
    const page = cached('public, max-age=60')
    expect(withCookies(page, { headers: new Headers() })).toBe(page)
  })
})
