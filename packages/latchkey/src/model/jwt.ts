/** Claims of a session token that Latchkey writes. */
export interface DefaultJWT {
  name?: string | null
  email?: string | null
  picture?: string | null
  /** The user's id. */
  sub?: string
  /** Seconds since the epoch. */
  iat?: number
  /** Seconds since the epoch. */
  exp?: number
  jti?: string
}

/** The claims of a session token. Extend it by declaration merging. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}
