/** The functions of `latchkey.api.usernames`. */
export interface UsernamesApi {
  /** Returns whether a name is allowed, and nobody has or reserved it. */
  isFree(name: string): Promise<boolean>
  /** Returns the id of the user with this name, in any spelling; `null` without one, and if `signIn` is `false`. */
  find(name: string): Promise<string | null>
  /** Returns the name of a user as it was typed; `null` without one. */
  nameOf(who: Request | { userId: string }): Promise<string | null>
  /**
   * Gives a name to a user, however long ago the last change was.
   *
   * @throws {Problem} `invalid_input` for a name that nobody may have; `username_taken`.
   */
  set(who: { userId: string }, name: string): Promise<void>
}
