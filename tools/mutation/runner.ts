import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import { appendEntry, type Entry, readJournal } from './journal.ts'
import { LIBRARY } from './parts.ts'

/** What the code with the switches reads and counts. */
interface Switches {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: {
    readonly static: Record<string, number>
    readonly perTest: Record<string, Record<string, number>>
  }
}

interface State {
  readonly switches: Switches
  /** The mutants that no test has noticed yet, with the tests that each is tried on. */
  readonly alive: Map<string, readonly string[]>
  readonly atLoad: Set<string>
}

/** A test that takes longer proves too little for its time. */
const LONGEST_TEST_MS = 1000
/** Tests of one file that a mutant is tried on. What so many of a file pass over is known to all of it. */
const MOST_TRIES_OF_FILE = 400
/** How much longer than without a mutant a test may take. */
const PATIENCE_MS = 5000
/** How much more often than without it a mutant may be passed: a loop that does not end is broken off. */
const PATIENCE_HITS = 100_000

const directory = process.env['MUTATION_DIRECTORY'] ?? ''
const shard = process.env['MUTATION_SHARD'] ?? ''
const journal = join(directory, `journal-${shard}.txt`)

/**
 * Runs each test as it is, notes which mutants it passes, and then runs it once more for each of
 * those that no test has noticed yet. All in one process, with nothing loaded again.
 */
export default class MutationRunner extends TestRunner {
  readonly #state = recall()
  /** By mutant and file. */
  readonly #tries = new Map<string, number>()

  /** Called in place of a test's function. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const { switches, alive } = this.#state
    note({ kind: 'test', test: nameOf(test) })
    switches.currentTestId = test.id
    const started = performance.now()
    try {
      await this.#attempt(test)
    } catch (error) {
      note({ kind: 'unusable', test: nameOf(test), why: `it fails: ${String(error)}` })
      throw error
    } finally {
      switches.currentTestId = undefined
    }
    const passed = switches.mutantCoverage?.perTest[test.id] ?? {}
    const reached = Object.entries(passed).filter(([id]) => this.#isTriedOn(id, test))
    if (reached.length === 0) return
    const took = performance.now() - started
    if (took > LONGEST_TEST_MS) {
      note({ kind: 'unusable', test: nameOf(test), why: `it takes ${Math.round(took)} ms` })
      return
    }
    if (!(await this.#passesAgain(test))) {
      note({ kind: 'unusable', test: nameOf(test), why: 'it fails when it is run again' })
      return
    }

    for (const [id, hits] of reached) {
      note({ kind: 'try', id, test: nameOf(test) })
      const key = `${id} ${test.file.name}`
      this.#tries.set(key, (this.#tries.get(key) ?? 0) + 1)
      const outcome = await this.#try(test, id, hits, took)
      if (!outcome) continue
      // Only a test that still passes without the mutant was failed by it.
      if (!(await this.#passesAgain(test))) {
        note({ kind: 'unusable', test: nameOf(test), why: `it fails for good after mutant ${id}` })
        return
      }
      alive.delete(id)
      note({ kind: outcome, id, test: nameOf(test) })
    }
  }

  #isTriedOn(id: string, { file: { name } }: RunnerTestCase): boolean {
    const tests = this.#state.alive.get(id)
    if (!tests?.some((path) => name.startsWith(LIBRARY + path))) return false
    return (this.#tries.get(`${id} ${name}`) ?? 0) < MOST_TRIES_OF_FILE
  }

  async #try(
    test: RunnerTestCase,
    id: string,
    hits: number,
    took: number,
  ): Promise<'killed' | 'timeout' | undefined> {
    const { switches } = this.#state
    await renew(test)
    Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: hits * 2 + PATIENCE_HITS })
    const timer = Promise.withResolvers<'timeout'>()
    const timeout = setTimeout(() => timer.resolve('timeout'), took * 10 + PATIENCE_MS)
    try {
      return await Promise.race([this.#attempt(test).then(() => undefined), timer.promise])
    } catch {
      return (switches.hitCount ?? 0) > (switches.hitLimit ?? 0) ? 'timeout' : 'killed'
    } finally {
      clearTimeout(timeout)
      switches.activeMutant = undefined
    }
  }

  async #passesAgain(test: RunnerTestCase): Promise<boolean> {
    try {
      await renew(test)
      await this.#attempt(test)
      return true
    } catch {
      return false
    }
  }

  async #attempt(test: RunnerTestCase): Promise<void> {
    this.onBeforeTryTask(test, { retry: 0, repeats: 0 })
    await TestRunner.getTestFn(test)()
    this.onAfterTryTask(test)
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files)
    const { switches, alive, atLoad } = this.#state
    for (const id of Object.keys(switches.mutantCoverage?.static ?? {})) {
      if (!alive.has(id) || atLoad.has(id)) continue
      atLoad.add(id)
      note({ kind: 'load', id })
    }
  }
}

/** Ends what the last run of the test has left and begins another, as its file says. */
async function renew(test: RunnerTestCase): Promise<void> {
  const suites = suitesOf(test)
  for (const suite of suites)
    for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite)
  for (const suite of suites.toReversed())
    for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite)
}

/** Innermost first. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = []
  for (let suite = test.suite ?? test.file; suite; suite = suite.suite ?? suite.file) {
    if (suites.includes(suite)) break
    suites.push(suite)
  }
  return suites
}

/** Each file of tests has a runner of its own; what is known of the mutants outlives it. */
function recall(): State {
  const shared = globalThis as { __stryker__?: Switches; mutationState?: State }
  shared.mutationState ??= begin((shared.__stryker__ ??= {}))
  return shared.mutationState
}

function begin(switches: Switches): State {
  const wanted = readFileSync(join(directory, `wanted-${shard}.json`), 'utf8')
  const alive = new Map(JSON.parse(wanted) as [string, readonly string[]][])
  for (const entry of readJournal(journal))
    if (entry.kind === 'killed' || entry.kind === 'timeout') alive.delete(entry.id)
  return { switches, alive, atLoad: new Set() }
}

const nameOf = (test: RunnerTestCase) => test.fullName

function note(entry: Entry): void {
  appendEntry(journal, entry)
}
