import type { ProvidedProof } from '../../../entries/plugin.ts'
import { KNOWN_PROVIDERS, type Settings } from '../settings.ts'

/** The classes of authentication methods (RFC 8176): what the user knows, has and is. */
const CLASSES: readonly (readonly string[])[] = [
  ['pwd', 'pin', 'kba'],
  ['otp', 'sms', 'tel', 'hwk', 'swk', 'sc', 'pop'],
  ['face', 'fpt', 'iris', 'retina', 'vbm'],
]

/**
 * Returns the methods that a sign-in with a provider proves beside its own: `mfa` if the provider is trusted and its ID token
 * says that there were two factors.
 */
export async function methodsOfProvider(
  proof: ProvidedProof,
  { trustProviders }: Pick<Settings, 'trustProviders'>,
): Promise<readonly string[]> {
  const { provider, claims } = proof
  if (typeof trustProviders === 'function')
    return isTwo(await trustProviders(proof, claims)) ? ['mfa'] : []
  if (!trustProviders.includes(provider)) return []
  const { acr, amr } = claims
  const isNamed = typeof acr === 'string' && (KNOWN_PROVIDERS[provider] ?? []).includes(acr)
  return isNamed || isTwo(amr) ? ['mfa'] : []
}

/** Returns whether methods are two factors: anything but a list of texts is none. */
function isTwo(amr: unknown): boolean {
  if (!Array.isArray(amr) || !amr.every((each) => typeof each === 'string')) return false
  const classes = CLASSES.filter((members) => members.some((each) => amr.includes(each)))
  return amr.includes('mfa') || classes.length >= 2
}
