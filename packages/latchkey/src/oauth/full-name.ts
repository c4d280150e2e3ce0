/** A name of its parts, `null` when a provider gave none of them. */
export function fullName(...parts: readonly (string | null | undefined)[]): string | null {
  return parts.filter(Boolean).join(' ') || null
}
