import { describeExample } from '../scenario.ts'

describeExample('fastify', { basePath: '/auth', start: ['node', 'server.ts'] })
