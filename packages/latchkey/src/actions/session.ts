import { type JsonOutcome, json } from '../outcome.ts'
import type { SessionReading } from '../session/strategy.ts'
import type { ReadAction } from './action.ts'

/** `GET session`: the session, or `null`. */
export const readSession: ReadAction = async (request, plan) =>
  answer(await plan.session.read(request))

/** `POST session`: the session after the application took over what the client sent in `data`. */
export const updateSession: ReadAction = async (request, plan) =>
  answer(await plan.session.read(request, { update: { data: request.form['data'] } }))

/** A session that could not be read is not one that has ended, and operators must see it. */
function answer({ session, cookies, failed }: SessionReading): JsonOutcome {
  return failed ? { ...json(session, cookies), status: 500 } : json(session, cookies)
}
