import { describeExample } from '../scenario.ts'

describeExample('qwik', {
  basePath: '/auth',
  build: ['npm', 'run', 'build'],
  start: ['node', 'server/entry.node-server.js'],
})
