import { excerpt } from '../encoding/excerpt.ts'
import { UnknownProvider } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { CompiledProvider } from '../provider.ts'
import type { AuthRequest } from '../request.ts'

/**
 * The provider that the address names.
 *
 * @throws {UnknownProvider} when it names none, or one that there is not.
 */
export function needProvider({ providerId = '' }: AuthRequest, plan: Plan): CompiledProvider {
  const provider = plan.provider(providerId)
  if (provider) return provider
  throw new UnknownProvider(`there is no provider ${JSON.stringify(excerpt(providerId))}`)
}
