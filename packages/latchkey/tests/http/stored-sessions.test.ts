import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'

const OLD = 'an old secret for tests, 0123456789ab'
const NEW = 'a new secret for tests, 0123456789abc'
const COOKIE = '__Secure-authjs.session-token'
const LATER = new Date(Date.UTC(2030, 0, 20))

/** A browser whose session is stored under the key of Auth.js: the token itself. */
async function withOldRow(adapter: Adapter, more: Partial<AuthConfig> = {}): Promise<World> {
  await adapter.createUser?.({ id: 'ada', email: 'ada@example.com', emailVerified: null })
  await adapter.createSession?.({ sessionToken: 'token', userId: 'ada', expires: LATER })
  const world = createWorld({ adapter, secret: NEW, providers: [], ...more })
  world.jar.set(COOKIE, 'token')
  return world
}

async function who(world: World): Promise<unknown> {
  return (await world.session())?.user?.['email']
}

/** The rows under their keys, of those that are asked for. */
async function has(adapter: Adapter, key: string): Promise<boolean> {
  return Boolean(await adapter.getSessionAndUser?.(key))
}

describe('a session that is stored under its token', () => {
  test('is stored under a hash once it is read', async () => {
    const adapter = memoryAdapter()
    const world = await withOldRow(adapter)
    expect(await who(world)).toBe('ada@example.com')
    expect(await has(adapter, 'token')).toBe(false)
    expect(await who(world)).toBe('ada@example.com')
  })

  test('is read even if the store refuses the change, and stays where it is', async () => {
    const inner = memoryAdapter()
    const adapter: Adapter = {
      ...inner,
      [atomic]: { ...inner[atomic], renameSession: () => Promise.reject(new Error('read only')) },
    }
    const world = await withOldRow(adapter)
    expect(await who(world)).toBe('ada@example.com')
    expect(await has(adapter, 'token')).toBe(true)
  })

  test.for([
    ['signed out meanwhile', undefined],
    ['was faster', 'ada@example.com'],
  ] as const)('is read a second time if it is changed meanwhile: %s', async ([what, expected]) => {
    const inner = memoryAdapter()
    const adapter: Adapter = {
      ...inner,
      [atomic]: {
        ...inner[atomic],
        async renameSession(from, to) {
          if (what === 'was faster') await inner[atomic]?.renameSession?.(from, to)
          else await inner.deleteSession?.(from)
          return false
        },
      },
    }
    expect(await who(await withOldRow(adapter))).toBe(expected)
  })

  test('of a store without renaming is not found after a sign-out in the meantime', async () => {
    const { [atomic]: _, ...plain } = memoryAdapter()
    const adapter: Adapter = {
      ...plain,
      async createSession(session) {
        const created = await plain.createSession?.(session)
        if (session.sessionToken !== 'token') await plain.deleteSession?.('token')
        return created ?? session
      },
    }
    const world = await withOldRow(adapter)
    expect(await who(world)).toBeUndefined()
    expect(await who(world)).toBeUndefined()
  })

  test('is found with a secret that was rotated, and stored anew', async () => {
    const adapter = memoryAdapter()
    const before = await withOldRow(adapter, { secret: OLD })
    expect(await who(before)).toBe('ada@example.com')
    const after = createWorld({ adapter, secret: [NEW, OLD], providers: [] })
    after.jar.set(COOKIE, 'token')
    expect(await who(after)).toBe('ada@example.com')
    const without = createWorld({ adapter, secret: NEW, providers: [] })
    without.jar.set(COOKIE, 'token')
    expect(await who(without)).toBe('ada@example.com')
    expect(await who(before)).toBeUndefined()
  })

  test('is found by all simultaneous reads, in several processes', async () => {
    const inner = memoryAdapter()
    let before: (() => Promise<unknown>) | undefined
    const adapter: Adapter = {
      ...inner,
      async getSessionAndUser(key) {
        const found = await inner.getSessionAndUser?.(key)
        const meanwhile = before
        before = undefined
        // After this reader has looked under the first key, another one stores the session there.
        await meanwhile?.()
        return found ?? null
      },
    }
    const world = await withOldRow(adapter)
    const other = createWorld({ adapter: inner, secret: NEW, providers: [] })
    other.jar.set(COOKIE, 'token')
    before = () => who(other)
    expect(await who(world)).toBe('ada@example.com')
    expect(world.jar.get(COOKIE)).toBe('token')
  })
})
