import { describeExample } from '../scenario.ts'

describeExample('fastify')
