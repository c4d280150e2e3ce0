/** Returns whether an adapter uses numbers as ids. */
export const isNumeric = (id: unknown): id is number | bigint =>
  typeof id === 'number' || typeof id === 'bigint'

/**
 * Returns the id of a user as text, as it is inwards of the store. An application may have read a number in its own table.
 *
 * @throws {TypeError} for what names nobody.
 */
export function userIdOf({ userId }: { readonly userId: unknown }): string {
  if (isNumeric(userId)) return String(userId)
  if (typeof userId === 'string' && userId !== '') return userId
  throw new TypeError(`\`userId\` must be the id of a user, got ${JSON.stringify(userId)}`)
}
