/**
 * Writes what the library of this checkout writes into a file, for the test of rolling deployments. `written.json` was made
 * with the library as it was at commit 3b947ba4, in a work tree of that commit into which this folder was copied:
 *
 *     node --conditions=source packages/latchkey/tests/conformance/rolling/write-fixtures.ts
 *
 * `writes.json` is what the present version writes: give the name of the file as an argument.
 */
import { writeFileSync } from 'node:fs'
import { type ScenarioName, scenarios, writeScenario } from './scenarios.ts'

const written: Record<string, unknown> = {}
for (const name of Object.keys(scenarios)) {
  written[name] = await writeScenario(name as ScenarioName)
}
writeFileSync(
  new URL(`./${process.argv[2] ?? 'written.json'}`, import.meta.url),
  `${JSON.stringify(written, undefined, 2)}\n`,
)
