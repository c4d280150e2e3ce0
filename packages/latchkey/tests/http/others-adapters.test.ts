import { describe } from 'vitest'
import { othersAdapters } from '../support/others-adapters.ts'
import { describePluginsBeside } from '../support/plugins-beside.ts'

describe.each(Object.entries(othersAdapters))('beside an adapter like that of %s', (_, open) => {
  describePluginsBeside(open)
})
