import { createHmac, hkdfSync } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTokenHasher, looksHashed } from './token-hash.ts'

const SECRET = 'latchkey-test-secret-0123456789abcdef'

describe('T-SESS-4: the hash of a session token', () => {
  test('is a keyed hash with a prefix', async () => {
    const key = new Uint8Array(hkdfSync('sha256', SECRET, 'latchkey', 'stored session token', 32))
    const expected = createHmac('sha256', key).update('token').digest('base64url')
    expect(await createTokenHasher(SECRET)('token')).toBe(`lk1_${expected}`)
  })

  test('is the same each time, and differs for another token or secret', async () => {
    const hash = createTokenHasher(SECRET)
    const seen = [
      await hash('token'),
      await hash('tokem'),
      await hash(''),
      await createTokenHasher('other')('token'),
    ]
    expect(new Set(seen).size).toBe(4)
    expect(await hash('token')).toBe(seen[0])
  })

  test('is recognized if it is sent as a token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (token) => {
        expect(looksHashed(await createTokenHasher(SECRET)(token))).toBe(true)
      }),
    )
  })

  for (const token of [
    '0b9c2c3e-5f5a-4b0a-9d7e-2f7a3c1d4e5f',
    'lk1_',
    `lk1_${'a'.repeat(42)}`,
    `lk1_${'a'.repeat(44)}`,
    `lk1_${'a'.repeat(42)}=`,
    `LK1_${'a'.repeat(43)}`,
    `xlk1_${'a'.repeat(43)}`,
    `lk1_${'a'.repeat(43)}\n`,
    '',
  ]) {
    test(`is not recognized in ${JSON.stringify(token)}`, () => {
      expect(looksHashed(token)).toBe(false)
    })
  }
})
