/** An entry of a list: an origin, in which `*` may replace the left-most label. */
const ENTRY = /^https?:\/\/(?:\*\.)?[^/?#@*]+\/?$/

/** Returns whether an entry is valid for {@link compileOrigins}. */
export function isOriginEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && ENTRY.test(entry) && URL.canParse(entry)
}

/**
 * Returns a function that tells whether an origin is in the list.
 *
 * @param entries `https://app.example`, or `https://*.app.example` for origins one label below.
 */
export function compileOrigins(entries: readonly string[]): (origin: string) => boolean {
  const agreed = new Set(entries.map((entry) => new URL(entry).origin))
  return (origin) => agreed.has(origin) || agreed.has(origin.replace(/\/\/[^./:]+\./, '//*.'))
}
