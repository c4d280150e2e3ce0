import { primitives } from '#crypto'
import type { MaybePromise } from '../../base/crypto/crypto.ts'

/** The value of each base64url character, by its code. */
const BITS = new Uint8Array(128)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
for (let value = 0; value < ALPHABET.length; value++) BITS[ALPHABET.charCodeAt(value)] = value

const bitsOf = (sid: string, at: number): number => BITS[sid.charCodeAt(at) & 127] ?? 0

/** Returns the first four bytes of a session name (22 characters of base64url) as a number. */
export function sidFingerprint(sid: string): number {
  const bits = (at: number): number => bitsOf(sid, at)
  const whole = (bits(0) << 26) | (bits(1) << 20) | (bits(2) << 14) | (bits(3) << 8)
  return (whole | (bits(4) << 2) | (bits(5) >> 4)) >>> 0
}

/** Returns the next four bytes as a number. */
export function sidRemainder(sid: string): number {
  const bits = (at: number): number => bitsOf(sid, at)
  const whole = (bits(5) << 28) | (bits(6) << 22) | (bits(7) << 16) | (bits(8) << 10)
  return (whole | (bits(9) << 4) | (bits(10) >> 2)) >>> 0
}

/** Returns four bytes of a hash of the user id as a number. */
export function userFingerprint(userId: string): MaybePromise<number> {
  const hash = primitives.sha256(`latchkey/user-id\0${userId}`)
  const first = (bytes: Uint8Array): number =>
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return hash instanceof Promise ? hash.then(first) : first(hash)
}
