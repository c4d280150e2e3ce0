import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { LIBRARY } from './parts.ts'

const tests = JSON.parse(process.env['MUTATION_TESTS'] ?? '[]') as readonly string[]
const { globalSetup: _, ...test } = base.test ?? {}

/** The quick tests of a part: beginnings of their paths are in the environment. */
export default defineConfig({
  ...base,
  test: {
    ...test,
    include: tests.map((path) => `${LIBRARY}${path}${path.endsWith('/') ? '**/' : ''}*test.ts`),
    setupFiles: [fileURLToPath(new URL('repeatable.ts', import.meta.url))],
    silent: true,
    reporters: ['dot'],
  },
})
