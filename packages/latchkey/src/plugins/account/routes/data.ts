import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type AnswerPage,
  type Call,
  isCrossSite,
  Problem,
  toError,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import { hasOpenUndo } from '../flows/change-address.ts'
import { askByMail, openDeletion, useDeletionLink } from '../flows/confirm-deletion.ts'
import { deleteNow, deletionOf, keepAccount, planDeletion } from '../flows/delete-account.ts'
import { exportOf } from '../flows/export.ts'
import type { Own } from '../own.ts'
import {
  confirmDeletionPage,
  dataPage,
  deletedPage,
  deletePage,
  deletionMailedPage,
  keepPage,
} from '../pages/data.ts'
import type { Form } from '../pages/parts.ts'
import { type Caller, callerOf, needSensitive } from './caller.ts'
import { token as tokenField, typed } from './fields.ts'
import { deadLink, HIDDEN, keepLink } from './links-of-mails.ts'
import { partsOf } from './parts.ts'
import { deadProblem, linked } from './undo.ts'

interface Confirmed {
  readonly confirm?: string | undefined
}

interface Link {
  readonly token?: string | undefined
}

export const linkInput: v.GenericSchema<Link> = v.strictObject({ token: tokenField })

export const confirmInput: v.GenericSchema<Confirmed> = v.strictObject({
  confirm: v.optional(typed),
})

const DELETE = 'account/delete'

/** `GET account/data` */
export async function show(call: Call, own: Own): Promise<Answer> {
  await callerOf(call, own)
  return { page: dataPage(await partsOf(call, own)) }
}

/** `GET account/export`: the file. Browsers cannot make others read it. */
export async function download(call: Call, own: Own): Promise<Answer> {
  const { host, settings } = own
  const { request } = call
  const caller = await callerOf(call, own)
  const { user, sid } = caller
  if (settings.export === false) throw new Problem('not_found', '`export` is false')
  // Otherwise links of other sites would use up the downloads of the day.
  if (isCrossSite(request.original.headers, request.origin))
    throw new Problem('csrf', 'a page of another site began the download')
  await needSensitive(caller, 'account/data', own)
  await host.attempts.count('account.export', { request, userId: user.id, sid })
  await tellSecurity(host, { type: 'account.exported', outcome: 'success', userId: user.id, sid })
  const { texts } = await partsOf(call, own)
  return {
    bytes: exportOf(user, texts, own),
    headers: {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="account.json"',
      'x-content-type-options': 'nosniff',
    },
  }
}

/** `GET account/delete`: asks. */
export async function showDelete(call: Call, own: Own): Promise<Answer> {
  const caller = await callerOf(call, own)
  needDeletion(own)
  // Checked before the question, so that nobody has to prove their identity after it.
  await needSensitive(caller, DELETE, own)
  return { page: await question(call, caller, { typed: {}, faults: [] }, own) }
}

/** `POST account/delete` */
export async function remove(call: Call<Confirmed>, own: Own): Promise<Answer> {
  const { host } = own
  const { request, input } = call
  const caller = await callerOf(call, own)
  const { user, sid } = caller
  const { grace, confirm } = needDeletion(own)
  await needSensitive(caller, DELETE, own)
  if (input.confirm?.trim().toLowerCase() !== (await wordOf(caller, own)).toLowerCase()) {
    const errors = [
      { field: 'confirm', code: input.confirm ? 'wrong_confirm' : 'required' },
    ] as const
    throw new Problem('invalid_input', 'the confirmation is wrong', {
      errors,
      page: await question(call, caller, { typed: {}, faults: errors }, own),
    })
  }
  await host.attempts.count('account.delete', { request, userId: user.id, sid })
  if (await hasOpenUndo(user.id, own))
    throw new Problem('undo_open', 'the last change of the address can still be undone')
  const { id, email, emailVerified } = user
  if (confirm === 'mail' && email && emailVerified) {
    await askByMail({ id, email }, request, own)
    const page = deletionMailedPage(email, await partsOf(call, own))
    return { status: 202, json: { status: 'mail_sent' }, page }
  }
  return begin(user, grace, call, own)
}

/** Plans a deletion, or deletes the user. The session in this browser ends. */
async function begin(
  user: AdapterUser,
  grace: number,
  call: Call<unknown>,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { request } = call
  const at = await planDeletion(user, grace, request, own)
  const isDeleted = grace === 0 && (await deleteAtOnce(user.id, own))
  const cookies = host.sessions.forget(request)
  const page = deletedPage(isDeleted ? undefined : at, await partsOf(call, own))
  return isDeleted
    ? { status: 204, page, cookies }
    : { status: 202, json: { deletedAt: new Date(at).toISOString() }, page, cookies }
}

/** `GET account/confirm-delete`: the link of the mail. It asks, and deletes nothing. */
export async function showConfirm(call: Call<Link>, own: Own): Promise<Answer> {
  const kept = await keepLink(call, 'deletion', own)
  if (kept) return kept
  needDeletion(own)
  const parts = await partsOf(call, own)
  const open = await openDeletion(await linked(call, 'deletion', own), own)
  return open
    ? { page: confirmDeletionPage(open.user.email, parts), headers: HIDDEN }
    : deadLink(parts)
}

/** `POST account/confirm-delete` */
export async function confirmDelete(call: Call<Link>, own: Own): Promise<Answer> {
  const { host, cookies } = own
  const { request } = call
  const { grace } = needDeletion(own)
  const token = await linked(call, 'deletion', own)
  await host.attempts.count('account.undo', { request, identifier: token })
  const open = await openDeletion(token, own)
  if (!open) throw deadProblem(await partsOf(call, own))
  if (await hasOpenUndo(open.user.id, own))
    throw new Problem('undo_open', 'the last change of the address can still be undone')
  const answer = await begin(await useDeletionLink(open, own), grace, call, own)
  const ended = await cookies.deletion.end(request)
  return { ...answer, headers: HIDDEN, cookies: [...(answer.cookies ?? []), ...ended] }
}

/** Returns whether the user is deleted. If a handler of the event refuses it, maintenance tries again. */
async function deleteAtOnce(userId: string, own: Own): Promise<boolean> {
  try {
    return await deleteNow(userId, own)
  } catch (error) {
    own.host.logger.error(toError(error))
    return false
  }
}

/** `GET account/keep`: somebody signs in to an account that is about to be deleted. */
export async function showKeep(call: Call, own: Own): Promise<Answer> {
  const { user } = call.pending ?? {}
  const deletion = await deletionOf(String(user?.id), own)
  const who = user?.email ?? user?.name ?? ''
  return { page: keepPage({ who, deletion }, await partsOf(call, own)) }
}

/** `POST account/keep` */
export async function keep(call: Call, own: Own): Promise<Answer> {
  await keepAccount(String(call.pending?.user.id), own)
  return own.host.sessions.resume(call)
}

async function question(
  call: Call<Confirmed>,
  caller: Caller,
  form: Form,
  own: Own,
): Promise<AnswerPage> {
  return deletePage(await wordOf(caller, own), form, await partsOf(call, own))
}

/** Returns what has to be typed: the address, the user name or the name. */
async function wordOf({ user }: Caller, { host }: Own): Promise<string> {
  return user.email || (await host.userNames()?.nameOf(user.id)) || user.name?.trim() || 'delete'
}

/** @throws {Problem} `not_found` if nobody deletes an account here. */
function needDeletion({ settings }: Own): Exclude<Own['settings']['deletion'], false> {
  if (settings.deletion === false) throw new Problem('not_found', '`deletion` is false')
  return settings.deletion
}
