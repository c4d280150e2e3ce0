import { decodeBase64 } from '../hashing/base64.ts'
import { isTooCostly, memoryOf } from '../hashing/hash-costs.ts'
import { isScrypt, parsePhc, type ScryptHash } from '../hashing/phc.ts'
import { bytesOf, isSame, loadEngine } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'

/** Of libscrypt: the parameters are hexadecimal, N as its logarithm, then two digits for r and two for p. */
const S0 =
  /^\$s0\$([\da-f]{1,2})([\da-f]{2})([\da-f]{2})\$([A-Za-z\d+/]+={0,2})\$([A-Za-z\d+/]+={0,2})$/

function parse(stored: string): ScryptHash | undefined {
  const hash = parsePhc(stored)
  if (hash) return hash.type === 'scrypt' ? hash : undefined
  const [, ln = '', r = '', p = '', saltText = '', tagText = ''] = S0.exec(stored) ?? []
  const salt = decodeBase64(saltText)
  const tag = decodeBase64(tagText)
  if (!salt || !tag || salt.length < 8 || tag.length < 16 || tag.length > 128) return undefined
  const [ofN, ofR, ofP] = [ln, r, p].map((digits) => Number.parseInt(digits, 16))
  const found = { type: 'scrypt', ln: ofN ?? 0, r: ofR ?? 0, p: ofP ?? 0, salt, tag } as const
  return isScrypt(found) ? found : undefined
}

export async function verifyScrypt(password: string, hash: ScryptHash): Promise<boolean> {
  const { scrypt: compute } = await loadEngine()
  return isSame(await compute(bytesOf(password), hash, hash.tag.length), hash.tag)
}

/** Hashes of scrypt: `$scrypt$ln=…` of PHC and passlib, and `$s0$` of libscrypt. */
export function scrypt(): ForeignHash {
  return {
    id: 'scrypt',
    matches: (stored) => parse(stored) !== undefined,
    async verify(password, stored) {
      const hash = parse(stored)
      return hash !== undefined && verifyScrypt(password, hash)
    },
    isTooCostly(stored) {
      const hash = parse(stored)
      return hash !== undefined && isTooCostly(hash)
    },
    memory(stored) {
      const hash = parse(stored)
      return hash ? memoryOf(hash) : 0
    },
    dummy:
      '$scrypt$ln=16,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$c2FsdCBvZiBub2JvZHksIHRhZyBvZiBub2JvZHkuLi4',
  }
}
