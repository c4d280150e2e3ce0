import type { AddedWithin } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { NO_FACTORS } from '../records/state.ts'
import { endPending } from './end-others.ts'

/**
 * Removes the second factors of a user that were added within a time, for an owner who gets the account back. Passkeys that
 * were added are removed before.
 *
 * @returns whether there were some.
 */
export async function removeAdded(
  userId: string,
  { after, until }: AddedWithin,
  own: Own,
): Promise<boolean> {
  const { states, totp, recovery, browsers } = own
  const isWithin = (at: number): boolean => at > after && at <= until
  const ids = (await totp.list(userId))
    .filter(({ createdAt }) => isWithin(createdAt.getTime()))
    .map(({ key }) => key)
  const passkeys = (await (await own.passkeys())?.count(userId)) ?? 0
  let hadMails = false
  // What counts goes first.
  await states.upsert(userId, ({ passkeys: useKeys, email, ...before } = NO_FACTORS) => {
    // A damaged record must not become one without factors.
    if (before.isDamaged) return undefined
    hadMails = email !== undefined && isWithin(email)
    const data = {
      ...before,
      ...(useKeys && passkeys > 0 && { passkeys: useKeys }),
      ...(email !== undefined && !hadMails && { email }),
      rev: before.rev + 1,
      totp: before.totp.filter((id) => !ids.includes(id)),
    }
    return { data, userId }
  })
  for (const id of ids) await totp.kind.delete(id)
  await totp.endEnrolments(userId)
  const generation = await recovery.generation(userId)
  const madeAt = await recovery.madeAt(userId)
  const hasCodes = madeAt !== undefined && isWithin(madeAt)
  if (hasCodes) await recovery.end(userId, generation)
  await browsers.forget(userId)
  await endPending(userId, own)
  return ids.length > 0 || hasCodes || hadMails
}
