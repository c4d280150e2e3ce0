import type { Call, StepRecord } from './transcript.ts'

/** A field in which the two differ. */
export interface Difference {
  /** The number of the step, and where in its record. */
  readonly field: string
  readonly ours: unknown
  readonly theirs: unknown
}

/** Stands for what one side does not have. */
const ABSENT = '(absent)'

export function compare(ours: readonly StepRecord[], theirs: readonly StepRecord[]): Difference[] {
  return ours.flatMap((record, index) => {
    const other = theirs[index]
    if (!other) return [{ field: `${index + 1}`, ours: record, theirs: ABSENT }]
    const { answer, ...lists } = record
    return [
      ...compareValues(`${index + 1}`, answer, other.answer),
      ...Object.entries(lists).flatMap(([name, calls]) =>
        compareCalls(`${index + 1} ${name}`, calls, other[name as keyof typeof lists]),
      ),
    ]
  })
}

function compareValues(field: string, ours: unknown, theirs: unknown): Difference[] {
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    return ours.flatMap((each, index) => compareValues(`${field} ${index}`, each, theirs[index]))
  }
  if (isRecord(ours) && isRecord(theirs)) {
    return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((name) =>
      compareValues(
        `${field} ${name}`,
        name in ours ? ours[name] : ABSENT,
        name in theirs ? theirs[name] : ABSENT,
      ),
    )
  }
  return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ field, ours, theirs }]
}

/** Lists of calls are aligned by name, so that one call more does not shift the others. */
function compareCalls(field: string, ours: readonly Call[], theirs: readonly Call[]): Difference[] {
  const differences: Difference[] = []
  const times = new Map<string, number>()
  const named = (name: string): string => {
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return `${field} ${name}${time > 1 ? ` (${time})` : ''}`
  }
  for (const [mine, other] of align(ours, theirs)) {
    const at = named((mine ?? other)?.[0] ?? '')
    if (mine && other) differences.push(...compareValues(at, mine[1], other[1]))
    else
      differences.push({
        field: at,
        ours: mine?.[1] ?? (mine ? 'called' : ABSENT),
        theirs: other?.[1] ?? (other ? 'called' : ABSENT),
      })
  }
  return differences
}

type Pair = readonly [Call | undefined, Call | undefined]

/** Pairs of the longest common subsequence of names; the rest stands alone. */
function align(ours: readonly Call[], theirs: readonly Call[]): Pair[] {
  const [mine, ...more] = ours
  const [other, ...others] = theirs
  if (!mine) return theirs.map((call) => [undefined, call])
  if (!other) return ours.map((call) => [call, undefined])
  if (mine[0] === other[0]) return [[mine, other], ...align(more, others)]
  const [skipOurs, skipTheirs] = [align(more, theirs), align(ours, others)]
  const pairs = (list: Pair[]): number => list.filter(([a, b]) => a && b).length
  return pairs(skipOurs) >= pairs(skipTheirs)
    ? [[mine, undefined], ...skipOurs]
    : [[undefined, other], ...skipTheirs]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
