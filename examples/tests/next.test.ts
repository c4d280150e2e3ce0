import { describeExample } from './scenario.ts'

describeExample('next')
