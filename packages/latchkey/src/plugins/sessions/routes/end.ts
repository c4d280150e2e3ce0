import * as v from 'valibot'
import { type Answer, type Call, type Host, Problem, type SafeUrl } from '../../../plugin-kit.ts'
import { isFresh } from '../fresh.ts'
import type { Caller } from '../lister.ts'
import { type Own, PAGE } from '../own.ts'
import type { Done } from '../pages/sessions.ts'
import { needCaller, signInAgain } from './caller.ts'

export const input: v.GenericSchema<{ id: string }> = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)),
})

/** `POST sessions/end` */
export async function end(call: Call<{ id: string }>, own: Own): Promise<Answer> {
  const { host, lister } = own
  const { id } = call.input
  const caller = await needCaller(call.current, own)
  const isOwn = id === caller.sid
  if (!isOwn) await needFresh(caller, own)
  const ended = await (await lister()).end(caller.userId, id, { reason: 'ended-by-user' })
  if (ended === undefined) throw new Problem('not_found', 'the user has no such session')
  const json = { ended: ended ? 1 : 0 }
  if (isOwn) return { json, to: call.callbackUrl, cookies: host.forget(call.request) }
  return { json, to: wayBack(call, host, 'one') }
}

/** `POST sessions/end-others` */
export async function endOthers(call: Call, own: Own): Promise<Answer> {
  const caller = await needCaller(call.current, own)
  await needFresh(caller, own)
  const { endAll } = await own.lister()
  const ended = await endAll(caller.userId, { reason: 'ended-by-user' }, caller.sid)
  return { json: { ended }, to: wayBack(call, own.host, 'others') }
}

/** `POST sessions/end-all`: also the one that asks, so nobody has to prove anything. */
export async function endAll(call: Call, own: Own): Promise<Answer> {
  const { userId } = await needCaller(call.current, own)
  const ended = await (await own.lister()).endAll(userId, { reason: 'ended-by-user' })
  return { json: { ended }, to: call.callbackUrl, cookies: own.host.forget(call.request) }
}

/** Where the form says, or to the page of the sessions. */
function wayBack({ request, callbackUrl }: Call<unknown>, host: Host, done: Done): SafeUrl {
  return 'callbackUrl' in request.form ? callbackUrl : host.path(PAGE, { done })
}

/** @throws {Problem} that leads people to the sign-in page. */
async function needFresh({ facts }: Caller, { host, settings }: Own): Promise<void> {
  if (isFresh(await facts.known(), settings.freshAge, host.ports)) return
  throw new Problem('reauthentication_required', 'the last proof is too long ago', {
    next: signInAgain(host),
  })
}
