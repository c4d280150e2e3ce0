import {
  type AdapterUser,
  type AddedWithin,
  type KindRecord,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import {
  endAddressChange,
  endSessions,
  linkedAccounts,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { AddressUndo } from '../records/addresses.ts'
import { linkKey, passkeyKey } from '../records/infos.ts'
import type { SecureLink } from '../records/secure-links.ts'

/** A record that a link of a mail names, and its user. */
export interface Opened<Data> {
  readonly record: KindRecord<Data>
  readonly user: AdapterUser
}

/** Returns the undo of a token; `undefined` if it was used or is too old. */
export async function openUndo(token: string, own: Own): Promise<Opened<AddressUndo> | undefined> {
  return openRecord(await own.host.keys.hashes('address-undo', token), own.undos, own)
}

/** Returns the link "this was not me" of a token; `undefined` if it was used or is too old. */
export async function openSecure(token: string, own: Own): Promise<Opened<SecureLink> | undefined> {
  return openRecord(await own.host.keys.hashes('secure', token), own.secureLinks, own)
}

/** Returns the record of a link, by the hashes of its token, with its user. */
export async function openRecord<Data>(
  keys: readonly string[],
  kind: { get(key: string): Promise<KindRecord<Data> | null> },
  { host }: Own,
): Promise<Opened<Data> | undefined> {
  for (const key of keys) {
    const record = await kind.get(key)
    const user = record?.userId === undefined ? null : await host.store?.getUser(record.userId)
    if (record && user) return { record, user }
  }
  return undefined
}

const used = (): Problem => new Problem('invalid_code', 'the link was used meanwhile')

/**
 * Gives an account back to its former address, and removes what was added since.
 *
 * @throws {Problem} `invalid_code` if another call was faster, `conflict` if another user has proved the address by now.
 */
export async function undoChange(
  { record, user }: Opened<AddressUndo>,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, undos } = own
  const { from, at } = record.data
  const owner = await host.store?.getUserByEmail(from)
  const other = owner && owner.id !== user.id ? owner : undefined
  if (other?.emailVerified) throw new Problem('conflict', 'another user has the former address')
  // Before the time until which additions are removed: a session that is still there could add something after it.
  await endEverywhere(user.id, own)
  const now = host.ports.now()
  const begun = await undos.update(record.key, (data) =>
    data.begunAt === undefined ? { data: { ...data, begunAt: now } } : undefined,
  )
  if (!begun) throw used()
  // First, so that nobody changes the address again while this one is put back.
  await endAddressChange(user.id, host)
  const emailVerified = new Date(now)
  if (other) await release(other, own)
  if (user.email !== from) {
    await host.store?.updateUser({ id: user.id, email: from, emailVerified })
    await host.tell('updateUser', { user: { ...user, email: from } })
  }
  await removeAdded(user.id, { after: at, until: begun.record.data.begunAt ?? now }, own)
  // Again, for sign-ins in the meantime.
  await endEverywhere(user.id, own)
  // Last, so that a call that failed half way can be repeated. Later changes of the same attacker are undone with it.
  if (!(await undos.take(record.key))) throw used()
  for await (const { key } of undos.each(user.id)) await undos.delete(key)
  // Mails to the other address had such links, too. They must not sign the owner out.
  for await (const { key, data } of own.secureLinks.each(user.id))
    if (data.address !== from) await own.secureLinks.delete(key)
  await tellSecurity(host, { type: 'address.change-undone', outcome: 'success', userId: user.id })
  await mailReset(user.id, request, own)
}

/**
 * Takes an address from a user who never proved it: whoever changed the address could keep its owner from the undo with an
 * account at a provider that proves none. As with a proof of the address, the user gets one that cannot exist.
 */
async function release({ id }: Pick<AdapterUser, 'id'>, { host }: Own): Promise<void> {
  const email = `${crypto.randomUUID()}@unproven.invalid`
  const updated = await host.store?.updateUser({ id, email, emailVerified: null })
  await host.tell('updateUser', { user: { ...updated, id, email } })
}

/** Removes the ways into an account, and the second factors, that were added in a time. */
async function removeAdded(userId: string, time: AddedWithin, own: Own): Promise<void> {
  const { host, passkeys, links } = own
  const isWithin = (at = 0): boolean => at > time.after && at <= time.until
  const passwords = host.plugins.passwords()
  if (passwords && isWithin(await passwords.setAt(userId))) await passwords.remove(userId)
  for (const account of await linkedAccounts(userId, host)) {
    const { provider, providerAccountId, type } = account
    const info =
      type === 'webauthn'
        ? (await passkeys.get(await passkeyKey(providerAccountId, own)))?.data.createdAt
        : (await links.get(await linkKey({ provider, providerAccountId }, own)))?.data.linkedAt
    if (isWithin(info)) await host.users.unlink({ provider, providerAccountId })
  }
  await host.plugins.apiKeys()?.endAdded(userId, time)
  // Last, since the passkeys that were removed above may have been second factors.
  await host.plugins.factors()?.removeAdded(userId, time)
}

/** Ends all sessions, and forgets the browsers of a user. */
async function endEverywhere(userId: string, { host }: Own): Promise<void> {
  await endSessions(userId, 'ended-by-user', host)
  await host.attempts.forgetBrowsers(userId)
}

/**
 * Ends all sessions of a user who says that a change was not theirs, undoes the change, and mails a link to choose a password.
 *
 * @throws {Problem} `invalid_code` if another call was faster.
 */
export async function secureAccount(
  { record, user }: Opened<SecureLink>,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, secureLinks } = own
  const { account, apiKey } = record.data
  await endAddressChange(user.id, host)
  if (account) {
    const stored = await host.store?.getAccount(account.providerAccountId, account.provider)
    if (stored?.userId === user.id) await host.users.unlink(account)
  }
  if (apiKey !== undefined) await host.plugins.apiKeys()?.end(user.id, apiKey)
  await endEverywhere(user.id, own)
  if (!(await secureLinks.take(record.key))) throw used()
  await tellSecurity(host, { type: 'account.secured', outcome: 'success', userId: user.id })
  // Never to an address that somebody else may have put in the place of the owner's.
  if (user.email === record.data.address) await mailReset(user.id, request, own)
}

/** Mails a link to choose a password, if the site has passwords. */
async function mailReset(userId: string, request: SiteRequest, { host }: Own): Promise<void> {
  const passwords = host.plugins.passwords()
  if (passwords)
    await host.work.background('password-reset', () => passwords.mailReset(userId, request))
}
