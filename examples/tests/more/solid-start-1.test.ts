import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeExample } from '../scenario.ts'

const examples = fileURLToPath(new URL('../..', import.meta.url))

// The application of SolidStart 2, but for how it is built.
cpSync(`${examples}/solid-start/src`, `${examples}/solid-start-1/src`, { recursive: true })

describeExample('solid-start-1')
