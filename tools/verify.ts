/**
 * Runs all checks, as many at a time as there are processors, and then the tests:
 *
 *     npm test [-- file…]      all of it; file names choose tests
 *     npm run check            without the tests
 *
 * Each check prints one line when it ends, and if it fails also its output. A failed check does not hide the
 * others; only checks of the build are left out if the build fails.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Check {
  readonly name: string
  readonly commands: readonly string[]
  /** Whether it looks at what was built. */
  readonly built?: boolean
}

/** The check whose result the checks of the build need. */
const BUILD = 'build'

/** In the order in which they start: the build, and the others with the longest first. */
const checks: readonly Check[] = [
  { name: BUILD, commands: ['node tools/build.ts'] },
  {
    name: 'types',
    commands: ['tsc -p tsconfig.json', 'tsc -p packages/latchkey/tsconfig.portable.json'],
  },
  {
    name: 'package',
    commands: [
      'node tools/stage.ts',
      'publint run packages/latchkey/.package --strict',
      'publint run packages/server/.package --strict',
      'publint run packages/codemod/.package --strict',
      'attw --pack packages/latchkey/.package --profile esm-only',
    ],
    built: true,
  },
  { name: 'syntax of the output', commands: ['node tools/check-output.ts'], built: true },
  { name: 'lint', commands: ['oxlint --type-aware --deny-warnings'] },
  { name: 'expressions', commands: ['node tools/check-expressions.ts'] },
  { name: 'format', commands: ['biome check --error-on-warnings'] },
  { name: 'code in the docs', commands: ['node tools/check-docs.ts'], built: true },
  { name: 'unused code', commands: ['knip --no-progress'] },
  { name: 'table of threats', commands: ['node tools/threats.ts'] },
  { name: 'public surface', commands: ['node tools/api-report.ts'], built: true },
  { name: 'tables of options', commands: ['node tools/option-docs.ts'] },
  { name: 'pages of providers', commands: ['node tools/provider-docs.ts'], built: true },
  { name: 'lockfile', commands: ['node tools/check-lock.mjs'] },
  { name: 'imports', commands: ['node tools/check-imports.ts'] },
  { name: 'house', commands: ['node tools/check-house.ts'] },
  { name: 'names of tests', commands: ['node tools/check-test-names.ts'] },
  { name: 'marks of providers', commands: ['node tools/marks.ts'] },
]

/** Of what a failed check prints; the rest is for whoever runs it alone. */
const MOST_LINES = 80

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { static: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const failed: string[] = []
const queue = [...checks]
const build = Promise.withResolvers<void>()
await Promise.all(Array.from({ length: availableParallelism() }, verifyInTurn))

if (failed.length > 0) process.exitCode = 1
if (!values.static) {
  const tests = spawnSync('vitest', ['run', ...positionals], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(failed.length > 0 ? { FAILED_CHECKS: failed.join(', ') } : {}) },
  })
  if (tests.status !== 0) process.exitCode = 1
}

/** Runs checks until the queue is empty. */
async function verifyInTurn(): Promise<void> {
  for (let check = queue.shift(); check; check = queue.shift()) {
    if (check.built) await build.promise
    await verify(check)
    if (check.name === BUILD) build.resolve()
  }
}

/** Runs a check and prints its line. */
async function verify(check: Check): Promise<void> {
  if (check.built && failed.includes(BUILD)) {
    console.log(`left out  ${check.name}: it needs the build`)
    return
  }
  const started = performance.now()
  const output = await failureOf(check)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const lines = [`${output === undefined ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)`]
  if (output !== undefined) {
    failed.push(check.name)
    const all = output.trimEnd().split('\n')
    lines.push(...all.slice(0, MOST_LINES).map((line) => `    ${line}`))
    if (all.length > MOST_LINES) lines.push(`    … and ${all.length - MOST_LINES} more lines`)
  }
  console.log(lines.join('\n'))
}

/** Returns what the first failing command printed. */
async function failureOf({ commands }: Check): Promise<string | undefined> {
  for (const command of commands) {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    if (status !== 0) return `$ ${command}\n${out}${err}`
  }
  return undefined
}
