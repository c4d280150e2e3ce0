import { describeExample } from './scenario.ts'

describeExample('express', { basePath: '/auth', start: ['node', 'server.ts'] })
