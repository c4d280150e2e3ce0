import { primitives } from '#crypto'
import type { MaybePromise } from '../crypto/crypto.ts'
import type { JWT } from '../model/jwt.ts'

/** A session as plugins see it. */
export interface SessionFacts {
  /** The name of a sealed session, or the key of a stored row. */
  readonly key: string
  /** Returns the public name of the session, which is no credential. */
  sid(): MaybePromise<string>
  readonly strategy: 'jwt' | 'database'
  readonly userId: string | undefined
  /** Milliseconds since the epoch. */
  readonly expires: number
  /** Returns the claims of a sealed session, or the data that plugins have of a stored one. Read once, at the first call. */
  known(): MaybePromise<KnownFacts>
}

/** The time and the method of the proof of identity, and the claims of plugins. */
export interface KnownFacts {
  /** Seconds since the epoch. */
  readonly auth_time?: number
  readonly amr?: readonly string[]
  readonly [name: string]: unknown
}

/** Returns the facts of a sealed session. @param token its hash is the name of a session whose claims have no `sid`. */
export async function sealedFacts(
  claims: JWT,
  token: string,
  expires: number,
): Promise<SessionFacts> {
  const { sid, sub } = claims
  const key = typeof sid === 'string' ? sid : await sessionName(token)
  return {
    key,
    sid: () => key,
    strategy: 'jwt',
    userId: typeof sub === 'string' ? sub : undefined,
    expires,
    known: () => claims,
  }
}

/** Returns the public name of a session whose token has no `sid`: 22 characters, from which nobody can get the token. */
export function sessionName(token: string): MaybePromise<string> {
  const hash = primitives.sha256(`latchkey/session-id\0${token}`)
  const name = (bytes: Uint8Array): string => primitives.toBase64url(bytes.subarray(0, 16))
  return hash instanceof Promise ? hash.then(name) : name(hash)
}
