import { describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { createApp } from './app.ts'
import type { Exchange } from './exchange.ts'

/** What is said of a request that the library answers by sending the visitor to `location`. */
async function exchangeOf(location: string): Promise<Exchange> {
  const app = createApp({
    basePath: '/auth',
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json', secrets: new Set() }),
    handler: async () => new Response(null, { status: 302, headers: { location } }),
    unready: () => undefined,
    lost: () => false,
  })
  const exchange = { id: 'x', method: 'GET', path: '/', ownHost: true, outcome: 'none' }
  await app.fetch(new Request('http://localhost/auth/callback/x'), { exchange })
  return exchange
}

describe('the error code in the address of an answer', () => {
  test.each(['OAuthCallbackError', 'AccessDenied', 'a'.repeat(40)])(
    '%s is logged',
    async (code) => {
      expect(await exchangeOf(`/auth/signin?error=${code}&a=b`)).toMatchObject({ error: code })
      expect(await exchangeOf(`https://app.example/?error=${code}`)).toMatchObject({ error: code })
    },
  )

  test.each([
    'a'.repeat(41),
    'Bearer abc',
    'abc123',
    'a-b',
    'a\nb',
    '<script>',
    'ada@example.test',
    '\u0430\u0431\u0432',
    '',
  ])('%j is no code, and is not', async (text) => {
    const exchange = await exchangeOf(`/auth/signin?error=${encodeURIComponent(text)}`)
    expect(exchange).not.toHaveProperty('error')
    expect(exchange.outcome).toBe('callback')
  })

  test('is not looked for where there is none', async () => {
    expect(await exchangeOf('http://[')).not.toHaveProperty('error')
    expect(await exchangeOf('/?x=1')).not.toHaveProperty('error')
  })
})
