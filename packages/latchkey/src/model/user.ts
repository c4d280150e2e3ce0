/** Members of a user that Latchkey itself reads; open for declaration merging through {@link User}. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A person as a provider describes them, or as the data layer stores them. */
export interface User extends DefaultUser {}

/** A stored user as an adapter returns it; {@link AdapterUser} without what an application adds to it. */
export interface StoredUser extends DefaultUser {
  id: string
  email: string
  emailVerified: Date | null
}

/** A stored user. */
export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was first proven by a mail sign-in; `null` until then. */
  emailVerified: Date | null
}
