import {
  type AdapterUser,
  type Budget,
  Problem,
  type SiteRequest,
  toError,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { UnprovedUser } from '../records/unproved.ts'
import { type Drawn, drawProof, mailProof, PAUSE } from './proof-mail.ts'

/** Milliseconds after which a proof that was begun and not stored has failed. */
const STORED_WITHIN: number = 60 * 60_000
/** How often a handler of the event may refuse a deletion. */
const MOST_REFUSED = 10

/** Returns whether a user was let in before the address is proved, and nobody has proved it yet. */
export async function isUnproved(userId: string, { host, unproved }: Own): Promise<boolean> {
  if (!(await unproved.get(userId))) return false
  const user = await host.store?.getUser(userId)
  return user !== null && user !== undefined && !user.emailVerified
}

/**
 * Notes that the address of a user is stored as proved now. From then on the user is not deleted.
 *
 * @throws {Problem} `conflict` if the deletion has begun.
 */
export async function beginProof(userId: string, { host, unproved }: Own): Promise<void> {
  const since = host.ports.now()
  const begun = await unproved.update(userId, (data) =>
    data.state === 'deleting' ? undefined : { data: { ...data, state: 'proving', since } },
  )
  if (begun && !begun.isChanged)
    throw new Problem('conflict', 'the user is being deleted, because nobody proved the address')
}

/**
 * Replaces the code and the link of the user who signed up in a browser.
 *
 * @returns whether the user of the address signed up there, and has not proved it.
 */
export async function renewProof(
  email: string,
  flow: string,
  { stored }: Drawn,
  { host, unproved }: Own,
): Promise<boolean> {
  const user = await host.store?.getUserByEmail(email)
  if (!user || user.emailVerified) return false
  const sentAt = host.ports.now()
  const renewed = await unproved.update(user.id, (data) =>
    data.flow === flow ? { data: { ...data, ...stored, tries: 0, sentAt } } : undefined,
  )
  return renewed?.isChanged === true
}

/** Mails a new code and link to a user. Those of the mail before end. @throws {Problem} `mail_unavailable` */
export async function mailAgain(
  { id, email }: Pick<AdapterUser, 'id' | 'email'>,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, unproved } = own
  const record = await unproved.get(id)
  if (!record || !email) return
  const drawn = await drawProof(email, record.data.flow, own)
  const now = host.ports.now()
  const sent = await unproved.update(record, (data) =>
    now - data.sentAt < PAUSE
      ? undefined
      : { data: { ...data, ...drawn.stored, tries: 0, sentAt: now } },
  )
  if (!sent?.isChanged) return
  try {
    await mailProof(email, 'let-in', drawn, request, own)
  } catch (error) {
    // A failure is no reason to wait.
    await unproved.update(id, (data) => ({ data: { ...data, sentAt: 0 } }))
    throw error
  }
}

/** Deletes the users who did not prove their address in time, and forgets who did. */
export async function deleteUnproved(budget: Budget, own: Own): Promise<void> {
  const { host, unproved } = own
  for await (const { key, data } of unproved.each()) {
    if (budget.isOver()) return
    const now = host.ports.now()
    if (!isLate(data, now) && !isDue(data, now, own)) continue
    try {
      await deleteIfDue(key, own)
    } catch (error) {
      host.logger.error(toError(error))
    }
  }
}

/** Returns whether a proof should have been stored by now. */
const isLate = ({ state, since }: UnprovedUser, now: number): boolean =>
  state === 'proving' && now - since >= STORED_WITHIN

function isDue(data: UnprovedUser, now: number, { settings }: Own): boolean {
  const { unprovedLifetime: lifetime } = settings
  if (data.state === 'deleting') return true
  if (lifetime === false || now - data.at < lifetime * 1000) return false
  return data.state === 'waiting' || isLate(data, now)
}

async function deleteIfDue(userId: string, own: Own): Promise<void> {
  const { host, unproved } = own
  const isProvedOrGone = async (): Promise<boolean> => {
    const user = await host.store?.getUser(userId)
    return !user || Boolean(user.emailVerified)
  }
  if (await isProvedOrGone()) {
    await unproved.delete(userId)
    return
  }
  const now = host.ports.now()
  // A proof at this moment changes the same record: one of both fails.
  const begun = await unproved.update(userId, (data) =>
    isDue(data, now, own) ? { data: { ...data, state: 'deleting', since: now } } : undefined,
  )
  if (!begun?.isChanged) return
  // It may have been stored before that.
  if (await isProvedOrGone()) {
    await unproved.delete(userId)
    return
  }
  const { refused } = begun.record.data
  try {
    await host.users.delete(userId, { reason: 'unproved', isLastTry: refused >= MOST_REFUSED })
  } catch (error) {
    await unproved.update(userId, (data) => ({ data: { ...data, refused: refused + 1 } }))
    throw error
  }
  await unproved.delete(userId)
  await tellSecurity(host, {
    type: 'user.deleted',
    outcome: 'success',
    reason: 'unproved',
    userId,
  })
}
