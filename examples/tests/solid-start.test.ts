import { describeExample } from './scenario.ts'

describeExample('solid-start')
