import { parseCookie, stringifySetCookie } from 'cookie'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CookieAttributes,
  clearCookie,
  parseCookies,
  serializeCookie,
  setCookie,
} from './cookies.ts'

const NAME = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9._-]{0,20}$/)

describe('cookies', () => {
  test('are read back as they were written, for any value', () => {
    fc.assert(
      fc.property(NAME, fc.string({ unit: 'grapheme', minLength: 1 }), (name, value) => {
        const header = serializeCookie(setCookie({ name, options: { path: '/' } }, value))
        const pair = header.split('; ')[0] ?? ''
        expect(parseCookies(`first=1; ${pair}; last=2`).get(name)).toBe(value)
      }),
    )
  })

  test('never end early, set an attribute or another header, for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let header: string
        try {
          header = serializeCookie({ name: 'a', value, options: {} })
        } catch (error) {
          // A lone surrogate has no percent-encoding.
          expect(error).toBeInstanceOf(URIError)
          return
        }
        expect(header).toMatch(/^a=[\x21-\x7e]*$/)
        expect(header.slice(2)).not.toMatch(/[;,\s]/)
      }),
    )
  })

  for (const [what, header, name, value] of [
    ['takes the first of a name', 'a=1; a=2', 'a', '1'],
    ['removes blanks around', '  a =  1  ;b=2', 'a', '1'],
    ['keeps what stands behind a second equals sign', 'a=b=c', 'a', 'b=c'],
    ['decodes percent-encoding', 'a=%7Cx%20y', 'a', '|x y'],
    ['keeps a value raw that cannot be decoded', 'a=%zz', 'a', '%zz'],
    ['keeps quotes', 'a="b"', 'a', '"b"'],
    ['does not take a name without a value', 'a; b=1', 'a', undefined],
    ['has nothing from a prototype', 'b=1', 'constructor', undefined],
    [
      'takes no other blanks away, which would make a protected name of another',
      '\xa0__Host-a=1',
      '__Host-a',
      undefined,
    ],
    ['reads a cookie named __proto__', '__proto__=1', '__proto__', '1'],
  ] as const) {
    test(`are read from ${what}`, () => {
      expect(parseCookies(header).get(name)).toBe(value)
    })
  }

  test('are absent without a header', () => {
    expect(parseCookies(null).names()).toEqual([])
    expect(parseCookies('').get('a')).toBeUndefined()
  })

  test('have every attribute of RFC 6265 section 4.1.1', () => {
    const cookie = serializeCookie({
      name: 'a',
      value: 'x|y',
      options: {
        maxAge: 900,
        domain: 'app.example',
        path: '/',
        expires: new Date(Date.UTC(2030, 0, 1)),
        httpOnly: true,
        secure: true,
        partitioned: true,
        priority: 'high',
        sameSite: 'none',
      },
    })
    expect(cookie).toBe(
      'a=x%7Cy; Max-Age=900; Domain=app.example; Path=/; Expires=Tue, 01 Jan 2030 00:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=None',
    )
  })

  test('are read like the package `cookie` reads them, from headers of any kind', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '=',
      ';',
      ' ',
      '\t',
      '%20',
      '%',
      '"',
      ',',
      '\xa0',
      '__proto__',
    )
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => `z=1;${parts.join('')}`),
        (header) => {
          const jar = parseCookies(header)
          const expected = parseCookie(header)
          expect(Object.fromEntries(jar.names().map((name) => [name, jar.get(name)]))).toEqual({
            ...expected,
          })
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('are written with attributes like the package `cookie` writes them', () => {
    const attributes = fc.record(
      {
        maxAge: fc.integer(),
        domain: fc.constantFrom('', 'app.example', '.example'),
        path: fc.constantFrom('', '/', '/a b'),
        expires: fc.date({
          noInvalidDate: true,
          min: new Date(0),
          max: new Date(Date.UTC(9999, 0)),
        }),
        httpOnly: fc.boolean(),
        secure: fc.boolean(),
        partitioned: fc.boolean(),
        priority: fc.constantFrom('low', 'medium', 'high'),
        sameSite: fc.constantFrom(true, false, 'lax', 'strict', 'none'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<CookieAttributes>
    fc.assert(
      fc.property(attributes, (options) => {
        const expected = stringifySetCookie({ name: 'a', value: 'x', ...(options as object) })
        expect(serializeCookie({ name: 'a', value: 'x', options })).toBe(expected)
      }),
    )
  })

  for (const [option, value, message] of [
    ['maxAge', 1.5, 'Max-Age: "1.5"'],
    ['domain', 'a; Secure', 'Domain: "a; Secure"'],
    ['domain', 'https://app.example', 'Domain: "https://app.example"'],
    ['domain', 'app.example:3000', 'Domain: "app.example:3000"'],
    ['domain', 'app..example', 'Domain: "app..example"'],
    ['path', '/\nSet-Cookie: b=1', String.raw`Path: "/\nSet-Cookie: b=1"`],
    ['priority', 'constructor', 'Priority: "Constructor"'],
    ['sameSite', 'never', 'SameSite: "Never"'],
    ['sameSite', 1, 'SameSite: "1"'],
  ] as const) {
    test(`with the ${option} ${JSON.stringify(value)} are refused, with its name`, () => {
      const options = { [option]: value } as CookieAttributes
      const refused = new TypeError(`a cookie has an invalid ${message}`)
      expect(() => serializeCookie({ name: 'a', value: '', options })).toThrow(refused)
    })
  }

  test('encoded by the application cannot end early, and the error does not contain the value', () => {
    const options = { encode: (value: string) => `${value}; Domain=example` }
    expect(() => serializeCookie({ name: 'a', value: 'secret', options })).toThrow(
      new TypeError('cookie a: `encode` returned characters that a cookie value must not contain'),
    )
  })

  test('are encoded by the `encode` of the application if it has one', () => {
    const encode = (value: string): string => value.toUpperCase()
    expect(serializeCookie({ name: 'a', value: 'b', options: { encode } })).toBe('a=B')
  })

  test('are cleared with the attributes with which they were set, but without an expiry', () => {
    const options = {
      path: '/x',
      sameSite: 'none',
      secure: true,
      expires: new Date(0),
      maxAge: 900,
    } as const
    const cleared = serializeCookie(clearCookie({ name: 'a', options }))
    expect(cleared).toBe('a=; Max-Age=0; Path=/x; Secure; SameSite=None')
    expect(options.maxAge).toBe(900)
  })
})
