/**
 * Returns whether a proxy reports https, but the site uses http.
 *
 * @param scheme the scheme that the site uses, with or without the colon.
 * @param forwarded the header `X-Forwarded-Proto`.
 */
export function ignoresProxy(scheme: string, forwarded: string | null | undefined): boolean {
  return /^http:?$/.test(scheme) && forwarded?.split(',')[0]?.trim() === 'https'
}

/**
 * Returns the warning if the proxy is not trusted.
 *
 * @param setting the setting that trusts the proxy.
 */
export function ignoredProxy(setting: string): string {
  return `the header X-Forwarded-Proto says https, but the proxy is not trusted, so URLs begin with http and cookies are not \`Secure\`; set ${setting}`
}

/** Returns the warning if `AUTH_URL` is http. */
export function schemeUnlike(url: string): string {
  return `AUTH_URL is ${url}, but the header X-Forwarded-Proto says https, so forms may be rejected, URLs begin with http and cookies are not \`Secure\`; if browsers use https, set AUTH_URL to an https URL`
}
