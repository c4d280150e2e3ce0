import { describe, expect, test } from 'vitest'
import { createMetrics, mayReadMetrics } from './metrics.ts'

/** The lines of metrics without comments. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const at = new Date(0)

describe('the metrics', () => {
  test('count the events of the library, by closed sets of labels', async () => {
    const metrics = createMetrics()
    const told: unknown[] = []
    const events = metrics.events({
      sessionEnded: (message) => void told.push(message),
      signOut: (message) => void told.push(message),
    })
    for (const ended of [true, false, false]) await events.truthRead?.({ why: 'named', ended })
    await events.truthRead?.({ why: 'start', ended: false })
    for (const reason of ['sign-out', 'sign-out', 'what an application says\n"'])
      await events.sessionEnded?.({ sid: 'a-sid', userId: 'ada', reason, at })
    const of = { provider: 'acme', userId: 'ada' }
    await events.providerTokensRenewed?.(of)
    await events.providerTokensFailed?.({ ...of, error: 'invalid_grant' })
    await events.providerTokensFailed?.({ ...of, error: 'invalid_grant', lost: true })
    await events.providerTokensUnavailable?.(of)
    await events.backchannelLogout?.({ provider: 'corp', ended: 2, userIds: ['ada'] })
    await events.backchannelLogout?.({ provider: 'corp', ended: 0, userIds: [] })
    for (const why of ['check', 'limit', 'failure'] as const)
      await events.backchannelLogoutRefused?.({ provider: 'corp', why })

    const text = metrics.text({ entries: 12, age: 340 })
    expect(linesOf(text)).toEqual([
      'latchkey_revocation_snapshot_age_seconds 0.34',
      'latchkey_revocation_snapshot_entries 12',
      'latchkey_truth_reads_total{why="named"} 3',
      'latchkey_truth_reads_total{why="start"} 1',
      'latchkey_revocation_false_hits_total 2',
      'latchkey_provider_token_renewals_total{provider="acme",result="lost"} 1',
      'latchkey_provider_token_renewals_total{provider="acme",result="refused"} 1',
      'latchkey_provider_token_renewals_total{provider="acme",result="renewed"} 1',
      'latchkey_provider_token_renewals_total{provider="acme",result="unavailable"} 1',
      'latchkey_logout_backchannel_total{result="ended"} 1',
      'latchkey_logout_backchannel_total{result="failed"} 1',
      'latchkey_logout_backchannel_total{result="limited"} 1',
      'latchkey_logout_backchannel_total{result="nothing"} 1',
      'latchkey_logout_backchannel_total{result="refused"} 1',
      'latchkey_sessions_ended_total{reason="other"} 1',
      'latchkey_sessions_ended_total{reason="sign-out"} 2',
    ])
    // T-ST-29: no label names a user or a session.
    expect(text).not.toMatch(/ada|a-sid/)
    expect(told).toHaveLength(3)
    expect(events.signOut).toBeDefined()
  })

  test('escape labels, and omit unknown ones', async () => {
    const metrics = createMetrics()
    await metrics.events().providerTokensRenewed?.({ provider: 'a"\\\nb', userId: 'ada' })
    const lines = linesOf(metrics.text(null))
    expect(lines).toContain(
      'latchkey_provider_token_renewals_total{provider="a\\"\\\\\\nb",result="renewed"} 1',
    )
    expect(lines.join()).not.toContain('snapshot')
  })

  test.each([
    [undefined, false],
    ['Bearer the token of metrics', true],
    ['bearer the token of metrics', false],
    ['Bearer the token of metric', false],
    ['the token of metrics', false],
  ])('need the token: %s', (authorization, may) => {
    expect(mayReadMetrics(authorization, 'the token of metrics')).toBe(may)
  })
})
