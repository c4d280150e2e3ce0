import { primitives } from '#crypto'
import type { MaybePromise } from '../crypto/crypto.ts'
import type { JWT } from '../model/jwt.ts'

/** What is known of a session. */
export interface SessionFacts {
  /** Known without work: the name of a sealed session, the key of a stored row. */
  readonly key: string
  /** The public name of the session; it signs nobody in. */
  sid(): MaybePromise<string>
  readonly strategy: 'jwt' | 'database'
  readonly userId: string | undefined
  /** Milliseconds since the epoch. */
  readonly expires: number
  /** Claims of a sealed session; of a stored one what plugins know, read once, when somebody asks. */
  known(): MaybePromise<KnownFacts>
}

/** When and how it was proved whose a session is, and what plugins know of it. */
export interface KnownFacts {
  /** Seconds since the epoch. */
  readonly auth_time?: number
  readonly amr?: readonly string[]
  readonly [name: string]: unknown
}

/** What is known of a sealed session. @param token a hash of it names a session whose claims do not. */
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

/** Returns the public name of a session whose token does not say it: 22 characters, which lead back to no token. */
export function sessionName(token: string): MaybePromise<string> {
  const hash = primitives.sha256(`latchkey/session-id\0${token}`)
  const name = (bytes: Uint8Array): string => primitives.toBase64url(bytes.subarray(0, 16))
  return hash instanceof Promise ? hash.then(name) : name(hash)
}
