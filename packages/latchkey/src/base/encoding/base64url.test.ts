import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

describe('base64url', () => {
  // RFC 4648 section 10, without padding, as section 5 allows where the length is known.
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'Zg'],
    ['fo', 'Zm8'],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg'],
    ['fooba', 'Zm9vYmE'],
    ['foobar', 'Zm9vYmFy'],
  ] as const) {
    test(`follows RFC 4648 section 10: ${JSON.stringify(text)} is ${JSON.stringify(encoded)}`, () => {
      expect(encodeBase64url(encodeUtf8(text))).toBe(encoded)
      expect(decodeUtf8(decodeBase64url(encoded) ?? new Uint8Array([0]))).toBe(text)
    })
  }

  test('writes the two characters that differ from base64', () => {
    expect(encodeBase64url(new Uint8Array([0xfb, 0xff]))).toBe('-_8')
    expect(decodeBase64url('-_8')).toEqual(new Uint8Array([0xfb, 0xff]))
  })

  test('follows the example of RFC 7515 appendix C', () => {
    expect(encodeBase64url(new Uint8Array([3, 236, 255, 224, 193]))).toBe('A-z_4ME')
  })

  test('decodes what it encoded, and agrees with Node.js', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = encodeBase64url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(decodeBase64url(text)).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  test('reads a value in one spelling only', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const bytes = decodeBase64url(text)
        return bytes === undefined || encodeBase64url(bytes) === text
      }),
    )
    expect(decodeBase64url('Zg')).toEqual(new Uint8Array([0x66]))
    expect(decodeBase64url('Zh')).toBeUndefined()
  })

  for (const [what, text] of [
    ['padding', 'Zg=='],
    ['the alphabet of base64', '+/8'],
    ['a blank', 'Zm 9'],
    ['a line break', 'Zm9v\n'],
    ['a length that no bytes have', 'Zm9vY'],
    ['stray bits at the end', 'Zh'],
    ['a letter beyond ASCII', 'Zm9ｖ'],
  ] as const) {
    test(`refuses ${what}`, () => {
      expect(decodeBase64url(text)).toBeUndefined()
    })
  }
})
