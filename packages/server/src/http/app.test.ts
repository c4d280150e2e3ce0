import { describe, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { createApp } from './app.ts'
import type { Exchange } from './exchange.ts'

/** What is said of a request that the library answers by sending the visitor to `location`. */
async function exchangeOf(location: string): Promise<Exchange> {
  const { exchange } = await visit(new Response(null, { status: 302, headers: { location } }))
  return exchange
}

async function visit(
  answer: Response,
  reason?: string,
): Promise<{ exchange: Exchange; status: number }> {
  const app = createApp({
    basePath: '/auth',
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json', secrets: new Set() }),
    handler: async () => answer,
    unready: () => reason,
    lost: () => false,
  })
  const exchange = { id: 'x', method: 'GET', path: '/', ownHost: true, outcome: 'none' }
  const request = new Request('http://localhost/auth/callback/x')
  const { status } = await app.fetch(request, { exchange })
  return { exchange, status }
}

describe('while the store is locked', () => {
  const to = (location: string) => new Response(null, { status: 302, headers: { location } })

  test('what fails for it is to be tried again', async () => {
    const locked = { status: 503, exchange: { outcome: 'callback:database-locked' } }
    const failed = to('/auth/error?error=Configuration')
    expect(await visit(failed, 'database-locked')).toMatchObject(locked)
    const broken = new Response(null, { status: 500 })
    expect(await visit(broken, 'database-locked')).toMatchObject(locked)
  })

  test('everything else is answered as ever', async () => {
    expect(await visit(to('/'), 'database-locked')).toMatchObject({ status: 302 })
    const refused = to('/auth/error?error=AccessDenied')
    expect(await visit(refused, 'database-locked')).toMatchObject({ status: 302 })
    expect(await visit(to('/auth/error?error=Configuration'))).toMatchObject({ status: 302 })
  })
})

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
