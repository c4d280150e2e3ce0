import { describeExample } from '../scenario.ts'

describeExample('nuxt', {
  basePath: '/auth',
  client: true,
  build: ['nuxt', 'build'],
  start: ['node', '.output/server/index.mjs'],
  env: { NUXT_TELEMETRY_DISABLED: '1' },
})
