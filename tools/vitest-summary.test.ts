import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs these tests in a process of their own; gives the last lines, and how it ended. */
function run(
  tests: string,
  env: Record<string, string> = {},
): { status: number | null; end: string } {
  const root = mkdtempSync(join(here, '.summary-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'a.test.ts'), `import { expect, test } from 'vitest'\n${tests}`)
  const vitest = join(here, '../node_modules/vitest/vitest.mjs')
  const reporter = join(here, 'vitest-summary.ts')
  const args = [vitest, 'run', '--root', root, '--reporter', reporter]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return { status, end: stdout.trim() }
}

const passes = "test('passes', () => expect(1).toBe(1))\n"
const skips = "test('is skipped', (context) => context.skip('no browser here'))\n"

test('the summary ends with the numbers, after the skipped tests and the reasons', () => {
  expect(run(passes + skips)).toEqual({
    status: 0,
    end: 'skipped: a.test.ts > is skipped: no browser here\n1 passed, 0 failed, 1 skipped',
  })
})

test('a skip fails the run if everything is installed', () => {
  const { status, end } = run(passes + skips, { CI: 'true' })
  expect(status).toBe(1)
  expect(end).toMatch(/CI is set, so a skipped test fails\n1 passed, 0 failed, 1 skipped$/)
})

test('a failed test, a file that cannot be loaded and an unhandled rejection are failures', () => {
  for (const bad of [
    "test('fails', () => expect(1).toBe(2))",
    "import './missing.ts'",
    "void Promise.reject(new Error('nobody awaits this'))",
  ]) {
    const { status, end } = run(passes + bad)
    expect(status, bad).toBe(1)
    expect(end, bad).toMatch(/^[01] passed, 1 failed, 0 skipped$/m)
  }
})

test('the summary names tests that passed only at the second attempt', () => {
  const hangs = `let times = 0
    test('hangs once', { timeout: 100, retry: 1 }, () => (++times > 1 ? undefined : new Promise(() => {})))`
  expect(run(hangs)).toEqual({
    status: 0,
    end: 'asked again: a.test.ts > hangs once\n1 passed, 0 failed, 0 skipped',
  })
})

test('a run without an executed test fails', () => {
  const { status, end } = run(skips)
  expect(status).toBe(1)
  expect(end).toMatch(/no test was executed\n0 passed, 0 failed, 1 skipped$/)
})

test('a check that failed before the tests is a failure in the last line', () => {
  const { status, end } = run(passes, { FAILED_CHECKS: 'lint, types' })
  expect(status).toBe(1)
  expect(end).toBe('failed before the tests: lint, types\n1 passed, 2 failed, 0 skipped')
})
