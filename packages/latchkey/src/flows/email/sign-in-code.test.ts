import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawCode, readCode } from './sign-in-code.ts'

/** Repeatable randomness of good quality: SHA-512 of a counter. */
function hashedCounter(): (length: number) => Uint8Array<ArrayBuffer> {
  let block = 0
  let pool = new Uint8Array(0)
  let at = 0
  return (length) => {
    if (at + length > pool.length) {
      pool = new Uint8Array(createHash('sha512').update(String(block++)).digest())
      at = 0
    }
    at += length
    return pool.slice(at - length, at)
  }
}

function drawing(...draws: number[]): (length: number) => Uint8Array<ArrayBuffer> {
  return (length) => {
    const bytes = new Uint8Array(length)
    new DataView(bytes.buffer).setUint32(0, draws.shift() ?? 0)
    return bytes
  }
}

describe('a drawn code', () => {
  test('T-OTV-7: has unbiased digits at each place, over 10^6 draws', () => {
    const draws = 1_000_000
    const random = hashedCounter()
    const counts = new Uint32Array(6 * 10)
    for (let i = 0; i < draws; i++) {
      const code = drawCode(random)
      for (let place = 0; place < 6; place++) {
        const cell = place * 10 + code.charCodeAt(place) - 48
        counts[cell] = (counts[cell] as number) + 1
      }
    }
    for (let place = 0; place < 6; place++) {
      const expected = draws / 10
      const digits = [...counts.subarray(place * 10, place * 10 + 10)]
      expect(digits.reduce((sum, count) => sum + count)).toBe(draws)
      const chiSquare = digits.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
      // Nine degrees of freedom: an unbiased source is above this once in a thousand times.
      expect(chiSquare).toBeLessThan(27.88)
    }
  })

  test('T-OTV-7: throws away the draws that would make some codes likelier', () => {
    expect(drawCode(drawing(4_293_999_999))).toBe('999999')
    expect(drawCode(drawing(4_294_000_000, 7))).toBe('000007')
    expect(drawCode(drawing(2 ** 32 - 1, 4_294_000_000, 123))).toBe('000123')
  })
})

describe('a typed code', () => {
  for (const typed of ['012345', ' 012 345\n', '012-345', '01\u00a023\u201345', '０１２３４５']) {
    test(`is 012345 when ${JSON.stringify(typed)} is typed`, () => {
      expect(readCode(typed)).toBe('012345')
    })
  }

  for (const typed of ['', '12345', '1234567', '12345a', '٠١٢٣٤٥', '1e5', '0x1234', '12.345']) {
    test(`is none when ${JSON.stringify(typed)} is typed`, () => {
      expect(readCode(typed)).toBeUndefined()
    })
  }

  test('is six digits, or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        expect(readCode(typed) ?? '000000').toMatch(/^[0-9]{6}$/)
      }),
    )
  })
})
