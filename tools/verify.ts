/**
 * Everything that must hold, one line each, and the tests last:
 *
 *     npm test [-- file…]      all of it; file names choose tests
 *     npm run check            without the tests
 *
 * A failed check does not hide the others; only what needs a build is left out when the build fails.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Check {
  readonly name: string
  readonly commands: readonly string[]
  /** Whether it looks at what was built. */
  readonly built?: boolean
}

const checks: readonly Check[] = [
  { name: 'lockfile', commands: ['node tools/check-lock.mjs'] },
  { name: 'build', commands: ['node tools/build.ts'] },
  {
    name: 'types',
    commands: ['tsc -p tsconfig.json', 'tsc -p packages/latchkey/tsconfig.portable.json'],
  },
  { name: 'format', commands: ['biome check --error-on-warnings'] },
  { name: 'lint', commands: ['oxlint --type-aware --deny-warnings'] },
  { name: 'expressions', commands: ['node tools/check-expressions.ts'] },
  { name: 'imports', commands: ['node tools/check-imports.ts'] },
  { name: 'public surface', commands: ['node tools/api-report.ts'], built: true },
  { name: 'marks of providers', commands: ['node tools/marks.ts'] },
  { name: 'table of threats', commands: ['node tools/threats.ts'] },
  { name: 'pages of providers', commands: ['node tools/provider-docs.ts'], built: true },
  { name: 'tables of options', commands: ['node tools/option-docs.ts'] },
  { name: 'code in the docs', commands: ['node tools/check-docs.ts'], built: true },
  { name: 'unused code', commands: ['knip --no-progress'] },
  {
    name: 'package',
    commands: [
      'node tools/stage.ts',
      'publint run packages/latchkey/.package --strict',
      'attw --pack packages/latchkey/.package --profile esm-only',
    ],
    built: true,
  },
]

/** Of what a failed check prints; the rest is for whoever runs it alone. */
const MOST_LINES = 80

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { static: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const failed: string[] = []
for (const check of checks) {
  if (check.built && failed.includes('build')) {
    console.log(`left out  ${check.name}: it needs the build`)
    continue
  }
  const started = performance.now()
  const output = failureOf(check)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${output === undefined ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)`)
  if (output === undefined) continue
  failed.push(check.name)
  const lines = output.trimEnd().split('\n')
  console.log(lines.slice(0, MOST_LINES).join('\n').replaceAll(/^/gm, '    '))
  if (lines.length > MOST_LINES) console.log(`    … and ${lines.length - MOST_LINES} more lines`)
}

if (failed.length > 0) process.exitCode = 1
if (!values.static) {
  const tests = spawnSync('vitest', ['run', ...positionals], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(failed.length > 0 ? { FAILED_CHECKS: failed.join(', ') } : {}) },
  })
  if (tests.status !== 0) process.exitCode = 1
}

/** What the first failing command printed. */
function failureOf({ commands }: Check): string | undefined {
  for (const command of commands) {
    const { status, stdout, stderr, error } = spawnSync(command, {
      cwd: root,
      shell: true,
      encoding: 'utf8',
    })
    if (status !== 0) return `$ ${command}\n${stdout}${stderr}${error?.message ?? ''}`
  }
  return undefined
}
