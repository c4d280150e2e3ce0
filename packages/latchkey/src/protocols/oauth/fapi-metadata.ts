import type { AuthorizationServer } from 'oauth4webapi'
import { OAuthSignInError } from '../../base/errors.ts'

/** The requirements for the metadata of a FAPI 2.0 provider. */
export interface FapiNeeds {
  /** The provider's id, for messages. */
  readonly id: string
  readonly isOpenId: boolean
  /** The `token_endpoint_auth_method`. */
  readonly method: string | undefined
  /** How its tokens are bound. */
  readonly binding: 'dpop' | 'certificate'
  /** The algorithm of the DPoP key. */
  readonly dpopAlgorithm: string
  /** The allowed algorithms of its signatures. */
  readonly algorithms: readonly string[]
  /** Returns whether tokens may be sent to this URL. */
  isSecure(url: URL): boolean
}

/** Endpoints that are used if the metadata names them. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'revocation_endpoint',
] as const

/**
 * Returns the metadata without algorithms that FAPI 2.0 does not allow.
 *
 * @throws {OAuthSignInError} if the provider does not meet the requirements of the profile (FAPI 2.0 Security Profile
 *   section 5.3).
 */
export function fapiMetadata(server: AuthorizationServer, needs: FapiNeeds): AuthorizationServer {
  const { id, isOpenId, method, binding, dpopAlgorithm, algorithms, isSecure } = needs
  const need = (isGood: boolean, name: string, what: string): void => {
    if (isGood) return
    throw new OAuthSignInError(
      `provider ${id}: \`${name}\` of its metadata must ${what} (\`securityProfile: 'fapi2'\`); ask the provider to change it, or use another issuer`,
      { provider: id },
    )
  }
  const lists = (name: string, ...any: string[]): boolean => {
    const listed = server[name]
    return Array.isArray(listed) && any.some((each) => listed.includes(each))
  }
  /** Returns whether a list contains one of the values, or is missing. */
  const listsIfAny = (name: string, ...any: string[]): boolean =>
    server[name] === undefined || lists(name, ...any)
  const PAR = 'pushed_authorization_request_endpoint'
  const ISS = 'authorization_response_iss_parameter_supported'
  const METHODS = 'token_endpoint_auth_methods_supported'
  const ID_TOKENS = 'id_token_signing_alg_values_supported'
  need(typeof server[PAR] === 'string', PAR, 'be a URL (RFC 9126)')
  need(server[ISS] === true, ISS, 'be true (RFC 9207)')
  const PKCE = 'code_challenge_methods_supported'
  need(lists(PKCE, 'S256'), PKCE, 'contain S256 (RFC 8414)')
  need(lists(METHODS, String(method)), METHODS, `contain ${String(method)}`)
  if (binding === 'dpop') {
    const name = 'dpop_signing_alg_values_supported'
    need(listsIfAny(name, dpopAlgorithm), name, `contain ${dpopAlgorithm} (RFC 9449)`)
  } else {
    const name = 'tls_client_certificate_bound_access_tokens'
    need(server[name] === true, name, 'be true (RFC 8705)')
  }
  if (isOpenId) {
    need(typeof server.jwks_uri === 'string', 'jwks_uri', 'be a URL')
    need(listsIfAny(ID_TOKENS, ...algorithms), ID_TOKENS, 'contain PS256, ES256 or EdDSA')
  }
  const aliases = binding === 'dpop' ? {} : (server.mtls_endpoint_aliases ?? {})
  for (const name of ENDPOINTS) {
    for (const url of [server[name], (aliases as Record<string, unknown>)[name]]) {
      if (url === undefined) continue
      const isGood = typeof url === 'string' && URL.canParse(url) && isSecure(new URL(url))
      need(isGood, name, 'be an https URL')
    }
  }
  const allowed = (name: string): string[] =>
    [server[name] ?? algorithms]
      .flat()
      .map(String)
      .filter((each) => algorithms.includes(each))
  return {
    ...server,
    [ID_TOKENS]: allowed(ID_TOKENS),
    userinfo_signing_alg_values_supported: allowed('userinfo_signing_alg_values_supported'),
  }
}
