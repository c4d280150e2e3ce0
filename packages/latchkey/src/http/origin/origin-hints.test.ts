import { describe, expect, test } from 'vitest'
import { isCrossSite, isFromElsewhere, isPrefetch, isRouterRequest } from './origin-hints.ts'

const SITE = 'https://app.example'

describe('T-WEB-2: the headers of a request from another site', () => {
  for (const [headers, crossSite] of [
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'some-word-of-tomorrow' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: SITE }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
    [{ origin: SITE }, false],
    [{ origin: 'http://app.example' }, false],
    [{ origin: 'https://app.example:8443' }, false],
    [{ origin: 'null' }, false],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'https://app.example.evil.example' }, true],
    [{ origin: 'https://xapp.example' }, true],
    [{ origin: 'garbage' }, true],
  ] as [Record<string, string>, boolean][]) {
    test(`${JSON.stringify(headers)}: ${crossSite ? 'yes' : 'no'}`, () => {
      expect(isCrossSite(new Headers(headers), SITE)).toBe(crossSite)
    })
  }
})

describe('the headers of a prefetch', () => {
  for (const [name, value, prefetch] of [
    ['sec-purpose', 'prefetch', true],
    ['sec-purpose', 'prefetch;prerender', true],
    ['purpose', 'prefetch', true],
    ['x-moz', 'Prefetch', true],
    ['sec-purpose', 'other', false],
    ['accept', 'prefetch', false],
  ] as const) {
    test(`${name}: ${value}: ${prefetch ? 'yes' : 'no'}`, () => {
      expect(isPrefetch(new Headers({ [name]: value }))).toBe(prefetch)
    })
  }
})

test('a request of the router of Next.js has a header of its own', () => {
  expect(isRouterRequest(new Headers({ rsc: '1' }))).toBe(true)
  expect(isRouterRequest(new Headers({ accept: 'text/x-component' }))).toBe(false)
})

test.each([
  [{}, false],
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: SITE }, false],
  [{ origin: 'null' }, true],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, false],
  [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: 'https://other.example' }, true],
] as const)(
  'T-WEB-2: a site that shares only cookies counts as another site: %j',
  (headers, is) => {
    expect(isFromElsewhere(new Headers(headers), SITE)).toBe(is)
  },
)
