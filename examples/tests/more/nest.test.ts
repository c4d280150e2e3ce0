import { describeExample } from '../scenario.ts'

describeExample('nest')
