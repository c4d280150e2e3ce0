import type { Pbkdf2Parameters } from '../hashing/engine/platform.ts'
import { bytesOf, isSame, loadEngine } from './engine.ts'

/** A hash of PBKDF2 (RFC 8018). */
export interface Pbkdf2Hash extends Pbkdf2Parameters {
  readonly tag: Uint8Array<ArrayBuffer>
}

export async function verifyPbkdf2(password: string, hash: Pbkdf2Hash): Promise<boolean> {
  const { pbkdf2 } = await loadEngine()
  return isSame(await pbkdf2(bytesOf(password), hash, hash.tag.length), hash.tag)
}
