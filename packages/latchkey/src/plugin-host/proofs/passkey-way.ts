import { isAuthError, toError } from '../../base/errors.ts'
import { passkeys } from '../../base/texts/en.ts'
import { withProviders } from '../../core/compile/providers.ts'
import { keysForSignIn } from '../../flows/webauthn/second-factor.ts'
import { markup } from '../../http/html.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import type { AskedProof, ProofVerdict } from '../../plugin/proofs.ts'
import { readVisit } from '../../sign-in/visit.ts'
import type { WayOfPlugin } from './ways.ts'

/** Returns the ways of the passkey providers of a configuration. */
export function passkeyWays(given: SessionPlan): readonly WayOfPlugin[] {
  const isThere = given.providerConfigs.some(({ type }) => type === 'webauthn')
  if (!isThere || !given.store) return []
  const plan = withProviders(given)
  return plan.providers.flatMap((provider) =>
    provider.type === 'webauthn' && provider.form ? wayOf(provider, given) : [],
  )
}

function wayOf(provider: CompiledProvider, plan: SessionPlan): WayOfPlugin {
  const { id, form } = provider
  return {
    id,
    amr: ['pop', 'user'],
    label: 'passkey.use',
    icon: 'passkey',
    fields: ['action', 'data'],
    texts: { en: passkeys },
    async has({ user }) {
      return !!plan.store && (await keysForSignIn(user.id, id, plan.store)).length > 0
    },
    async form({ request, hidden }) {
      const texts = plan.texts(request.original)
      const action = `${plan.basePath}/reauthenticate/${id}`
      return {
        content: undefined,
        instead: form && markup(form.again(texts, action, hidden)),
        script: (await form?.script(texts))?.text,
      }
    },
    check: (asked, fields) => check(asked, fields, provider, plan),
  }
}

/** Checks the response of an authenticator. The options for it were those of the signed-in user. */
async function check(
  { user, request }: AskedProof,
  fields: Readonly<Record<string, string>>,
  provider: CompiledProvider,
  given: SessionPlan,
): Promise<ProofVerdict> {
  const plan = withProviders(given)
  const form = { ...fields, action: 'authenticate' }
  const asked: AuthRequest = { ...request, form, action: 'callback', providerId: provider.id }
  try {
    const proven = await provider.complete(asked, await readVisit(request, plan))
    if (!('proven' in proven) || proven.proven !== 'passkey') return { isRight: false }
    const { amr = ['pop'], cookies } = proven
    return proven.user.id === user.id
      ? { isRight: true, amr, cookies }
      : { isRight: false, cookies }
  } catch (error) {
    const isOfProof = isAuthError(error)
      ? error.type !== 'AdapterError'
      : error instanceof SyntaxError
    if (!isOfProof) throw error
    plan.logger.debug('passkey-refused', () => ({ why: toError(error).message }))
    return { isRight: false, cookies: await provider.forget(asked) }
  }
}
