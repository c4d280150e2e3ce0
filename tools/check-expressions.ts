/**
 * Finds regular expressions whose time grows faster than the text they are given: whoever may send the text can
 * stop a server with it. Looks at every literal in the sources of the packages.
 *
 *     node tools/check-expressions.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'
import { LINEAR, processorTime, STEP } from '../packages/latchkey/tests/support/growth.ts'
import { parseSource, visit } from './syntax.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds for one expression. */
const TIMEOUT = 30_000

interface Literal {
  readonly pattern: string
  readonly flags: string
}

/** Returns the paths of the sources that are published, from the root. */
function sources(): string[] {
  return ['packages/codemod/src', 'packages/latchkey/src', 'packages/server/src'].flatMap(
    (folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(file))
        .map((file) => `${folder}/${file}`),
  )
}

/** Returns every regular expression that is written out in a source. */
export function literalsIn(source: string): Literal[] {
  const found: Literal[] = []
  visit(parseSource('source.ts', source).program, ({ type, regex }) => {
    if (type === 'Literal' && regex) found.push(regex as Literal)
  })
  return found
}

/** Returns how the time of an expression grows; `undefined` when it is linear. */
export function growthOf(literal: Literal): string | undefined {
  const { pattern } = literal
  // To tell where a match is takes no other search, and is not known to what looks at it.
  const flags = literal.flags.replace('d', '')
  const found = checkSync(pattern, flags, { timeout: TIMEOUT, randomSeed: 1 })
  if (found.status === 'safe') return undefined
  if (found.status !== 'vulnerable') return 'unknown'
  // What was found by trying is only believed when it takes long here as well: lookarounds mislead it.
  const isTried = found.checker === 'fuzz'
  return isTried && isLinear(literal, found.attack) ? undefined : found.complexity.summary
}

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]
  readonly suffix: string
}

/** Times that the pumped part is repeated. */
const REPEATED = 4000

/** Milliseconds. */
const LONG = 100

function isLinear({ pattern, flags }: Literal, { pumps, suffix }: Attack): boolean {
  const textOf = (times: number): string =>
    pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
  const timeOf = (times: number): number => {
    const text = textOf(times)
    let least = Number.POSITIVE_INFINITY
    // What takes long is not measured again: no other work on the machine changes the answer.
    for (let run = 0; run < 7 && (run === 0 || least < LONG); run++) {
      const begun = processorTime()
      text.replace(new RegExp(pattern, flags), '')
      least = Math.min(least, processorTime() - begun)
    }
    return least
  }
  // The first run of an expression is interpreted, and so much slower than the compiled ones after it.
  timeOf(REPEATED / STEP)
  return timeOf(REPEATED * STEP) / timeOf(REPEATED) < LINEAR
}

if (import.meta.main) {
  const places = new Map<string, { literal: Literal; files: Set<string> }>()
  for (const file of sources()) {
    for (const literal of literalsIn(readFileSync(root + file, 'utf8'))) {
      const text = `/${literal.pattern}/${literal.flags}`
      const known = places.get(text) ?? { literal, files: new Set() }
      places.set(text, known)
      known.files.add(file)
    }
  }
  for (const [text, { literal, files }] of places) {
    const growth = growthOf(literal)
    if (growth === undefined) continue
    process.exitCode = 1
    console.error(`${[...files].join(', ')}: ${text} takes more than linear time (${growth})`)
  }
}
