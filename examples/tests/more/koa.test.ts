import { describeExample } from '../scenario.ts'

describeExample('koa', { basePath: '/auth', start: ['node', 'server.ts'] })
