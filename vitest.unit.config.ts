import { configDefaults, defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests beside the sources that need no server, no browser and no build: what is run after every change. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['packages/*/src/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      '**/adapters/{drizzle,prisma,redis,dynamodb,split,unstorage}/**',
      // Whole sign-ins with a plugin: `npm run test:file -- packages/latchkey/src/plugins/sessions`.
      '**/plugins/*/tests/**',
    ],
  },
})
