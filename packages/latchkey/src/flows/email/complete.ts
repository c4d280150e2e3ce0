import { Verification } from '../../errors.ts'
import { type Cookie, clearCookie } from '../../http/cookies.ts'
import { isPrefetch } from '../../http/origin-hints.ts'
import type { VerificationToken } from '../../model/verification-token.ts'
import { type Outcome, withCookies } from '../../outcome.ts'
import { confirmSignInPage } from '../../pages/confirm-sign-in.ts'
import type { VerifiedIdentity, Visit } from '../../provider.ts'
import { type AuthRequest, hostOf } from '../../request.ts'
import { accountOf, provisionalUser } from './begin.ts'
import type { EmailFlow } from './email-flow.ts'

/** Takes a mailed link: signs in, or asks first whether a person opened it. */
export async function complete(
  flow: EmailFlow,
  request: AuthRequest,
  visit: Visit,
): Promise<VerifiedIdentity | Outcome> {
  const token = request.query.get('token')
  const email = request.query.get('email')
  if (!token || !email) throw new Verification('the link is not complete')
  const hashes = await flow.hashes(token)
  if (!(await isConfirmed(flow, request, visit, hashes))) {
    const host = hostOf(request)
    const { csrfToken } = visit
    return withCookies(
      await confirmSignInPage(flow.plan.theme, { csrfToken, host, email }),
      visit.cookies,
    )
  }
  const { identifier } = await takeToken(flow, email, hashes)
  const { plan, store } = flow
  const user = (await store.getUserByEmail(identifier)) ?? provisionalUser(identifier, plan)
  return {
    admission: 'address',
    user,
    account: accountOf(flow, user, identifier),
    cookies: forget(flow, request),
  }
}

/** Did a person open the link? The browser that asked for it, or somebody who pressed our button. */
async function isConfirmed(
  flow: EmailFlow,
  request: AuthRequest,
  { csrfVerified }: Visit,
  hashes: readonly string[],
): Promise<boolean> {
  if (flow.confirmation === 'never') return true
  if (request.method === 'POST') return csrfVerified
  if (flow.confirmation === 'always' || isPrefetch(request.original.headers)) return false
  const { name } = flow.requestCookie(request)
  const kept = request.cookies.get(name)
  const opened = kept && (await flow.plan.sealer(name).open(kept, flow.plan.ports))
  if (!opened || opened.claims['provider'] !== flow.config.id) return false
  return hashes.some((hash) => hash === opened.claims['value'])
}

/**
 * Uses a token up.
 *
 * @throws {Verification} when it is unknown, used, expired or another address's.
 */
async function takeToken(
  { plan, store }: EmailFlow,
  identifier: string,
  hashes: readonly string[],
): Promise<VerificationToken> {
  for (const token of hashes) {
    const taken = await store.useVerificationToken({ identifier, token })
    if (!taken) continue
    if (taken.identifier !== identifier) throw new Verification('the link is for another address')
    // Not `<=`: a date that is none is not in the future.
    if (!(taken.expires.getTime() > plan.ports.now()))
      throw new Verification('the link has expired')
    return taken
  }
  throw new Verification('the link is unknown or was used before')
}

/** Forgets that this browser asked for a mail. */
function forget(flow: EmailFlow, request: AuthRequest): Cookie[] {
  const spec = flow.requestCookie(request)
  return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
}
