import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config.ts'
import { appendEntry } from './journal.ts'
import { LIBRARY } from './parts.ts'

const directory = process.env['MUTATION_DIRECTORY'] ?? ''
const shard = process.env['MUTATION_SHARD'] ?? ''
const read = (name: string): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8'))
const wanted = read(`wanted-${shard}.json`) as [string, string[]][]
const code = JSON.parse(readFileSync(join(directory, 'code.json'), 'utf8')) as Record<
  string,
  string
>

const order = ['/src/', '/tests/', '/attacks/']

/** Tests of one file first, then those of a whole site: most mutants are gone before the slow ones. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      order.findLastIndex((piece) => moduleId.includes(piece))
    return files.sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId))
  }
}

/** Says that nothing is missing in the journal. */
const ending: Reporter = {
  onTestRunEnd(modules) {
    const ran = modules.every((module) => ['passed', 'failed', 'skipped'].includes(module.state()))
    const journal = join(directory, `journal-${shard}.txt`)
    if (ran && modules.length > 0) appendEntry(journal, { kind: 'end' })
  },
}

/** The tests that prove what is changed and are quick, in one process. */
export default defineConfig({
  ...base,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id: string) => code[id.split('?')[0] ?? ''],
    },
  ],
  test: {
    ...base.test,
    // It goes by what is in the file.
    fsModuleCache: false,
    include: [...new Set(wanted.flatMap(([, tests]) => tests))].map(
      (path) => `${LIBRARY}${path}${path.endsWith('/') ? '**/' : ''}*test.ts`,
    ),
    runner: fileURLToPath(new URL('runner.ts', import.meta.url)),
    setupFiles: [
      fileURLToPath(new URL('repeatable.ts', import.meta.url)),
      fileURLToPath(new URL('loaded.ts', import.meta.url)),
    ],
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { sequencer: QuickFirst },
    dangerouslyIgnoreUnhandledErrors: true,
    silent: true,
    reporters: ['dot', ending],
  },
})
