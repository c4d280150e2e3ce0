/**
 * Does a proxy say that the browser used https, where nobody believes it?
 *
 * @param scheme the one that counts instead.
 * @param forwarded the header `X-Forwarded-Proto`.
 */
export function ignoresProxy(scheme: string, forwarded: string | null | undefined): boolean {
  return /^http:?$/.test(scheme) && forwarded?.split(',')[0]?.trim() === 'https'
}

/** What the operator is told of it, once. @param setting that has the proxy believed. */
export function ignoredProxy(setting: string): string {
  return `a proxy says that the browser used https (X-Forwarded-Proto), but is not trusted, so addresses begin with http and cookies are not secure; set ${setting}`
}
