import { describe, expect, test } from 'vitest'
import { VAULT_RULES, vault, vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../entries/index.ts'
import { definePlugin } from '../../../entries/plugin.ts'
import { limitsOfPlugins } from '../../../entries/plugin-limits.ts'
import { createTestProvider, createWorld } from '../../../entries/testing.ts'
import { splitConfig } from '../../../instance/split-config.ts'
import type { PluginOption } from '../../../options/plugin-option.ts'
import { account } from '../../account/index.ts'
import { emailCode } from '../../email-code/index.ts'
import { passwords } from '../../passwords/index.ts'
import { sessions } from '../../sessions/index.ts'
import { twoFactor } from '../../two-factor/index.ts'
import { usernames } from '../../usernames/index.ts'
import { limits } from '../index.ts'

const RIGHT = 'open sesame'

describe('ACC-2: a plugin that brings limits', () => {
  test('is limited by its own rules without `limits()` in the list', async () => {
    const { open, worked } = await vaultSite()
    for (let i = 0; i < 5; i++) expect((await open('a guess')).status).toBe(403)
    const refused = await open('a guess')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ code: 'too_many_attempts', status: 429 })
    expect(worked).toHaveLength(5)
  })

  test('limits nothing else', async () => {
    const { world } = await vaultSite()
    const statuses = new Set<number>()
    for (let i = 0; i < 301; i++) statuses.add((await world.post('/auth/signout')).status)
    expect(statuses).not.toContain(429)
  })

  test('counts by the rules of `limits()` if the list has it', async () => {
    const rules = { 'vault.open': [{ by: 'site', limit: 1, window: 60 }] } as const
    const { open } = await vaultSite([limits({ rules })])
    expect((await open('a guess')).status).toBe(403)
    expect((await open('a guess', { as: 'bob' })).status).toBe(429)
  })

  test('keeps its rules beside those that an application has for other actions', async () => {
    const { open } = await vaultSite([limits({ rules: { post: false } })])
    for (let i = 0; i < 5; i++) expect((await open('a guess')).status).toBe(403)
    expect((await open('a guess')).status).toBe(429)
  })

  test('is not limited if the application removes its rules', async () => {
    const { open } = await vaultSite([limits({ rules: { 'vault.open': false } })])
    for (let i = 0; i < 20; i++) expect((await open('a guess')).status).toBe(403)
  })

  test('is not limited if it does not bring them', async () => {
    const own = vault({ brings: [] })
    const { open, isKnown } = await vaultSite([], { own })
    for (let i = 0; i < 100; i++) expect((await open('a guess')).status).toBe(403)
    expect((await open(RIGHT)).status).toBe(200)
    expect(await isKnown()).toBe(false)
  })

  test.each([
    ['passwords', passwords({ limits: false }), 'password/sign-up'],
    ['emailCode', emailCode({ limits: false }), 'email-code/send'],
    ['twoFactor', twoFactor({ limits: false }), 'signin'],
    ['account', account({ limits: false }), 'account/secure'],
  ])(
    'warns if the application turns the limits of %s off and nothing else limits',
    async (name, plugin, path) => {
      const warned = async (...plugins: readonly PluginOption[]): Promise<unknown[]> => {
        const idp = createTestProvider()
        const world = createWorld({
          adapter: memoryAdapter(),
          providers: [idp.provider],
          plugins: [sessions(), plugin, ...plugins],
        })
        await idp.signIn(world)
        await world.get(`/auth/${path}`)
        return world.log
          .filter(({ message }) => message === 'limits-off')
          .map(({ detail }) => detail)
      }
      expect(await warned()).toEqual([
        `nothing limits attempts at the actions of ${name}(); remove \`limits: false\`, or add limits() to \`plugins\``,
      ])
      expect(await warned(limits())).toEqual([])
      expect(await warned(usernames())).toEqual([])
    },
  )

  test('adds no functions that the application did not ask for', () => {
    const { plugin } = vault()
    const { api } = createLatchkey({
      secret: 'x'.repeat(32),
      trustHost: true,
      providers: [],
      adapter: memoryAdapter(),
      plugins: [plugin],
    })
    // @ts-expect-error: the list has no such plugin.
    expect(() => api.limits).not.toThrow()
  })

  test('brings others only once, also if two bring the same, or a brought one brings more', async () => {
    const setUps: string[] = []
    const named = (name: string, ...brings: PluginOption[]): PluginOption =>
      definePlugin({
        name,
        brings,
        setUp: () => {
          setUps.push(name)
          return {}
        },
      })
    const latchkey = createLatchkey({
      secret: 'x'.repeat(32),
      trustHost: true,
      providers: [],
      plugins: [named('one', named('three')), named('two', named('three', named('four')))],
    })
    await latchkey.maintain()
    expect(setUps.toSorted()).toEqual(['one', 'three', 'two'])
  })

  test('is refused at the start if attempts cannot be counted', () => {
    const plugin = definePlugin({ name: 'lone', brings: [limitsOfPlugins()], setUp: () => ({}) })
    const config = { secret: 'x'.repeat(32), trustHost: true, providers: [], plugins: [plugin] }
    expect(() => createLatchkey(config, {})).toThrow('the plugin limits needs an `adapter`')
  })

  test('needs no store at the edge', async () => {
    const { plugin } = vault()
    const config = {
      secret: 'x'.repeat(32),
      trustHost: true,
      providers: [],
      session: { strategy: 'jwt' },
      adapter: memoryAdapter(),
      plugins: [plugin],
    } as const
    const { auth } = createLatchkey(splitConfig(config))
    expect(await auth(new Request('https://app.example/'))).toBeNull()
  })

  test('has rules for a route that names them', () => {
    const routed = definePlugin({
      name: 'routed',
      limits: { 'routed.ask': VAULT_RULES['vault.open'] },
      routes: {
        ask: {
          POST: { who: 'anyone', limit: 'routed.ask', run: async () => () => ({ json: {} }) },
        },
      },
      setUp: () => ({}),
    })
    const config = { secret: 'x'.repeat(32), trustHost: true, providers: [] }
    const adapter = memoryAdapter()
    expect(() => createLatchkey({ ...config, adapter, plugins: [routed, limits()] })).not.toThrow()
  })
})
