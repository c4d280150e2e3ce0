/**
 * Compares two texts in a time that depends on their length only.
 *
 * For values of a fixed, public length, such as hashes and tokens.
 */
export function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
