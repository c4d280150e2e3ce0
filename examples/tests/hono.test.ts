import { describeExample } from './scenario.ts'

describeExample('hono')
