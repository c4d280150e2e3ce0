/** Every code that `logger.warn` is called with. */
export type WarningCode =
  | 'csrf-disabled'
  | 'debug-enabled'
  | 'env-url-basepath-redundant'
  | 'env-url-basepath-mismatch'
  | 'experimental-webauthn'
  | 'callback-url-unusable'
  | 'limits-in-process'
  | 'limits-unknown-client'
  | 'provider-tokens-refused'
  | 'provider-tokens-size'
  | 'provider-tokens-uncoordinated'
  | 'duplicate-provider-id'
  | 'provider-deprecated'
  | 'redirect-proxy-open'
  | 'profile-incomplete'
  | 'id-token-unverified'
  | 'clock-skew'
  | 'adapter-methods-missing'
  | 'account-id-missing'
  | 'revocation-log-lost'
  | 'revocations-full'
  | 'session-size'
  | 'sessions-unchecked'
  | 'short-secret'
  | 'address-mismatch'
  | 'mount-point'
  | 'proxy-not-trusted'
  | 'cookie-refused'
  | 'unknown-provider'
  | 'client-id-missing'
  | 'token-claims'
  | 'federated-logout-unavailable'
  | 'front-channel-logout'

/** Where the service tells its operator what happened. Each method replaces the default one separately. */
export interface LoggerInstance {
  /** A failure, once for each. Its `cause` has the details. */
  error(error: Error): void
  /** @param detail of the codes that Auth.js does not have: which provider, which host. */
  warn(code: WarningCode, detail?: string): void
  /** Silent unless `debug` is on or this method is yours. Secrets are removed before it is called. */
  debug(message: string, metadata?: unknown): void
}
