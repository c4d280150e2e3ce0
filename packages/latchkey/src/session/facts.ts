import { primitives } from '#crypto'
import type { MaybePromise } from '../base/crypto/crypto.ts'
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

/**
 * When methods were proved, seconds since the epoch: those that are older than the last proof, or for what only the user has, than
 * the last proof with a second factor.
 */
export type MethodTimes = Readonly<Record<string, number>>

/**
 * What a browser was to the user when the session began: `known` if the user signed in with it before, `trusted` if it stood for
 * the second factor, or else `new`.
 */
export type DeviceFact = 'known' | 'new' | 'trusted'

/** The time and the method of the proof of identity, and the claims of plugins. */
export interface KnownFacts {
  /** The time of the last proof of a person, seconds since the epoch. */
  readonly auth_time?: number
  /** The time of the last proof with a second factor, seconds since the epoch. */
  readonly second_time?: number
  readonly amr?: readonly string[]
  /** The times of methods that were proved earlier than the last proof, seconds since the epoch. */
  readonly amr_times?: MethodTimes | undefined
  /** How strong the methods are: one of `ACR`. */
  readonly acr?: string
  readonly device?: DeviceFact
  readonly [name: string]: unknown
}

/**
 * Returns the facts of a sealed session; a promise only if its name must be hashed.
 *
 * @param token its hash is the name of a session whose claims have no `sid`.
 */
export function sealedFacts(
  claims: JWT,
  token: () => string,
  expires: number,
): MaybePromise<SessionFacts> {
  const { sid, sub } = claims
  const named = (key: string): SessionFacts => ({
    key,
    sid: () => key,
    strategy: 'jwt',
    userId: typeof sub === 'string' ? sub : undefined,
    expires,
    known: () => claims,
  })
  if (typeof sid === 'string') return named(sid)
  const name = sessionName(token())
  return name instanceof Promise ? name.then(named) : named(name)
}

/** Returns the public name of a session whose token has no `sid`: 22 characters, from which nobody can get the token. */
export function sessionName(token: string): MaybePromise<string> {
  const hash = primitives.sha256(`latchkey/session-id\0${token}`)
  const name = (bytes: Uint8Array): string => primitives.toBase64url(bytes.subarray(0, 16))
  return hash instanceof Promise ? hash.then(name) : name(hash)
}
