import { expect, test } from 'vitest'
import {
  accountsOf,
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  strictProvider,
  tokenSite,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import type { ProviderTokensOptions } from '../index.ts'

/** A site where Ada signed in before there was a plugin, and the same site with it. */
async function sealable(options: ProviderTokensOptions = {}, config: object = {}) {
  const adapter: Adapter = memoryAdapter()
  const provider = strictProvider()
  const before = tokenSite({ adapter, provider, config: { plugins: [] } })
  await signInWith(before.world)
  const after = tokenSite({ adapter, provider, options, config, seed: 4 })
  const [account] = await accountsOf(adapter)
  return { ...after, visitor: before.world, userId: account?.userId ?? '' }
}

const KIND = 'provider-tokens'
const MOVED = { moved: 1, left: 0, failed: 0 }
const LEFT = { moved: 0, left: 1, failed: 0 }
const FAILED = { moved: 0, left: 0, failed: 1 }
const NONE = { moved: 0, left: 0, failed: 0 }

test('PT-3: `sealColumns` seals all tokens of a user, once', async () => {
  const { api, adapter, provider, visitor, userId } = await sealable()
  expect(await api.sealColumns(userId)).toEqual(MOVED)
  expect(await api.sealColumns(userId)).toEqual(NONE)
  expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
  expect(JSON.stringify(await recordsOf(adapter, KIND))).not.toMatch(/access-|refresh-/)
  expect(await api.get(requestFrom(visitor), 'acme')).toMatchObject({ access_token: 'access-1' })
  expect(provider.grants).toEqual(['authorization_code'])
})

test('PT-3: many simultaneous calls of `sealColumns` leave one record and empty columns each', async () => {
  const { api, adapter, visitor, userId } = await sealable()
  const all = await Promise.all(Array.from({ length: 10 }, () => api.sealColumns(userId)))
  expect(all.filter(({ failed }) => failed > 0)).toEqual([])
  expect(await recordsOf(adapter, KIND)).toHaveLength(1)
  expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-|refresh-/)
  expect(await api.get(requestFrom(visitor), 'acme')).toMatchObject({ access_token: 'access-1' })
})

test('PT-3: an interrupted call of `sealColumns` is finished by the next one', async () => {
  const { api, adapter, userId } = await sealable()
  const abilities = adapter[atomic]
  const { updateAccount } = abilities ?? {}
  if (!abilities || !updateAccount) throw new Error('no abilities')
  abilities.updateAccount = () => Promise.reject(new Error('away'))
  expect(await api.sealColumns(userId)).toEqual(FAILED)
  abilities.updateAccount = updateAccount
  expect(await accountsOf(adapter)).toMatchObject([{ access_token: 'access-1' }])
  expect(await api.sealColumns(userId)).toEqual(MOVED)
  expect(await recordsOf(adapter, KIND)).toHaveLength(1)
})

test('PT-3: `sealColumns` keeps an existing record', async () => {
  const { api, adapter, world, visitor, userId } = await sealable()
  await api.sealColumns(userId)
  world.advance(HOUR)
  await api.get(requestFrom(visitor), 'acme')
  await adapter[atomic]?.updateAccount?.({
    provider: 'acme',
    providerAccountId: 'ada',
    access_token: 'old-access',
    refresh_token: 'refresh-1',
  })
  expect(await api.sealColumns(userId)).toEqual(MOVED)
  expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/old-access|refresh-1/)
  expect(await api.get(requestFrom(visitor), 'acme')).toMatchObject({ access_token: 'access-2' })
})

test.each<[string, ProviderTokensOptions, object]>([
  ['is not in the configuration', {}, { providers: [] }],
  ['is not kept', { providers: [] }, {}],
  [
    'is adopted from sessions',
    { adoptFromSession: { provider: 'acme', access_token: 'access_token' } },
    {},
  ],
])('PT-3: tokens of a provider that %s are left in their columns', async (_, options, config) => {
  const { api, adapter, userId } = await sealable(options, config)
  expect(await api.sealColumns(userId)).toEqual(LEFT)
  expect(await accountsOf(adapter)).toMatchObject([
    { access_token: 'access-1', refresh_token: 'refresh-1' },
  ])
})

test("PT-3: `sealColumns` seals nothing with `columns: 'keep'`", async () => {
  const { api, userId } = await sealable({ columns: 'keep' })
  await expect(api.sealColumns(userId)).rejects.toThrow("`columns` is 'keep'")
})

test('PT-3: columns are kept if the record cannot be opened, and a record stays that cannot be restored', async () => {
  const first = await sealable()
  await first.api.sealColumns(first.userId)
  const { adapter, provider, userId } = first
  await adapter[atomic]?.updateAccount?.({
    provider: 'acme',
    providerAccountId: 'ada',
    access_token: 'access-9',
  })
  const { api, world } = tokenSite({ adapter, provider, config: { secret: 'another '.repeat(8) } })
  expect(await api.sealColumns(userId)).toEqual(FAILED)
  expect(await api.restoreColumns(userId)).toEqual(FAILED)
  expect(await accountsOf(adapter)).toMatchObject([{ access_token: 'access-9' }])
  expect(await recordsOf(adapter, KIND)).toHaveLength(1)
  expect(JSON.stringify(world.log)).not.toContain('access-')
})

test('PT-3: restored tokens include those of a renewal, and their records end', async () => {
  const { api, adapter, provider, world, visitor, userId } = await sealable()
  await api.sealColumns(userId)
  world.advance(HOUR)
  await api.get(requestFrom(visitor), 'acme')
  expect(await api.restoreColumns(userId)).toEqual(MOVED)
  expect(await api.restoreColumns(userId)).toEqual(NONE)
  expect(await accountsOf(adapter)).toMatchObject([
    {
      access_token: 'access-2',
      refresh_token: 'refresh-2',
      expires_at: world.now() / 1000 + HOUR,
      scope: 'read',
    },
  ])
  // Back again: they are moved from the columns.
  world.advance(HOUR)
  expect(await api.get(requestFrom(visitor), 'acme')).toMatchObject({ access_token: 'access-3' })
  expect(provider.endedFamilies).toBe(0)
})

test('PT-3: tokens that are renewed during a restore are the ones restored', async () => {
  const { api, adapter, world, visitor, userId } = await sealable()
  await api.sealColumns(userId)
  world.advance(HOUR)
  const abilities = adapter[atomic]
  const { updateAccount } = abilities ?? {}
  if (!abilities || !updateAccount) throw new Error('no abilities')
  abilities.updateAccount = async (account) => {
    abilities.updateAccount = updateAccount
    await api.get(requestFrom(visitor), 'acme')
    return updateAccount(account)
  }
  expect(await api.restoreColumns(userId)).toEqual(MOVED)
  expect(await accountsOf(adapter)).toMatchObject([
    { access_token: 'access-2', refresh_token: 'refresh-2' },
  ])
})

test('PT-3: a record stays if the table has no column for its tokens', async () => {
  const { api, adapter, userId } = await sealable()
  await api.sealColumns(userId)
  const abilities = adapter[atomic]
  const { updateAccount } = abilities ?? {}
  if (!abilities || !updateAccount) throw new Error('no abilities')
  abilities.updateAccount = (account) => {
    const stored = { ...account }
    delete stored.refresh_token
    return updateAccount(stored)
  }
  expect(await api.restoreColumns(userId)).toEqual(FAILED)
  abilities.updateAccount = updateAccount
  expect(await api.restoreColumns(userId)).toEqual(MOVED)
})

test('PT-3: tokens that are also in the columns are not restored', async () => {
  const kept = await sealable({ columns: 'keep' })
  await kept.api.get(requestFrom(kept.visitor), 'acme')
  expect(await kept.api.restoreColumns(kept.userId)).toEqual(LEFT)
  expect(await recordsOf(kept.adapter, KIND)).toHaveLength(1)
})

test.each(['keep', 'clear'] as const)(
  'PAIR-9: an ended connection has no token, with columns: %s',
  async (columns) => {
    const { api, adapter, world } = tokenSite({ options: { columns } })
    await signInWith(world)
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })
    expect(await api.revoke(requestFrom(world), 'acme')).toBe(true)
    for (let reads = 0; reads < 2; reads++)
      expect(await api.get(requestFrom(world), 'acme')).toMatchObject({
        ok: false,
        error: 'NoToken',
      })
    expect(JSON.stringify(await accountsOf(adapter))).not.toMatch(/access-1|refresh-1/)
    await signInWith(world)
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-2' })
  },
)
