import { isTooCostly, memoryOf } from '../hashing/hash-costs.ts'
import { type Argon2Hash, parsePhc } from '../hashing/phc.ts'
import { bytesOf, isSame, loadEngine } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'

export function parseArgon2(stored: string): Argon2Hash | undefined {
  const hash = parsePhc(stored)
  return hash && hash.type !== 'scrypt' ? hash : undefined
}

export async function verifyArgon2(password: string, hash: Argon2Hash): Promise<boolean> {
  const { argon2: findNative, portableArgon2 } = await loadEngine()
  const native = await findNative(hash.version)
  const compute = native ? native.hash : portableArgon2
  return isSame(await compute(bytesOf(password), hash, hash.tag.length), hash.tag)
}

/** Hashes of argon2id and argon2i as PHC strings, of versions 1.0 and 1.3. */
export function argon2(): ForeignHash {
  return {
    id: 'argon2',
    matches: (stored) => parseArgon2(stored) !== undefined,
    async verify(password, stored) {
      const hash = parseArgon2(stored)
      return hash !== undefined && verifyArgon2(password, hash)
    },
    isTooCostly(stored) {
      const hash = parseArgon2(stored)
      return hash !== undefined && isTooCostly(hash)
    },
    memory: (stored) => memoryOf(parseArgon2(stored) ?? NONE),
    dummy:
      '$argon2id$v=19$m=65536,t=3,p=4$AAECAwQFBgcICQoLDA0ODw$c2FsdCBvZiBub2JvZHksIHRhZyBvZiBub2JvZHkuLi4',
  }
}

const NONE = { type: 'argon2id', memory: 0 } as Argon2Hash
