/**
 * Returns a time for a message, in ISO 8601; a number that is not a date stays a number.
 *
 * @param milliseconds since the epoch.
 */
export function instant(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString()
}
