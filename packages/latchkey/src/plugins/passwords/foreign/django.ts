import { decodeBase64 } from '../hashing/base64.ts'
import { isTooCostly as isTooCostlyPhc, memoryOf } from '../hashing/hash-costs.ts'
import { isScrypt, type ScryptHash } from '../hashing/phc.ts'
import { parseArgon2, verifyArgon2 } from './argon2.ts'
import { isBcrypt, isTooCostlyBcrypt, verifyBcrypt } from './bcrypt.ts'
import { bytesOf, loadEngine, MOST_ITERATIONS } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'
import { type Pbkdf2Hash, verifyPbkdf2 } from './pbkdf2.ts'
import { verifyScrypt } from './scrypt.ts'

/** What a text is made of; `undefined` if it is of another hasher. */
interface Hasher {
  isTooCostly(): boolean
  verify(password: string): Promise<boolean>
  /** KiB */
  readonly memory: number
}

const PBKDF2 = /^pbkdf2_(sha1|sha256)\$([1-9]\d{0,9})\$([^$]{1,128})\$([A-Za-z\d+/]+={0,2})$/
const SCRYPT =
  /^scrypt\$([1-9]\d{0,9})\$([^$]{1,128})\$([1-9]\d{0,3})\$([1-9]\d{0,3})\$([A-Za-z\d+/]+={0,2})$/

function hasherOf(stored: string): Hasher | undefined {
  return ofPbkdf2(stored) ?? ofScrypt(stored) ?? ofArgon2(stored) ?? ofBcrypt(stored)
}

function ofPbkdf2(stored: string): Hasher | undefined {
  const [, name, iterations, salt = '', tagText = ''] = PBKDF2.exec(stored) ?? []
  const tag = decodeBase64(tagText)
  const length = name === 'sha1' ? 20 : 32
  if (tag?.length !== length) return undefined
  const hash: Pbkdf2Hash = {
    digest: name as 'sha1' | 'sha256',
    iterations: Number(iterations),
    salt: bytesOf(salt),
    tag,
  }
  return {
    isTooCostly: () => hash.iterations > MOST_ITERATIONS,
    verify: (password) => verifyPbkdf2(password, hash),
    memory: 8,
  }
}

function ofScrypt(stored: string): Hasher | undefined {
  const [, n, salt = '', r, p, tagText = ''] = SCRYPT.exec(stored) ?? []
  const tag = decodeBase64(tagText)
  const ln = Math.log2(Number(n))
  const hash: ScryptHash = {
    type: 'scrypt',
    ln,
    r: Number(r),
    p: Number(p),
    salt: bytesOf(salt),
    tag: tag ?? new Uint8Array(),
  }
  if (hash.tag.length !== 64 || !Number.isInteger(ln) || !isScrypt(hash)) return undefined
  return {
    isTooCostly: () => isTooCostlyPhc(hash),
    verify: (password) => verifyScrypt(password, hash),
    memory: memoryOf(hash),
  }
}

function ofArgon2(stored: string): Hasher | undefined {
  const hash = stored.startsWith('argon2$') ? parseArgon2(stored.slice('argon2'.length)) : undefined
  return (
    hash && {
      isTooCostly: () => isTooCostlyPhc(hash),
      verify: (password) => verifyArgon2(password, hash),
      memory: memoryOf(hash),
    }
  )
}

function ofBcrypt(stored: string): Hasher | undefined {
  const [, name, hash = ''] = /^(bcrypt|bcrypt_sha256)\$(\$2.+)$/.exec(stored) ?? []
  if (!isBcrypt(hash)) return undefined
  return {
    isTooCostly: () => isTooCostlyBcrypt(hash),
    async verify(password) {
      if (name === 'bcrypt') return verifyBcrypt(password, hash)
      const { digest } = await loadEngine()
      return verifyBcrypt(hexOf(digest('sha256', bytesOf(password))), hash)
    },
    memory: 8,
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Hashes of Django: `pbkdf2_sha256$`, `pbkdf2_sha1$`, `scrypt$`, `argon2$`, `bcrypt_sha256$` and `bcrypt$`. For those of
 * bcrypt, install the package `bcryptjs`.
 */
export function django(): ForeignHash {
  return {
    id: 'django',
    matches: (stored) => hasherOf(stored) !== undefined,
    verify: async (password, stored) => (await hasherOf(stored)?.verify(password)) ?? false,
    isTooCostly: (stored) => hasherOf(stored)?.isTooCostly() ?? false,
    memory: (stored) => hasherOf(stored)?.memory ?? 0,
    dummy: 'pbkdf2_sha256$1000000$seasalt$c2FsdCBvZiBub2JvZHksIHRhZyBvZiBub2JvZHkuLi4=',
  }
}
