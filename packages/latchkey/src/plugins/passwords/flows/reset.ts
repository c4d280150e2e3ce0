import {
  type AdapterUser,
  type KindRecord,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { cleanHands, endSessions, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { mailChanged, mailCleared } from '../mails.ts'
import type { Own } from '../own.ts'
import type { PasswordReset } from '../records/resets.ts'
import { endResets } from './end-resets.ts'

/** A reset that can be done now. */
export interface OpenReset {
  readonly record: KindRecord<PasswordReset>
  readonly user: AdapterUser
}

/**
 * Returns the reset of a token.
 *
 * @returns `undefined` if it was used, is too old, or the password or the address changed since.
 */
export async function openReset(token: string, own: Own): Promise<OpenReset | undefined> {
  const { host, resets, passwords } = own
  for (const key of await host.keys.hashes('password-reset', token)) {
    const record = await resets.get(key)
    if (!record) continue
    const { address, rev } = record.data
    const user = record.userId === undefined ? null : await host.store?.getUser(record.userId)
    const current = user && (await passwords.kind.get(user.id))
    const isSame = user?.email === address && (current?.data.rev ?? 0) === rev
    return user && isSame ? { record, user } : undefined
  }
  return undefined
}

/**
 * Sets the password of a reset. Only one of many parallel calls does it.
 *
 * @throws {Problem} `invalid_code` if another call was faster.
 */
export async function useReset(
  { record, user }: OpenReset,
  phc: string,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, resets, passwords } = own
  const faster = (): Problem => new Problem('invalid_code', 'the link was used meanwhile')
  if (!(await resets.take(record.key))) throw faster()
  const { address } = record.data
  const isUnproved = !user.emailVerified
  const read = await passwords.read(user.id)
  if ((read?.record.data.rev ?? 0) !== record.data.rev) throw faster()
  const cleared = isUnproved ? await cleanHands(user, host) : undefined
  const replaced = cleared ? undefined : read
  if (!(await passwords.write(user.id, replaced, { phc, by: 'reset' }))) throw faster()
  if (isUnproved) {
    const emailVerified = new Date(host.ports.now())
    const proved: AdapterUser = { ...user, emailVerified }
    await host.store?.updateUser({ id: user.id, emailVerified })
    await host.tell('updateUser', { user: proved })
    await tellSecurity(host, { type: 'address.proved', outcome: 'success', userId: user.id })
  }
  await endSessions(user.id, 'password-changed', host)
  await endResets(user.id, own)
  await host.attempts.forgetBrowsers(user.id)
  await host.attempts.strikes('password').clear(user.id)
  await tellSecurity(host, { type: 'password.reset', outcome: 'success', userId: user.id })
  const receiver = { to: address, userId: user.id }
  if (cleared)
    await host.work.background('account-reset', () => mailCleared(receiver, cleared, request, own))
  await host.work.background('password-changed', () => mailChanged(receiver, request, own))
}
