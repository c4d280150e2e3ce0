import { describeExample } from '../scenario.ts'

describeExample('astro')
