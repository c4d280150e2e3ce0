import { describeExample } from '../scenario.ts'

describeExample('qwik')
