import type { AuthorizationServer, Client } from 'oauth4webapi'

/** Names of the signatures that a secret can make (RFC 7518 section 3.2). */
export const MAC_ALGORITHMS: readonly string[] = ['HS256', 'HS384', 'HS512']

/**
 * Returns the names of the signatures that a private key can make, or `undefined` if its type and its
 * hash leave one. Ed25519 has two: RFC 8037 calls it `EdDSA`, and RFC 9864 `Ed25519`.
 */
export function keyAlgorithms({ algorithm }: CryptoKey): readonly string[] | undefined {
  return /^(?:Ed25519|EdDSA)$/.test(algorithm.name) ? ['Ed25519', 'EdDSA'] : undefined
}

/**
 * Returns the `alg` of a client assertion: the configured one, or else the first that the provider
 * lists (OpenID Connect Discovery section 3).
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
