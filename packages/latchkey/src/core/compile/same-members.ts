/** Returns whether two objects have the same members with identical values. */
export function haveSameMembers<T extends object>(one: T, other: T): boolean {
  for (const key in other) if (one[key] !== other[key]) return false
  for (const key in one) if (!(key in other)) return false
  return true
}
