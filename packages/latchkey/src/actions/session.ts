import { isJsonObject } from '../encoding/json.ts'
import { type JsonOutcome, json } from '../outcome.ts'
import type { SessionPlan } from '../plan.ts'
import type { AuthRequest } from '../request.ts'
import type { SessionReading } from '../session/strategy.ts'
import type { ReadAction } from './action.ts'

/** `GET session`: the session, or `null`. */
export async function readSession(request: AuthRequest, plan: SessionPlan): Promise<JsonOutcome> {
  return answer(await plan.session.read(request))
}

/** `POST session`: the session after the application took over what the client sent in `data`. */
export const updateSession: ReadAction = async (request, plan) =>
  answer(
    await plan.session.read(request, { update: { data: withoutClaims(request.form['data']) } }),
  )

/** What makes a session whose it is, and for how long, is not for the browser to say. */
function withoutClaims(data: unknown): unknown {
  if (!isJsonObject(data)) return data
  return Object.fromEntries(Object.entries(data).filter(([name]) => !PROTECTED.has(name)))
}

const PROTECTED: ReadonlySet<string> = new Set([
  'sub',
  'iss',
  'aud',
  'iat',
  'exp',
  'nbf',
  'jti',
  '__proto__',
])

/** A session that could not be read is not one that has ended, and operators must see it. */
function answer({ session, cookies, failed }: SessionReading): JsonOutcome {
  return failed ? { ...json(session, cookies), status: 500 } : json(session, cookies)
}
