import { describeExample } from '../scenario.ts'

describeExample('h3', { basePath: '/auth', start: ['node', 'server.ts'] })
