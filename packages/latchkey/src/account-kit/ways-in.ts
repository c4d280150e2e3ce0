import type { AdapterAccount } from '../model/account.ts'
import type { Host } from '../plugin/host.ts'
import { Problem } from '../plugin/problem.ts'
import { hasPassword } from './clean-hands.ts'
import { type AccountProfile, profilesOf } from './profile.ts'

/** A way into an account. */
export type WayIn =
  | { readonly kind: 'password' | 'address' }
  | { readonly kind: 'passkey' | 'provider'; readonly account: AdapterAccount }

/**
 * Returns the ways into an account that work in this configuration: a password, passkeys, accounts of providers, and a proven
 * address to which links or codes are mailed. Codes of an app and recovery codes are none: they are only second factors.
 */
export async function waysIn(userId: string, host: Host): Promise<readonly WayIn[]> {
  const { store, providers } = host
  const { providers: configured, forms } = providers.waysIn()
  const user = await store?.getUser(userId)
  if (!user) return []
  const found: WayIn[] = []
  const takesPasswords = forms.some(({ plugin }) => plugin === 'passwords')
  if (takesPasswords && (await hasPassword(userId, host))) found.push({ kind: 'password' })
  for (const account of await linkedAccounts(userId, host)) {
    if (!configured.has(account.provider)) continue
    found.push({ kind: account.type === 'webauthn' ? 'passkey' : 'provider', account })
  }
  const mails =
    [...configured.values()].includes('email') ||
    forms.some((form) => 'codeAction' in form || form.forgot !== undefined)
  if (user.emailVerified && mails) found.push({ kind: 'address' })
  return found
}

/** Returns the stored accounts of a user, those of passkeys only with their keys. */
export async function linkedAccounts(
  userId: string,
  { store, providers }: Pick<Host, 'store' | 'providers'>,
): Promise<readonly AdapterAccount[]> {
  const accounts = (await store?.atomic.listAccountsByUserId?.(userId)) ?? []
  const hasPasskeys = [...providers.waysIn().providers.values()].includes('webauthn')
  const keys = hasPasskeys ? ((await store?.listAuthenticatorsByUserId(userId)) ?? []) : []
  const ids = new Set(keys.map(({ credentialID }) => credentialID))
  return accounts.filter(
    ({ type, providerAccountId }) => type !== 'webauthn' || ids.has(providerAccountId),
  )
}

/** The name of a way into an account, in the profile of its user. */
export function nameOfWay(way: Pick<WayIn, 'kind'> & { account?: Named }): string {
  return way.account ? `account:${way.account.provider}:${way.account.providerAccountId}` : way.kind
}

type Named = Pick<AdapterAccount, 'provider' | 'providerAccountId'>

/** Milliseconds for which a way that is being removed does not count, if nobody says that the removal ended. */
const HELD = 60_000

/**
 * Removes a way into an account, unless it is the last one.
 *
 * The profile of the user says which ways are being removed, and is only changed by who has read its latest version. So of
 * two removals at once, in whatever processes, the second one does not count the way of the first one.
 *
 * @param name of {@link nameOfWay}.
 * @throws {Problem} `last_way_in` if no other way would be left.
 */
export async function removeWayIn<Result>(
  userId: string,
  name: string,
  host: Host,
  remove: () => Promise<Result>,
): Promise<Result> {
  const profiles = profilesOf(host)
  let until = 0
  await profiles.upsert(userId, async (data = {}) => {
    const now = host.ports.now()
    until = now + HELD
    const held = heldOf(data, now)
    const others = (await waysIn(userId, host)).map(nameOfWay).filter((way) => way !== name)
    if (!others.some((way) => held[way] === undefined))
      throw new Problem('last_way_in', 'no other way into the account would be left')
    return { data: { ...data, removing: { ...held, [name]: until } }, userId }
  })
  // Who was paused for so long may find that the way is counted again.
  if (host.ports.now() > until - HELD / 2)
    throw new Problem('conflict', 'the removal took too long')
  try {
    const result = await remove()
    await letGo()
    return result
  } catch (error) {
    // A store that failed may still do it later.
    if (error instanceof Problem) await letGo()
    throw error
  }

  async function letGo(): Promise<void> {
    await profiles.update(userId, (data) => {
      const { [name]: _, ...removing } = heldOf(data, host.ports.now())
      return { data: { ...data, removing } }
    })
  }
}

function heldOf({ removing = {} }: AccountProfile, now: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(removing).filter(([, end]) => end > now))
}
