import { CallbackRouteError, InvalidProvider, isAuthError, toError } from '../../base/errors.ts'
import type { Outcome } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { Plan } from '../../plan/plan.ts'
import type { VerifiedIdentity, Visit } from '../../plan/provider.ts'
import { establishSession } from '../../sign-in/establish-session.ts'
import { Interrupted } from '../../sign-in/interrupted.ts'
import { missingCsrf } from '../../sign-in/visit.ts'
import type { VisitAction } from './action.ts'
import { needProvider } from './need-provider.ts'

/** `callback/{id}`: receives the response of a provider and signs the visitor in. */
export const callback: VisitAction = async (request, plan, visit) => {
  const provider = needProvider(request, plan)
  const method = provider.callback[request.method]
  if (!method) {
    throw new InvalidProvider(
      `a provider of type ${provider.type} does not accept ${request.method} requests at its callback URL`,
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
    const isOfPlugin = error instanceof Error && error.name === 'Problem'
    if (isAuthError(error) || error instanceof Interrupted || isOfPlugin) throw error
    const cause = toError(error)
    throw new CallbackRouteError(cause, { provider: provider.id })
  }
}

/** @throws the error; if the store failed, with the cookies that let the browser continue later. */
async function interrupted(error: unknown, identity: VerifiedIdentity): Promise<never> {
  const isStore = isAuthError(error) && error.type === 'AdapterError'
  if (identity.proven !== 'address' || !identity.whenInterrupted || !isStore) throw error
  throw new Interrupted(error, [await identity.whenInterrupted()])
}

function isIdentity(result: VerifiedIdentity | Outcome): result is VerifiedIdentity {
  return 'proven' in result
}

/**
 * Returns the target that was stored with the sign-in. The callback-URL cookie has the target of the latest sign-in, and
 * browsers do not send it with a form of another site.
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
