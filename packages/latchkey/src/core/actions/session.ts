import { isJsonObject } from '../../base/encoding/json.ts'
import { type JsonOutcome, json } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { SessionReading } from '../../session/strategy.ts'
import type { ReadAction } from './action.ts'

/** `GET session`: the session, or `null`. */
export async function readSession(request: AuthRequest, plan: SessionPlan): Promise<JsonOutcome> {
  return answer(await plan.session.read(request))
}

/** `POST session`: updates the session with the `data` of the client, and returns it. */
export const updateSession: ReadAction = async (request, plan) =>
  answer(
    await plan.session.read(request, { update: { data: withoutClaims(request.form['data']) } }),
  )

/** Removes the claims of the user and the lifetime, which the browser must not change. */
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

/** Returns the response. If the session could not be read, the status is 500, so that operators notice. */
function answer({ session, cookies, failed }: SessionReading): JsonOutcome {
  return failed ? { ...json(session, cookies), status: 500 } : json(session, cookies)
}
