/** Members of a user that Latchkey reads. Extend {@link User} by declaration merging. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A user as described by a provider, or as stored. */
export interface User extends DefaultUser {}

/** The user of a sign-in: stored, or with an id for this session. */
export type IdentifiedUser = User & { id: string }

/** A stored user as an adapter returns it: {@link AdapterUser} without the members that an application adds. */
export interface StoredUser extends DefaultUser {
  id: string
  email: string
  emailVerified: Date | null
}

/** A stored user. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** The time at which a sign-in by mail first proved the address; `null` until then. */
  emailVerified: Date | null
}
