import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeHex } from './hex.ts'
import { isJsonObject, parseJsonObject } from './json.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'
import { formatUuid } from './uuid.ts'

describe('hexadecimal', () => {
  test('follows RFC 4648 section 10, in lower case: "foobar" is 666f6f626172', () => {
    expect(encodeHex(encodeUtf8('foobar'))).toBe('666f6f626172')
  })

  test('keeps leading zeros, and agrees with Node', () => {
    expect(encodeHex(new Uint8Array([0, 1, 0xab]))).toBe('0001ab')
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
  })
})

describe('UTF-8', () => {
  test('decodes every text that it encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text)
      }),
    )
  })

  test('keeps a byte order mark as a character', () => {
    expect(decodeUtf8(encodeUtf8('\ufeffa'))).toBe('\ufeffa')
  })

  test('refuses bytes that are not UTF-8', () => {
    expect(decodeUtf8(new Uint8Array([0xff]))).toBeUndefined()
    // An overlong slash (RFC 3629 section 10).
    expect(decodeUtf8(new Uint8Array([0xc0, 0xaf]))).toBeUndefined()
  })
})

describe('JSON objects', () => {
  for (const text of ['null', '[]', '1', '"text"', 'true', '', '{', '{"a":1}x']) {
    test(`are not found in ${JSON.stringify(text)}`, () => {
      expect(parseJsonObject(text)).toBeUndefined()
    })
  }

  test('are parsed, and other JSON values are not', () => {
    expect(parseJsonObject('{"a":[1]}')).toEqual({ a: [1] })
    expect(parseJsonObject(undefined)).toBeUndefined()
    expect(isJsonObject([])).toBe(false)
    expect(isJsonObject(null)).toBe(false)
  })

  test('keep a member named __proto__ as a member', () => {
    const value = parseJsonObject('{"__proto__":{"admin":true}}')
    expect(Object.keys(value ?? {})).toEqual(['__proto__'])
    expect((value as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('a random UUID', () => {
  test('has the version and variant of RFC 9562 section 5.4, and 122 random bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const before = Uint8Array.from(bytes)
        const uuid = formatUuid(bytes)
        expect(uuid).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
        expect(Uint8Array.from(bytes)).toEqual(before)
        const back = Buffer.from(uuid.replaceAll('-', ''), 'hex')
        for (const at of [0, 1, 2, 3, 4, 5, 7, 9, 10, 15]) expect(back[at]).toBe(bytes[at])
        expect((back[6] ?? 0) & 0x0f).toBe((bytes[6] ?? 0) & 0x0f)
        expect((back[8] ?? 0) & 0x3f).toBe((bytes[8] ?? 0) & 0x3f)
      }),
    )
  })
})
