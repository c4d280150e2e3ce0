import { describeExample } from './scenario.ts'

describeExample('sveltekit', {
  basePath: '/auth',
  client: true,
  components: '/components',
  build: ['vite', 'build'],
  start: ['node', 'build'],
})
