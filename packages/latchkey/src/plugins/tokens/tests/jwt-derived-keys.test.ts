import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { primitives } from '../../../base/crypto/webcrypto.ts'
import { derivedKeys } from '../jwt/derived-keys.ts'

const SECRET = 'a test secret of 32 characters!!'

test('the derived key signs the test vector, byte for byte', async () => {
  const ring = derivedKeys({
    derive: async (purpose) => [await primitives.hkdf(SECRET, 'latchkey.records', purpose, 32)],
  })
  const { key, kid, alg } = await ring.signing()
  const token = await new SignJWT({
    iss: 'https://app.example/auth',
    sub: 'u1',
    aud: 'https://api.example',
    client_id: 'latchkey',
    iat: 1767225600,
    exp: 1767225900,
    jti: 'AAECAwQFBgcICQoLDA0ODw',
    sid: 'U4GuAeYRB4wVFnTUjRrW4w',
    auth_time: 1767225000,
    amr: ['pwd', 'otp'],
  })
    .setProtectedHeader({ alg, typ: 'at+jwt', kid })
    .sign(key)
  expect(token.split('.')[2]).toBe(
    'uKVOcn3PMFLo5rUAcgscyQcJ6hrGxyTvS73cFnz-p2ZHzsIbsETIS3qD6oJi0MnDCicAcgFwnE6R2vE2qPO6Ag',
  )
  expect(token.split('.')[0]).toBe(
    'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImRmdFRsWGFsRHhJOFZDa3R5Y3U1UlBRRF9EY0hMQlNwOHdva3hKWEVhTzgifQ',
  )
})
