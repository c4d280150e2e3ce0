import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { clauses } from '../packages/latchkey/tests/model/revocation/clauses.ts'

/**
 * Leaves out each clause of how sealed sessions are ended, one after the other, and says whether the model or a test finds it:
 * `npm run ablate -- <part of a name>`.
 */
const [part = ''] = process.argv.slice(2)
const runs = process.env['MODEL_RUNS'] ?? '20000'
const root = join(import.meta.dirname, '..')
const config = 'packages/latchkey/tests/model/revocation/ablation.config.ts'

let overlooked = 0
for (const name of Object.keys(clauses).filter((each) => each.includes(part))) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, MODEL_WITHOUT: name, MODEL_RUNS: runs },
    },
  )
  const said = stdout + stderr
  const found = /(?:Violation|AssertionError\S*): (.*)/.exec(said)
  if (!found) overlooked++
  console.log(`${found ? 'found    ' : 'NOT FOUND'}  ${name}`)
  console.log(`           ${found?.[1] ?? said.slice(-300)}`)
}
process.exitCode = overlooked > 0 ? 1 : 0
