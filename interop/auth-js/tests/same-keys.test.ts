import { randomBytes } from 'node:crypto'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { UpstashRedisAdapter } from '@auth/upstash-redis-adapter'
import { Redis } from '@upstash/redis'
import { atomic } from 'latchkey/adapters'
import { fromNodeRedis, redisAdapter } from 'latchkey/adapters/redis'
import { unstorageAdapter } from 'latchkey/adapters/unstorage'
import { createStorage } from 'unstorage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Adapter } from '../../../packages/latchkey/src/model/adapter.ts'
import {
  connectRedis,
  removeKeys,
  startUpstashFront,
  type TestRedis,
} from '../../../packages/latchkey/tests/support/redis.ts'
import { expectWritten, write } from './support/records.ts'

/** Their types are those of `@auth/core`. */
const theirs = (adapter: object): Adapter => adapter

describe('the keys of @auth/upstash-redis-adapter', () => {
  const prefix = `latchkey-same-keys-${randomBytes(6).toString('hex')}:`
  let redis: TestRedis
  let front: Awaited<ReturnType<typeof startUpstashFront>>
  beforeAll(async () => {
    redis = await connectRedis()
    front = await startUpstashFront(redis)
  })
  afterAll(async () => {
    await removeKeys(redis, prefix)
    await front[Symbol.asyncDispose]()
    await redis.close()
  })

  test('are read, listed and removed', async () => {
    const client = new Redis({ url: front.url, token: 'any', enableTelemetry: false })
    const peer = theirs(UpstashRedisAdapter(client, { baseKeyPrefix: prefix }))
    const ours = redisAdapter(fromNodeRedis(redis), { prefix })
    const id = await write(peer)
    expect(await ours[atomic]?.listSessionsByUserId?.(id)).toHaveLength(1)
    expect(await ours[atomic]?.listAccountsByUserId?.(id)).toHaveLength(1)
    await expectWritten(ours, id, peer)
    expect(await redis.keys(`${prefix}*`)).toEqual([])
  })
})

describe('the keys of @auth/unstorage-adapter', () => {
  test('are read, listed and removed', async () => {
    const storage = createStorage()
    const peer = theirs(UnstorageAdapter(storage))
    const ours = unstorageAdapter(storage, { exclusive: true })
    const id = await write(peer)
    expect(await ours[atomic]?.listSessionsByUserId?.(id)).toHaveLength(1)
    expect(await ours[atomic]?.listAccountsByUserId?.(id)).toHaveLength(1)
    await expectWritten(ours, id, peer)
    expect(await storage.getKeys()).toEqual([])
  })

  test('are read also if the storage changed their values', async () => {
    const storage = createStorage()
    const peer = theirs(UnstorageAdapter(storage))
    const ours = unstorageAdapter(storage, { exclusive: true })
    const userId = await write(peer)
    const credentialID = 'ab/cd+ef=='
    await peer.createAuthenticator?.({
      credentialID,
      userId,
      providerAccountId: credentialID,
      credentialPublicKey: 'key',
      counter: 3,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
    })
    expect(await storage.getKeys()).toContain('authenticator:ab:cd+ef==')
    expect(await ours.getAuthenticator?.(credentialID)).toMatchObject({ userId, counter: 3 })
    await ours.updateAuthenticatorCounter?.(credentialID, 4)
    expect(await peer.getAuthenticator?.(credentialID)).toMatchObject({ counter: 4 })
    await ours.deleteUser?.(userId)
    expect(await ours.getAuthenticator?.(credentialID)).toBeNull()
  })
})
