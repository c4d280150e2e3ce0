/** Names a run of `vitest.stores.config.ts`, and removes what it wrote to Redis. */
import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { connectRedis, removeKeys } from './redis.ts'

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const run = `latchkey_attacks_${randomUUID()}`
  provide('run', run)
  const redis = await connectRedis()
  return async () => {
    const { keys } = await redis.scan('0', { MATCH: `${run}:*`, COUNT: 1_000_000 })
    await removeKeys(redis, run)
    await redis.close()
    // Otherwise the tests would have run in memory, unnoticed.
    if (keys.length === 0) throw new Error('the tests wrote nothing to Redis')
  }
}
