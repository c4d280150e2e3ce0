import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './tools/test-order.ts'
import { filesWithoutServer } from './tools/test-servers.ts'

/**
 * Workspace packages are tested as sources, so that no test needs a build of them; all others are what
 * Node.js takes by itself, and not their modules for bundlers (the condition `module`).
 */
const conditions = ['source', 'node', 'development|production']

/** What every application runs; adapters, integrations, providers and the client are proved by what they meet. */
const CORE = 'packages/latchkey/src/{*,!(adapters|client|integrations|providers|testing)/**/*}.ts'

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['node'] } },
  test: {
    include: [
      'packages/*/{src,tests}/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
      'interop/*/tests/**/*.test.ts',
      'examples/tests/**/*.test.ts',
      'site/tests/**/*.test.ts',
    ],
    exclude: [
      ...configDefaults.exclude,
      ...(await filesWithoutServer()),
      // Frameworks that `npm test` does not install.
      ...(process.env['EXAMPLES']
        ? []
        : ['packages/latchkey/tests/frameworks/more/**', 'examples/tests/more/**']),
    ],
    // All files of a worker share one process, so whatever a test leaves behind shows.
    isolate: false,
    pool: 'forks',
    setupFiles: './tools/test-left-behind.ts',
    globalSetup: './tools/run-folder.ts',
    // On two processors: a third of the tests wait, for a service that starts or a database.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // It only ends what hangs: on a busy machine, a test may take some ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes in a moment, or much later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', './tools/vitest-summary.ts'],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text', 'html'],
      thresholds: { [CORE]: { lines: 95, branches: 95 } },
    },
  },
})
