import * as v from 'valibot'
import { type Answer, type Call, noticeIn, Problem } from '../../../entries/plugin.ts'
import { readAddress } from '../../../entries/plugin-accounts.ts'
import {
  beginChange,
  finishChange,
  hasOpenUndo,
  isCodeOf,
  isTokenOf,
  openChange,
} from '../flows/change-address.ts'
import type { Own } from '../own.ts'
import { addressesPage, confirmPage, DONE } from '../pages/addresses.ts'
import type { AddressChange } from '../records/addresses.ts'
import type { Fault } from '../refusals.ts'
import { type Caller, callerOf, needSensitive } from './caller.ts'
import { token, typed } from './fields.ts'
import { deadLink, HIDDEN, keepLink } from './links-of-mails.ts'
import { partsOf } from './parts.ts'

interface Change {
  readonly email?: string | undefined
}

interface Proof {
  readonly token?: string | undefined
  readonly code?: string | undefined
}

export const changeInput: v.GenericSchema<Change> = v.strictObject({ email: v.optional(typed) })

export const linkInput: v.GenericSchema<Pick<Proof, 'token'>> = v.strictObject({ token })

export const proofInput: v.GenericSchema<Proof> = v.strictObject({
  token,
  code: v.optional(typed),
})

const PAGE = 'account/addresses'

/** `GET account/addresses` */
export async function show(call: Call, own: Own): Promise<Answer> {
  const { user } = await callerOf(call, own)
  const change = await openChange(user, own)
  const unproved = own.host.plugins.unproved()
  const isUnproved = unproved?.page !== undefined && (await unproved.has(user.id))
  const prove = isUnproved ? unproved.page : undefined
  return {
    page: addressesPage(
      { email: user.email ?? undefined, to: change?.to, done: noticeIn(call, DONE), prove },
      await partsOf(call, own),
      own.host.site.mailbox(call.request),
    ),
  }
}

/** `POST account/change-address`: the same for every address. */
export async function change(call: Call<Change>, own: Own): Promise<Answer> {
  const { host, settings } = own
  const { request, input } = call
  const caller = await callerOf(call, own)
  const { user, sid } = caller
  if (!settings.changeAddress) throw new Problem('forbidden', '`changeAddress` is false')
  await needSensitive(caller, PAGE, own, {}, settings.fresh.address)
  const to = readAddress(input.email ?? '')
  const isSame = to !== undefined && to.toLowerCase() === user.email?.toLowerCase()
  if (to === undefined || isSame) {
    const code = isSame ? 'unchanged' : input.email ? 'invalid_address' : 'required'
    throw await refusal('invalid_input', [{ field: 'email', code }], call, caller, own)
  }
  if (await host.attempts.isDisposable(to)) {
    const errors = [{ field: 'email', code: 'not_accepted' }] as const
    throw await refusal('address_not_accepted', errors, call, caller, own)
  }
  await host.attempts.count('account.change-address', {
    request,
    userId: user.id,
    sid,
    identifier: to,
  })
  if (await hasOpenUndo(user.id, own))
    throw new Problem('undo_open', 'the last change of the address can still be undone')
  await beginChange(caller, to, request, own)
  return { status: 202, json: { status: 'mail_sent' }, to: host.site.path(PAGE) }
}

/** `POST account/cancel-address`: ends the change that is under way. */
export async function cancel(call: Call, own: Own): Promise<Answer> {
  const { user } = await callerOf(call, own)
  await own.changes.delete(user.id)
  return { json: { status: 'kept' }, to: own.host.site.path(PAGE), notice: { id: 'kept' } }
}

/** `GET account/confirm-address`: keeps the token of the link in the browser, and asks. */
export async function showConfirm(call: Call<Pick<Proof, 'token'>>, own: Own): Promise<Answer> {
  const kept = await keepLink(call, 'confirm', own)
  if (kept) return kept
  const { site } = own.host
  if (!call.current)
    return { to: site.path('signin', { callbackUrl: site.path('account/confirm-address') }) }
  const { user } = await callerOf(call, own)
  const parts = await partsOf(call, own)
  const { token: linked = '' } = (await own.cookies.confirm.newest(call.request)) ?? {}
  const open = await openChange(user, own)
  if (!open || !(await isTokenOf(open, user.id, linked, own))) return deadLink(parts)
  return { page: confirmPage(open.to, parts), headers: HIDDEN }
}

/** `POST account/confirm-address` */
export async function confirm(call: Call<Proof>, own: Own): Promise<Answer> {
  const { host, cookies } = own
  const { request, input } = call
  const caller = await callerOf(call, own)
  const { user, sid } = caller
  await host.attempts.count('address.confirm', { request, userId: user.id, identifier: user.id })
  const open = await openChange(user, own)
  // Other changes and other accounts have no further guesses at codes of the same address.
  if (open && input.code !== undefined)
    await host.attempts.count('address.confirm-code', { request, identifier: open.to })
  const linked =
    input.token ??
    (input.code === undefined ? (await cookies.confirm.newest(request))?.token : undefined)
  const isProved = open && (await isProof(open, { code: input.code, token: linked }, caller, own))
  if (!isProved) {
    if (input.code === undefined)
      throw new Problem('invalid_code', 'the link was used or replaced', {
        page: deadLink(await partsOf(call, own)).page,
      })
    throw await refusal('invalid_code', [{ field: 'code', code: 'wrong_code' }], call, caller, own)
  }
  // Another browser may be one in which somebody else has found a session.
  if (sid !== open.sid)
    await needSensitive(caller, 'account/confirm-address', own, {}, own.settings.fresh.address)
  const changed = await finishChange(caller, open, request, own)
  return {
    json: { status: 'changed', email: changed.email ?? '' },
    to: host.site.path(PAGE),
    notice: { id: 'changed' },
    cookies: [
      ...((await host.sessions.describe(request, changed)) ?? []),
      ...(await cookies.confirm.end(request)),
    ],
  }
}

async function isProof(
  change: AddressChange,
  { code, token: linked }: Proof,
  { user }: Caller,
  own: Own,
): Promise<boolean> {
  if (code !== undefined) return isCodeOf(user.id, code, own)
  return linked !== undefined && isTokenOf(change, user.id, linked, own)
}

async function refusal(
  code: string,
  errors: readonly Fault[],
  call: Call<Change & Proof>,
  { user }: Caller,
  own: Own,
): Promise<Problem> {
  const open = await openChange(user, own)
  const page = addressesPage(
    {
      email: user.email ?? undefined,
      to: code === 'invalid_code' ? open?.to : undefined,
      form: { typed: { email: call.input.email }, faults: errors },
    },
    await partsOf(call, own),
    own.host.site.mailbox(call.request),
  )
  return new Problem(code, undefined, { errors, page })
}
