import * as v from 'valibot'
import {
  type Answer,
  type Call,
  type EndReason,
  type Host,
  Problem,
} from '../../../entries/plugin.ts'
import type { Caller } from '../lister.ts'
import { type Own, PAGE } from '../own.ts'
import type { Done } from '../pages/sessions.ts'
import type { Ending } from '../records/end.ts'
import { type Asked, askedFor } from './administrator.ts'
import { needCaller } from './caller.ts'
import * as fields from './fields.ts'

/** Sessions of another user, for administrators. */
interface Of {
  readonly userId?: string | undefined
  readonly reason?: EndReason | undefined
}

const of = { userId: v.optional(fields.userIdField), reason: v.optional(fields.reasonField) }

export const inputOfOne: v.GenericSchema<Of & { id: string }> = v.strictObject({
  id: fields.idField,
  ...of,
})

export const inputOfAll: v.GenericSchema<Of> = v.strictObject(of)

/** `POST sessions/end` */
export async function end(call: Call<Of & { id: string }>, own: Own): Promise<Answer> {
  const { host, lister } = own
  const { id } = call.input
  const asked = await askedFor(call, 'end', own)
  const isOwn = id === asked.caller.sid && !asked.isOfOther
  if (!isOwn) await needFresh(asked.caller, own)
  const ended = await (await lister()).end(asked.userId, id, endingOf(asked, call.input))
  if (ended === undefined) throw new Problem('not_found', 'the user has no such session')
  const json = { ended: ended ? 1 : 0 }
  if (isOwn) return { json, to: call.callbackUrl, cookies: host.sessions.forget(call.request) }
  return { json, ...wayBack(call, host, 'one') }
}

/** `POST sessions/end-others` */
export async function endOthers(call: Call, own: Own): Promise<Answer> {
  const caller = await needCaller(call, own)
  await needFresh(caller, own)
  const { endAll } = await own.lister()
  const ended = await endAll(caller.userId, { reason: 'ended-by-user' }, caller.sid)
  return { json: { ended }, ...wayBack(call, own.host, 'others') }
}

/** `POST sessions/end-all`: includes the session of the caller, so it needs no recent proof for own sessions. */
export async function endAll(call: Call<Of>, own: Own): Promise<Answer> {
  const asked = await askedFor(call, 'end-all', own)
  if (asked.isOfOther || asked.caller.holder) await needFresh(asked.caller, own)
  const ended = await (await own.lister()).endAll(asked.userId, endingOf(asked, call.input))
  const cookies = asked.isOfOther ? [] : own.host.sessions.forget(call.request)
  return { json: { ended }, to: call.callbackUrl, cookies }
}

/**
 * Returns the reason, and who caused the end.
 *
 * @throws {Problem} `invalid_input` for a reason from a caller who is not an administrator.
 */
function endingOf({ caller, isOfOther }: Asked, { reason }: Of): Ending {
  if (isOfOther) return { reason: reason ?? 'ended-by-administrator', by: caller.userId }
  if (reason === undefined) return { reason: 'ended-by-user' }
  throw new Problem('invalid_input', 'only administrators may set `reason`', {
    errors: [{ field: 'reason', code: 'unknown' }],
  })
}

/** Returns the target of the form, or the page of the sessions. */
function wayBack(
  { request, callbackUrl }: Call<unknown>,
  host: Host,
  id: Done,
): Pick<Answer, 'to' | 'notice'> {
  if ('callbackUrl' in request.form) return { to: callbackUrl }
  return { to: host.site.path(PAGE), notice: { id } }
}

/** @throws {Problem} that redirects users to the sign-in page. */
function needFresh(caller: Caller, { host, settings }: Own): Promise<void> {
  return host.sessions.needFresh(caller, settings.freshAge, host.site.path(PAGE))
}
