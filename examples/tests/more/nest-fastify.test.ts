import { describeExample } from '../scenario.ts'

describeExample('nest-fastify', {
  basePath: '/auth',
  build: ['tsc'],
  start: ['node', 'dist/main.js'],
})
