import { excerpt } from '../encoding/excerpt.ts'
import { UnknownProvider } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { CompiledProvider } from '../provider.ts'
import type { AuthRequest } from '../request.ts'

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
