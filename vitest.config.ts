import { defineConfig } from 'vitest/config'

/** Workspace packages are tested as sources, so that no test needs a build of them. */
const conditions = ['source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['node'] } },
  test: {
    include: ['packages/*/{src,tests}/**/*.test.ts', 'tools/**/*.test.ts'],
    // All files of a worker share one process, so whatever a test leaves behind shows.
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default', './tools/vitest-summary.ts'],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text', 'html'],
      thresholds: { 'packages/latchkey/src/**/*.ts': { lines: 95, branches: 95 } },
    },
  },
})
