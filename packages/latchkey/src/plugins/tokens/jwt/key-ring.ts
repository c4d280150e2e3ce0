import type { JWK } from 'jose'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'

/** A key that signs tokens. */
export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly key: CryptoKey
}

/** A public key as it is published, and no other member. */
export type PublicKey = JWK & { readonly kid: string; readonly alg: SigningAlgorithm }

/** The keys that sign tokens, and those that tokens may still be signed with. */
export interface KeyRing {
  /** The key that signs now. */
  signing(): Promise<SigningKey>
  /** @param kid one that is looked for: a key that is not known yet is asked for. */
  published(kid?: string): Promise<readonly PublicKey[]>
  /**
   * Has another key sign.
   *
   * @param how `compromised`: at once, and none of those before is published any more.
   */
  rotate(how: { readonly compromised: boolean }): Promise<void>
  /** Removes what is left of keys that nobody needs. */
  cleanUp(): Promise<void>
}

/** The public members of a key. */
export function publicKey({ kty, crv, x, y }: JWK, kid: string, alg: SigningAlgorithm): PublicKey {
  const point = y === undefined ? { x } : { x, y }
  return { kty, crv, ...point, kid, alg, use: 'sig' } as PublicKey
}
