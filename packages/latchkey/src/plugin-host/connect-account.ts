import { withProviders } from '../core/compile/providers.ts'
import { withCookies } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { HostProviders } from '../plugin/host-groups.ts'
import { Problem } from '../plugin/problem.ts'
import type { Answer } from '../plugin/route.ts'
import type { CurrentSession } from '../session/strategy.ts'
import { needBrowser } from '../sign-in/need-browser.ts'
import { needFresh } from '../sign-in/need-fresh.ts'

type Connect = HostProviders['connect']

/** Sends a signed-in user to a provider to connect an account. @throws {Problem} `not_found` for an unknown provider. */
export async function connectAccount(
  { request, current, callbackUrl }: Parameters<Connect>[0],
  id: string,
  { account, params = {} }: Parameters<Connect>[2],
  given: SessionPlan,
): Promise<Answer> {
  const plan = withProviders(given)
  const provider = plan.provider(id)
  if (provider?.type !== 'oauth' && provider?.type !== 'oidc')
    throw new Problem('not_found', 'there is no such provider')
  if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
  needBrowser(request, plan)
  await plan.plugins?.accounts.needProved(String(current.user.id))
  const freshAge = plan.watch?.freshAge ?? Infinity
  if (freshAge !== Infinity) await needFresh(current, freshAge, callbackUrl, plan)
  const asked: AuthRequest = {
    ...request,
    action: 'signin',
    providerId: id,
    query: new URLSearchParams(params),
  }
  const bound = { account, sid: await lastingName(current) }
  const outcome = await provider.begin(asked, {
    csrfToken: undefined,
    csrfVerified: true,
    callbackUrl,
    since: plan.ports.now(),
    bound,
    cookies: [],
  })
  const { cookies } = withCookies(outcome, [])
  if (outcome.kind !== 'redirect') return { cookies }
  return { to: outcome.to, json: { url: outcome.to }, cookies }
}

/** Returns the name of a session; `undefined` if it changes with each token, as for a sealed session without `sid`. */
export async function lastingName({ facts }: CurrentSession): Promise<string | undefined> {
  if (facts.strategy === 'jwt' && typeof (await facts.known())['sid'] !== 'string') return undefined
  return facts.sid()
}
