import { json } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { CompiledProvider } from '../provider.ts'
import type { VisitAction } from './action.ts'

/** `GET webauthn-options[/{id}]`: what the browser needs to make a passkey or to use one. */
export const webauthnOptions: VisitAction = async (request, plan) => {
  const { providerId } = request
  const provider = providerId === undefined ? only(plan) : plan.provider(providerId)
  if (provider?.options) return provider.options(request)
  const error =
    providerId === undefined
      ? 'There is not exactly one passkey provider; its id is missing'
      : 'There is no passkey provider with this id'
  return { ...json({ error }), status: 400 }
}

/** The provider that is meant when none is named. */
function only({ providers }: Plan): CompiledProvider | undefined {
  const [provider, ...more] = providers.filter(({ options }) => options !== undefined)
  return more.length === 0 ? provider : undefined
}
