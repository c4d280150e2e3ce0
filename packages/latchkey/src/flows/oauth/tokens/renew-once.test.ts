import { expect, test, vi } from 'vitest'
import type { TokenAnswer } from '../../../plugin/provider-client.ts'
import { type RenewalMemory, renewOnce, type TokenShelf } from './renew-once.ts'

const SUBJECT = { iss: 'https://acme.example', sub: 'ada', aud: 'client' }

/** A store that processes share, and a provider that answers with `answer`. */
function world() {
  const store = { token: 'old', isDue: true, refused: undefined as string | undefined }
  const provider = {
    asked: 0,
    async answer(): Promise<TokenAnswer> {
      return { kind: 'tokens', tokens: { access_token: 'new' }, claims: undefined }
    },
  }
  let now = 0
  let isHeld = false
  const process = (changes: Partial<TokenShelf<string>> = {}) => {
    const memory: RenewalMemory<string> = { running: new Map(), paused: new Map() }
    const reported: string[] = []
    const shelf: TokenShelf<string> = {
      key: 'tokens of ada',
      rests: [5000, 60_000],
      async acquire() {
        if (isHeld) return null
        isHeld = true
        return {
          async release() {
            isHeld = false
          },
        }
      },
      async read(isOurs) {
        if (!store.isDue) return { result: store.token }
        return isOurs ? { due: { tokens: { refresh_token: 'r' }, subject: SUBJECT } } : undefined
      },
      async write({ tokens }) {
        Object.assign(store, { token: tokens.access_token, isDue: false })
        return store.token
      },
      async refuse({ code }) {
        store.refused = code
        return 'refused'
      },
      report: ({ message }) => void reported.push(message),
      unavailable: (error) => `unavailable: ${error?.message}`,
      ...changes,
    }
    const ports = { now: () => now, random: (length: number) => new Uint8Array(length) }
    const refresh = () => {
      provider.asked++
      return provider.answer()
    }
    return { renew: () => renewOnce(shelf, { memory, ports, refresh }), reported, memory }
  }
  return {
    store,
    provider,
    process,
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('T-OIDC-15: `renewOnce` renews tokens once for concurrent calls of one process and of others', async () => {
  const { provider, process } = world()
  const processes = [process(), process(), process()]
  const calls = processes.flatMap(({ renew }) => [renew(), renew(), renew()])
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['new']))
  expect(provider.asked).toBe(1)
  expect(processes.map(({ memory }) => memory.running.size)).toEqual([0, 0, 0])
})

test('`renewOnce` reads the tokens a second time if another process wrote them under the lease', async () => {
  const { provider, process, store } = world()
  let reads = 0
  const { renew } = process({
    async read() {
      if (++reads === 1) return undefined
      return { result: store.token }
    },
  })
  expect(await renew()).toBe('old')
  expect([reads, provider.asked]).toEqual([2, 0])
})

test('`renewOnce` gives up if another process holds the lease for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const { process } = world()
    const result = process({ acquire: async () => null }).renew()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await result).toBe('unavailable: undefined')
  } finally {
    vi.useRealTimers()
  }
})

test('`renewOnce` pauses after a failure of the provider, for twice as long each time, a minute at most', async () => {
  const { provider, process, advance } = world()
  const { renew, reported } = process()
  provider.answer = async () => ({ kind: 'unavailable', error: new Error('503') })
  for (const [seconds, asked] of [
    [5, 1],
    [10, 2],
    [20, 3],
    [40, 4],
    [60, 5],
    [60, 6],
  ] as const) {
    expect(await renew()).toBe('unavailable: 503')
    advance(seconds * 1000 - 1)
    expect(await renew()).toBe('unavailable: 503')
    expect(provider.asked).toBe(asked)
    advance(1)
  }
  expect(reported).toHaveLength(6)
})

test('`renewOnce` drops the pauses of tokens that are no longer renewed', async () => {
  const { provider, process, advance } = world()
  provider.answer = async () => ({ kind: 'unavailable', error: new Error('503') })
  const { memory, renew } = process()
  for (const [key, until] of [
    ['of ben', 1],
    ['of eve', 60_000],
  ] as const)
    memory.paused.set(key, { until, pause: 5000, result: () => 'paused' })
  advance(61_000)
  await renew()
  expect([...memory.paused.keys()]).toEqual(['of eve', 'tokens of ada'])
})

test('`renewOnce` restarts with the shortest pause after a renewal', async () => {
  const { provider, process, advance, store } = world()
  const { renew } = process()
  const { answer } = provider
  const fail = async (): Promise<TokenAnswer> => ({ kind: 'unavailable', error: new Error('503') })
  provider.answer = fail
  await renew()
  advance(5000)
  await renew()
  advance(10_000)
  provider.answer = answer
  expect(await renew()).toBe('new')
  store.isDue = true
  provider.answer = fail
  await renew()
  advance(5000)
  await renew()
  expect(provider.asked).toBe(5)
})

test('`renewOnce` stores a refusal of the provider', async () => {
  const { provider, process, store } = world()
  provider.answer = async () => ({ kind: 'refused', code: 'invalid_grant', error: new Error('no') })
  expect(await process().renew()).toBe('refused')
  expect(store.refused).toBe('invalid_grant')
})

test.each([
  ['another issuer', { iss: 'https://other.example' }],
  ['another subject', { sub: 'bob' }],
  ['another audience', { aud: ['client', 'other'] }],
])('`renewOnce` refuses an ID token with %s than that of the sign-in', async (_, claims) => {
  const { provider, process, store } = world()
  provider.answer = async () => ({
    kind: 'tokens',
    tokens: { access_token: 'new' },
    claims: { ...SUBJECT, ...claims },
  })
  expect(await process().renew()).toBe('refused')
  expect(store).toMatchObject({ token: 'old', refused: 'id_token_of_another' })
})

test('`renewOnce` accepts an ID token with the same audience in a list', async () => {
  const { provider, process } = world()
  provider.answer = async () => ({
    kind: 'tokens',
    tokens: { access_token: 'new' },
    claims: { ...SUBJECT, aud: ['client'] },
  })
  expect(await process().renew()).toBe('new')
})

test('`renewOnce` releases the lease if the store fails', async () => {
  const { process } = world()
  const failing = process({
    async write() {
      throw new Error('the store failed')
    },
  })
  await expect(failing.renew()).rejects.toThrow('the store failed')
  expect(await process().renew()).toBe('new')
})
