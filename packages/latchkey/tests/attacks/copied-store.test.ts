import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import type { World } from '../../src/testing/world.ts'
import { abilitiesOf, apiOf, requestOf } from '../support/sessions-site.ts'
import { tokensApi } from '../support/tokens-site.ts'
import {
  createSite,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  strategies,
} from './support/site.ts'

/** The kinds of all records that were ever made in a store. */
function watchedStore() {
  const kinds = new Set<string>()
  const adapter = memoryAdapter()
  const abilities = abilitiesOf({ config: { adapter } } as World)
  const { createRecord } = abilities
  abilities.createRecord = async (record, now) => {
    kinds.add(record.kind)
    return (await createRecord?.call(abilities, record, now)) ?? false
  }
  return { adapter, kinds }
}

/** Every text in a value, and the parts of those that have some. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...value.split(/[.:|_]/).filter((part) => part.length > 15)]
  if (value instanceof Date || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

describe.each(strategies)('T-ST-5: with a copy of the store, and %s sessions,', (strategy) => {
  test('no stored value is accepted as a cookie, a bearer token, a key or a code', async () => {
    const { adapter, kinds } = watchedStore()
    const plugins = [
      sessions(),
      providerTokens(),
      tokens({
        apiKeys: { scopes: ['read'], actsAsSession: true },
        device: { clients: [{ id: 'cli', name: 'Example CLI' }] },
        native: {
          clients: [{ id: 'phone', name: 'Phone', redirectUris: ['com.example.app:/callback'] }],
        },
      }),
    ]
    const { world } = await createSite({ strategy, adapter, config: { plugins } })
    await passwordSignIn(world)
    await providerSignIn(world.otherBrowser(), 'acme')
    await world.request('/auth/device/code', {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'cli' }),
    })
    const key = await tokensApi(world).createKey(requestOf(world), { name: 'k', scopes: ['read'] })
    await apiOf(world).endAll({ userId: 'carol' })
    expect(kinds.size).toBeGreaterThan(5)

    const stored: unknown[] = []
    for (const kind of kinds) {
      const page = await abilitiesOf(world).listRecords?.({ kind, limit: 100 })
      stored.push(...(page?.records ?? []))
    }
    stored.push(await abilitiesOf(world).listSessionsByUserId?.('ada'))
    const values = new Set(textsIn(stored))
    expect(values.size).toBeGreaterThan(30)

    const thief = world.otherBrowser()
    const isLetIn = async (headers: Record<string, string>): Promise<boolean> =>
      (await (await thief.get('/auth/session', { headers })).json()) !== null
    expect(await isLetIn({ authorization: `Bearer ${key.token}` })).toBe(true)
    for (const value of values) {
      const tried = [value, `lkb_${value}`, `lkp_${value}`]
      for (const token of tried) {
        if (!/^[\x21-\x7E]+$/.test(token)) continue
        expect([token, await isLetIn({ authorization: `Bearer ${token}` })]).toEqual([token, false])
      }
      thief.jar.set(SESSION_COOKIE, encodeURIComponent(value))
      expect([value, await thief.session()]).toEqual([value, null])
      thief.jar.clear()
      for (const path of ['device', 'native']) {
        const fields: Record<string, string> =
          path === 'device'
            ? {
                grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
                device_code: value,
                client_id: 'cli',
              }
            : {
                grant_type: 'authorization_code',
                code: value,
                code_verifier: 'v'.repeat(43),
                client_id: 'phone',
                redirect_uri: 'com.example.app:/callback',
              }
        const answer = await thief.request(`/auth/${path}/token`, {
          method: 'POST',
          body: new URLSearchParams(fields),
        })
        expect([value, path, answer.status]).toEqual([value, path, 400])
      }
    }
  })
})
