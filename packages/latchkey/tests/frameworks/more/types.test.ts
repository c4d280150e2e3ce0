import { expect, test } from 'vitest'
import { checkExample } from '../example-types.ts'

test.for(['elysia', 'fastify', 'h3', 'koa', 'nest-fastify', 'qwik'])(
  'the example for %s fits the types of its framework',
  { timeout: 120_000 },
  (name) => {
    expect(checkExample(name)).toBe('')
  },
)
