import { excerpt } from '../../base/encoding/excerpt.ts'
import { nearest } from '../../base/encoding/nearest.ts'
import { UnknownProvider } from '../../base/errors.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'

/**
 * Returns the provider in the address.
 *
 * @throws {UnknownProvider} if there is no id in it, or no provider with the id.
 */
export function needProvider({ providerId = '' }: AuthRequest, plan: Plan): CompiledProvider {
  const provider = plan.provider(providerId)
  if (provider) return provider
  throw new UnknownProvider(`there is no provider ${JSON.stringify(excerpt(providerId))}`)
}

/** Returns the message about an unknown provider, with the probable id. */
export function noProvider(providerId: string, { providers }: Plan): string {
  // A form may contain any id, and comparing a long one would take time.
  const given = excerpt(providerId)
  const ids = providers.map(({ id }) => id)
  const meant = nearest(given, ids)
  const hint = meant === undefined ? `the ids are ${ids.join(', ')}` : `did you mean "${meant}"?`
  return `there is no provider ${JSON.stringify(given)}; ${hint}`
}
