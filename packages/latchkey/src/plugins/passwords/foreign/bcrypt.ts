import { loadEngine } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'

/** The cost is the logarithm of the number of rounds. */
const FORM = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z\d]{53}$/
const MOST_COST = 15

/** Returns whether a text is a hash of bcrypt. `$2x$`, of an implementation that ignored bits, is not. */
export function isBcrypt(stored: string): boolean {
  return FORM.test(stored)
}

export function isTooCostlyBcrypt(stored: string): boolean {
  return Number(FORM.exec(stored)?.[1]) > MOST_COST
}

/** Verifies in the way of the systems that made the hash. */
export async function verifyBcrypt(password: string, stored: string): Promise<boolean> {
  const { bcrypt: compare } = await loadEngine()
  // Programs in C read `$2a$` passwords up to U+0000.
  const [beforeNul = ''] = password.split('\0')
  return compare(stored.startsWith('$2a$') ? beforeNul : password, stored)
}

/**
 * Hashes of bcrypt: `$2a$`, `$2b$` and `$2y$`. Install the package `bcryptjs`.
 *
 * Only the first 72 bytes of a password count, until it is hashed anew at the first sign-in.
 */
export function bcrypt(): ForeignHash {
  return {
    id: 'bcrypt',
    matches: isBcrypt,
    verify: verifyBcrypt,
    isTooCostly: isTooCostlyBcrypt,
    memory: () => 8,
    needs: 'bcryptjs',
    dummy: '$2b$10$..CA.uOD/eaGAOmJB.yMBuoRtoE0n5mFsr3mkIJLsQUmyS3D1Tdqe',
  }
}
