import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { splitAdapter } from '../../src/adapters/split/index.ts'
import { migrate, sqlAdapter } from '../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../src/adapters/sql/node-sqlite.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { createWorld } from '../../src/testing/world.ts'
import { passwordSignIn } from '../attacks/support/site.ts'
import { idOf, listOf } from '../support/sessions-site.ts'

const login = {
  id: 'credentials',
  name: 'Password',
  type: 'credentials' as const,
  credentials: {},
  authorize: () => ({ id: 'ada', name: 'ada' }),
}

const worldOf = (adapter: Adapter, plugins = [sessions({ device: false })]) =>
  createWorld({ adapter, plugins, providers: [login], session: { strategy: 'jwt' } })

async function migrated(records: boolean) {
  const store = openNodeSqlite(':memory:')
  onTestFinished(() => store.close())
  await migrate(store, { records })
  return store
}

describe('NEW-8: an adapter whose option `records` is not set', () => {
  test('stores records for a plugin that needs them, and deletes them with their user', async () => {
    const store = await migrated(true)
    const adapter = sqlAdapter(store)
    const world = worldOf(adapter)
    await passwordSignIn(world)
    expect(await listOf(world)).toHaveLength(1)
    const record = { kind: 'session', key: await idOf(world) }
    expect(await adapter[atomic]?.getRecord?.(record)).toMatchObject({ userId: 'ada' })
    await adapter.deleteUser?.('ada')
    expect(await adapter[atomic]?.getRecord?.(record)).toBeNull()
  })

  test('stores records also as the store of users beside another one', async () => {
    const store = await migrated(true)
    const users = sqlAdapter(store)
    const world = worldOf(splitAdapter({ users, sessions: memoryAdapter() }))
    await passwordSignIn(world)
    expect(await listOf(world)).toHaveLength(1)
  })

  test('stores records also as a copy with methods of the application, which stay', async () => {
    const store = await migrated(true)
    const inner = sqlAdapter(store)
    const asked: unknown[] = []
    const getUser: Adapter['getUser'] = (id) => {
      asked.push(id)
      return inner.getUser?.(id) ?? null
    }
    const copy = { ...inner, getUser }
    for (const adapter of [splitAdapter({ users: copy, sessions: memoryAdapter() }), copy, inner]) {
      const world = worldOf(adapter)
      await passwordSignIn(world)
      expect(await listOf(world)).not.toEqual([])
    }
    expect(asked).toContain('ada')
  })

  test('needs no table of records without such a plugin', async () => {
    const store = await migrated(false)
    const adapter = sqlAdapter(store)
    const world = worldOf(adapter, [])
    await passwordSignIn(world)
    expect(await world.session()).toMatchObject({ user: { name: 'ada' } })
    await adapter.deleteUser?.('ada')
  })

  test('is refused at the start if `records` is false', async () => {
    const store = await migrated(true)
    const world = worldOf(sqlAdapter(store, { records: false }))
    expect((await world.get('/auth/session')).status).toBe(500)
    expect(world.log.map(({ message }) => message).join()).toContain('without `records: false`')
  })
})
