import { describeExample } from './scenario.ts'

describeExample('next', {
  basePath: '/api/auth',
  client: true,
  build: ['next', 'build'],
  start: ['next', 'start'],
})
