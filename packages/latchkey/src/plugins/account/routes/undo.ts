import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { openSecure, openUndo, secureAccount, undoChange } from '../flows/undo.ts'
import type { Own } from '../own.ts'
import { donePage, securePage, takenPage, undoPage } from '../pages/ends.ts'
import { token } from './fields.ts'
import { deadLink, HIDDEN, keepLink } from './links-of-mails.ts'
import { type PageParts, partsOf } from './parts.ts'

interface Link {
  readonly token?: string | undefined
}

export const input: v.GenericSchema<Link> = v.strictObject({ token })

/** `GET account/undo-address`: asks, and changes nothing. */
export async function showUndo(call: Call<Link>, own: Own): Promise<Answer> {
  const kept = await keepLink(call, 'undo', own)
  if (kept) return kept
  const parts = await partsOf(call, own)
  const open = await openUndo(await linked(call, 'undo', own), own)
  if (!open) return deadLink(parts)
  return {
    page: undoPage(open.record.data, own.host.plugins.passwords() !== undefined, parts),
    headers: HIDDEN,
  }
}

/** `POST account/undo-address` */
export async function undo(call: Call<Link>, own: Own): Promise<Answer> {
  const { host, cookies } = own
  const { request } = call
  const kept = await linked(call, 'undo', own)
  await host.attempts.count('account.undo', { request, identifier: kept })
  const parts = await partsOf(call, own)
  const open = await openUndo(kept, own)
  if (!open) throw deadProblem(parts)
  const { from } = open.record.data
  await undoChange(open, request, own).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'conflict')
      throw new Problem('conflict', error.message, { page: takenPage(parts) })
    throw error
  })
  return {
    json: { status: 'undone' },
    page: donePage('undo', { from, isMailed: host.plugins.passwords() !== undefined }, parts),
    headers: HIDDEN,
    cookies: [...(await cookies.undo.end(request)), ...host.sessions.forget(request)],
  }
}

/** `GET account/secure`: asks, and changes nothing. */
export async function showSecure(call: Call<Link>, own: Own): Promise<Answer> {
  const kept = await keepLink(call, 'secure', own)
  if (kept) return kept
  const parts = await partsOf(call, own)
  const open = await openSecure(await linked(call, 'secure', own), own)
  if (!open) return deadLink(parts)
  const isMailed =
    own.host.plugins.passwords() !== undefined && open.user.email === open.record.data.address
  return { page: securePage(open.record.data, isMailed, parts), headers: HIDDEN }
}

/** `POST account/secure` */
export async function secure(call: Call<Link>, own: Own): Promise<Answer> {
  const { host, cookies } = own
  const { request } = call
  const kept = await linked(call, 'secure', own)
  await host.attempts.count('account.undo', { request, identifier: kept })
  const parts = await partsOf(call, own)
  const open = await openSecure(kept, own)
  if (!open) throw deadProblem(parts)
  await secureAccount(open, request, own)
  const isMailed =
    host.plugins.passwords() !== undefined && open.user.email === open.record.data.address
  return {
    json: { status: 'secured' },
    page: donePage('secure', { isMailed }, parts),
    headers: HIDDEN,
    cookies: [...(await cookies.secure.end(request)), ...host.sessions.forget(request)],
  }
}

export function deadProblem(parts: PageParts): Problem {
  const { page } = deadLink(parts)
  return new Problem('invalid_code', 'the link was used or is too old', { page, headers: HIDDEN })
}

/** Returns the token that was sent, or that of the link that was opened in this browser. */
export async function linked(
  { request, input: { token: sent } }: Pick<Call<Link>, 'request' | 'input'>,
  name: 'undo' | 'secure' | 'deletion',
  { cookies }: Own,
): Promise<string> {
  return sent ?? (await cookies[name].newest(request))?.token ?? ''
}
