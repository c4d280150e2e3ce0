import { describeExample } from '../scenario.ts'

describeExample('nest', {
  basePath: '/auth',
  build: ['tsc'],
  start: ['node', 'dist/main.js'],
})
