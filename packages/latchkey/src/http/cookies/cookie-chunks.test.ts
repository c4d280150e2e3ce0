import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clearChunked, readChunked, writeChunked } from './cookie-chunks.ts'
import { type Cookie, type CookieSpec, parseCookies, serializeCookie } from './cookies.ts'

const NAME = 'authjs.session-token'
const EXPIRES = new Date(Date.UTC(2030, 0, 1))
const spec: CookieSpec = {
  name: NAME,
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true },
}

/** A browser that keeps what is set and drops what is cleared. */
function browser(): { jar: Map<string, string>; header(): string; take(cookies: Cookie[]): void } {
  const jar = new Map<string, string>()
  return {
    jar,
    header: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    take(cookies) {
      for (const { name, value, options } of cookies) {
        if (options.maxAge === 0) jar.delete(name)
        else jar.set(name, value)
      }
    },
  }
}

const token = (length: number): string =>
  'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length)
const LENGTHS = fc.integer({ min: 1, max: 20_000 })

describe('a session cookie of any length', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(LENGTHS, (length) => {
        const { header, take } = browser()
        take(writeChunked(parseCookies(null), spec, token(length), EXPIRES))
        expect(readChunked(parseCookies(header()), NAME)).toBe(token(length))
      }),
    )
  })

  test('T-SESS-12: grows and shrinks without leaving a piece behind', () => {
    fc.assert(
      fc.property(fc.array(LENGTHS, { minLength: 2, maxLength: 6 }), (lengths) => {
        const { jar, header, take } = browser()
        for (const length of lengths) {
          take(writeChunked(parseCookies(header()), spec, token(length), EXPIRES))
          expect(readChunked(parseCookies(header()), NAME)).toBe(token(length))
          const pieces = Math.ceil(length / 3936)
          expect(jar.size).toBe(pieces)
        }
        take(clearChunked(parseCookies(header()), spec))
        expect(jar.size).toBe(0)
      }),
    )
  })

  for (const [length, sizes] of [
    [3936, [3936]],
    [3937, [3936, 1]],
    [7872, [3936, 3936]],
    [7873, [3936, 3936, 1]],
  ] as const) {
    test(`of ${length} characters is kept in ${sizes.length} cookies`, () => {
      const cookies = writeChunked(parseCookies(null), spec, token(length), EXPIRES)
      expect(cookies.map(({ value }) => value.length)).toEqual(sizes)
      const names = sizes.length === 1 ? [NAME] : sizes.map((_, i) => `${NAME}.${i}`)
      expect(cookies.map(({ name }) => name)).toEqual(names)
      for (const { options } of cookies)
        expect(options).toEqual({ ...spec.options, expires: EXPIRES })
    })
  }

  test('never makes a cookie over 4096 bytes, for any length of name and attributes', () => {
    fc.assert(
      fc.property(LENGTHS, fc.integer({ min: 1, max: 400 }), (length, extra) => {
        const long: CookieSpec = {
          name: `s${'x'.repeat(extra)}`,
          options: { ...spec.options, domain: `${'d'.repeat(60)}.example`, path: '/a/long/path' },
        }
        const { header, take } = browser()
        const cookies = writeChunked(parseCookies(null), long, token(length), EXPIRES)
        for (const cookie of cookies) {
          expect(serializeCookie(cookie).length).toBeLessThanOrEqual(4096)
        }
        take(cookies)
        expect(readChunked(parseCookies(header()), long.name)).toBe(token(length))
      }),
    )
  })

  test('clears old pieces first, each name once', () => {
    const jar = parseCookies(`${NAME}=old; ${NAME}.0=a; ${NAME}.1=b; ${NAME}.2=c`)
    const cookies = writeChunked(jar, spec, token(5000), EXPIRES)
    expect(cookies.map(({ name, options }) => [name, options.maxAge === 0])).toEqual([
      [NAME, true],
      [`${NAME}.2`, true],
      [`${NAME}.0`, false],
      [`${NAME}.1`, false],
    ])
  })
})

describe('the pieces of a cookie', () => {
  const foreign = ['-x', '.x', '.', '.1x', '.-1', '.0.0', '2', '.12345', '.١']

  for (const end of foreign) {
    test(`do not include ${NAME}${end}, which is neither read nor cleared`, () => {
      const jar = parseCookies(`${NAME}${end}=evil; ${NAME}.0=a; ${NAME}.1=b`)
      expect(readChunked(jar, NAME)).toBe('ab')
      const touched = [...clearChunked(jar, spec), ...writeChunked(jar, spec, 'new', EXPIRES)]
      expect(touched.map(({ name }) => name)).not.toContain(`${NAME}${end}`)
    })
  }

  test('are ignored if the whole cookie is there', () => {
    expect(readChunked(parseCookies(`${NAME}.0=a; ${NAME}=plain; ${NAME}.1=b`), NAME)).toBe('plain')
  })

  test('are joined by number, in any order of the header', () => {
    const numbers = [10, 2, 0, 9, 1, 3, 8, 4, 7, 5, 6]
    const header = numbers.map((i) => `${NAME}.${i}=${String.fromCharCode(97 + i)}`).join('; ')
    expect(readChunked(parseCookies(header), NAME)).toBe('abcdefghijk')
  })

  test('behind a gap are not read, but cleared', () => {
    const jar = parseCookies(`${NAME}.0=a; ${NAME}.2=c; ${NAME}.9=j`)
    expect(readChunked(jar, NAME)).toBe('a')
    expect(clearChunked(jar, spec).map(({ name }) => name)).toEqual([
      `${NAME}.0`,
      `${NAME}.2`,
      `${NAME}.9`,
    ])
  })

  test('without a first one are not read', () => {
    expect(readChunked(parseCookies(`${NAME}.1=b`), NAME)).toBeUndefined()
    expect(readChunked(parseCookies(`${NAME}=`), NAME)).toBeUndefined()
  })
})
