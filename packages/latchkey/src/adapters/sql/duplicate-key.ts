const MARK = "for key '"

/**
 * Returns the name of the key in MySQL's `Duplicate entry '…' for key 'name'`; `undefined` for another message. It
 * looks for the last occurrence, because the value before it may contain the same words.
 */
export function lastKeyIn(message: string): string | undefined {
  const at = message.lastIndexOf(MARK)
  if (at < 0) return undefined
  const start = at + MARK.length
  const end = message.indexOf("'", start)
  return end < 0 ? undefined : message.slice(start, end)
}
