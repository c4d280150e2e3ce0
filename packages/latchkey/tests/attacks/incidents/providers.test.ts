/** What happened to other libraries with answers of providers, tried here: each under the id of its public advisory. */
import { describe, expect, test } from 'vitest'
import { acme, approve, changed, createSite, errorOf } from '../support/site.ts'

describe('answers of providers', () => {
  test.each([[['pkce', 'state']], [['pkce']], [['state']], [['none']], [[]]])(
    'CVE-2023-27490: with the checks %j no browser ends what another began',
    async (checks) => {
      const { world, sent, writes } = await createSite({
        config: { providers: [acme({ checks })] },
      })
      const link = approve(await world.post('/auth/signin/acme'), 'eve')
      for (const path of [link, link.replace(/&state=[^&]*/, ''), changed(link, 'state', '')]) {
        const victim = world.otherBrowser()
        expect(errorOf(await victim.get(path))).toBe('Configuration')
        expect(await victim.session()).toBeNull()
      }
      expect([sent, writes]).toEqual([[], []])
    },
  )
})
