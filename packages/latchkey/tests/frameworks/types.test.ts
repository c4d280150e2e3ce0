import { expect, test } from 'vitest'
import { checkExample } from './example-types.ts'

test.for(['express', 'hono'])(
  'the example for %s fits the types of its framework',
  { timeout: 120_000 },
  (name) => {
    expect(checkExample(name)).toBe('')
  },
)
