/** Returns the scopes in a text (RFC 6749 section 3.3); some servers separate them by commas. */
export function scopesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))]
}
