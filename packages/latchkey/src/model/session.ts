import type { User } from './user.ts'

/** The session that the browser receives without a `session` callback. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 date and time. */
  expires: string
}

/** The session that `GET session` returns. Extend it by declaration merging. */
export interface Session extends DefaultSession {}

/** A stored session. */
export interface AdapterSession {
  /** The key of the session: a keyed hash of the token in the cookie. */
  sessionToken: string
  userId: string
  /** The time of expiry. */
  expires: Date
}
