import { describeExample } from './scenario.ts'

describeExample('sveltekit', {
  basePath: '/auth',
  client: true,
  build: ['vite', 'build'],
  start: ['node', 'build'],
})
