import { describeExample } from '../scenario.ts'

describeExample('astro', {
  basePath: '/api/auth',
  client: true,
  takesPosts: false,
  build: ['astro', 'build'],
  start: ['node', 'dist/server/entry.mjs'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
})
