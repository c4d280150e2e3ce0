import { argon2 } from './argon2.ts'
import { bcrypt } from './bcrypt.ts'
import { isFirebase, isTooCostlyFirebase, signerKeyOf, verifyFirebase } from './firebase-scrypt.ts'
import type { ForeignHash } from './foreign-hash.ts'

/**
 * Hashes of SuperTokens: bcrypt, argon2id, and `$f_scrypt$` of users who came from Firebase. Install the package `bcryptjs`.
 *
 * @param options `signerKey`: `base64_signer_key` of the Firebase project, if users came from there.
 * @throws TypeError for an invalid key.
 */
export function superTokens({ signerKey }: { readonly signerKey?: string } = {}): ForeignHash {
  const key = signerKey === undefined ? undefined : signerKeyOf(signerKey, 'superTokens')
  const [ofBcrypt, ofArgon2] = [bcrypt(), argon2()]
  const ofFirebase: ForeignHash = {
    id: 'firebase',
    matches: (stored) => key !== undefined && isFirebase(stored),
    verify: async (password, stored) => key !== undefined && verifyFirebase(password, stored, key),
    isTooCostly: isTooCostlyFirebase,
  }
  const of = (stored: string): ForeignHash | undefined =>
    [ofBcrypt, ofArgon2, ofFirebase].find((each) => each.matches(stored))
  return {
    id: 'super-tokens',
    matches: (stored) => of(stored) !== undefined,
    verify: async (password, stored) => (await of(stored)?.verify(password, stored)) ?? false,
    isTooCostly: (stored) => of(stored)?.isTooCostly?.(stored) ?? false,
    memory: (stored) => of(stored)?.memory?.(stored) ?? 16_384,
    needs: 'bcryptjs',
    dummy: ofBcrypt.dummy ?? '',
  }
}
