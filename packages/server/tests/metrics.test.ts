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

  test('LIM-15: counts wrong passwords, and limits that were reached', async () => {
    await using service = await testService({
      LATCHKEY_METRICS_TOKEN: TOKEN,
      LATCHKEY_CHALLENGE: 'off',
    })
    const signIn = () =>
      service.ask('/auth/password/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.address },
        body: JSON.stringify({ identifier: 'ada@example.com', password: 'wrong' }),
      })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 8; attempt++) statuses.push((await signIn()).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const { text } = await service.ask('/metrics', { headers: { authorization } })
    expect(text).toContain('latchkey_security_total{type="password.refused",outcome="refused"} 5\n')
    expect(text).toContain('latchkey_limited_total{action="password.sign-in",by="pair"} 1\n')
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
