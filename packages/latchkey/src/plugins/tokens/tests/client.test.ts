import { describe, expect, test } from 'vitest'
import { tokensClient } from '../client.ts'

function page() {
  let now = 0
  const asked: string[] = []
  const state: { data: unknown } = { data: { user: { name: 'Ada' } } }
  let fails = false
  const client = tokensClient(
    {
      async ask(path) {
        asked.push(path)
        if (fails) throw new Error('of a test')
        return { access_token: `token ${asked.length}`, token_type: 'Bearer', expires_in: 300 }
      },
      store: { state },
    },
    () => now,
  )
  return {
    client,
    asked,
    state,
    advance: (seconds: number) => (now += seconds * 1000),
    fail: (value: boolean) => (fails = value),
  }
}

describe('tokens in a page', () => {
  test('are kept until 30 seconds before their end, one for each audience', async () => {
    const { client, asked, advance } = page()
    expect(await client.get()).toBe('token 1')
    advance(269)
    expect(await client.get()).toBe('token 1')
    expect(await client.get('https://api.example/?a')).toBe('token 2')
    advance(1)
    expect(await client.get()).toBe('token 3')
    expect(asked).toEqual(['token', 'token?audience=https%3A%2F%2Fapi.example%2F%3Fa', 'token'])
  })

  test('are requested once for all simultaneous callers, also after one expired', async () => {
    const { client, asked, advance } = page()
    await Promise.all([client.get(), client.get(), client.get()])
    advance(300)
    expect(await Promise.all([client.get(), client.get(), client.get()])).toEqual(
      Array.from({ length: 3 }, () => 'token 2'),
    )
    expect(asked).toHaveLength(2)
  })

  test('are dropped after a sign-out or a change of user', async () => {
    const { client, asked, state } = page()
    await client.get()
    state.data = { user: { name: 'Bob' } }
    expect(await client.get()).toBe('token 2')
    state.data = null
    expect(await client.get()).toBe('token 3')
    state.data = undefined
    expect(await client.get()).toBe('token 3')
    expect(asked).toHaveLength(3)
  })

  test('SEC-29: are not passed to the next user while they are requested', async () => {
    const { client, asked, state } = page()
    const running = [client.get(), client.get()]
    while (asked.length === 0) await Promise.resolve()
    state.data = { user: { name: 'Bob' } }
    const all = await Promise.all([...running, client.get()])
    expect(all).toEqual(['token 2', 'token 2', 'token 2'])
    expect(asked).toHaveLength(2)
  })

  test('are requested anew after a failure', async () => {
    const { client, fail } = page()
    fail(true)
    await expect(client.get()).rejects.toThrow('of a test')
    fail(false)
    expect(await client.get()).toBe('token 2')
  })
})
