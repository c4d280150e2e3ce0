import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accountData, type DataClient } from './index.ts'

interface Answer {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A client whose requests the test answers. */
function createClient(user: object | null | undefined = { email: 'ada@example.org' }) {
  const asked: string[] = []
  const answers: Answer[] = []
  const listeners = new Set<() => void>()
  const state: { data: { user: object } | null | undefined } = {
    data: user ? { user } : user,
  }
  const client: DataClient = {
    ask(path) {
      asked.push(path)
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      answers.push({ resolve, reject })
      return promise
    },
    store: {
      state,
      changed: async () => {},
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
  const become = (next: object | null): void => {
    state.data = next && { user: next }
    for (const listener of listeners) listener()
  }
  const answer = async (index: number, value: unknown): Promise<void> => {
    answers[index]?.resolve(value)
    await settled()
  }
  const refuse = async (index: number, error: Error): Promise<void> => {
    answers[index]?.reject(error)
    await settled()
  }
  return { client, asked, answer, refuse, become, listeners }
}

const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve))
const PASSKEYS = { passkeys: [{ id: 'a', name: 'Phone', deviceBound: false }] }

beforeEach(() => void vi.stubGlobal('document', {}))
afterEach(() => void vi.unstubAllGlobals())

test('data is requested when the first component shows it, once for all of them', async () => {
  const { client, asked, answer } = createClient()
  const { passkeys } = accountData(client)
  expect(asked).toEqual([])
  expect(passkeys.state).toMatchObject({ data: undefined, isLoading: true })

  const first = vi.fn()
  passkeys.subscribe(first)
  accountData(client).passkeys.subscribe(vi.fn())
  await answer(0, PASSKEYS)
  expect(asked).toEqual(['account/passkeys'])
  expect(passkeys.state).toMatchObject({ data: PASSKEYS.passkeys, isLoading: false })
  expect(first).toHaveBeenCalled()
})

test('nothing is requested on a server', () => {
  vi.unstubAllGlobals()
  const { client, asked } = createClient()
  accountData(client).account.subscribe(vi.fn())
  expect(asked).toEqual([])
})

test('after a change, all data that is shown is requested again, and nothing else', async () => {
  const { client, asked, answer } = createClient()
  const { passkeys, account, sessions } = accountData(client)
  passkeys.subscribe(vi.fn())
  account.subscribe(vi.fn())
  sessions.subscribe(vi.fn())()
  asked.length = 0

  const change = passkeys.state.rename({ id: 'a', name: 'Old phone' })
  expect(asked).toEqual(['account/rename-passkey'])
  await answer(3, null)
  expect(asked).toEqual(['account/rename-passkey', 'account/passkeys', 'account/me'])
  await answer(4, { passkeys: [] })
  await answer(5, {})
  await change
  expect(passkeys.state.data).toEqual([])
})

test('a refused change reaches its caller, and the data stays', async () => {
  const { client, asked, answer, refuse } = createClient()
  const { passkeys } = accountData(client)
  passkeys.subscribe(vi.fn())
  await answer(0, PASSKEYS)

  const change = passkeys.state.remove({ id: 'a' })
  const outcome = change.catch(({ message }: Error) => message)
  await refuse(1, new Error('the last way in'))
  expect(await outcome).toBe('the last way in')
  expect(asked).toEqual(['account/passkeys', 'account/remove-passkey'])
  expect(passkeys.state.data).toEqual(PASSKEYS.passkeys)
})

test('a failed request leaves the earlier data, and says its error', async () => {
  const { client, answer, refuse } = createClient()
  const { passkeys } = accountData(client)
  passkeys.subscribe(vi.fn())
  await answer(0, PASSKEYS)
  const again = passkeys.state.refetch()
  await refuse(1, new Error('offline'))
  await again
  expect(passkeys.state).toMatchObject({ data: PASSKEYS.passkeys, error: { message: 'offline' } })
})

test('the data of one user is never shown to the next one, not even by a late response', async () => {
  const { client, asked, answer, become } = createClient()
  const { passkeys } = accountData(client)
  passkeys.subscribe(vi.fn())
  await answer(0, PASSKEYS)
  const late = passkeys.state.refetch()

  become({ email: 'bob@example.org' })
  expect(passkeys.state.data).toBeUndefined()
  await answer(1, PASSKEYS)
  await late
  expect(passkeys.state.data).toBeUndefined()
  await answer(2, { passkeys: [] })
  expect(passkeys.state.data).toEqual([])

  become(null)
  expect(passkeys.state).toMatchObject({ data: undefined, isLoading: false })
  expect(asked).toHaveLength(3)
})

test('a user who signed out while nothing was shown has no data left', async () => {
  const { client, asked, answer, become } = createClient()
  const { passkeys } = accountData(client)
  const stop = passkeys.subscribe(vi.fn())
  await answer(0, PASSKEYS)
  stop()
  become(null)
  passkeys.subscribe(vi.fn())
  expect(passkeys.state.data).toBeUndefined()
  expect(asked).toHaveLength(1)
})

test('the first response is kept when the session becomes known meanwhile', async () => {
  const { client, asked, answer, become } = createClient(undefined)
  const { passkeys } = accountData(client)
  passkeys.subscribe(vi.fn())
  become({ email: 'ada@example.org' })
  await answer(0, PASSKEYS)
  expect(passkeys.state.data).toEqual(PASSKEYS.passkeys)
  expect(asked).toHaveLength(1)
})

test('the last component that leaves stops everything', async () => {
  const { client, listeners, become, asked } = createClient()
  const stop = accountData(client).passkeys.subscribe(vi.fn())
  expect(listeners.size).toBe(1)
  stop()
  expect(listeners.size).toBe(0)
  become({ email: 'bob@example.org' })
  expect(asked).toHaveLength(1)
})
