import { describeExample } from './scenario.ts'

describeExample('express')
