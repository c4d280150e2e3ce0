import {
  type AdapterUser,
  type Call,
  equal,
  type KindRecord,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { cleanHands, readCode, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { mailCleared } from '../mails.ts'
import type { Own } from '../own.ts'
import { MOST_TRIES, SIGN_UP_AGE } from '../records/sign-ups.ts'
import type { UnprovedUser } from '../records/unproved.ts'
import { endResets } from './end-resets.ts'

/** A user who was let in before the address is proved, and what was mailed. */
export interface Unproved {
  readonly user: AdapterUser & { readonly email: string }
  readonly record: KindRecord<UnprovedUser>
}

/** Returns the user of an address, if this user has to prove it. */
export async function unprovedAt(email: string, own: Own): Promise<Unproved | undefined> {
  const user = await own.host.store?.getUserByEmail(email)
  return user ? unprovedOf(user, own) : undefined
}

/** Returns the user of a session in this browser, if this user has to prove the address. */
export async function unprovedHere(
  { current }: Pick<Call<unknown>, 'current'>,
  own: Own,
): Promise<Unproved | undefined> {
  if (!current || current.holder !== undefined) return undefined
  const user = await own.host.store?.getUser(String(current.user.id))
  return user ? unprovedOf(user, own) : undefined
}

async function unprovedOf(user: AdapterUser, own: Own): Promise<Unproved | undefined> {
  const { email, emailVerified } = user
  if (!email || emailVerified) return undefined
  const record = await own.unproved.get(user.id)
  return record ? { user: { ...user, email }, record } : undefined
}

/** Returns whether the token is that of the last mail. */
export async function fitsToken(
  { user, record }: Unproved,
  token: string,
  { host }: Own,
): Promise<boolean> {
  const hashes = await host.keys.hashes('sign-up-token', user.email, token)
  return (
    isInTime(record.data, host.ports.now()) && hashes.some((each) => equal(each, record.data.token))
  )
}

/** Returns whether the code is that of the last mail. Each call counts as a guess. */
export async function fitsCode(
  { user, record }: Unproved,
  typed: string,
  { host, unproved }: Own,
): Promise<boolean> {
  const code = readCode(typed) ?? ''
  const { flow } = record.data
  const expected = await host.keys.hashes('sign-up-code', user.email, flow, code)
  // Counted before the comparison, so that parallel guesses gain nothing.
  const counted = await unproved.update(record, (data) =>
    data.tries >= MOST_TRIES ? undefined : { data: { ...data, tries: data.tries + 1 } },
  )
  if (!counted?.isChanged || code === '') return false
  const { data } = counted.record
  return isInTime(data, host.ports.now()) && expected.some((each) => equal(each, data.code))
}

const isInTime = ({ sentAt }: UnprovedUser, now: number): boolean =>
  now - sentAt < SIGN_UP_AGE * 1000

/**
 * Stores that the address is proved, by the session of its user: everything stays.
 *
 * @throws {Problem} `invalid_code` if another call used the mail, `conflict` if the user is being deleted.
 */
export async function proveHere(proven: Unproved, own: Own): Promise<void> {
  await useMail(proven, own)
  await store(proven.user, {}, own)
  await own.unproved.delete(proven.user.id)
}

/**
 * Stores that the address is proved by somebody who is not signed in as its user, and who chose a password. What was in the account
 * before may be of somebody else, and is removed.
 *
 * @returns the user.
 * @throws {Problem} as {@link proveHere} does.
 */
export async function proveElsewhere(
  proven: Unproved,
  { phc, name }: { readonly phc: string; readonly name: string | null | undefined },
  request: SiteRequest,
  own: Own,
): Promise<AdapterUser> {
  const { host, passwords } = own
  const { user } = proven
  await useMail(proven, own)
  const cleared = await cleanHands(user, host)
  if (!(await passwords.write(user.id, undefined, { phc, by: 'reset' })))
    throw new Problem('invalid_code', 'somebody set a password meanwhile')
  // The number of the password begins again, so links for the one before would fit.
  await endResets(user.id, own)
  const proved = await store(user, name === undefined ? {} : { name }, own)
  const receiver = { to: user.email, userId: user.id }
  await host.work.background('account-reset', () => mailCleared(receiver, cleared, request, own))
  return proved
}

/** Uses the last mail up. Only one of many parallel calls does it. */
async function useMail({ user, record }: Unproved, { host, unproved }: Own): Promise<void> {
  const { token } = record.data
  const since = host.ports.now()
  const used = await unproved.update(user.id, (data) =>
    token === '' || data.token !== token || data.state === 'deleting'
      ? undefined
      : { data: { ...data, code: '', token: '', state: 'proving', since } },
  )
  if (!used?.isChanged) throw new Problem('invalid_code', 'the mail was used or replaced meanwhile')
}

async function store(
  user: AdapterUser,
  further: Partial<Pick<AdapterUser, 'name'>>,
  { host }: Own,
): Promise<AdapterUser> {
  const changed = { ...further, emailVerified: new Date(host.ports.now()) }
  await host.store?.updateUser({ id: user.id, ...changed })
  const proved = { ...user, ...changed }
  await host.tell('updateUser', { user: proved })
  await tellSecurity(host, { type: 'address.proved', outcome: 'success', userId: user.id })
  return proved
}
