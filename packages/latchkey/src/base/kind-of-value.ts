/** Returns the kind of a value for an error message, for example `a list`. The value itself may be a secret. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
