import { describeExample } from '../scenario.ts'

describeExample('react-router', {
  basePath: '/auth',
  client: true,
  build: ['react-router', 'build'],
  start: ['react-router-serve', './build/server/index.js'],
})
