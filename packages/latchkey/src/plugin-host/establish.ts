import { isAuthError } from '../base/errors.ts'
import { withProviders } from '../core/compile/providers.ts'
import { normalizedBy } from '../flows/email/normalize-address.ts'
import type { Outcome } from '../http/outcome.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Plan, SessionPlan } from '../plan/plan.ts'
import type { VerifiedIdentity } from '../plan/provider.ts'
import type { ProvenIdentity, ProvenUser } from '../plugin/host-groups.ts'
import { Problem } from '../plugin/problem.ts'
import { userAt } from '../sign-in/address-owner.ts'
import { establishSession } from '../sign-in/establish-session.ts'

interface Asked {
  /** The name of the plugin, used as the provider. */
  readonly name: string
  readonly request: SiteRequest
  readonly callbackUrl: SafeUrl
}

/** Signs in a user whose identity a plugin has checked. */
export async function establish(
  proven: ProvenIdentity,
  { name, request, callbackUrl }: Asked,
  given: SessionPlan,
): Promise<Outcome> {
  const plan = withProviders(given)
  const visit = {
    csrfToken: undefined,
    csrfVerified: true,
    callbackUrl,
    since: plan.ports.now(),
    kept: plan.plugins?.actions.kept(request.form),
    cookies: [],
  }
  const identity =
    'address' in proven ? await atAddress(proven, name, request, plan) : givenUser(proven, name)
  try {
    return await establishSession(identity, request, visit, plan)
  } catch (error) {
    const isRefused = isAuthError(error) && error.type === 'AccessDenied'
    if (!isRefused || error.cause?.err instanceof Problem) throw error
    throw new Problem('forbidden', error.message)
  }
}

function givenUser(
  { user, amr, before, provider, isNewUser }: ProvenUser,
  name: string,
): VerifiedIdentity {
  const account = {
    provider: provider ?? name,
    type: 'credentials' as const,
    providerAccountId: user.id,
  }
  return { proven: 'word', user, account, credentials: {}, amr, before, isNewUser, cookies: [] }
}

async function atAddress(
  { address: typed, amr }: Extract<ProvenIdentity, { address: string }>,
  provider: string,
  request: SiteRequest,
  plan: Plan,
): Promise<VerifiedIdentity> {
  const address = await addressOf(typed, plan)
  if (address === undefined) throw new Problem('invalid_input', 'the text is not an email address')
  const user = await userAt(address, request, { plan, store: plan.store })
  return {
    proven: 'address',
    user,
    account: { provider, type: 'email', providerAccountId: address, userId: user.id },
    amr,
    kept: plan.plugins?.actions.kept(request.form),
    cookies: [],
  }
}

/** Returns an email address as the first mail provider stores it and mails to it; `undefined` for another text. */
export async function addressOf(
  typed: string,
  { providerConfigs }: Pick<SessionPlan, 'providerConfigs'>,
): Promise<string | undefined> {
  const mailed = providerConfigs.find((each) => each.type === 'email') ?? {}
  return normalizedBy(mailed, typed).catch(() => undefined)
}
