/** How many lines around a change are shown. */
const CONTEXT = 3

interface Line {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Returns what is between two texts as a unified diff. */
export function diff(before: string, after: string, names: { from: string; to: string }): string {
  const lines = compare(linesOf(before), linesOf(after))
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const hunks: [start: number, end: number][] = []
  for (const index of changed) {
    const last = hunks.at(-1)
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)]
    if (last && start <= last[1]) last[1] = end
    else hunks.push([start, end])
  }
  const text = hunks.map(
    ([start, end]) => `${headOf(lines, start, end)}\n${shown(lines.slice(start, end))}`,
  )
  return [`--- ${names.from}`, `+++ ${names.to}`, ...text].join('\n')
}

function headOf(lines: readonly Line[], start: number, end: number): string {
  const range = (mark: '-' | '+'): string => {
    const count = (from: number, to: number): number =>
      lines.slice(from, to).filter((line) => line.mark === ' ' || line.mark === mark).length
    const size = count(start, end)
    return `${mark}${count(0, start) + (size > 0 ? 1 : 0)},${size}`
  }
  return `@@ ${range('-')} ${range('+')} @@`
}

function shown(lines: readonly Line[]): string {
  return lines.map(({ mark, text }) => `${mark}${text}`).join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** By the longest common subsequence of what lies between the first and the last difference. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before.at(-1 - tail) === after.at(-1 - tail)
  )
    tail++
  const same = (text: string): Line => ({ mark: ' ', text })
  return [
    ...before.slice(0, head).map(same),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

function between(before: readonly string[], after: readonly string[]): Line[] {
  // lengths[i][j]: of what before.slice(i) and after.slice(j) have in common.
  const lengths = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  )
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      (lengths[i] ?? [])[j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, young] = [before[i], after[j]]
    if (old !== undefined && old === young) {
      lines.push({ mark: ' ', text: old })
      i++
      j++
    } else if (young === undefined || (old !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: old ?? '' })
      i++
    } else {
      lines.push({ mark: '+', text: young })
      j++
    }
  }
  return lines
}
