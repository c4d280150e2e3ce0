import { describeExample } from '../scenario.ts'

describeExample('elysia', { basePath: '/auth', start: ['node', 'server.ts'] })
