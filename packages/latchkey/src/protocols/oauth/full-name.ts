/** Joins the parts of a name; returns `null` if all of them are missing. */
export function fullName(...parts: readonly (string | null | undefined)[]): string | null {
  return parts.filter(Boolean).join(' ') || null
}
