import { describeExample } from '../scenario.ts'

describeExample('koa')
