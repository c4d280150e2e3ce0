import { primitives } from '#crypto'
import type { CredentialDescriptor } from '../../protocols/webauthn/simple-webauthn.ts'

/** Values of current authenticators: length of the id in bytes, and transports. */
const KINDS: readonly (readonly [length: number, transports: readonly string[]])[] = [
  [16, ['hybrid', 'internal']],
  [20, ['internal', 'hybrid']],
  [32, ['hybrid', 'internal']],
  [32, ['internal']],
]

/**
 * Returns an invented credential for an address without one. It is always the same, so that a second request
 * does not distinguish it from a real one (WebAuthn section 14.6.2).
 */
export async function inventCredential(
  address: string,
  secrets: readonly string[],
): Promise<CredentialDescriptor> {
  // Uses the oldest secret, so that a new secret does not change the result.
  const secret = secrets.at(-1) ?? ''
  const key = await primitives.hkdf(secret, 'latchkey', 'invented passkeys', 32)
  const id = await primitives.hmacSha256(key, `id:${address}`)
  const [choice = 0] = await primitives.hmacSha256(key, `kind:${address}`)
  const [length, transports] = KINDS[choice % KINDS.length] ?? [32, ['internal']]
  return { id: primitives.toBase64url(id.subarray(0, length)), transports: [...transports] }
}
