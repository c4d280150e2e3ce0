import { hkdfSync } from 'node:crypto'
import { EncryptJWT, type JWTPayload } from 'jose'
import fixtures from '../peers/next-auth-4.json' with { type: 'json' }

const { secret } = fixtures

/** A session as next-auth 4 seals it, made by another library. */
export async function sealedByNextAuth4(
  claims: JWTPayload,
  {
    key = secret,
    header = {},
    exp = Date.UTC(2040, 0, 1) / 1000,
  }: { key?: string; header?: object; exp?: unknown } = {},
): Promise<string> {
  const bytes = hkdfSync('sha256', key, '', 'NextAuth.js Generated Encryption Key', 32)
  return new EncryptJWT({ ...claims, ...(exp === null ? {} : { exp: exp as number }) })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...header })
    .encrypt(new Uint8Array(bytes))
}
