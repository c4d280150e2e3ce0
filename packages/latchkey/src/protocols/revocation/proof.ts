import { keyedHash } from '../../base/crypto/keyed-hash.ts'

/** The header that proves who created a snapshot, and for which request. */
export const PROOF_HEADER = 'latchkey-proof'

/** The purposes of keys that are derived from the secret. */
export const READ_KEY = 'revocations-read'
export const PROOF_KEY = 'revocations'
export const CHECK_KEY = 'revocations-check'

/** The content of the proof of a snapshot, in addition to the request. */
export interface SnapshotProof {
  /** The number of the log after which the snapshot has the entries; 0 for all entries. */
  readonly from: number
  /** The number of the last entry. */
  readonly seq: number
  /** The `id` of the record with this number. */
  readonly anchor: string
  /** The SHA-256 of the body in base64url. */
  readonly digest: string
}

/** @param nonce of the request, so that the proof is not valid for another one. */
export function proveSnapshot(
  key: CryptoKey,
  nonce: string,
  { from, seq, anchor, digest }: SnapshotProof,
): Promise<string> {
  return keyedHash(key, [nonce, String(from), String(seq), anchor, digest])
}

/** A session that a verifier asks for. */
export interface CheckedSession {
  /** The name of the session, or its replacement if the token has none. */
  readonly sid: string
  readonly userId: string
  readonly epoch: number
}

export function proveCheck(
  key: CryptoKey,
  nonce: string,
  { sid, userId, epoch }: CheckedSession,
  live: boolean,
): Promise<string> {
  return keyedHash(key, [nonce, sid, userId, String(epoch), String(live)])
}

/** Parses `v=1;f=0;s=42`. */
export function parseProof(header: string | null): Readonly<Record<string, string>> {
  const pairs = (header ?? '').slice(0, LONGEST).split(';')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

const LONGEST = 500
