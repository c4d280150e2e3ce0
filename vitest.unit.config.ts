import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests beside the sources that need no server, no browser and no build: what is run after every change. */
const unit = mergeConfig(
  config,
  defineConfig({
    test: {
      exclude: [
        ...configDefaults.exclude,
        '**/adapters/{drizzle,prisma,redis,dynamodb,split,unstorage}/**',
      ],
    },
  }),
)
if (unit.test) unit.test.include = ['packages/*/src/**/*.test.ts']

export default unit
