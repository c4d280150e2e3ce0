import { primitives } from '#crypto'
import { equal } from '../../base/crypto/equal.ts'
import { encodeHex } from '../../base/encoding/hex.ts'

/**
 * A user handle (WebAuthn section 5.4.3): 64 hexadecimal digits, always the same for a user, so that
 * an authenticator keeps one passkey for each account. The first half is the user's id when that is a
 * UUID, else a keyed hash of it; the second half is a keyed hash of the first, by which we know a
 * handle of ours. Auth.js draws all of it and keeps nothing.
 */
const HANDLE = /^[0-9a-f]{64}$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whose handle it is: a user's by id, that of somebody whose id is only known as a hash, or not ours. */
export type HandleOwner =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'hash'; is(id: string): Promise<boolean> }
  | { readonly kind: 'foreign' }

export async function createUserHandle(id: string, secret: string): Promise<string> {
  const key = await handleKey(secret)
  const kind = UUID.test(id) ? 'id' : 'hash'
  const half = kind === 'id' ? id.replaceAll('-', '') : await digest(key, 'user', id)
  return half + (await digest(key, kind, half))
}

/** @param secrets any of them may have made the handle. */
export async function readUserHandle(
  handle: string,
  secrets: readonly string[],
): Promise<HandleOwner> {
  if (!HANDLE.test(handle)) return { kind: 'foreign' }
  const half = handle.slice(0, 32)
  const tag = handle.slice(32)
  for (const secret of secrets) {
    const key = await handleKey(secret)
    if (equal(await digest(key, 'id', half), tag)) return { kind: 'id', id: uuidOf(half) }
    if (equal(await digest(key, 'hash', half), tag)) {
      return { kind: 'hash', is: async (id) => equal(await digest(key, 'user', id), half) }
    }
  }
  return { kind: 'foreign' }
}

function handleKey(secret: string): ReturnType<typeof primitives.hkdf> {
  return primitives.hkdf(secret, 'latchkey', 'passkey user handle', 32)
}

/** 128 bits, as hexadecimal digits. */
async function digest(
  key: Awaited<ReturnType<typeof handleKey>>,
  purpose: string,
  text: string,
): Promise<string> {
  return encodeHex((await primitives.hmacSha256(key, `${purpose}:${text}`)).subarray(0, 16))
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
