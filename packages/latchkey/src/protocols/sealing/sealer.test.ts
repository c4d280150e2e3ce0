import * as fc from 'fast-check'
import { compactDecrypt, EncryptJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { primitives } from '#crypto'
import { type ContentEncryption, ivLength, keyLength } from '../../base/crypto/crypto.ts'
import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import { sealingKey } from './keys.ts'
import { createSeal, createSealer } from './sealer.ts'

const SECRET = 'latchkey-test-secret-0123456789abcdef'
const SALT = 'authjs.session-token'
const START = Date.UTC(2030, 0, 1)

/** A clock and randomness that can be repeated. */
function at(milliseconds: number): {
  now(): number
  random(length: number): Uint8Array<ArrayBuffer>
} {
  return { now: () => milliseconds, random: (length) => new Uint8Array(length).fill(5) }
}

const sealer = createSealer([SECRET], SALT)

/** A token with any header, made with a key of ours. */
async function forge(
  members: Record<string, unknown>,
  claims: unknown,
  how: { encryption?: ContentEncryption; secret?: string; salt?: string } = {},
): Promise<string> {
  const { encryption = 'A256GCM', secret = SECRET, salt = SALT } = how
  const { content, kid } = await sealingKey(encryption, secret, salt)
  const text = JSON.stringify({ alg: 'dir', enc: encryption, kid, ...members })
  const header = encodeBase64url(encodeUtf8(text))
  const iv = new Uint8Array(ivLength[encryption]).fill(3)
  const plaintext = typeof claims === 'string' ? claims : JSON.stringify(claims)
  const sealed = await content.encrypt(plaintext, encodeUtf8(header), iv)
  return `${header}..${sealed.iv}.${sealed.ciphertext}.${sealed.tag}`
}

describe('the token that Auth.js documents', () => {
  const token =
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoianVxcVNTcTlfRndlM3hIdmNhbUVIQlpYaVdzZWh0U2FwQ0hRSzhoYWQ1ajBPNWtVX0RjMUNIWHZKaFlDcm5INXBGcHlDT3Z3NEUwaTlva3ZsNDU0SEEifQ..AQEBAQEBAQEBAQEBAQEBAQ.i7-cWmhlG0_dxv_gsAhkOu_ZdhKTNbJWgnzUa4rU0hVcid6W-Sp9yMPMm_izvyak3H2XETmlZhZ8giuTrbzGCeQq6REOEwRuKZT8JjwUgugT-CTAxryAs6lLGeaETPCTnCaHELBL5FmYNIiJeKD9zXA0FwL1ymQ38tIBVc82m6BDp68-sV-SjOmfXek-ZUd7.KNAA5q3D0DxwQDV3iez77wc0SDqTLjaXTn1s-JdDZog'

  test('is opened', async () => {
    expect((await sealer.open(token, at(START)))?.claims).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      sub: 'u1',
      iat: 1700000000,
      exp: 4102444800,
      jti: '00000000-0000-4000-8000-000000000000',
    })
  })

  test('comes from keys and key ids that are derived as documented', async () => {
    const info = `Auth.js Generated Encryption Key (${SALT})`
    const key = Buffer.from(await primitives.hkdf(SECRET, SALT, info, 64)).toString('hex')
    expect(key).toBe(
      '58d2106b17f665ff485efd5734b38a642ce0ca6c71b6ea579c3fc14bc000ca1a359d451f11f185996ada6906b8802df94af63ab199385a27d90a51aafe49bcb8',
    )
    expect((await sealingKey('A256CBC-HS512', SECRET, SALT)).kid).toBe(
      'juqqSSq9_Fwe3xHvcamEHBZXiWsehtSapCHQK8had5j0O5kU_Dc1CHXvJhYCrnH5pFpyCOvw4E0i9okvl454HA',
    )
    expect((await sealingKey('A256GCM', SECRET, SALT)).kid).toBe(
      'L7SflqWFhG7Xy4G5q4EguWr7lwVlnYNZRcZ4sFle6zo',
    )
  })

  test('is not opened with another secret', async () => {
    expect(await createSealer(['other'], SALT).open(token, at(START))).toBeUndefined()
  })
})

describe('a sealed value', () => {
  test('is opened as it was sealed, for any claims', async () => {
    const claims = fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__'),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(claims, fc.string(), async (claims, salt) => {
        const one = createSealer([SECRET], salt)
        const opened = await one.open(await one.seal(claims, 60, at(START)), at(START))
        const { iat, exp, jti, ...rest } = opened?.claims ?? {}
        const { iat: _, exp: __, jti: ___, ...expected } = JSON.parse(JSON.stringify(claims))
        expect(rest).toEqual(expected)
        expect([iat, exp]).toEqual([START / 1000, START / 1000 + 60])
        expect(jti).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
        expect(JSON.parse(opened?.text ?? '')).toEqual(opened?.claims)
      }),
    )
  })

  test('has a header of algorithm, content encryption and key id, and nothing else', async () => {
    const token = await sealer.seal({}, 60, at(START))
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    const { kid } = await sealingKey('A256GCM', SECRET, SALT)
    expect(header).toEqual({ alg: 'dir', enc: 'A256GCM', kid })
  })

  test('cannot choose its own times and id', async () => {
    const sealed = await sealer.seal({ iat: 1, exp: 9e9, jti: 'x' }, 60, at(START))
    expect((await sealer.open(sealed, at(START)))?.claims).toEqual({
      iat: START / 1000,
      exp: START / 1000 + 60,
      jti: '05050505-0505-4505-8505-050505050505',
    })
  })

  test('lasts beyond 2038', async () => {
    const late = Date.UTC(2040, 0, 1)
    const sealed = await sealer.seal({}, 60, at(late))
    expect((await sealer.open(sealed, at(late)))?.claims['exp']).toBe(late / 1000 + 60)
  })

  test('drops what JSON drops, and refuses what JSON refuses', async () => {
    const sealed = await sealer.seal({ gone: undefined, when: new Date(0) }, 60, at(START))
    const { claims } = (await sealer.open(sealed, at(START))) ?? {}
    expect(claims).not.toHaveProperty('gone')
    expect(claims?.['when']).toBe('1970-01-01T00:00:00.000Z')
    expect(() => sealer.seal({ big: 1n }, 60, at(START))).toThrow(TypeError)
  })

  test('T-KEY-4: does not open with any character changed', async () => {
    const sealed = await sealer.seal({ sub: 'u1' }, 60, at(START))
    for (let i = 0; i < sealed.length; i++) {
      for (const other of ['A', 'B', '.', '-', '+', '=']) {
        if (sealed[i] === other) continue
        const changed = sealed.slice(0, i) + other + sealed.slice(i + 1)
        expect(await sealer.open(changed, at(START)), `${i} ${other}`).toBeUndefined()
      }
    }
  })

  test('T-KEY-4: does not open if it is shorter or longer', async () => {
    const sealed = await sealer.seal({ sub: 'u1' }, 60, at(START))
    for (let i = 0; i < sealed.length; i++) {
      expect(await sealer.open(sealed.slice(0, i), at(START))).toBeUndefined()
    }
    expect(await sealer.open(`${sealed}A`, at(START))).toBeUndefined()
  })

  test('T-KEY-2: for one purpose opens for no other', async () => {
    const purposes = ['authjs.session-token', '__Secure-authjs.session-token', 'encodedState', '']
    for (const one of purposes) {
      const sealed = await createSealer([SECRET], one).seal({}, 60, at(START))
      for (const other of purposes) {
        const opened = await createSealer([SECRET], other).open(sealed, at(START))
        expect(opened !== undefined, `${one} as ${other}`).toBe(one === other)
      }
    }
  })

  for (const encryption of ['A256GCM', 'A256CBC-HS512'] as const) {
    test(`that Latchkey made with ${encryption} opens with jose, and the other way round`, async () => {
      const info = `Auth.js Generated Encryption Key (${SALT})`
      const key = await primitives.hkdf(SECRET, SALT, info, keyLength[encryption])
      const ours = await forge({}, { sub: 'u1' }, { encryption })
      const { plaintext } = await compactDecrypt(ours, key)
      expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({ sub: 'u1' })
      const theirs = await new EncryptJWT({ sub: 'u1' })
        .setProtectedHeader({ alg: 'dir', enc: encryption })
        .encrypt(key)
      expect((await sealer.open(theirs, at(START)))?.claims).toEqual({ sub: 'u1' })
    })
  }
})

describe('the time of a sealed value', () => {
  const now = START / 1000
  for (const [what, claims, opened] of [
    ['ends', { exp: now + 60 }, true],
    ['ended 14 seconds ago', { exp: now - 14 }, true],
    ['ended 15 seconds ago', { exp: now - 15 }, false],
    ['begins in 15 seconds', { nbf: now + 15 }, true],
    ['begins in 16 seconds', { nbf: now + 16 }, false],
    ['says nothing', {}, true],
    ['ends at a text', { exp: String(now + 60) }, false],
    ['ends at null', { exp: null }, false],
    ['begins at a text', { nbf: String(now) }, false],
    ['was made in the future', { iat: now + 1000 }, true],
  ] as [string, Record<string, unknown>, boolean][]) {
    test(`${what}: ${opened ? 'opened' : 'refused'}`, async () => {
      const token = await forge({}, claims)
      expect((await sealer.open(token, at(START))) !== undefined).toBe(opened)
    })
  }

  test('passes', async () => {
    const sealed = await sealer.seal({}, 60, at(START))
    expect(await sealer.open(sealed, at(START + 74_000))).toBeDefined()
    expect(await sealer.open(sealed, at(START + 75_000))).toBeUndefined()
  })
})

describe('T-KEY-4: a token that was made with the right key', () => {
  for (const [what, members] of [
    ['compression', { zip: 'DEF' }],
    ['a critical extension', { crit: ['b64'], b64: false }],
    ['another algorithm', { alg: 'A256KW' }],
    ['the algorithm none', { alg: 'none' }],
    ['another content encryption', { enc: 'A128CBC-HS256' }],
    ['the other content encryption than its own', { enc: 'A256CBC-HS512' }],
    ['a key made from a password', { alg: 'PBES2-HS256+A128KW', p2c: 1_000_000, p2s: 'AAAA' }],
    ['the key id of nobody', { kid: 'x' }],
    ['a key id that is no text', { kid: null }],
  ] as [string, Record<string, unknown>][]) {
    test(`with the header of ${what} is refused`, async () => {
      expect(await sealer.open(await forge(members, {}), at(START))).toBeUndefined()
    })
  }

  for (const text of ['[]', 'null', '"text"', '1', '', '{', '{"a":1']) {
    test(`with the content ${JSON.stringify(text)} is refused`, async () => {
      expect(await sealer.open(await forge({}, text), at(START))).toBeUndefined()
    })
  }

  for (const token of ['', 'x', '....', 'a.b.c', '\u0000', 'ä..ö.ü.ß']) {
    test(`is not found in ${JSON.stringify(token)}`, async () => {
      expect(await sealer.open(token, at(START))).toBeUndefined()
    })
  }
})

describe('T-KEY-3: a sealer with several secrets', () => {
  test('seals with the first', async () => {
    const sealed = await createSealer(['new', 'old'], SALT).seal({ a: 1 }, 60, at(START))
    expect(await createSealer(['new'], SALT).open(sealed, at(START))).toBeDefined()
    expect(await createSealer(['old'], SALT).open(sealed, at(START))).toBeUndefined()
  })

  test('opens values of each', async () => {
    for (const secret of ['one', 'two', 'three']) {
      const sealed = await createSealer([secret], SALT).seal({ secret }, 60, at(START))
      const opened = await createSealer(['one', 'two', 'three'], SALT).open(sealed, at(START))
      expect(opened?.claims['secret']).toBe(secret)
    }
  })

  for (const secret of ['one', 'two']) {
    test(`tries each for a token without a key id: ${secret}`, async () => {
      const token = await forge({ kid: undefined }, { a: 1 }, { secret })
      const opened = await createSealer(['one', 'two'], SALT).open(token, at(START))
      expect(opened?.claims).toEqual({ a: 1 })
      expect(await createSealer(['three'], SALT).open(token, at(START))).toBeUndefined()
    })
  }

  test('does not open a token that names another key than its own', async () => {
    const { kid } = await sealingKey('A256GCM', 'two', SALT)
    const token = await forge({ kid }, {}, { secret: 'one' })
    expect(await createSealer(['one', 'two'], SALT).open(token, at(START))).toBeUndefined()
  })

  test('is refused at once without a secret, or with an empty one', () => {
    expect(() => createSealer([], SALT)).toThrow(TypeError)
    expect(() => createSealer(['good', ''], SALT)).toThrow(TypeError)
  })

  test.each([[[]], [['']], [['', 'good']]])('refuses to seal with the secrets %j', (secrets) => {
    expect(() => createSeal(secrets, SALT)).toThrow('secret that is not empty')
  })

  test('opens a known token synchronously, and no other', async () => {
    const one = createSealer(['new', 'old'], SALT)
    for (const secret of ['new', 'old']) {
      const sealed = await createSealer([secret], SALT).seal({ secret }, 60, at(START))
      expect(one.open(sealed, at(START))).toBeInstanceOf(Promise)
      await one.open(sealed, at(START))
      expect(one.open(sealed, at(START))).toMatchObject({ claims: { secret } })
    }
    const other = await forge({ typ: 'JWT' }, { a: 1 }, { secret: 'new' })
    for (let time = 0; time < 2; time++) {
      const opened = one.open(other, at(START))
      expect(opened).toBeInstanceOf(Promise)
      expect(await opened).toMatchObject({ claims: { a: 1 } })
    }
  })
})
