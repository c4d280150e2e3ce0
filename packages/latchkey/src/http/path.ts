/**
 * Returns whether the path of a request's address is read in one way only. Some servers route by what was
 * sent, where URL parsers take `/a/../b` for `/b`, an escaped dot for a dot and a backslash for a slash.
 *
 * @param address as it was sent: whole, or its path and query.
 */
export function hasOneSpelling(address: string): boolean {
  const [path = ''] = address.split(/[?#]/, 1)
  return !/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
}
