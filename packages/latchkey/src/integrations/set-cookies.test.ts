import { describe, expect, test } from 'vitest'
import { withCookies } from './set-cookies.ts'

const extended = { headers: new Headers({ 'set-cookie': 'authjs.session-token=new; Path=/' }) }
const cached = (control?: string) =>
  new Response('page', control === undefined ? {} : { headers: { 'cache-control': control } })

describe('a page that gets the cookie of an extended session', () => {
  test.each(['public, max-age=60', 's-maxage=60', 'max-age=60, S-MaxAge=1'])(
    'and is for everybody (%s) is kept by no cache',
    (control) => {
      const answer = withCookies(cached(control), extended)
      expect(answer.headers.getSetCookie()).toEqual(['authjs.session-token=new; Path=/'])
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    },
  )

  test.each([undefined, 'private, max-age=60', 'no-store'])(
    'and is not (%s) stays as it is',
    (control) => {
      const answer = withCookies(cached(control), extended)
      expect(answer.headers.get('cache-control')).toBe(control ?? null)
    },
  )

  test('and where nothing is set, stays for everybody', () => {
    const page = cached('public, max-age=60')
    expect(withCookies(page, { headers: new Headers() })).toBe(page)
  })
})
