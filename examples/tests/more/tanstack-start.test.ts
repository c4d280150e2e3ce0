import { describeExample } from '../scenario.ts'

describeExample('tanstack-start')
