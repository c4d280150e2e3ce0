import { describeExample } from '../scenario.ts'

describeExample('react-router')
