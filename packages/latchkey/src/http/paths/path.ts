/**
 * Returns whether the path of a URL is unambiguous. Some servers route by the original text, but URL parsers read
 * `/a/../b` as `/b`, an escaped dot as a dot, and a backslash as a slash.
 *
 * @param address the original URL, or its path and query.
 */
export function hasOneSpelling(address: string): boolean {
  const [path = ''] = address.split(/[?#]/, 1)
  return !/\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
}
