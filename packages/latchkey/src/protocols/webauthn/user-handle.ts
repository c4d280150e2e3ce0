import { primitives } from '#crypto'
import { equal } from '../../base/crypto/equal.ts'
import { encodeHex } from '../../base/encoding/hex.ts'

/**
 * A user handle (WebAuthn section 5.4.3): 64 hexadecimal digits, the same for each registration of a user, so that an
 * authenticator has one passkey for each account. The first half is the id of the user if that is a UUID, otherwise a
 * keyed hash of it. The second half is a keyed hash of the first half, which shows that Latchkey created the handle.
 * Auth.js uses a random handle and does not store it.
 */
const HANDLE = /^[0-9a-f]{64}$/

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The owner of a handle: a user by id, a user of whom only a hash of the id is known, or nobody if Latchkey did not
 * create the handle.
 */
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

/** @param secrets one of them may have created the handle. */
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

/** Returns 128 bits as hexadecimal digits. */
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
