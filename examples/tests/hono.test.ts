import { describeExample } from './scenario.ts'

describeExample('hono', { basePath: '/auth', start: ['node', 'server.ts'] })
