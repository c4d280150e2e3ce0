import { describe, expect, test } from 'vitest'
import { testService } from './support/service.ts'

const TOKEN = 'the-token-of-metrics'
const authorization = `Bearer ${TOKEN}`

describe('GET /metrics', () => {
  test('responds to clients with the token, and with 404 to all others', async () => {
    await using service = await testService({ LATCHKEY_METRICS_TOKEN: TOKEN })
    const answer = await service.ask('/metrics', { headers: { authorization } })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(answer.text).toContain('# TYPE latchkey_sessions_ended_total counter\n')
    for (const headers of [{}, { authorization: 'Bearer other' }])
      expect((await service.ask('/metrics', { headers })).status).toBe(404)
    expect(service.text()).not.toContain(TOKEN)
  })

  test('does not exist without a token', async () => {
    await using service = await testService()
    expect((await service.ask('/metrics', { headers: { authorization } })).status).toBe(404)
  })

  test('has no numbers of sealed sessions before some were read', async () => {
    await using service = await testService({
      LATCHKEY_METRICS_TOKEN: TOKEN,
      LATCHKEY_SESSION_STRATEGY: 'jwt',
    })
    const { text } = await service.ask('/metrics', { headers: { authorization } })
    expect(text).not.toContain('snapshot')
    expect(text).toContain('latchkey_revocation_false_hits_total 0\n')
  })
})
