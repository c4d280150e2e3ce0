import type { AuthorizationServer, Client } from 'oauth4webapi'

/** The algorithms of signatures with a shared secret (RFC 7518 section 3.2). */
export const MAC_ALGORITHMS: readonly string[] = ['HS256', 'HS384', 'HS512']

/**
 * Returns the algorithm names of a private key, or `undefined` if its type and hash determine the name. Ed25519 has two
 * names: `EdDSA` (RFC 8037) and `Ed25519` (RFC 9864).
 */
export function keyAlgorithms({ algorithm }: CryptoKey): readonly string[] | undefined {
  return /^(?:Ed25519|EdDSA)$/.test(algorithm.name) ? ['Ed25519', 'EdDSA'] : undefined
}

/**
 * Returns the `alg` of a client assertion: the configured one, or the first one that the provider lists (OpenID Connect
 * Discovery section 3).
 */
export function assertionAlgorithm(
  names: readonly string[],
  { token_endpoint_auth_signing_alg_values_supported: listed }: AuthorizationServer,
  { token_endpoint_auth_signing_alg: configured }: Client,
): string {
  if (typeof configured === 'string') return configured
  const known = Array.isArray(listed) ? names.find((name) => listed.includes(name)) : undefined
  return known ?? (names[0] as string)
}
