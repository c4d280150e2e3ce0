/**
 * Changes the code that decides about security, one small change at a time, and prints the changes that no test notices:
 *
 *     npm run mutation                            all of it
 *     npm run mutation -- --only src/protocols/sealing      a part, by a piece of its path
 *
 * Stryker makes the changes (mutants) in a copy of the repository, and runs the tests of `mutation/parts.ts` that reach
 * each of them. The result is in `test-results/mutation.json`. A mutant in code that runs only when a module is loaded
 * is not tried.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LIBRARY, type Part, parts } from './mutation/parts.ts'

/** A mutant in the report of Stryker (mutation testing report schema). */
interface Mutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored'
  readonly statusReason?: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>
}

interface Tried extends Mutant {
  readonly file: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(new URL('mutation/package.json', import.meta.url))
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const directory = mkdtempSync(join(tmpdir(), 'latchkey-mutation-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))

const started = performance.now()
const rows: string[] = []
const all: Tried[] = []
for (const part of parts) {
  const sources = sourcesOf(part)
  if (sources.length === 0) continue
  const tried = mutate(part, sources)
  rows.push(row(part.name, tried))
  all.push(...tried)
}
if (all.length === 0) throw new Error(`nothing to change at ${values.only?.join(', ')}`)
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(join(root, 'test-results/mutation.json'), JSON.stringify(all, undefined, 2))
for (const mutant of all.filter(({ status }) => /^(?:Survived|NoCoverage)$/.test(status))) {
  const { file, location, mutatorName, replacement = '' } = mutant
  const place = `${file}:${location.start.line}:${location.start.column}`
  console.log(`${mutant.status}: ${place} (${mutatorName})\n  + ${replacement.slice(0, 160)}`)
}
console.log(`
| Part | Mutants | Killed | Timed out | Survived | Not reached | Score | Only at load |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${[...rows, row('all', all)].join('\n')}

${new Date().toISOString().slice(0, 10)}, ${Math.round((performance.now() - started) / 1000)} s`)

/** The sources of a part whose path has one of the pieces of `--only`, from the root. */
function sourcesOf({ source }: Part): string[] {
  const path = LIBRARY + source
  return globSync(path.endsWith('/') ? `${path}**/*.ts` : path, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => !values.only || values.only.some((piece) => file.includes(piece)))
    .sort()
}

/** Runs Stryker with the tests of a part. */
function mutate({ name, tests }: Part, sources: readonly string[]): Tried[] {
  const place = join(directory, name.replaceAll('/', '-'))
  mkdirSync(place)
  const report = join(place, 'report.json')
  const config = {
    testRunner: 'vitest',
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    plugins: [
      fileURLToPath(import.meta.resolve('./mutation/error-texts.mjs')),
      require.resolve('@stryker-mutator/vitest-runner'),
    ],
    ignorers: ['error-texts'],
    mutate: sources,
    ignorePatterns: ['/examples', '/interop', '/site', '/docs', 'dist'],
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // Its own reader of this file needs an older TypeScript.
    tsconfigFile: 'none.json',
    tempDirName: join(place, 'sandbox'),
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
  }
  const file = join(place, 'stryker.config.json')
  writeFileSync(file, JSON.stringify(config))
  const stryker = join(root, 'tools/mutation/node_modules/@stryker-mutator/core/bin/stryker.js')
  const env = { ...process.env, MUTATION_TESTS: JSON.stringify(tests) }
  const { status } = spawnSync(process.execPath, [stryker, 'run', file], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status} at ${name}`)
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return Object.entries(files).flatMap(([path, { mutants }]) =>
    mutants.map((mutant) => ({ file: path, ...mutant })),
  )
}

/** Mutants that run only at load are counted, but not part of the score. */
function row(name: string, those: readonly Tried[]): string {
  const count = (status: Mutant['status']) => those.filter((each) => each.status === status).length
  const atLoad = those.filter(({ statusReason }) => statusReason?.startsWith('Static')).length
  const [killed, timeout] = [count('Killed'), count('Timeout')]
  const [survived, notReached] = [count('Survived'), count('NoCoverage')]
  const mutants = killed + timeout + survived + notReached
  const score = mutants === 0 ? '' : `${((100 * (killed + timeout)) / mutants).toFixed(1)} %`
  const cells = [name, mutants, killed, timeout, survived, notReached, score, atLoad]
  return `| ${cells.join(' | ')} |`
}
