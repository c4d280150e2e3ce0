/** Have two objects the same members with the same values? What the values hold is not compared. */
export function haveSameMembers<T extends object>(one: T, other: T): boolean {
  for (const key in other) if (one[key] !== other[key]) return false
  for (const key in one) if (!(key in other)) return false
  return true
}
