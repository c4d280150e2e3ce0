import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/**
 * Ends a run with what was skipped and why, what passed only when asked again, and the line `N passed, N failed, N skipped`.
 *
 * A run without a single executed test fails. With `CI` set a skipped test fails it too: there
 * everything is installed, so a test that does not run is a test that is broken.
 */
export default class VitestSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed')
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    // A file that could not be loaded, a hook that threw and an error outside of any test count, too.
    const outside = modules.flatMap(errorsOutsideOfTests).length + unhandled.length
    // So does a check that failed before: the last line is not to read like success then.
    const checks = (process.env['FAILED_CHECKS'] ?? '').split(', ').filter(Boolean)
    const failed = tests.length - passed.length - skipped.length + outside + checks.length

    const lines = skipped.map(
      (test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${reasonOf(test)}`,
    )
    for (const test of passed.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)) {
      lines.push(`asked again: ${test.module.relativeModuleId} > ${test.fullName}`)
    }
    if (skipped.length > 0 && process.env['CI']) lines.push('CI is set, so a skipped test fails')
    if (tests.length === skipped.length) lines.push('no test was executed')
    if (checks.length > 0) lines.push(`failed before the tests: ${checks.join(', ')}`)
    lines.push(`${passed.length} passed, ${failed} failed, ${skipped.length} skipped`)
    console.log(`\n${lines.join('\n')}`)

    const bad = failed > 0 || tests.length === skipped.length
    if (bad || (skipped.length > 0 && process.env['CI'])) process.exitCode = 1
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return note ?? test.annotations().at(-1)?.message ?? 'no reason given'
}

function errorsOutsideOfTests(module: TestModule): unknown[] {
  const suites = [...module.children.allSuites()]
  return [module, ...suites].flatMap((suite) => suite.errors())
}
