import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

const other = fileURLToPath(
  new URL('packages/latchkey/tests/support/in-place-of-memory.ts', import.meta.url),
)

/** The threats of accounts (T-ACC) on a store of SQL and on Redis, in the place of the one in memory. */
export default defineConfig({
  ...config,
  plugins: [
    {
      name: 'another store',
      enforce: 'pre',
      resolveId: (id, importer) =>
        id.endsWith('/adapters/memory/index.ts') && importer !== other ? other : undefined,
    },
  ],
  test: {
    ...config.test,
    include: [
      'packages/latchkey/src/plugins/*/tests/*.test.ts',
      'packages/latchkey/tests/attacks/*.test.ts',
    ],
    exclude: [
      ...configDefaults.exclude,
      // They open each of these stores by themselves.
      '**/races.test.ts',
      '**/unproved-accounts.test.ts',
      // It lets calls of one store hang by their number.
      '**/faults.test.ts',
    ],
    testNamePattern: /T-ACC-/,
    // All other tests of these files are left out.
    reporters: ['default'],
    globalSetup: 'packages/latchkey/tests/support/attacks-run.ts',
    projects: (['SQLite', 'Redis'] as const).map((store) => ({
      extends: true as const,
      test: { name: store, provide: { store } },
    })),
  },
})
