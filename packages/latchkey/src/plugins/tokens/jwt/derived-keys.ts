import { calculateJwkThumbprint, type JWK } from 'jose'
import { AuthError, concat, type HostKeys, loadOnce } from '../../../entries/plugin.ts'
import { type KeyRing, type PublicKey, publicKey, type SigningKey } from './key-ring.ts'

/** The bytes before the seed in a private key of Ed25519 (RFC 8410 section 7). */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** Derives one key from each configured secret. The first one signs. */
export function derivedKeys(keys: Pick<HostKeys, 'derive'>): KeyRing {
  const load = loadOnce(async () =>
    Promise.all((await keys.derive('signing-key-EdDSA')).map(derive)),
  )
  return {
    async signing() {
      const [first] = await load()
      if (!first) throw new AuthError('there is no secret to derive a signing key from')
      return first.signing
    },
    published: async () => (await load()).map(({ published }) => published),
    async rotate() {
      throw new AuthError(
        'the signing keys are derived from `secret`; to sign with another key, change the secret',
      )
    },
    async cleanUp() {},
  }
}

async function derive(seed: Uint8Array): Promise<{ signing: SigningKey; published: PublicKey }> {
  const { subtle } = crypto
  const pkcs8 = concat([new Uint8Array(PKCS8), seed])
  // Imported once more as extractable, since the public half is not derived.
  const readable = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const jwk = (await subtle.exportKey('jwk', readable)) as JWK
  const kid = await calculateJwkThumbprint(jwk)
  const key = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  return { signing: { kid, alg: 'EdDSA', key }, published: publicKey(jwk, kid, 'EdDSA') }
}
