import { keyedHash } from '../../base/crypto/keyed-hash.ts'

/** The header that proves who made a snapshot, for which question. */
export const PROOF_HEADER = 'latchkey-proof'

/** Purposes of keys that are made of the secret. */
export const READ_KEY = 'revocations-read'
export const PROOF_KEY = 'revocations'
export const CHECK_KEY = 'revocations-check'

/** What a proof of a snapshot says, beside what was asked. */
export interface SnapshotProof {
  /** From which number of the log on the snapshot says what came; 0: it says everything. */
  readonly from: number
  /** Up to which number. */
  readonly seq: number
  /** `id` of the record with that number. */
  readonly anchor: string
  /** SHA-256 of the body, base64url. */
  readonly digest: string
}

/** @param nonce of who asks: an answer to another question proves nothing. */
export function proveSnapshot(
  key: CryptoKey,
  nonce: string,
  { from, seq, anchor, digest }: SnapshotProof,
): Promise<string> {
  return keyedHash(key, [nonce, String(from), String(seq), anchor, digest])
}

/** A session that a verifier asks for. */
export interface CheckedSession {
  /** Its name, or what stands for it where its token has none. */
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

/** `v=1;f=0;s=42`, as its members. */
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
