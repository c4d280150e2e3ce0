import { describe, expect, test } from 'vitest'
import { createWorld } from '../../src/entries/testing.ts'
import { othersAdapters } from '../support/others-adapters.ts'
import { describePluginsBeside } from '../support/plugins-beside.ts'
import { acmeProvider, signInWith, strictProvider } from '../support/token-site.ts'

describe.each(Object.entries(othersAdapters))('beside an adapter like that of %s', (_, open) => {
  describePluginsBeside(open)
})

test.each(Object.entries(othersAdapters))(
  'PAIR-11: parallel first reads under an earlier key in two processes all return the session, beside %s',
  async (_, open) => {
    const adapter = open()
    const [old, now] = [
      'the secret of before, 0123456789abcdef',
      'the secret of today, 0123456789abcdef',
    ]
    const providers = [acmeProvider()]
    const { fetch } = strictProvider()
    const common = { adapter, providers, session: { strategy: 'database' } } as const
    const before = createWorld({ ...common, secret: old }, { fetch, seed: 1 })
    await signInWith(before)
    const processes = [2, 3, 4].map((seed) => {
      const world = createWorld({ ...common, secret: [now, old] }, { fetch, seed })
      for (const [name, value] of before.jar) world.jar.set(name, value)
      // The session is extended as well.
      world.advance(2 * 86_400)
      return world
    })
    const reads = [...processes, ...processes].map(async (world) => world.get('/auth/session'))
    for (const answer of await Promise.all(reads)) {
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ user: { email: 'ada@example.com' } })
    }
    for (const world of processes) expect(await world.session()).not.toBeNull()
  },
)
