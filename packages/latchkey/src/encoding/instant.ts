/** An instant for a message, by its milliseconds since the epoch. What is no date stays a number. */
export function instant(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString()
}
