/** Returns a path without the slashes at its end: a loop, since an expression would look from each of them. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
