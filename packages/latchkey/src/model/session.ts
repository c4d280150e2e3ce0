import type { User } from './user.ts'

/** What the browser is told about a session when no `session` callback says otherwise. */
export interface DefaultSession {
  user?: User
  /** ISO 8601 date and time. */
  expires: string
}

/** The session that `GET session` answers with; open for declaration merging. */
export interface Session extends DefaultSession {}

/** A stored session. */
export interface AdapterSession {
  /** How the session is found. Latchkey hands adapters a keyed hash of what the cookie holds. */
  sessionToken: string
  userId: string
  /** Absolute. */
  expires: Date
}
