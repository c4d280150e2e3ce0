import {
  type AdapterUser,
  type Budget,
  type Call,
  Problem,
  type SiteRequest,
  toError,
} from '../../../entries/plugin.ts'
import { endSessions, sendMail, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { mailPlanned } from '../mails.ts'
import type { Own } from '../own.ts'
import type { PlannedDeletion } from '../records/deletions.ts'
import type { AccountKey } from '../texts.ts'

const HOUR: number = 60 * 60_000
const DAY: number = 24 * HOUR
/** How often a handler of the event may postpone a deletion. */
const MOST_TRIES = 10
/** Milliseconds after its end for which a deletion is kept, so that it is found by maintenance that runs seldom. */
const KEPT: number = 30 * DAY

/**
 * Plans the deletion of a user. From then on nobody gets a session of the user before the account was kept.
 *
 * @returns when the user is deleted, in milliseconds since the epoch.
 */
export async function planDeletion(
  user: AdapterUser,
  grace: number,
  request: SiteRequest,
  own: Own,
): Promise<number> {
  const { host, deletions } = own
  const at = host.ports.now() + grace
  const data: PlannedDeletion = {
    at,
    state: 'planned',
    tries: 0,
    origin: request.origin,
    languages: (request.original.headers.get('accept-language') ?? '').slice(0, 200),
  }
  const expires = new Date(at + KEPT)
  const isPlanned = await deletions.upsert(user.id, (before) =>
    before && before.state !== 'kept' ? undefined : { data, userId: user.id, expires },
  )
  if (!isPlanned) throw new Problem('conflict', 'the deletion is planned already')
  // Afterwards, so that a sign-in that is under way ends without a session.
  await endSessions(user.id, 'user-disabled', host)
  // While nobody can sign in, programs have no access either. A user who keeps the account creates new keys.
  await host.plugins.apiKeys()?.endAdded(user.id, { after: 0, until: host.ports.now() })
  await host.attempts.forgetBrowsers(user.id)
  await tellSecurity(host, {
    type: 'account.deletion-planned',
    outcome: 'success',
    userId: user.id,
  })
  const { id, email, emailVerified } = user
  if (email && emailVerified && grace > 0)
    await host.work.background('deletion-planned', () =>
      mailPlanned({ id, email }, at, request, own),
    )
  return at
}

/** Returns the deletion of a user that was planned or has begun. */
export async function deletionOf(
  userId: string,
  { deletions }: Pick<Own, 'deletions'>,
): Promise<PlannedDeletion | undefined> {
  const data = (await deletions.get(userId))?.data
  return data?.state === 'kept' ? undefined : data
}

/**
 * Calls the deletion of a user off.
 *
 * @throws {Problem} `not_found` if none is planned, or it has begun.
 */
export async function keepAccount(userId: string, { host, deletions }: Own): Promise<void> {
  const kept = await deletions.update(userId, (data) =>
    data.state === 'planned' ? { data: { ...data, state: 'kept' } } : undefined,
  )
  if (!kept?.isChanged) throw new Problem('not_found', 'no deletion can be called off')
  await deletions.delete(userId)
  await tellSecurity(host, { type: 'account.deletion-stopped', outcome: 'success', userId })
}

/** Deletes the users whose time is over. */
export async function deleteDue(budget: Budget, own: Own): Promise<void> {
  for await (const { key, data } of own.deletions.each()) {
    if (budget.isOver()) return
    if (data.state === 'kept' || data.at > own.host.ports.now()) continue
    try {
      await deleteNow(key, own)
    } catch (error) {
      own.host.logger.error(toError(error))
    }
  }
}

/**
 * Deletes a user whose deletion is due. Only one process does it at a time; one that stopped in between is followed by another.
 *
 * @returns whether this call deleted the user.
 * @throws the error of a handler of the event `deleteUser`, which postpones the deletion.
 */
export async function deleteNow(userId: string, own: Own): Promise<boolean> {
  const { host, deletions } = own
  const held = await host.work.lease(`delete:${userId}`, 2 * 60_000)
  if (!held) return false
  try {
    const now = host.ports.now()
    // Whoever keeps the account in this moment changes the same record: one of both fails.
    const begun = await deletions.update(userId, (data) =>
      data.state === 'kept' || data.at > now ? undefined : { data: { ...data, state: 'begun' } },
    )
    if (!begun?.isChanged) return false
    const { data } = begun.record
    const user = await host.store?.getUser(userId)
    const isLastTry = data.tries >= MOST_TRIES
    if (user)
      await host.users
        .delete(userId, { reason: 'user', isLastTry })
        .catch(postpone(userId, data, own))
    await deletions.delete(userId)
    await tellSecurity(host, { type: 'user.deleted', outcome: 'success', userId })
    if (user?.email && user.emailVerified && data.origin !== '')
      await mailDeleted({ to: user.email, userId }, data, own)
    return true
  } finally {
    await held.release()
  }
}

/** Puts a deletion off by an hour. Until then the account cannot be kept, since half of it may be deleted. */
function postpone(userId: string, { tries }: PlannedDeletion, { host, deletions }: Own) {
  return async (error: unknown): Promise<never> => {
    const at = host.ports.now() + HOUR
    await deletions.update(userId, (data) => ({
      data: { ...data, at, tries: tries + 1 },
      expires: new Date(at + KEPT),
    }))
    throw error
  }
}

/** Says that an account was deleted. There is no request any more: that of the plan has its site and languages. */
async function mailDeleted(
  { to, userId }: { readonly to: string; readonly userId: string },
  { origin, languages }: PlannedDeletion,
  { host }: Own,
): Promise<void> {
  const headers = new Headers({ 'accept-language': languages })
  const request: Call['request'] = {
    method: 'POST',
    origin,
    base: origin + host.site.basePath,
    secure: origin.startsWith('https:'),
    query: new URLSearchParams(),
    cookies: { get: () => undefined, names: () => [] },
    form: {},
    original: new Request(origin, { headers }),
  }
  await host.work.background('deleted', () =>
    sendMail<AccountKey>(
      { to, userId, kind: 'deleted', values: {} },
      request,
      host,
      ({ text, name }) => ({
        subject: text('account:mail.deleted.subject', { name }),
        title: text('account:mail.deleted.title'),
        body: [text('account:mail.deleted.body')],
      }),
    ),
  )
}
