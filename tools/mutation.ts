/**
 * Changes the code that decides about security, one small change at a time, and tells which changes
 * no test notices:
 *
 *     npm run mutation                            all of it
 *     npm run mutation -- --only src/protocols/sealing      a part, by a piece of its path
 *
 * Each changed place is called a mutant. All of them are compiled in at once, behind switches, and
 * stay in memory: no file of the sources is written. A mutant is tried on the tests that reach it,
 * one after another, until one fails. What is compiled in and what came of it is in a directory of
 * the system's own; the outcome is in `test-results/mutation.json`.
 *
 * A mutant in code that runs only when a module is loaded is not tried: its switch comes too late.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { appendEntry, type Entry, readJournal } from './mutation/journal.ts'
import { findSources, type Mutant, makeMutants } from './mutation/mutants.ts'
import { LIBRARY, partOf, parts } from './mutation/parts.ts'

/** Processes that share the mutants. Each runs every test once without any. */
const PROCESSES = 2
/** After so long without a word a process is taken to hang in the mutant that it named last. */
const SILENCE_MS = 120_000

type Outcome = 'killed' | 'timeout' | 'survived' | 'not reached' | 'only at load'

interface Tried extends Mutant {
  readonly outcome: Outcome
  /** The test that noticed. */
  readonly by?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })

const paths = parts.map(({ source }) => LIBRARY + source)
const sources = findSources(root, paths, values.only)
if (sources.length === 0) throw new Error(`nothing to change at ${values.only?.join(', ')}`)
const { mutants, code } = await makeMutants(root, sources)
console.log(`${mutants.length} mutants in ${sources.length} files`)

const directory = mkdtempSync(join(tmpdir(), 'latchkey-mutation-'))
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) killTree(child)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(1))

writeFileSync(join(directory, 'code.json'), JSON.stringify(code))
const started = performance.now()
const shards = Array.from({ length: PROCESSES }, (_, shard) => ({
  name: String(shard),
  wanted: mutants
    .filter((_, index) => index % PROCESSES === shard)
    .map(({ id, file }) => [id, partOf(relative(root, file)).tests] as const),
}))
const entries = (await Promise.all(shards.map(({ name, wanted }) => tryAll(name, wanted)))).flat()
const seconds = Math.round((performance.now() - started) / 1000)

const tried = mutants.map((mutant): Tried => ({ ...mutant, ...outcomeOf(mutant.id) }))
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(join(root, 'test-results/mutation.json'), JSON.stringify(tried, undefined, 2))
report()

/** Tries mutants on their tests in a process of their own, in another after each in which it hangs. */
async function tryAll(
  name: string,
  wanted: readonly (readonly [id: string, tests: readonly string[]])[],
): Promise<readonly Entry[]> {
  const journal = join(directory, `journal-${name}.txt`)
  writeFileSync(join(directory, `wanted-${name}.json`), JSON.stringify(wanted))
  writeFileSync(journal, '')
  for (;;) {
    const output = await runTests(name, journal)
    const entries = readJournal(journal)
    if (entries.at(-1)?.kind === 'end') return entries
    const hanging = entries.at(-1)
    if (hanging?.kind !== 'try')
      throw new Error(`the tests ended at ${JSON.stringify(hanging)}:\n${output}`)
    appendEntry(journal, { kind: 'timeout', id: hanging.id, test: hanging.test })
  }
}

/** Ends when the tests do, or when nothing was heard of them for too long. */
function runTests(name: string, journal: string): Promise<string> {
  const config = fileURLToPath(new URL('mutation/vitest.config.ts', import.meta.url))
  const child = spawn('vitest', ['run', '--config', config, '--root', root], {
    cwd: root,
    // A group of its own, so that it can be ended together with the process that runs the tests.
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MUTATION_DIRECTORY: directory, MUTATION_SHARD: name },
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000)
    })
  const watch = setInterval(() => {
    const silent = existsSync(journal) && Date.now() - statSync(journal).mtimeMs > SILENCE_MS
    if (silent) killTree(child)
  }, 1000)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      clearInterval(watch)
      children.delete(child)
      resolve(output)
    })
  })
}

/** What runs the tests does not end with the process that started it. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  else process.kill(-child.pid, 'SIGKILL')
}

function outcomeOf(id: string): Pick<Tried, 'outcome' | 'by'> {
  let outcome: Outcome = 'not reached'
  for (const entry of entries) {
    if (!('id' in entry) || entry.id !== id) continue
    if (entry.kind === 'killed' || entry.kind === 'timeout')
      return { outcome: entry.kind, by: entry.test }
    if (entry.kind === 'try') outcome = 'survived'
    if (entry.kind === 'load' && outcome === 'not reached') outcome = 'only at load'
  }
  return { outcome }
}

function report(): void {
  for (const mutant of tried.filter(
    ({ outcome }) => outcome === 'survived' || outcome === 'not reached',
  ))
    console.log(`
${mutant.outcome}: ${relative(root, mutant.file)}:${mutant.line}:${mutant.column} (${mutant.mutator})
  - ${mutant.original}
  + ${mutant.replacement}`)
  for (const entry of entries)
    if (entry.kind === 'unusable') console.log(`\nnot used: ${entry.test}: ${entry.why}`)

  const rows = parts
    .map(
      (part) => [part, tried.filter(({ file }) => partOf(relative(root, file)) === part)] as const,
    )
    .filter(([, those]) => those.length > 0)
    .map(([{ name }, those]) => row(name, those))
  console.log(`
| Part | Mutants | Killed | Timed out | Survived | Not reached | Score | Only at load |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${[...rows, row('all', tried)].join('\n')}

${new Date().toISOString().slice(0, 10)}, ${seconds} s`)
}

/** Mutants that run only at load are told of, and count for nothing. */
function row(name: string, those: readonly Tried[]): string {
  const count = (wanted: Outcome) => those.filter(({ outcome }) => outcome === wanted).length
  const atLoad = count('only at load')
  const noticed = count('killed') + count('timeout')
  const mutants = those.length - atLoad
  const score = mutants === 0 ? '' : `${((100 * noticed) / mutants).toFixed(1)} %`
  const cells = [
    mutants,
    count('killed'),
    count('timeout'),
    count('survived'),
    count('not reached'),
  ]
  return `| ${[name, ...cells, score, atLoad].join(' | ')} |`
}
