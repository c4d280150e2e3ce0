import type { JWK } from 'jose'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'

/** A key that signs tokens. */
export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly key: CryptoKey
}

/** The published members of a public key. */
export type PublicKey = JWK & { readonly kid: string; readonly alg: SigningAlgorithm }

/** The key that signs tokens, and the keys of tokens that are still valid. */
export interface KeyRing {
  /** Returns the key that signs now. */
  signing(): Promise<SigningKey>
  /** @param kid of a token. An unknown key is searched for. */
  published(kid?: string): Promise<readonly PublicKey[]>
  /**
   * Makes another key sign.
   *
   * @param how `compromised`: at once, and earlier keys are not published any more.
   */
  rotate(how: { readonly compromised: boolean }): Promise<void>
  /** Removes keys that are not needed any more. */
  cleanUp(): Promise<void>
}

/** Returns the public members of a key. */
export function publicKey({ kty, crv, x, y }: JWK, kid: string, alg: SigningAlgorithm): PublicKey {
  const point = y === undefined ? { x } : { x, y }
  return { kty, crv, ...point, kid, alg, use: 'sig' } as PublicKey
}
