/**
 * Returns the candidate with the fewest differences from `name`, if it may be a typing mistake.
 *
 * @param most the maximum number of characters that differ.
 */
export function nearest(
  name: string,
  candidates: readonly string[],
  most: number = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let least = most + 1
  let found: string | undefined
  for (const candidate of candidates) {
    const changes = distance(name.toLowerCase(), candidate.toLowerCase())
    if (changes < least) [least, found] = [changes, candidate]
  }
  return found
}

/** Returns the candidate that `name` probably is, misspelled: at most two characters differ, and a third of a short name. */
export function likelyMeant(name: string, candidates: readonly string[]): string | undefined {
  return nearest(name, candidates, Math.min(2, Math.floor(name.length / 3)))
}

/** Returns the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change))
    }
    row = next
  }
  return row[b.length] ?? 0
}
