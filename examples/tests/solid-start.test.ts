import { describeExample } from './scenario.ts'

describeExample('solid-start', {
  basePath: '/api/auth',
  client: true,
  build: ['vite', 'build'],
  start: ['node', '.output/server/index.mjs'],
})
