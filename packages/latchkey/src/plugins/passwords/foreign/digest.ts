import { optionError } from '../../../entries/plugin.ts'
import { bytesOf, loadEngine } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'

const LENGTHS = { md5: 32, sha1: 40, sha256: 64, sha512: 128 } as const

/**
 * Digests of passwords without a salt, in hexadecimal. Since they are fast to guess, only the argon2id of the digest is
 * stored.
 *
 * @throws TypeError for an unknown algorithm.
 */
export function digest(algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'): ForeignHash {
  if (!Object.hasOwn(LENGTHS, algorithm))
    throw optionError(
      `digest(): the algorithm must be one of ${Object.keys(LENGTHS).join(', ')}, got ${JSON.stringify(algorithm)}`,
      'passwords',
    )
  const form = new RegExp(`^[\\da-f]{${LENGTHS[algorithm]}}$`, 'i')
  const compute = async (password: string): Promise<string> => {
    const { digest: of } = await loadEngine()
    return Array.from(of(algorithm, bytesOf(password)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
  }
  return {
    id: algorithm,
    matches: (stored) => form.test(stored),
    // What is stored is always wrapped.
    verify: async () => false,
    wrap: { split: (stored) => ({ digest: stored.toLowerCase() }), digest: compute },
  }
}
