/** Factors with their values; the first value of each is the default. */
export type Table = Readonly<Record<string, readonly string[]>>
export type Row = Readonly<Record<string, string>>
export type Agree = (one: string, a: string, other: string, b: string) => boolean

/** Values are numbers here: those of the first factor, then those of the second one, and so on. */
interface Numbered {
  readonly factorOf: readonly string[]
  readonly nameOf: readonly string[]
  /** The values of each factor. */
  readonly factors: Domains
  /** For each factor those that it has a constraint with. */
  readonly linked: ReadonlyMap<string, readonly string[]>
  /** The values that a value does not agree with. */
  readonly conflicts: readonly ReadonlySet<number>[]
}

/** The values that are left for each factor. */
type Domains = ReadonlyMap<string, readonly number[]>

/** All pairs that are in some configuration. */
export function validPairs(table: Table, agree: Agree): string[] {
  const it = numbered(table, agree)
  return validNumbers(it).map(([a, b]) => nameOfPair(a, b, it))
}

/**
 * Rows in which each valid pair is at least once, as AETG makes them: each row begins with a pair that is missing, and
 * goes on with the value that adds most. The same table gives the same rows.
 */
export function coveringArray(table: Table, agree: Agree): Row[] {
  const it = numbered(table, agree)
  const size = it.nameOf.length
  const missing = new Set(validNumbers(it).flatMap(([a, b]) => [a * size + b, b * size + a]))
  const rows: Row[] = []
  for (;;) {
    const [first] = missing
    if (first === undefined) return rows
    const chosen = [Math.floor(first / size), first % size]
    let domains = fixed(it.factors, chosen, it)
    while (domains && chosen.length < domains.size) {
      const value = best(domains, chosen, (a, b) => missing.has(a * size + b))
      const narrowed = fixed(domains, [value], it)
      if (narrowed && isPossible(narrowed, it)) {
        domains = narrowed
        chosen.push(value)
      } else {
        const factor = it.factorOf[value] ?? ''
        const others = (domains.get(factor) ?? []).filter((each) => each !== value)
        domains = narrow(new Map(domains).set(factor, others), it)
      }
    }
    for (const a of chosen) for (const b of chosen) missing.delete(a * size + b)
    const row = Object.fromEntries(chosen.map((value) => [it.factorOf[value], it.nameOf[value]]))
    rows.push(Object.fromEntries(Object.keys(table).map((name) => [name, row[name] ?? ''])))
  }
}

/** The pairs of a row. */
export function pairsOf(row: Row): string[] {
  const values = Object.entries(row).map((pair) => pair.join('='))
  return values.flatMap((a, i) => values.slice(i + 1).map((b) => `${a} ${b}`))
}

function numbered(table: Table, agree: Agree): Numbered {
  const factorOf: string[] = []
  const nameOf: string[] = []
  const factors = new Map<string, number[]>()
  for (const [factor, values] of Object.entries(table)) {
    factors.set(
      factor,
      values.map((name) => factorOf.push(factor) && nameOf.push(name) - 1),
    )
  }
  const conflicts = nameOf.map(
    (a, i) =>
      new Set(
        nameOf.flatMap((b, k) => {
          const [one = '', other = ''] = [factorOf[i], factorOf[k]]
          return one !== other && !agree(one, a, other, b) ? [k] : []
        }),
      ),
  )
  const linked = new Map(
    [...factors].map(([factor, values]) => {
      const others = values.flatMap((a) => [...(conflicts[a] ?? [])].map((b) => factorOf[b] ?? ''))
      return [factor, [...new Set(others)]]
    }),
  )
  return { factorOf, nameOf, factors, linked, conflicts }
}

function validNumbers(it: Numbered): [number, number][] {
  const all = it.nameOf.map((_, value) => value)
  return all.flatMap((a) =>
    all.slice(a + 1).flatMap((b): [number, number][] => {
      if (it.factorOf[a] === it.factorOf[b]) return []
      const domains = fixed(it.factors, [a, b], it)
      return domains && isPossible(domains, it) ? [[a, b]] : []
    }),
  )
}

function nameOfPair(a: number, b: number, { factorOf, nameOf }: Numbered): string {
  return `${factorOf[a]}=${nameOf[a]} ${factorOf[b]}=${nameOf[b]}`
}

/** The value that brings most of what is missing; of equals the first. */
function best(
  domains: Domains,
  chosen: readonly number[],
  isMissing: (a: number, b: number) => boolean,
): number {
  let found = { value: -1, gain: -1 }
  for (const values of domains.values()) {
    if (values.some((value) => chosen.includes(value))) continue
    for (const value of values) {
      const gain = chosen.filter((other) => isMissing(value, other)).length
      if (gain > found.gain) found = { value, gain }
    }
  }
  return found.value
}

function fixed(domains: Domains, chosen: readonly number[], it: Numbered): Domains | undefined {
  const all = new Map(domains)
  for (const value of chosen) all.set(it.factorOf[value] ?? '', [value])
  return narrow(all, it)
}

/** Removes the values that agree with none of another factor. @returns `undefined` if a factor has none left. */
function narrow(domains: Domains, { linked, conflicts }: Numbered): Domains | undefined {
  const left = new Map(domains)
  let hasChanged = true
  while (hasChanged) {
    hasChanged = false
    for (const [one, values] of left) {
      const kept = values.filter((a) =>
        linked.get(one)?.every((other) => left.get(other)?.some((b) => !conflicts[a]?.has(b))),
      )
      if (kept.length === 0) return undefined
      if (kept.length === values.length) continue
      left.set(one, kept)
      hasChanged = true
    }
  }
  return left
}

/** Returns whether there is a configuration of values that are left. */
function isPossible(domains: Domains, it: Numbered): boolean {
  const open = [...domains].find(([one, values]) => values.length > 1 && it.linked.get(one)?.length)
  return (
    open === undefined ||
    open[1].some((value) => {
      const next = fixed(domains, [value], it)
      return next !== undefined && isPossible(next, it)
    })
  )
}
