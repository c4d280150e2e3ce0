import type { AdapterUser } from '../model/user.ts'
import type { Host } from '../plugin/host.ts'
import { recordKind } from '../plugin/record-kind.ts'
import { endAddressChange } from './address-change.ts'
import { endSessions } from './end-sessions.ts'
import { tellSecurity } from './security-event.ts'

/** What was removed from an account whose address nobody had proved. */
export interface Cleared {
  readonly hadPassword: boolean
  readonly passkeys: number
  /** Ids of providers. */
  readonly accounts: readonly string[]
  /** Whether there was a second factor that is no passkey. */
  readonly hadFactors: boolean
  readonly apiKeys: number
}

/**
 * Removes all ways into an account whose address nobody had proved, before the owner of the address gets it. The
 * person who made the account may be somebody else, who would keep a way in.
 */
export async function cleanHands(user: Pick<AdapterUser, 'id'>, host: Host): Promise<Cleared> {
  const { store, plugins } = host
  const unproved = plugins.unproved()
  await unproved?.proving(user.id)
  const isLetIn = await unproved?.has(user.id)
  const hadPassword = await passwordsOf(host).delete(user.id)
  const accounts = (await store?.atomic.listAccountsByUserId?.(user.id)) ?? []
  // With the account of a passkey, its key is gone, too.
  for (const account of accounts) await host.users.unlink(account)
  const ever = { after: 0, until: host.ports.now() }
  const hadFactors = (await plugins.factors()?.removeAdded(user.id, ever)) ?? false
  const apiKeys = (await plugins.apiKeys()?.endAdded(user.id, ever)) ?? 0
  await endAddressChange(user.id, host)
  await host.attempts.forgetBrowsers(user.id)
  await endSessions(user.id, 'account-unlinked', host)
  // Plugins remove what is theirs. If one fails, the next proof must find the account as it was.
  await tellSecurity(host, {
    type: 'account.reset',
    outcome: 'success',
    userId: user.id,
    ...(isLetIn && { reason: 'unproved' }),
  })
  await unproved?.forget(user.id)
  const others = accounts.filter(({ type }) => type !== 'webauthn')
  return {
    hadPassword,
    passkeys: accounts.length - others.length,
    accounts: [...new Set(others.map(({ provider }) => provider))],
    hadFactors,
    apiKeys,
  }
}

/** Returns whether a user has a password of the plugin `passwords`. */
export async function hasPassword(userId: string, host: Host): Promise<boolean> {
  return (await passwordsOf(host).get(userId)) !== null
}

/** The records of the plugin `passwords`, whatever they contain. */
const passwordsOf = (host: Host) => recordKind<object>(host, 'password', { shape: (data) => data })
