import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ConnectionsPage, providerTokensClient } from '../client.ts'

/** Seconds that a token lasts. Short, so that timers of others in the process cost little while the clock is moved. */
const LIFE = 120

beforeEach(() => {
  // Intervals and the next turns of others in the process stay real.
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const seconds = () => Math.floor(Date.now() / 1000)

/** A service whose token lasts an hour, and what it was asked. */
function service() {
  const it = {
    expires_at: seconds() + LIFE,
    asked: [] as string[],
    ask: async (path: string) => {
      it.asked.push(path)
      if (path === 'provider-tokens/refresh') {
        it.expires_at = seconds() + LIFE
        return { expires_at: it.expires_at }
      }
      return { providers: { acme: { connected: true, expires_at: it.expires_at } } }
    },
  }
  return it
}

/** The locks of a browser: one after the other. */
function locks() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request: ((_name: string, work: () => Promise<unknown>) => {
      const next = last.then(work)
      last = next.catch(() => undefined)
      return next
    }) as LockManager['request'],
  }
}

/** What tabs have in common without Web Locks. */
function storage() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

const refreshes = (asked: readonly string[]) =>
  asked.filter((path) => path === 'provider-tokens/refresh')

describe.each([
  ['Web Locks', (): ConnectionsPage => ({ navigator: { locks: locks() } })],
  ['localStorage', (): ConnectionsPage => ({ localStorage: storage() })],
])('PT-14: the tabs of a browser with %s', (_how, browser) => {
  test('renew once for all, before the token ends', async () => {
    const it = service()
    const page = browser()
    const tabs = [1, 2, 3].map(() => providerTokensClient(it, page))
    const ends: (() => void)[] = []
    for (const tab of tabs) {
      ends.push(tab.keepFresh('acme'))
      await vi.advanceTimersByTimeAsync(500)
    }
    await vi.advanceTimersByTimeAsync((LIFE - 60) * 1000)
    expect(refreshes(it.asked)).toEqual([])
    await vi.advanceTimersByTimeAsync(59_000)
    expect(refreshes(it.asked)).toHaveLength(1)
    for (const end of ends) end()
    const asked = it.asked.length
    await vi.advanceTimersByTimeAsync(LIFE * 1000)
    expect(it.asked).toHaveLength(asked)
  })
})

test('PT-14: a hidden page does not renew', async () => {
  const it = service()
  const end = providerTokensClient(it, { document: { visibilityState: 'hidden' } }).keepFresh(
    'acme',
  )
  await vi.advanceTimersByTimeAsync(2 * LIFE * 1000)
  expect(it.asked).toEqual([])
  end()
})

describe('PT-14: a call of the application that needs a fresh token', () => {
  const answers = (...given: Response[]) => {
    const sent: string[] = []
    const send: typeof fetch = async (input) => {
      sent.push(String(input))
      return given.shift() ?? new Response('ok')
    }
    return { sent, send }
  }
  const elsewhere = () => Response.json({ code: 'refresh_elsewhere' }, { status: 401 })

  test('is repeated after a renewal', async () => {
    const it = service()
    it.expires_at = seconds()
    const { sent, send } = answers(elsewhere())
    const client = providerTokensClient(it, { fetch: send, navigator: { locks: locks() } })
    expect(await (await client.fetch('acme', '/calendar')).text()).toBe('ok')
    expect(sent).toEqual(['/calendar', '/calendar'])
    expect(refreshes(it.asked)).toHaveLength(1)
  })

  test.each([
    ['another refusal', () => Response.json({ code: 'unauthenticated' }, { status: 401 })],
    ['a page', () => new Response('<html>', { status: 401 })],
    ['an answer', () => new Response('ok')],
  ])('is not repeated with %s', async (_what, answer) => {
    const it = service()
    const { sent, send } = answers(answer())
    await providerTokensClient(it, { fetch: send }).fetch('acme', '/calendar')
    expect(sent).toHaveLength(1)
    expect(it.asked).toEqual([])
  })
})
