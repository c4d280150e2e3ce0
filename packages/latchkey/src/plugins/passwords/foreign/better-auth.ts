import { bytesOf } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'
import { verifyScrypt } from './scrypt.ts'

const FORM = /^([\da-f]{32}):([\da-f]{128})$/
const COST = { ln: 14, r: 16, p: 1 }

/** Hashes of Better Auth: scrypt, `<salt>:<hash>` in hexadecimal. */
export function betterAuth(): ForeignHash {
  return {
    id: 'better-auth',
    matches: (stored) => FORM.test(stored),
    normalize: (password) => password.normalize('NFKC'),
    async verify(password, stored) {
      const [, salt = '', hash = ''] = FORM.exec(stored) ?? []
      const tag = Uint8Array.from(hash.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      // The salt is the text, and not the bytes that it spells.
      return (
        tag.length === 64 &&
        verifyScrypt(password, { type: 'scrypt', ...COST, salt: bytesOf(salt), tag })
      )
    },
    memory: () => (2 ** COST.ln * COST.r) / 8,
    dummy: `000102030405060708090a0b0c0d0e0f:${'5a'.repeat(64)}`,
  }
}
