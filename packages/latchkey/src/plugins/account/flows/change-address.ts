import {
  type AdapterUser,
  encodeBase64url,
  equal,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import {
  allOrNothing,
  drawCode,
  endSessions,
  inLanguageOf,
  readCode,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { mailChanged, mailChanging, mailConfirm, mailTaken, mailWelcome } from '../mails.ts'
import type { Own } from '../own.ts'
import { type AddressChange, CHANGE_AGE } from '../records/addresses.ts'
import type { Caller } from '../routes/caller.ts'

/** Wrong codes after which a change is over. */
const MOST_TRIES = 10

/** Returns whether a change of the address of a user can still be undone. */
export async function hasOpenUndo(userId: string, { undos }: Own): Promise<boolean> {
  return (await undos.some(userId, 10)).length > 0
}

/**
 * Stores a change of address and mails the proof of the new one, after the response. An address that somebody else has gets
 * another mail: the response, its time and the number of mails are the same.
 */
export async function beginChange(
  { user, sid }: Caller,
  to: string,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, changes } = own
  const code = drawCode(host.ports.random)
  const token = encodeBase64url(host.ports.random(32))
  const from = user.email ?? ''
  const data: AddressChange = {
    from,
    to,
    code: await host.keys.hash('address-change-code', user.id, to, code),
    token: await host.keys.hash('address-change', user.id, token),
    tries: 0,
    sid,
  }
  const expires = new Date(host.ports.now() + CHANGE_AGE)
  await changes.upsert(user.id, () => ({ data, userId: user.id, expires }))
  await tellSecurity(host, { type: 'address.change-begun', outcome: 'success', userId: user.id })
  await host.work.afterResponse('address-confirm', async () => {
    if (!(await host.attempts.mayMail(to, request))) return
    if (await isTaken(to, user.id, own)) return mailTaken(to, request, own)
    const url = `${request.origin}${host.site.path('account/confirm-address', { token })}`
    return mailConfirm(
      { to, userId: user.id },
      { code, url },
      await inLanguageOf(user.id, request, host),
      own,
    )
  })
  if (!from || !user.emailVerified) return
  await host.work.afterResponse('address-changing', () =>
    mailChanging({ id: user.id, email: from }, to, request, own),
  )
}

async function isTaken(address: string, userId: string, { host }: Own): Promise<boolean> {
  const owner = await host.store?.getUserByEmail(address)
  return owner !== null && owner !== undefined && owner.id !== userId
}

/** Returns the change that the user has begun; `undefined` if there is none, or the address has changed since. */
export async function openChange(
  user: Pick<AdapterUser, 'id' | 'email'>,
  { changes }: Own,
): Promise<AddressChange | undefined> {
  const data = (await changes.get(user.id))?.data
  return data && data.from === (user.email ?? '') ? data : undefined
}

/** Returns whether a token belongs to the change of a user. */
export async function isTokenOf(
  change: AddressChange,
  userId: string,
  token: string,
  { host }: Own,
): Promise<boolean> {
  const hashes = await host.keys.hashes('address-change', userId, token)
  return hashes.some((hash) => equal(hash, change.token))
}

/** Compares the code of a change, after the attempt was counted. */
export async function isCodeOf(
  userId: string,
  typed: string,
  { host, changes }: Own,
): Promise<boolean> {
  const counted = await changes.update(userId, (data) =>
    data.tries >= MOST_TRIES ? undefined : { data: { ...data, tries: data.tries + 1 } },
  )
  if (!counted?.isChanged) return false
  const { to, code } = counted.record.data
  const digits = readCode(typed)
  if (digits === undefined) return false
  const hashes = await host.keys.hashes('address-change-code', userId, to, digits)
  return hashes.some((hash) => equal(hash, code))
}

/**
 * Changes the address of a user who proved the new one. Only one of many parallel calls does it.
 *
 * @returns the user with the new address.
 * @throws {Problem} `invalid_code` if another call was faster, or somebody has the address by now.
 */
export async function finishChange(
  { user, session }: Caller,
  change: AddressChange,
  request: SiteRequest,
  own: Own,
): Promise<AdapterUser> {
  const { host, changes, settings } = own
  const { store } = host
  const dead = (): Problem => new Problem('invalid_code', 'the change was used or replaced')
  const taken = await changes.take(user.id)
  if (!taken || taken.data.token !== change.token || !store) throw dead()
  const { from, to } = change
  const now = host.ports.now()
  if (await isTaken(to, user.id, own)) {
    await host.work.afterResponse('address-taken', () => mailTaken(to, request, own))
    throw dead()
  }
  // Stored first: an undo of a change that did not happen changes nothing.
  const isProved = from !== '' && user.emailVerified
  const undo = isProved ? encodeBase64url(host.ports.random(32)) : undefined
  const undoKey = undo === undefined ? undefined : await host.keys.hash('address-undo', undo)
  if (undoKey !== undefined) {
    const expires = new Date(now + settings.undo)
    // The session that asked for the change may have added something before the new address was proved.
    const at = Math.max(taken.createdAt.getTime(), now - CHANGE_AGE)
    await own.undos.create({ key: undoKey, userId: user.id, data: { from, to, at }, expires })
  }
  await host.plugins.unproved()?.proving(user.id)
  const emailVerified = new Date(now)
  try {
    await allOrNothing(store, host.logger, async ({ store: inside }) => {
      await inside.updateUser({ id: user.id, email: to, emailVerified })
    })
  } catch (error) {
    // A store that keeps addresses unique refuses it if somebody was faster.
    if (undoKey !== undefined) await own.undos.delete(undoKey)
    if (await isTaken(to, user.id, own)) throw dead()
    throw error
  }
  const changed = { ...user, email: to, emailVerified }
  await endSessions(user.id, 'factor-changed', host, session.facts)
  await host.tell('updateUser', { user: changed })
  await tellSecurity(host, { type: 'user.address-changed', outcome: 'success', userId: user.id })
  if (undo !== undefined) {
    const url = `${request.origin}${host.site.path('account/undo-address', { token: undo })}`
    await host.work.background('address-changed', async () =>
      mailChanged(
        { to: from, userId: user.id },
        { to, url },
        await inLanguageOf(user.id, request, host),
        own,
      ),
    )
  }
  await host.work.background('address-changed', async () =>
    mailWelcome({ to, userId: user.id }, await inLanguageOf(user.id, request, host), own),
  )
  return changed
}
