import { describeExample } from '../scenario.ts'

describeExample('tanstack-start', {
  basePath: '/auth',
  client: true,
  build: ['vite', 'build'],
  start: ['srvx', 'serve', '--prod', '--static', '../client', '--entry', 'dist/server/server.js'],
})
