import * as fc from 'fast-check'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  type Bytes,
  type ContentEncryption,
  type Crypto,
  contentEncryptions,
  ivLength,
  keyLength,
  type Sealed,
} from '../../src/base/crypto/crypto.ts'
import { primitives as node } from '../../src/base/crypto/node.ts'
import { primitives as web } from '../../src/base/crypto/webcrypto.ts'
import { encodeHex } from '../../src/base/encoding/hex.ts'
import { encodeUtf8 } from '../../src/base/encoding/utf8.ts'

const implementations: readonly (readonly [string, Crypto])[] = [
  ['node:crypto', node],
  ['Web Cryptography', web],
]

const TEXT = fc.string({ unit: 'grapheme', maxLength: 80 })

function bytes(length: number): fc.Arbitrary<Bytes> {
  return fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((values) => Uint8Array.from(values))
}

function hex(text: string): Bytes {
  return Uint8Array.from(Buffer.from(text, 'hex'))
}

for (const [name, crypto] of implementations) {
  describe(`the primitives on ${name}`, () => {
    test('hash "abc" to the SHA-256 and SHA-512 values of FIPS 180-2 appendices B.1 and C.1', async () => {
      expect(encodeHex(await crypto.sha256('abc'))).toBe(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      )
      expect(encodeHex(await crypto.sha512('abc'))).toBe(
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      )
    })

    test('agree with RFC 4231 section 4.3: HMAC-SHA-256 and HMAC-SHA-512 of test case 2', async () => {
      const mac = await crypto.hmacSha256(encodeUtf8('Jefe'), 'what do ya want for nothing?')
      expect(encodeHex(mac)).toBe(
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      )
    })

    test('agree with RFC 5869 section 2: HKDF by its definition', async () => {
      const zeros = new Uint8Array(32)
      const mac = async (key: Bytes, data: string): Promise<Bytes> => crypto.hmacSha256(key, data)
      const extracted = await mac(zeros, 'secret')
      const first = await mac(extracted, 'info\u0001')
      expect(await crypto.hkdf('secret', '', 'info', 32)).toEqual(first)
      expect((await crypto.hkdf('secret', '', 'info', 64)).slice(0, 32)).toEqual(first)
    })

    test('agree with RFC 7518 appendix B.3: the test case of A256CBC-HS512', async () => {
      const key = await crypto.contentKey(
        'A256CBC-HS512',
        Uint8Array.from({ length: 64 }, (_, i) => i),
      )
      const plaintext =
        'A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience'
      const aad = encodeUtf8('The second principle of Auguste Kerckhoffs')
      const sealed = await key.encrypt(plaintext, aad, hex('1af38c2dc2b96ffdd86694092341bc04'))
      expect(Buffer.from(sealed.tag, 'base64url').toString('hex')).toBe(
        '4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5',
      )
      expect(Buffer.from(sealed.ciphertext, 'base64url').toString('hex')).toMatch(
        /^4affaaadb78c31c5da4b1b590d10ffbd/,
      )
      expect(await key.decrypt(sealed, aad)).toBe(plaintext)
    })
  })
}

describe('both implementations agree, to the bit', () => {
  test('on hashes', async () => {
    await fc.assert(
      fc.asyncProperty(TEXT, async (text) => {
        expect(await web.sha256(text)).toEqual(await node.sha256(text))
        expect(await web.sha256Hex(text)).toBe(await node.sha256Hex(text))
        expect(await node.sha256Hex(text)).toBe(encodeHex(await node.sha256(text)))
        expect(await web.sha512(text)).toEqual(await node.sha512(text))
      }),
    )
  })

  test('on message authentication codes', async () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((key) => Uint8Array.from(key))
    await fc.assert(
      fc.asyncProperty(key, TEXT, async (key, text) => {
        expect(await web.hmacSha256(key, text)).toEqual(await node.hmacSha256(key, text))
      }),
    )
  })

  test('on derived keys', async () => {
    await fc.assert(
      fc.asyncProperty(TEXT, TEXT, TEXT, fc.constantFrom(16, 32, 64, 100), async (a, b, c, n) => {
        const derived = await node.hkdf(a, b, c, n)
        expect(derived).toHaveLength(n)
        expect(await web.hkdf(a, b, c, n)).toEqual(derived)
      }),
    )
  })

  test('on base64url', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (values) => {
        expect(web.toBase64url(values)).toBe(node.toBase64url(values))
        const part = values.subarray(1)
        expect(web.toBase64url(part)).toBe(node.toBase64url(part))
      }),
    )
  })

  for (const encryption of contentEncryptions) {
    test(`on texts sealed with ${encryption}, and each opens those of the other`, async () => {
      await fc.assert(
        fc.asyncProperty(
          bytes(keyLength[encryption]),
          bytes(ivLength[encryption]),
          TEXT,
          TEXT,
          async (raw, iv, plaintext, more) => {
            const aad = encodeUtf8(more)
            const [a, b] = await both(encryption, raw)
            const sealed = await a.encrypt(plaintext, aad, iv)
            expect(await b.encrypt(plaintext, aad, iv)).toEqual(sealed)
            expect(await a.decrypt(sealed, aad)).toBe(plaintext)
            expect(await b.decrypt(sealed, aad)).toBe(plaintext)
          },
        ),
      )
    })

    for (const part of ['iv', 'ciphertext', 'tag'] as const) {
      test(`T-KEY-4: on refusing any other spelling of the ${part} with ${encryption}`, async () => {
        const { keys, aad, sealed } = await example(encryption)
        for (const changed of spellings(sealed[part])) {
          for (const key of keys) {
            expect(await key.decrypt({ ...sealed, [part]: changed }, aad)).toBeUndefined()
          }
        }
      })
    }

    test(`on refusing another header or key with ${encryption}`, async () => {
      const { keys, aad, sealed } = await example(encryption)
      const others = await both(encryption, new Uint8Array(keyLength[encryption]).fill(8))
      for (const key of keys) {
        expect(await key.decrypt(sealed, encodeUtf8('other'))).toBeUndefined()
        expect(await key.decrypt(sealed, new Uint8Array(0))).toBeUndefined()
      }
      for (const key of others) expect(await key.decrypt(sealed, aad)).toBeUndefined()
    })
  }
})

function both(encryption: ContentEncryption, raw: Bytes) {
  return Promise.all([node.contentKey(encryption, raw), web.contentKey(encryption, raw)])
}

async function example(encryption: ContentEncryption) {
  const keys = await both(encryption, new Uint8Array(keyLength[encryption]).fill(7))
  const aad = encodeUtf8('header')
  const iv = new Uint8Array(ivLength[encryption]).fill(9)
  const sealed: Sealed = await keys[0].encrypt('{"name":"Ada"}', aad, iv)
  return { keys, aad, sealed }
}

/** The text with each character exchanged, left out or doubled, and in ways that lenient decoders read alike. */
function spellings(text: string): string[] {
  const all = [
    '',
    `${text}=`,
    `${text}==`,
    `${text}A`,
    `${text} `,
    ` ${text}`,
    `${text}\n`,
    '!',
    '.',
  ]
  for (let i = 0; i < text.length; i++) {
    const [before, after] = [text.slice(0, i), text.slice(i + 1)]
    for (const other of ['A', 'B', '-', '_', '+', '/', 'ä']) all.push(before + other + after)
    all.push(before + after, `${before}*${text.slice(i)}`)
  }
  // Neighbours in the alphabet differ in the bits that do not count at the end.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of alphabet) all.push(text.slice(0, -1) + letter)
  all.push(text.replaceAll('-', '+').replaceAll('_', '/'))
  return all.filter((other) => other !== text)
}

test('jose accepts the same message authentication codes', async () => {
  const key = encodeUtf8('a key of thirty-two characters!!')
  const signed = `${node.toBase64url(encodeUtf8('{"alg":"HS256"}'))}.${node.toBase64url(encodeUtf8('{"sub":"u1"}'))}`
  for (const [, crypto] of implementations) {
    const signature = crypto.toBase64url(await crypto.hmacSha256(key, signed))
    const { payload } = await jwtVerify(`${signed}.${signature}`, key)
    expect(payload.sub).toBe('u1')
  }
})
