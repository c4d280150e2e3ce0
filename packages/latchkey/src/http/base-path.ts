/** Returns the path with a leading slash and none at the end; empty at the root of the site. */
export function normalizeBasePath(basePath: string): string {
  const inner = basePath.split('/').filter((segment) => segment !== '')
  return inner.length === 0 ? '' : `/${inner.join('/')}`
}
