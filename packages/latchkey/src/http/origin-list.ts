/** What an entry of a list may look like: an origin, or one with `*` as its whole left-most label. */
const ENTRY = /^https?:\/\/(?:\*\.)?[^/?#@*]+\/?$/

/** Is this an entry that {@link compileOrigins} understands? */
export function isOriginEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && ENTRY.test(entry) && URL.canParse(entry)
}

/**
 * Origins that were agreed on, as a question.
 *
 * @param entries `https://app.example`, or `https://*.app.example` for what is one label below it.
 */
export function compileOrigins(entries: readonly string[]): (origin: string) => boolean {
  const agreed = new Set(entries.map((entry) => new URL(entry).origin))
  return (origin) => agreed.has(origin) || agreed.has(origin.replace(/\/\/[^./:]+\./, '//*.'))
}
