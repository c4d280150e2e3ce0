/** The candidate that differs from `name` by the fewest letters, if that is few enough to be a typing mistake. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({
      candidate,
      distance: distance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(2, Math.floor(name.length / 3))
    ? best.candidate
    : undefined
}

/** Levenshtein's distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change))
    }
    row = next
  }
  return row[b.length] ?? 0
}
