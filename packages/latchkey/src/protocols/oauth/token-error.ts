/** Error codes about the request, the client or the server. The grant may still be valid. */
const NOT_ABOUT_GRANT: ReadonlySet<unknown> = new Set([
  'incorrect_client_credentials',
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_request',
  'invalid_target',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'use_dpop_nonce',
])

/**
 * Returns whether an error code of the token endpoint means that the grant has ended, so that only a new sign-in
 * helps (RFC 6749 section 5.2). Unknown codes mean this.
 */
export function isAboutGrant(code: unknown): boolean {
  return !NOT_ABOUT_GRANT.has(code)
}
