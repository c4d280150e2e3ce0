import { describeExample } from './scenario.ts'

describeExample('sveltekit')
