const MARK = "for key '"

/**
 * Returns the name of the key in MySQL's `Duplicate entry '…' for key 'name'`; `undefined` when the message is
 * another one. The last one counts, since the value in front may hold the same words.
 */
export function lastKeyIn(message: string): string | undefined {
  const at = message.lastIndexOf(MARK)
  if (at < 0) return undefined
  const start = at + MARK.length
  const end = message.indexOf("'", start)
  return end < 0 ? undefined : message.slice(start, end)
}
