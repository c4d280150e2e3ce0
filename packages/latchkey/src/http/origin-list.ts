/** What an entry of a list may look like: an origin, or one with `*` as its whole left-most label. */
const ENTRY = /^https?:\/\/(?:\*\.)?[^/?#@*]+\/?$/

/** Is this an entry that {@link compileOrigins} understands? */
export function isOriginEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && ENTRY.test(entry) && URL.canParse(entry.replace('*.', ''))
}

/**
 * Origins that were agreed on, as a question.
 *
 * @param entries `https://app.example`, or `https://*.app.example` for what is one label below it.
 */
export function compileOrigins(entries: readonly string[]): (origin: string) => boolean {
  const exact = new Set(entries.filter((each) => !each.includes('*')).map(originOf))
  const below = new Set(entries.filter((each) => each.includes('*')).map(originOf))
  return (origin) => exact.has(origin) || below.has(withoutFirstLabel(origin))
}

function originOf(entry: string): string {
  return new URL(entry.replace('*.', '')).origin
}

function withoutFirstLabel(origin: string): string {
  return origin.replace(/^(https?:\/\/)[^./:]+\./, '$1')
}
