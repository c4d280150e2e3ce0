import { describe, expect, test } from 'vitest'
import { primitives } from '#crypto'
import { hashKey, KEY_SALT } from '../../base/crypto/keyed-hash.ts'
import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { CHECK_KEY, PROOF_KEY, parseProof, proveCheck, proveSnapshot, READ_KEY } from './proof.ts'
import { packSnapshot, unpackSnapshot } from './snapshot-format.ts'

const SECRET = 'a test secret of 32 characters!!'
const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA'
const snapshot = {
  seq: 42,
  isFull: false,
  sessions: [0x1ac29b64, 0x5381ae01],
  users: [[0x22c0f6ad, 1_767_225_600_000]] as [number, number][],
}
const bytes = packSnapshot(snapshot)
const hex = (given: Uint8Array) => Buffer.from(given).toString('hex')

const keyOf = async (purpose: string) =>
  hashKey(await primitives.hkdf(SECRET, KEY_SALT, purpose, 32))

describe('a packed snapshot', () => {
  test('has the bytes of the specification', async () => {
    expect(hex(bytes)).toBe(
      '4c4b523100000000000000000000002a00000002000000011ac29b645381ae0122c0f6ad019b76daa800',
    )
    const digest = encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
    expect(digest).toBe('fRjevGQzIo704TLU_btVrD_UcUxyTFRiR3QK7MMFYXs')
    const anchor = 'AQEBAQEBAQEBAQEBAQEBAQ'
    expect(
      await proveSnapshot(await keyOf(PROOF_KEY), NONCE, { from: 0, seq: 42, anchor, digest }),
    ).toBe('LXJyy3b9wFEKJKf1re2x2yX8CCCpoSY5Aj2HHQP0WSE')
  })

  test('is read as it was written', () => {
    const { sessions, ...read } = unpackSnapshot(bytes)
    expect({ ...read, sessions: [...sessions] }).toEqual(snapshot)
    const full = packSnapshot({ seq: 2 ** 40 + 5, isFull: true, sessions: [], users: [] })
    expect(unpackSnapshot(full)).toMatchObject({ seq: 2 ** 40 + 5, isFull: true })
  })

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['its beginning', bytes.subarray(0, 23)],
    ['all but a byte', bytes.subarray(0, 41)],
    ['a byte more', new Uint8Array([...bytes, 0])],
    ['another beginning', new Uint8Array(42)],
    ['sessions in another order', packSnapshot({ ...snapshot, sessions: [2, 1] })],
    ['a session twice', packSnapshot({ ...snapshot, sessions: [1, 1] })],
    [
      'users in another order',
      packSnapshot({
        ...snapshot,
        users: [
          [2, 1],
          [1, 1],
        ],
      }),
    ],
  ])('REV-20: is refused: %s', (_, given) => {
    expect(() => unpackSnapshot(given)).toThrow(TypeError)
  })
})

describe('a proof', () => {
  test('of a check has the value of the specification', async () => {
    const session = { sid: 'U4GuAeYRB4wVFnTUjRrW4w', userId: 'u1', epoch: 0 }
    const key = await keyOf(CHECK_KEY)
    const proof = await proveCheck(key, NONCE, session, true)
    expect(proof).toBe('wKXoUImEWAZvkYYKqqcXAjjNvIPaTAMSV8Fv9c_uLDA')
    expect(await proveCheck(key, NONCE, session, false)).not.toBe(proof)
  })

  test('has a read key with the value of the specification', async () => {
    const key = await primitives.hkdf(SECRET, KEY_SALT, READ_KEY, 32)
    expect(encodeBase64url(key)).toBe('0bfVjf-tsI-gYa5zBBKc0kmJSEigQipS0sqWVwlExYs')
  })

  test('is read from any text of its header', () => {
    expect(parseProof('v=1;f=0;m=a=b')).toEqual({ v: '1', f: '0', m: 'a=b' })
    expect(parseProof(null)).toEqual({ '': '' })
    expect(Object.keys(parseProof('x'.repeat(100_000)))).toHaveLength(1)
  })
})
