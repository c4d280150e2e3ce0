import { describeExample } from '../scenario.ts'

describeExample('elysia')
