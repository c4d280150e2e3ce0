import { calculateJwkThumbprint, importJWK, type JWK } from 'jose'
import { AuthError, loadOnce } from '../../../entries/plugin.ts'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'
import { type KeyRing, type PublicKey, publicKey, type SigningKey } from './key-ring.ts'

/** Returns the keys of the configuration. The first one signs. */
export function givenKeys(keys: readonly JsonWebKey[], alg: SigningAlgorithm): KeyRing {
  const load = loadOnce(() => Promise.all(keys.map((key) => keyOf(key as JWK, alg))))
  return {
    async signing() {
      const [first] = await load()
      if (!first) throw new AuthError('there is no signing key')
      return first.signing
    },
    published: async () => (await load()).map(({ published }) => published),
    async rotate() {
      throw new AuthError(
        'the signing keys come from the configuration; to sign with another key, put it first in `keys`',
      )
    },
    async cleanUp() {},
  }
}

async function keyOf(
  jwk: JWK,
  alg: SigningAlgorithm,
): Promise<{ signing: SigningKey; published: PublicKey }> {
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const { kty, crv, x, y, d } = jwk
  const key = (await importJWK({ kty, crv, x, y, d } as JWK, alg)) as CryptoKey
  return { signing: { kid, alg, key }, published: publicKey(jwk, kid, alg) }
}
