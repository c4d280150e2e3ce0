/** Limits for `Accept-Language`: characters of the header, number of ranges, characters of a range. */
const LONGEST_HEADER = 1000
const MOST_RANGES = 20
const LONGEST_RANGE = 35

/**
 * Chooses a language by the `Accept-Language` header (lookup of RFC 4647, section 3.4).
 *
 * @param languages the available languages; the first is the fallback.
 * @param aliases further names of these, in lower case; `null` for a name that none of these fits.
 */
export function chooseLanguage(
  header: string | null,
  [fallback, ...others]: readonly [string, ...string[]],
  aliases: ReadonlyMap<string, string | null> = NONE,
): string {
  if (header === null || others.length === 0) return fallback
  const all = [fallback, ...others]
  const byName = new Map<string, string | null>(aliases)
  for (const each of all) byName.set(each.toLowerCase(), each)
  const ranges = rangesOf(header)
  for (const { range } of ranges.filter(({ quality }) => quality > 0)) {
    // From the most specific range: `zh-hant-tw`, `zh-hant`, `zh`.
    for (let rest = range; rest !== ''; rest = shorter(rest)) {
      const found = byName.get(rest)
      if (found === null) break
      if (found !== undefined) return found
    }
  }
  const refused = new Set(ranges.flatMap(({ range, quality }) => (quality === 0 ? range : [])))
  return all.find((each) => !refused.has(each.toLowerCase())) ?? fallback
}

const NONE: ReadonlyMap<string, null> = new Map()

/** Returns the ranges, the preferred ones first. Invalid ranges are omitted; refused ones have the quality 0. */
function rangesOf(header: string): { range: string; quality: number }[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(',', MOST_RANGES)
    .map((part) => {
      const [range = '', weight = 'q=1'] = part.split(';', 2)
      return { range: range.trim().toLowerCase(), quality: Number(weight.trim().slice(2)) }
    })
    .filter(({ range, quality }) => quality >= 0 && range.length <= LONGEST_RANGE)
    .sort((a, b) => b.quality - a.quality)
}

/** Returns the range without its last subtag, and without a single letter before that. */
function shorter(range: string): string {
  return range.slice(0, Math.max(0, range.lastIndexOf('-'))).replace(/-\w$/, '')
}
