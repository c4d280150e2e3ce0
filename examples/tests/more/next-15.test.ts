import { copyParts } from '../copied-parts.ts'
import { describeExample } from '../scenario.ts'

// The application of Next.js 16, but for the file that protects its pages.
copyParts('next-15')

describeExample('next-15')
