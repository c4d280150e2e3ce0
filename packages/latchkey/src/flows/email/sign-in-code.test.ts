import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawCode, readCode } from './sign-in-code.ts'

/** Repeatable randomness that is quick: xoshiro128**, into one buffer. */
function quickRandom(): (length: number) => Uint8Array<ArrayBuffer> {
  const state = new Uint32Array([0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x2545f491])
  const bytes = new Uint8Array(4)
  const view = new DataView(bytes.buffer)
  const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
  return () => {
    const [a = 0, b = 0, c = 0, d = 0] = state
    view.setUint32(0, Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0)
    state[0] = a ^ d ^ b
    state[1] = b ^ c ^ a
    state[2] = c ^ a ^ (b << 9)
    state[3] = rotate(d ^ b, 11)
    return bytes
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
    const random = quickRandom()
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

  test('T-OTV-7: skips draws that would make some codes more likely', () => {
    expect(drawCode(drawing(4_293_999_999))).toBe('999999')
    expect(drawCode(drawing(4_294_000_000, 7))).toBe('000007')
    expect(drawCode(drawing(2 ** 32 - 1, 4_294_000_000, 123))).toBe('000123')
  })
})

describe('a typed code', () => {
  for (const typed of [
    '012345',
    ' 012 345\n',
    '012-345',
    '01\u00a023\u201345',
    '０１２３４５',
    '٠١٢٣٤٥',
    '۰۱۲ ۳۴۵',
    '०१२३४५',
  ]) {
    test(`is 012345 for ${JSON.stringify(typed)}`, () => {
      expect(readCode(typed)).toBe('012345')
    })
  }

  for (const typed of ['', '12345', '1234567', '12345a', '½12345', '1e5', '0x1234', '12.345']) {
    test(`is not found in ${JSON.stringify(typed)}`, () => {
      expect(readCode(typed)).toBeUndefined()
    })
  }

  test('T-OTV-8: is not found in a text longer than a code and its usual separators', () => {
    expect(readCode(`012345${' '.repeat(26)}`)).toBe('012345')
    expect(readCode(`012345${' '.repeat(27)}`)).toBeUndefined()
  })

  test('has six digits, or is undefined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        expect(readCode(typed) ?? '000000').toMatch(/^[0-9]{6}$/)
      }),
    )
  })
})
