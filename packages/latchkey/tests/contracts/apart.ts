import { expect } from 'vitest'
import { atomic } from '../../src/model/adapter.ts'
import type { CompleteAdapter } from '../../src/testing/adapter/index.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const expires = new Date('2030-01-02T00:00:00.000Z')

/** Two adapters on one store that have other names or another prefix: the same keys are not the same. */
export async function expectApart(one: CompleteAdapter, other: CompleteAdapter): Promise<void> {
  const user = { id: 'ada', email: 'ada@x.example', emailVerified: null }
  const key = { provider: 'acme', providerAccountId: '7' }
  const token = { identifier: user.email, token: 't', expires }
  const attempt = { key: 'k', limit: 1, now, expires }
  const fill = async (adapter: CompleteAdapter) => {
    await adapter.createUser(user)
    await adapter.linkAccount({ ...key, userId: 'ada', type: 'oauth' })
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires })
    await adapter.createVerificationToken(token)
    expect(await adapter[atomic].countAttempt(attempt)).toBe(true)
    expect(await adapter[atomic].acquireLease({ name: 'l', now, expires })).not.toBeNull()
  }
  await fill(one)
  expect(await other.getUser('ada')).toBeNull()
  expect(await other.getUserByEmail(user.email)).toBeNull()
  expect(await other.getUserByAccount(key)).toBeNull()
  expect(await other.getSessionAndUser('s')).toBeNull()
  expect(await other.useVerificationToken(token)).toBeNull()
  await fill(other)
  await other[atomic].cleanup({ now: expires, batch: 10 })
  await other.deleteUser('ada')
  expect(await one.getUserByAccount(key)).toMatchObject(user)
  expect(await one.getSessionAndUser('s')).not.toBeNull()
  expect(await one.useVerificationToken(token)).toEqual(token)
  expect(await one[atomic].countAttempt(attempt)).toBe(false)
}
