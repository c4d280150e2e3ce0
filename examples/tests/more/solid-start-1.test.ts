import { copyParts } from '../copied-parts.ts'
import { describeExample } from '../scenario.ts'

// The application of SolidStart 2, but for how it is built.
copyParts('solid-start-1')

describeExample('solid-start-1')
