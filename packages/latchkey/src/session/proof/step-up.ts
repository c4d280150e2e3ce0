import { AuthError } from '../../base/errors.ts'
import { describeValue } from '../../base/kind-of-value.ts'
import type { Ports } from '../../base/ports.ts'
import type { KnownFacts } from '../facts.ts'
import { ACR, type Acr, factorsOf } from './factors.ts'
import type { Proved } from './fresh.ts'
import { provedAt } from './method-times.ts'
import { provedBy, renewalOf } from './proof-facts.ts'

/** How recent and how strong the proof of identity in a session must be. */
export interface StepUp {
  /**
   * Seconds since the last proof; with two factors, since the last proof with a second factor; with `phishingResistant`, since
   * the last proof with a passkey or a security key.
   */
  readonly maxAge?: number | undefined
  /** How many factors. @default as many as the account has */
  readonly factors?: 1 | 2 | undefined
  /** Whether one of the factors must be a passkey or a security key. @default false */
  readonly phishingResistant?: boolean | undefined
  /** The same as one value: `urn:latchkey:acr:1`, `urn:latchkey:acr:2`, or `urn:latchkey:acr:2pr` for a passkey. */
  readonly acr?: string | undefined
}

/** A {@link StepUp} in which nothing is left open. */
export interface Need {
  readonly maxAge?: number | undefined
  readonly factors: 1 | 2
  readonly phishingResistant: boolean
}

/**
 * Returns a need in which nothing is left open.
 *
 * @param own the factors of the account.
 * @throws {AuthError} for a value that does not exist. Otherwise a misspelled need would let everybody through.
 */
export function needOf(
  { maxAge, factors, phishingResistant = false, acr }: StepUp,
  own: 1 | 2,
): Need {
  if (acr !== undefined && !(ACR as readonly string[]).includes(acr))
    throw new AuthError(
      `there is no authentication context ${describeValue(acr)}; expected one of: ${ACR.join(', ')}`,
    )
  if (factors !== undefined && factors !== 1 && factors !== 2)
    throw new AuthError(`\`factors\` must be 1 or 2, got ${describeValue(factors)}`)
  if (maxAge !== undefined && !(typeof maxAge === 'number' && maxAge >= 0))
    throw new AuthError(`\`maxAge\` must be a number of seconds, got ${describeValue(maxAge)}`)
  const isTwo = acr === 'urn:latchkey:acr:2' || acr === 'urn:latchkey:acr:2pr'
  return {
    maxAge,
    factors: isTwo || phishingResistant ? 2 : (factors ?? own),
    phishingResistant: phishingResistant || acr === 'urn:latchkey:acr:2pr',
  }
}

/** Returns the least authentication context that meets a need. */
export function acrFor({ factors, phishingResistant }: Need): Acr {
  return phishingResistant ? 'urn:latchkey:acr:2pr' : `urn:latchkey:acr:${factors}`
}

/**
 * Returns whether a session meets a need. Never true for a program, whose proof is that of the person who let it in, and for
 * somebody who acts as the user.
 */
export async function meets(
  { facts, holder }: Proved,
  need: Need,
  ports: Pick<Ports, 'now'>,
): Promise<boolean> {
  return holder === undefined && isMet(await facts.known(), need, ports)
}

/** Returns whether the facts of a session of a person meet a need. */
export function isMet(
  known: KnownFacts,
  { maxAge, factors, phishingResistant }: Need,
  { now }: Pick<Ports, 'now'>,
): boolean {
  const { auth_time: proved, second_time: second, amr = [], act } = known
  if (act !== undefined) return false
  const { count, isPhishingResistant } = factorsOf(amr)
  if (factors === 2 && count < 2) return false
  if (phishingResistant && !isPhishingResistant) return false
  if (maxAge === undefined) return true
  // If two factors are needed, the time of the second one counts: a password that is typed now does not make it recent.
  const last = factors === 2 ? second : proved
  // If a passkey is needed, only its own time counts: a code that is typed now does not make it recent.
  const at = phishingResistant ? provedAt('pop', known) : last
  return at !== undefined && now() / 1000 - at <= maxAge
}

/** Returns the facts of a session as they are after a further proof. */
export function factsAfter(
  proved: readonly string[],
  known: KnownFacts,
  ports: Pick<Ports, 'now'>,
): KnownFacts {
  const authTime = Math.floor(ports.now() / 1000)
  const amr = [...(known.amr ?? []), ...proved]
  return provedBy(renewalOf({ amr, authTime, proved }, known))
}
