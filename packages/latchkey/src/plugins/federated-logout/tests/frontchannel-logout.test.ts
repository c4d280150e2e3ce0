import { describe, expect, test, vi } from 'vitest'
import { strategies } from '../../../../tests/attacks/support/site.ts'
import { backchannelSite, signInAtCorp } from '../../../../tests/support/logout-site.ts'
import { abilitiesOf, apiOf } from '../../../../tests/support/sessions-site.ts'
import { ISSUER } from '../../../../tests/support/simulated-provider.ts'
import { sessions } from '../../sessions/index.ts'
import { federatedLogout } from '../index.ts'

describe.each(strategies)('OUT-13: front-channel logout, with %s sessions', (strategy) => {
  const plugins = [sessions(), federatedLogout({ frontchannel: { providers: ['corp'] } })]

  /** Ada is signed in. */
  async function signedIn() {
    const reasons: string[] = []
    const events = { sessionEnded: ({ reason }: { reason: string }) => void reasons.push(reason) }
    const site = backchannelSite(strategy, { config: { plugins, events } })
    await signInAtCorp(site)
    const userId = (await site.adapter?.getUserByEmail?.('ada@example.com'))?.id ?? ''
    const live = async () => (await apiOf(site.world).list({ userId })).length
    const load = (query: Record<string, string> | string, provider = 'corp') =>
      site.world
        .otherBrowser()
        .get(`/auth/logout/frontchannel/${provider}?${new URLSearchParams(query)}`, {
          headers: {
            'sec-fetch-dest': 'iframe',
            'sec-fetch-site': 'cross-site',
            accept: 'text/html',
          },
        })
    return { ...site, live, load, reasons }
  }

  test('ends the sessions of `iss` and `sid`', async () => {
    const { live, load, reasons } = await signedIn()
    const answer = await load({ iss: ISSUER, sid: 'session-at-op' })
    expect(await live()).toBe(0)
    expect(reasons).toEqual(['front-channel'])
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; frame-ancestors ${ISSUER}`,
    )
    expect(answer.headers.get('x-frame-options')).toBeNull()
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test.each([
    ['an unknown `sid`', { iss: ISSUER, sid: 'unknown' }],
    ['another issuer', { iss: 'https://other.example', sid: 'session-at-op' }],
    ['no issuer', { sid: 'session-at-op' }],
    ['no `sid`', { iss: ISSUER }],
    ['an empty `sid`', { iss: ISSUER, sid: '' }],
    ['two of them', `iss=${ISSUER}&sid=session-at-op&sid=other`],
  ])('ends nothing with %s, with the same response', async (_, query) => {
    const { live, load } = await signedIn()
    const answer = await load(query)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(await live()).toBe(1)
  })

  test('is limited for guesses', async () => {
    const { live, load } = await signedIn()
    // Ten times the limit of a network, which nobody knows here.
    for (let i = 0; i < 600; i++) await load({ iss: ISSUER, sid: `guess-${i}` })
    expect((await load({ iss: ISSUER, sid: 'one-guess-more' })).status).toBe(429)
    expect(await live()).toBe(1)
  })

  test('SEC-23: works beside guesses, which write nothing above the limit', async () => {
    const { world, live, load } = await signedIn()
    const create = vi.spyOn(abilitiesOf(world), 'createRecord')
    for (let i = 0; i < 600; i++) await load({ iss: ISSUER, sid: `guess-${i}` })
    expect(create).toHaveBeenCalled()
    create.mockClear()
    for (let i = 600; i < 700; i++) await load({ iss: ISSUER, sid: `guess-${i}` })
    expect(create).not.toHaveBeenCalled()
    expect((await load({ iss: ISSUER, sid: 'session-at-op' })).status).toBe(200)
    expect(await live()).toBe(0)
  })

  test('is off for providers that are not named, and warns if it is on', async () => {
    const { world, load, live } = await signedIn()
    expect((await load({ iss: ISSUER, sid: 'session-at-op' }, 'other')).status).toBe(404)
    expect(await live()).toBe(1)
    expect(world.log.map(({ message }) => message)).toContain('front-channel-logout')
    const off = backchannelSite(strategy)
    expect((await off.world.get('/auth/logout/frontchannel/corp')).status).toBe(400)
  })
})
