import { json } from '../../http/outcome.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import type { VisitAction } from './action.ts'

/** `GET webauthn-options[/{id}]`: the options with which the browser creates or uses a passkey. */
export const webauthnOptions: VisitAction = async (request, plan) => {
  const { providerId } = request
  const provider = providerId === undefined ? only(plan) : plan.provider(providerId)
  if (provider?.options) return provider.options(request)
  const error =
    providerId === undefined
      ? 'The URL has no provider id, and there is not exactly one passkey provider'
      : 'There is no passkey provider with this id'
  return { ...json({ error }), status: 400 }
}

/** Returns the provider of passkeys if there is only one. */
function only({ providers }: Plan): CompiledProvider | undefined {
  const [provider, ...more] = providers.filter(({ options }) => options !== undefined)
  return more.length === 0 ? provider : undefined
}
