import { toError } from '../../base/errors.ts'
import { withProviders } from '../../core/compile/providers.ts'
import { withCookies } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import { Problem } from '../../plugin/problem.ts'
import type { AskedProof } from '../../plugin/proofs.ts'
import type { Answer } from '../../plugin/route.ts'
import { lastingName } from '../connect-account.ts'
import { clientOfProvider } from '../provider-clients.ts'
import type { WayOfPlugin } from './ways.ts'

/**
 * Returns the ways of OpenID providers: the user signs in there again. Only with providers that say in their metadata that they
 * report the time of a sign-in, since a proof without it is refused.
 */
export function providerWays(plan: SessionPlan): readonly WayOfPlugin[] {
  if (!plan.store) return []
  return plan.providerConfigs.flatMap(({ id, type, name }) =>
    type === 'oidc' ? wayOf({ id, name: name || id }, plan) : [],
  )
}

function wayOf(
  { id, name }: { readonly id: string; readonly name: string },
  plan: SessionPlan,
): WayOfPlugin {
  return {
    id: `provider-${id}`,
    amr: ['fed'],
    label: 'reauthenticate.provider',
    values: { provider: name },
    icon: 'link',
    fields: [],
    texts: { en: {} },
    async has({ user }) {
      return (await accountOf(id, user, plan)) !== undefined && reportsTime(id, plan)
    },
    form({ request }) {
      const { text } = plan.texts(request.original)
      const submit = text('reauthenticate.provider', { provider: name })
      return { content: undefined, submit, begins: true }
    },
    begin: (asked) => begin(asked, id, plan),
    // Nothing that a form sends is a proof.
    check: () => ({ isRight: false }),
  }
}

async function accountOf(
  provider: string,
  { id: userId }: Pick<AdapterUser, 'id'>,
  { store }: SessionPlan,
): Promise<string | undefined> {
  const accounts = (await store?.atomic.listAccountsByUserId?.(userId)) ?? []
  return accounts.find((each) => each.provider === provider)?.providerAccountId
}

async function reportsTime(id: string, plan: SessionPlan): Promise<boolean> {
  try {
    const metadata = await clientOfProvider(id, plan)?.metadata()
    const claims = metadata?.['claims_supported']
    return Array.isArray(claims) && claims.includes('auth_time')
  } catch (error) {
    plan.logger.debug('provider-unreachable', () => ({ provider: id, why: toError(error).message }))
    return false
  }
}

/** Sends the user to the provider, for a sign-in there that is not from before this moment. */
async function begin(
  { user, current, request, callbackUrl }: AskedProof,
  id: string,
  given: SessionPlan,
): Promise<Answer> {
  const plan = withProviders(given)
  const provider = plan.provider(id)
  const account = await accountOf(id, user, given)
  if (!provider || account === undefined)
    throw new Problem('not_found', 'the user has no account at this provider')
  const asked: AuthRequest = {
    ...request,
    action: 'signin',
    providerId: id,
    query: new URLSearchParams({ prompt: 'login', max_age: '0' }),
  }
  const now = plan.ports.now()
  const bound = {
    account,
    sid: await lastingName(current),
    provesSince: Math.floor(now / 1000),
  }
  const outcome = await provider.begin(asked, {
    csrfToken: undefined,
    csrfVerified: true,
    callbackUrl,
    since: now,
    bound,
    cookies: [],
  })
  const { cookies } = withCookies(outcome, [])
  if (outcome.kind !== 'redirect') return { cookies }
  return { to: outcome.to, json: { url: outcome.to }, cookies }
}
