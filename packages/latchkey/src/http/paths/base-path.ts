/** Returns the path with a leading slash and none at the end; empty at the root of the site. */
export function normalizeBasePath(basePath: string): string {
  const inner = basePath.split('/').filter((segment) => segment !== '')
  return inner.length === 0 ? '' : `/${inner.join('/')}`
}

/** An escaped character that needs no escape (RFC 3986 section 2.3). */
export const ESCAPED_LETTER: RegExp = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i
