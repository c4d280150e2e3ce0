import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARGON2, SCRYPT } from '../../../../../tests/support/hashers.ts'
import { decodeBase64, encodeBase64 } from '../base64.ts'
import { parsePhc, serializePhc } from '../phc.ts'

describe('strings in the PHC format', () => {
  test.each([ARGON2, SCRYPT, ARGON2.replace('argon2id', 'argon2i').replace('v=19', 'v=16')])(
    '%s is read and written alike',
    (text) => {
      const hash = parsePhc(text)
      expect(hash && serializePhc(hash)).toBe(text)
    },
  )

  test('without a version are of version 16', () => {
    expect(parsePhc(ARGON2.replace('$v=19', ''))).toMatchObject({ version: 16, memory: 19_456 })
  })

  test.each([
    ['argon2d', ARGON2.replace('argon2id', 'argon2d')],
    ['an unknown version', ARGON2.replace('v=19', 'v=20')],
    ['parameters in another order', ARGON2.replace('m=19456,t=2,p=1', 't=2,m=19456,p=1')],
    ['a key', ARGON2.replace('p=1', 'p=1,keyid=Hj5+dsK0')],
    ['data', ARGON2.replace('p=1', 'p=1,data=Hj5+dsK0ZQ')],
    ['a leading zero', ARGON2.replace('m=19456', 'm=019456')],
    ['memory that is no number', ARGON2.replace('m=19456', 'm=1e9')],
    ['a salt of 7 bytes', ARGON2.replace('AAECAwQFBgcICQoLDA0ODw', 'AAECAwQFBg')],
    ['no tag', ARGON2.slice(0, ARGON2.lastIndexOf('$'))],
    ['a tag of 15 bytes', `${ARGON2.slice(0, ARGON2.lastIndexOf('$'))}$AAECAwQFBgcICQoLDA0O`],
    ['broken base64', `${ARGON2}!`],
    ['surplus bits', ARGON2.replace(/.$/, 'V')],
    ['text behind', `${ARGON2}\n`],
    ['nothing', ''],
  ])('are not read with %s (T-ACC-12)', (_, text) => {
    expect(parsePhc(text)).toBeUndefined()
  })
})

describe('base64', () => {
  test('reads what it wrote, with padding or without, and agrees with Node.js', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const padded = Buffer.from(bytes).toString('base64')
        expect(encodeBase64(bytes)).toBe(padded.replaceAll('=', ''))
        expect(decodeBase64(padded)).toEqual(new Uint8Array(bytes))
        expect(decodeBase64(encodeBase64(bytes))).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  test.each(['A', 'AB', 'AAE_', 'A A=', 'AA=', 'AAA==', '====', 'AAAA='])('refuses %s', (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })
})
