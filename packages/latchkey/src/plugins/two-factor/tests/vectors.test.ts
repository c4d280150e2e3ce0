import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { primitives } from '#crypto'
import { hashKey, KEY_SALT, keyedHash } from '../../../base/crypto/keyed-hash.ts'
import { systemPorts } from '../../../base/ports.ts'
import { createHasher, hashSettingsOf } from '../../../entries/plugin-hashing.ts'
import { decodeBase32, encodeBase32, inGroups } from '../../../protocols/totp/base32.ts'
import { hotp, stepAt, stepOf } from '../../../protocols/totp/hotp.ts'
import { readRecoveryCode } from '../records/recovery.ts'
import { qrCode } from '../totp/qr.ts'
import { otpauthUri } from '../totp/uri.ts'

const TEXT = '12345678901234567890'
const BASE32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const secret = new TextEncoder().encode(TEXT)

describe('MF-1: codes of authenticator apps', () => {
  test.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [3, '969429'],
    [4, '338314'],
    [5, '254676'],
    [6, '287922'],
    [7, '162583'],
    [8, '399871'],
    [9, '520489'],
  ])('the counter %i of RFC 4226 appendix D has the code %s', async (step, code) => {
    expect(await hotp(secret, step)).toBe(code)
  })

  test.each([
    [59, 1, '287082'],
    [1_111_111_109, 37_037_036, '081804'],
    [1_111_111_111, 37_037_037, '050471'],
    [1_234_567_890, 41_152_263, '005924'],
    [2_000_000_000, 66_666_666, '279037'],
    [20_000_000_000, 666_666_666, '353130'],
  ])('the time %i of RFC 6238 appendix B is step %i with the code %s', async (time, step, code) => {
    expect(stepAt(time * 1000)).toBe(step)
    expect(await hotp(secret, step)).toBe(code)
    expect(await stepOf(code, secret, time * 1000)).toBe(step)
  })

  test('MF-2: the step before and the step after are accepted, and no others', async () => {
    const now = 1_111_111_141_000
    expect(await stepOf('050471', secret, now)).toBe(37_037_037)
    expect(await stepOf('081804', secret, now)).toBeUndefined()
    expect(await stepOf(await hotp(secret, 37_037_039), secret, now)).toBe(37_037_039)
    expect(await stepOf(await hotp(secret, 37_037_040), secret, now)).toBeUndefined()
    for (const code of ['', '5047', '0504711', '٠٥٠٤٧١'])
      expect(await stepOf(code, secret, now)).toBeUndefined()
  })

  test('another library makes the same codes for secrets of every length', async () => {
    for (let length = 1; length <= 40; length++) {
      const bytes = crypto.getRandomValues(new Uint8Array(length))
      const text = encodeBase32(bytes)
      expect(text).toBe(new Secret({ buffer: bytes.buffer }).base32)
      expect(decodeBase32(text)).toEqual(bytes)
      const timestamp = length * 7_777_777_777
      const code = new TOTP({ secret: Secret.fromBase32(text) }).generate({ timestamp })
      expect(await hotp(bytes, stepAt(timestamp))).toBe(code)
    }
  })

  test('Base32 with other characters is refused', () => {
    for (const text of ['gezd', 'GEZ1', 'GEZ8', 'GE ZD', 'GE=='])
      expect(decodeBase32(text)).toBeUndefined()
  })
})

describe('MF-3, MF-4: the secret for an authenticator', () => {
  const uri =
    'otpauth://totp/Acme%20Ltd:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme%20Ltd&algorithm=SHA1&digits=6&period=30'

  test('has an address with issuer, account and secret', () => {
    expect(otpauthUri({ issuer: 'Acme Ltd', account: 'ada@example.com', secret: BASE32 })).toBe(uri)
    const odd = otpauthUri({ issuer: 'A:B', account: 'c:d/?&=#', secret: BASE32 })
    expect(odd).toContain('totp/A%20B:c%3Ad%2F%3F%26%3D%23?secret=')
    expect(odd).toContain('&issuer=A%20B&')
  })

  test('is typed in groups of four', () => {
    expect(inGroups(BASE32)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  })

  test('is a QR code of one path with a title, which loads nothing', () => {
    const svg = String(qrCode(uri, 'A <title> of "it"'))
    expect(svg).toMatch(
      /^<svg [^>]*role="img"[^>]*><title [^>]*>A &lt;title&gt; of [^<]*<\/title><path d="(?:M\d+ \d+h\d+v1h-\d+z)+"\/><\/svg>$/,
    )
    expect(svg).not.toContain('href')
    expect(svg).not.toContain('style')
  })
})

describe('MF-7: recovery codes as they are typed and stored', () => {
  test.each([
    ['7kq2-m9xo-l3ab', '7KQ2M9X013AB'],
    ['7KQ2 M9X0 13AB', '7KQ2M9X013AB'],
    ['  7kq2–m9xO–I3ab ', '7KQ2M9X013AB'],
    ['７ｋｑ２-m9x0-13ab', '7KQ2M9X013AB'],
  ])('%s reads as %s', (typed, code) => {
    expect(readRecoveryCode(typed)).toBe(code)
  })

  test.each(['', '7kq2-m9x0-13a', '7kq2-m9x0-13abc', '7kq2-m9x0-13au', '7kq2-m9x0-13a!'])(
    '%s is no code',
    (typed) => {
      expect(readRecoveryCode(typed)).toBeUndefined()
    },
  )

  test('the slow hash and the key of the record are those of the vectors', async () => {
    const host = { ports: systemPorts, logger: console as never }
    const hasher = await createHasher(hashSettingsOf({}), host)
    const salt = 'AAECAwQFBgcICQoLDA0ODw'
    const parameters = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$gYJZtjEAJqjg26xdLmknq8/bB7MiWPrE9hsYuA+SkIU`
    const tag = await hasher.tag('7KQ2M9X013AB', parameters)
    expect(tag).toBe('sgGCZacdRbxdV3a7Ngi-ZbpMMP1pDlJKRRkQ9gSPi2o')
    const secretOfSite = '0123456789abcdef0123456789abcdef'
    const derived = await primitives.hkdf(secretOfSite, KEY_SALT, 'recovery-code', 32)
    expect(await keyedHash(await hashKey(derived), ['u_1', tag])).toBe(
      'f_ISgbqgaYedj4PaFr8LmdJgPx2YlU9CnXE0tY046K0',
    )
  })
})

test('MF-4: half of a character in a name is replaced in the address of an authenticator', () => {
  const uri = otpauthUri({ issuer: 'Acme', account: 'x\ud800', secret: 'GEZDGNBV' })
  expect(uri).toContain('otpauth://totp/Acme:x%EF%BF%BD?')
})
