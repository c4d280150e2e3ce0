import type { Observer, Seen } from './observer.ts'
import type { SessionData } from './session-record.ts'
import type { BoundFact } from './settings.ts'

/**
 * Returns the facts of a session that a later request contradicts. A fact that was not noted when the session began, or
 * that the request does not show, is no contradiction.
 *
 * @param bind the facts that are compared.
 */
export async function changedFacts(
  { device, address }: SessionData,
  request: Seen,
  { bind, observer }: { readonly bind: readonly BoundFact[]; readonly observer: Observer },
): Promise<BoundFact[]> {
  const isFamilyBound = device !== undefined && bind.some((fact) => fact !== 'network')
  const seen = isFamilyBound ? await observer.device(request) : undefined
  const network =
    address !== undefined && bind.includes('network') ? await observer.network(request) : undefined
  const isChanged = (fact: BoundFact): boolean => {
    if (fact === 'network') return network !== undefined && network !== address
    if (seen === undefined || seen.kind === 'unknown') return false
    return device?.[fact] !== undefined && device[fact] !== seen[fact]
  }
  return bind.filter(isChanged)
}
