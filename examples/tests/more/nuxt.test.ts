import { describeExample } from '../scenario.ts'

describeExample('nuxt')
