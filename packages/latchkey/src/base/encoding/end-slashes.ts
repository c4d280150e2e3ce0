/**
 * Returns a path without the slashes at its end. It uses a loop, since a regular expression would take quadratic time.
 */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
