import { CallbackRouteError, InvalidProvider, isAuthError, toError } from '../errors.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { VerifiedIdentity, Visit } from '../provider.ts'
import type { AuthRequest } from '../request.ts'
import { establishSession } from '../sign-in/establish-session.ts'
import { Interrupted } from '../sign-in/interrupted.ts'
import { missingCsrf } from '../sign-in/visit.ts'
import type { VisitAction } from './action.ts'
import { needProvider } from './need-provider.ts'

/** `callback/{id}`: takes a visitor back and signs them in. */
export const callback: VisitAction = async (request, plan, visit) => {
  const provider = needProvider(request, plan)
  const method = provider.callback[request.method]
  if (!method) {
    throw new InvalidProvider(
      `callbacks of ${provider.type} providers are not taken by ${request.method}`,
    )
  }
  if (method.csrf && !visit.csrfVerified) throw await missingCsrf(request, plan)
  try {
    const result = await provider.complete(request, visit)
    if (!isIdentity(result)) return result
    const back = await wayBack(result, request, visit, plan)
    return await establishSession(result, request, { ...visit, callbackUrl: back }, plan).catch(
      (error: unknown) => interrupted(error, result),
    )
  } catch (error) {
    if (isAuthError(error) || error instanceof Interrupted) throw error
    const cause = toError(error)
    throw new CallbackRouteError(cause, { provider: provider.id })
  }
}

/** @throws the error; with what lets the browser go on, where the store is at fault. */
async function interrupted(error: unknown, identity: VerifiedIdentity): Promise<never> {
  const isStore = isAuthError(error) && error.type === 'AdapterError'
  if (identity.proven !== 'address' || !identity.whenInterrupted || !isStore) throw error
  throw new Interrupted(error, [await identity.whenInterrupted()])
}

function isIdentity(result: VerifiedIdentity | Outcome): result is VerifiedIdentity {
  return 'proven' in result
}

/**
 * The target belongs to the sign-in, where its flow kept it: the cookie is the one of the latest, and
 * a cross-site form post comes without.
 */
async function wayBack(
  { callbackUrl }: VerifiedIdentity,
  request: AuthRequest,
  visit: Visit,
  plan: Plan,
): Promise<Visit['callbackUrl']> {
  const kept = request.cookies.get(plan.cookies(request.secure).callbackUrl.name)
  if (callbackUrl === undefined || callbackUrl === kept) return visit.callbackUrl
  return plan.resolveRedirect(callbackUrl, request.origin)
}
