import { describe, expect, test } from 'vitest'
import type { KnownFacts } from '../facts.ts'
import { provedAt } from './method-times.ts'
import { provedBy } from './proof-facts.ts'
import { factsAfter, isMet, needOf } from './step-up.ts'

const HOUR = 3600

/** Returns the facts of a session in which these methods were proved one after the other, at these hours. */
function factsOf(...proofs: readonly (readonly [hours: number, ...amr: string[]])[]): KnownFacts {
  const [[at, ...amr], ...further] = proofs as [(typeof proofs)[0], ...typeof proofs]
  let known: KnownFacts = provedBy({ amr, authTime: at * HOUR })
  for (const [hours, ...proved] of further)
    known = factsAfter(proved, known, { now: () => hours * HOUR * 1000 })
  return known
}

const meetsAt = (hours: number, known: KnownFacts, asked: Parameters<typeof needOf>[0]): boolean =>
  isMet(known, needOf(asked, 1), { now: () => hours * HOUR * 1000 })

describe('MF-26: a method counts for twelve hours after its own proof', () => {
  test('the password does not, however often a code is proved', () => {
    const known = factsOf([1, 'pwd'], [2, 'otp'], [12, 'otp'])
    expect(known).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'urn:latchkey:acr:2' })
    expect(provedAt('pwd', known)).toBe(HOUR)
    expect(factsOf([1, 'pwd'], [2, 'otp'], [12, 'otp'], [14, 'otp'])).toMatchObject({
      amr: ['otp'],
      acr: 'urn:latchkey:acr:1',
    })
  })

  test('a code does not, however often another second factor is proved', () => {
    const known = factsOf([1, 'pwd'], [2, 'otp'], [12, 'pop', 'swk'], [15, 'pop', 'swk'])
    expect(known).toMatchObject({ amr: ['pop', 'swk'], acr: 'urn:latchkey:acr:1' })
  })

  test('two factors of a provider do not, however often one of them is proved here', () => {
    const known = factsOf([1, 'fed', 'mfa'], [12, 'otp'])
    expect(known.acr).toBe('urn:latchkey:acr:2')
    expect(factsOf([1, 'fed', 'mfa'], [12, 'otp'], [14, 'otp']).acr).toBe('urn:latchkey:acr:1')
  })

  test('a session from before the times were kept has those of its last proofs', () => {
    const known = { auth_time: 5 * HOUR, second_time: 2 * HOUR, amr: ['pwd', 'otp', 'mfa'] }
    expect([provedAt('pwd', known), provedAt('otp', known)]).toEqual([5 * HOUR, 2 * HOUR])
    expect(provedAt('pop', { auth_time: 5 * HOUR, amr_times: 'pop' as never })).toBe(0)
  })
})

describe('MF-28: how recent a phishing-resistant proof is', () => {
  const need = { phishingResistant: true, maxAge: 600 }

  test('it is the time of the passkey, and not that of a code that is typed after it', () => {
    const known = factsOf([1, 'pop', 'user', 'swk'], [3, 'otp'])
    expect(meetsAt(3, known, { factors: 2, maxAge: 600 })).toBe(true)
    expect(meetsAt(3, known, need)).toBe(false)
    expect(meetsAt(3, known, { acr: 'urn:latchkey:acr:2pr', maxAge: 600 })).toBe(false)
    expect(meetsAt(3, factsOf([1, 'pwd'], [3, 'pop', 'user', 'swk']), need)).toBe(true)
  })

  test('without a bound in time, the passkey of this session counts', () => {
    const known = factsOf([1, 'pop', 'user', 'swk'], [3, 'otp'])
    expect(meetsAt(3, known, { phishingResistant: true })).toBe(true)
  })
})
