import { createHash, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keyLength } from '../../base/crypto/crypto.ts'
import { sealingKey } from './keys.ts'

/** Derived keys are kept for good, so each attempt needs a secret that nothing has used. */
function freshSecret(): string {
  return `keys-test-${crypto.randomUUID()}`
}

/** The key id as Auth.js makes it, with nothing of ours: HKDF, then the thumbprint of RFC 7638. */
function expectedKey(encryption: 'A256GCM' | 'A256CBC-HS512', secret: string, salt: string) {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, info, keyLength[encryption]))
  const jwk = `{"k":"${bytes.toString('base64url')}","kty":"oct"}`
  const hash = encryption === 'A256GCM' ? 'sha256' : 'sha512'
  const kid = createHash(hash).update(jwk).digest('base64url')
  const members = `{"alg":"dir","enc":"${encryption}","kid":"${kid}"}`
  return { kid, header: Buffer.from(members).toString('base64url') }
}

describe('the key for a purpose', () => {
  for (const encryption of ['A256GCM', 'A256CBC-HS512'] as const) {
    test(`comes from secret and purpose, and its header names it (${encryption})`, async () => {
      const secret = freshSecret()
      const key = await sealingKey(encryption, secret, 'purpose')
      const { kid, header } = expectedKey(encryption, secret, 'purpose')
      expect(key).toMatchObject({ encryption, kid, header })
      expect(new TextDecoder().decode(key.aad)).toBe(header)
      const iv = new Uint8Array(encryption === 'A256GCM' ? 12 : 16)
      const sealed = await key.content.encrypt('text', key.aad, iv)
      expect(await key.content.decrypt(sealed, key.aad)).toBe('text')
    })
  }

  test('T-KEY-2: differs for each secret, purpose and encryption', async () => {
    const [one, other] = [freshSecret(), freshSecret()]
    const keys = await Promise.all([
      sealingKey('A256GCM', one, 'a'),
      sealingKey('A256GCM', other, 'a'),
      sealingKey('A256GCM', one, 'b'),
      sealingKey('A256CBC-HS512', one, 'a'),
      // Put together without their lengths these would be one text.
      sealingKey('A256GCM', `b ${one}`, 'a'),
      sealingKey('A256GCM', one, 'a b'),
    ])
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  })

  test('is derived once', async () => {
    const secret = freshSecret()
    const key = await sealingKey('A256GCM', secret, 'purpose')
    expect(await sealingKey('A256GCM', secret, 'purpose')).toBe(key)
    await sealingKey('A256GCM', freshSecret(), 'purpose')
    expect(await sealingKey('A256GCM', secret, 'purpose')).toBe(key)
  })

  test('is dropped after 500 others, and not before', async () => {
    // Another copy of the module has no keys yet.
    const copy = `./keys.ts?${freshSecret()}`
    const { sealingKey: derive } = (await import(/* @vite-ignore */ copy)) as {
      sealingKey: typeof sealingKey
    }
    const secret = freshSecret()
    const key = await derive('A256GCM', secret, 'purpose')
    for (let others = 0; others < 499; others++) await derive('A256GCM', freshSecret(), 'other')
    expect(await derive('A256GCM', secret, 'purpose')).toBe(key)
    await derive('A256GCM', freshSecret(), 'other')
    const again = await derive('A256GCM', secret, 'purpose')
    expect(again).not.toBe(key)
    expect(again.kid).toBe(key.kid)
  })
})
