import { describe, expect, test } from 'vitest'
import { vault, vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../entries/index.ts'
import { type LimitsApi, limits } from '../index.ts'
import { accountRules } from '../rules/account-rules.ts'

const RIGHT = 'open sesame'
const ADA = 'ada@example.com'
const network = (n: number): string => `10.0.0.${n}`

async function limitedSite(options: Parameters<typeof limits>[0] = {}) {
  const rules = accountRules('password.sign-in')['password.sign-in'] ?? []
  const site = await vaultSite([limits(options)], {
    own: vault({ limits: { 'vault.open': rules } }),
  })
  const { world, open } = site
  const api = (): LimitsApi => world.core.plan(world.config).plugins?.api('limits') as LimitsApi
  const guess = async (times: number, how: (n: number) => { from: string; as?: string }) => {
    for (let n = 0; n < times; n++)
      await open('a guess', { ...how(n), browser: world.otherBrowser() })
  }
  return { ...site, api, guess }
}

describe('LIM-15: the functions for those who run the site', () => {
  test('forget the attempts at an account, whose owner can then sign in', async () => {
    const { open, guess, api } = await limitedSite()
    await guess(12, (n) => ({ from: network(n) }))
    expect((await open(RIGHT, { from: network(50) })).status).toBe(429)
    expect(await api().reset('vault.open', { identifier: ' Ada@Example.com' })).toBe(6)
    expect((await open(RIGHT, { from: network(50) })).status).toBe(200)
  })

  test('count from the beginning again after that', async () => {
    const { open, guess, api, world } = await limitedSite()
    await guess(12, (n) => ({ from: network(n) }))
    await api().reset('vault.open', { identifier: ADA })
    await guess(12, (n) => ({ from: network(n) }))
    const browser = world.otherBrowser()
    expect((await open(RIGHT, { from: network(50), browser })).status).toBe(429)
    world.advance(901)
    expect((await open(RIGHT, { from: network(50), browser })).status).toBe(200)
  })

  test('forget the attempts of a network', async () => {
    const { open, guess, api } = await limitedSite()
    await guess(40, (n) => ({ from: network(1), as: `user-${n}` }))
    expect((await open(RIGHT, { from: network(1) })).status).toBe(429)
    await api().reset('vault.open', { identifier: ADA })
    expect((await open(RIGHT, { from: network(1) })).status).toBe(429)
    await api().reset('vault.open', { address: network(1) })
    expect((await open(RIGHT, { from: network(1) })).status).toBe(200)
  })

  test('forget attempts that are counted in the process', async () => {
    const rules = { 'vault.open': [{ by: 'site', limit: 2, window: 60 }] } as const
    const { open, guess, api } = await limitedSite({ store: 'process', rules })
    await guess(4, () => ({ from: network(1) }))
    expect((await open(RIGHT, { from: network(1) })).status).toBe(429)
    expect(await api().reset('vault.open')).toBe(1)
    expect((await open(RIGHT, { from: network(1) })).status).toBe(200)
  })

  test('tell whether attempts are refused, and count none', async () => {
    const { guess, api, open } = await limitedSite()
    await guess(9, (n) => ({ from: network(n) }))
    for (let n = 0; n < 20; n++)
      expect((await api().peek('vault.open', { identifier: ADA })).allowed).toBe(true)
    await open('a guess', { from: network(20) })
    const peeked = await api().peek('vault.open', { identifier: ADA })
    expect(peeked.allowed).toBe(false)
    expect(peeked.rules).toContainEqual({
      by: 'identifier',
      limit: 10,
      window: 900,
      isReached: true,
    })
    expect((await api().peek('vault.open', { identifier: 'bob@example.com' })).allowed).toBe(true)
    expect((await api().peek('something.else')).rules).toEqual([])
  })

  test('let one user in again: at all actions, and after wrong passwords over many days', async () => {
    const { open, api, world, host, ada } = await limitedSite()
    const bob = { as: 'bob@example.com' }
    for (let day = 0; day < 12; day++) {
      for (let n = 0; n < 12; n++)
        await open('a guess', { from: network(n), browser: world.otherBrowser() })
      world.advance(24 * 3600)
    }
    for (let n = 0; n < 12; n++) {
      const from = network(100 + n)
      await open('a guess', { from, browser: world.otherBrowser() })
      await open('a guess', { ...bob, from, browser: world.otherBrowser() })
    }
    const fromNew = () => open(RIGHT, { from: network(200), browser: world.otherBrowser() })
    expect((await fromNew()).status).toBe(429)
    await api().reset('vault.open', { identifier: ADA, userId: ada.id })
    // What the vault answers to a wrong password.
    expect((await fromNew()).status).toBe(403)
    await api().unlock(ada.id)
    expect((await fromNew()).status).toBe(200)
    const left = await host().records.list({ kind: 'strikes', userId: ada.id, limit: 10 })
    expect(left.records).toEqual([])
    expect((await api().peek('vault.open', { identifier: bob.as })).allowed).toBe(false)
    await expect(api().unlock('nobody')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('forget the attempts of a name from all networks, and those of a user in all known browsers', async () => {
    const rule = { limit: 2, window: 900 }
    const pair = { by: 'pair', ...rule } as const
    const ofPairs = await limitedSite({ rules: { 'vault.open': [pair] } })
    await ofPairs.guess(3, () => ({ from: network(1) }))
    const again = async () => (await ofPairs.open(RIGHT, { from: network(1) })).status
    for (const [identifier, status] of [
      ['bob@example.com', 429],
      [ADA, 200],
    ] as const) {
      await ofPairs.api().reset('vault.open', { identifier })
      // The process remembers a refusal for a minute.
      ofPairs.world.advance(61)
      expect(await again()).toBe(status)
    }

    const ofProcess = await limitedSite({ store: 'process', rules: { 'vault.open': [pair] } })
    expect(await ofProcess.api().reset('vault.open', { identifier: ADA })).toBe(0)

    const device = { by: 'device', ...rule } as const
    const { open, api, world, ada } = await limitedSite({ rules: { 'vault.open': [device] } })
    expect((await open(RIGHT)).status).toBe(200)
    for (let n = 0; n < 3; n++) await open('a guess')
    expect((await open(RIGHT)).status).toBe(429)
    await api().unlock(ada.id)
    world.advance(61)
    expect((await open(RIGHT)).status).toBe(200)
  })

  test('check their arguments, and are part of the type of the application', async () => {
    const { api } = createLatchkey({
      secret: 'x'.repeat(32),
      trustHost: true,
      providers: [],
      adapter: memoryAdapter(),
      plugins: [limits()],
    })
    expect(await api.limits.peek('post')).toMatchObject({ allowed: true })
    await expect(api.limits.reset('post', { user: 'ada' } as never)).rejects.toThrow('userId')
    await expect(api.limits.reset(undefined as never)).rejects.toThrow('`action` must be a string')
  })
})
