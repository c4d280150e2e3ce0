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

/** Factors of which each three values are together in a row, too. */
export type Groups = readonly (readonly string[])[]

/** All pairs that are in some configuration, and all triples of the groups. */
export function validTuples(table: Table, agree: Agree, groups: Groups = []): string[] {
  const it = numbered(table, agree)
  return validNumbers(it, groups).map((tuple) =>
    tuple.map((value) => `${it.factorOf[value]}=${it.nameOf[value]}`).join(' '),
  )
}

/**
 * Rows in which each valid tuple is at least once, as AETG makes them: each row begins with one that is missing, and
 * goes on with the value that adds most. The same table gives the same rows.
 */
export function coveringArray(table: Table, agree: Agree, groups: Groups = []): Row[] {
  const it = numbered(table, agree)
  const missing = new Map(
    validNumbers(it, groups)
      .toSorted((one, other) => other.length - one.length)
      .map((tuple) => [keyOf(tuple), tuple]),
  )
  const rows: Row[] = []
  for (;;) {
    const [first] = missing.values()
    if (!first) return rows
    const chosen = [...first]
    let domains = fixed(it.factors, chosen, it)
    while (domains && chosen.length < domains.size) {
      const value = best(domains, chosen, (each) => gainOf(each, chosen, missing, it, groups))
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
    for (const tuple of tuplesOf(chosen, it, groups)) missing.delete(keyOf(tuple))
    const row = Object.fromEntries(chosen.map((value) => [it.factorOf[value], it.nameOf[value]]))
    rows.push(Object.fromEntries(Object.keys(table).map((name) => [name, row[name] ?? ''])))
  }
}

/** The tuples of a row, in the order of its factors. */
export function tuplesIn(row: Row, groups: Groups = []): string[] {
  const values = Object.entries(row)
  const shown = (tuple: readonly (readonly [string, string])[]): string =>
    tuple.map((pair) => pair.join('=')).join(' ')
  const pairs = values.flatMap((a, i) => values.slice(i + 1).map((b) => shown([a, b])))
  const triples = groups.flatMap((group) => {
    const inside = values.filter(([name]) => group.includes(name))
    return inside.flatMap((a, i) =>
      inside.slice(i + 1).flatMap((b, k) => inside.slice(i + k + 2).map((c) => shown([a, b, c]))),
    )
  })
  return [...pairs, ...triples]
}

/** The same for each order. */
const keyOf = (tuple: readonly number[]): string => tuple.toSorted((a, b) => a - b).join(' ')

/** All pairs of values of different factors, and the triples of the groups. */
function tuplesOf(
  values: readonly number[],
  { factorOf }: Numbered,
  groups: Groups,
): readonly number[][] {
  const sorted = values.toSorted((a, b) => a - b)
  const extended = (tuples: readonly number[][], among: readonly number[]): number[][] =>
    tuples.flatMap((tuple) => {
      const last = tuple.at(-1) ?? -1
      return among
        .filter((value) => value > last && factorOf[value] !== factorOf[last])
        .map((value) => [...tuple, value])
    })
  const singles = (among: readonly number[]): number[][] => among.map((value) => [value])
  const triples = groups.flatMap((group) => {
    const inside = sorted.filter((value) => group.includes(factorOf[value] ?? ''))
    return extended(extended(singles(inside), inside), inside)
  })
  return [...extended(singles(sorted), sorted), ...triples]
}

/** The number of missing tuples that a value completes. */
function gainOf(
  value: number,
  chosen: readonly number[],
  missing: ReadonlyMap<string, unknown>,
  { factorOf }: Numbered,
  groups: Groups,
): number {
  let gain = chosen.filter((other) => missing.has(keyOf([value, other]))).length
  for (const group of groups) {
    if (!group.includes(factorOf[value] ?? '')) continue
    const inside = chosen.filter((other) => group.includes(factorOf[other] ?? ''))
    for (const [i, one] of inside.entries())
      for (const other of inside.slice(i + 1)) if (missing.has(keyOf([value, one, other]))) gain++
  }
  return gain
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

function validNumbers(it: Numbered, groups: Groups): readonly number[][] {
  const all = it.nameOf.map((_, value) => value)
  return tuplesOf(all, it, groups).filter((tuple) => {
    const domains = fixed(it.factors, tuple, it)
    return domains !== undefined && isPossible(domains, it)
  })
}

/** The value that brings most of what is missing; of equals the first. */
function best(
  domains: Domains,
  chosen: readonly number[],
  gainOfValue: (value: number) => number,
): number {
  let found = { value: -1, gain: -1 }
  for (const values of domains.values()) {
    if (values.some((value) => chosen.includes(value))) continue
    for (const value of values) {
      const gain = gainOfValue(value)
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
