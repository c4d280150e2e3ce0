import { describeExample } from '../scenario.ts'

describeExample('h3')
