import { expect } from 'vitest'
import type { Adapter } from '../../../../packages/latchkey/src/model/adapter.ts'

const expires = new Date('2030-01-02T03:04:05.000Z')
const verified = new Date('2029-05-06T07:08:09.000Z')
const account = {
  type: 'oidc' as const,
  provider: 'acme',
  providerAccountId: 'subject',
  access_token: 'token',
  expires_at: 2_000_000_000,
  scope: 'openid',
}

/**
 * Writes one of everything.
 *
 * @param peer of another adapter for the same tables; what it knows nothing of is left out.
 * @returns the id of the user.
 */
export async function write(adapter: Adapter, peer: Adapter = adapter): Promise<string> {
  const user = await adapter.createUser?.({
    id: 'd5a1f6d2-8a39-4c6c-9d5b-6d3d29e2b1aa',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: verified,
  })
  const userId = String(user?.id)
  await adapter.linkAccount?.({ ...account, userId })
  await adapter.createSession?.({ sessionToken: 'session', userId, expires })
  const identifier = 'ada@example.com'
  await adapter.createVerificationToken?.({ identifier, token: 'token', expires })
  if (!peer.createAuthenticator) return userId
  await adapter.createAuthenticator?.({
    credentialID: 'credential',
    userId,
    providerAccountId: 'credential',
    credentialPublicKey: 'key',
    counter: 3,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'usb',
  })
  return userId
}

/** Reads all that {@link write} has written, and takes it away. */
export async function expectWritten(
  adapter: Adapter,
  id: string,
  peer: Adapter = adapter,
): Promise<void> {
  const user = { name: 'Ada', email: 'ada@example.com', emailVerified: verified, image: null }
  const { provider, providerAccountId } = account
  const accountKey = { provider, providerAccountId }
  const found = await adapter.getUser?.(id)
  expect(found).toMatchObject(user)
  expect(String(found?.id)).toBe(id)
  expect(await adapter.getUserByEmail?.('ada@example.com')).toMatchObject(user)
  expect(await adapter.getUserByAccount?.(accountKey)).toMatchObject(user)
  if (peer.getAccount) {
    expect(await adapter.getAccount?.('subject', 'acme')).toMatchObject({ ...account, userId: id })
  }
  const session = await adapter.getSessionAndUser?.('session')
  expect(session).toMatchObject({ session: { sessionToken: 'session', expires }, user })
  expect(String(session?.session.userId)).toBe(id)
  const key = { identifier: 'ada@example.com', token: 'token' }
  expect(await adapter.useVerificationToken?.(key)).toMatchObject({ ...key, expires })
  expect(await adapter.useVerificationToken?.(key)).toBeNull()
  if (peer.createAuthenticator) {
    expect(await adapter.getAuthenticator?.('credential')).toMatchObject({
      userId: id,
      counter: 3,
      credentialBackedUp: true,
    })
    expect(await adapter.listAuthenticatorsByUserId?.(id)).toHaveLength(1)
  }
  await adapter.deleteUser?.(id)
  expect(await adapter.getSessionAndUser?.('session')).toBeNull()
  expect(await adapter.getUserByAccount?.(accountKey)).toBeNull()
}
