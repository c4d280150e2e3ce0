/** Every code that `logger.warn` is called with. */
export type WarningCode =
  | 'csrf-disabled'
  | 'debug-enabled'
  | 'env-url-basepath-redundant'
  | 'env-url-basepath-mismatch'
  | 'callback-url-unusable'
  | 'limits-in-process'
  | 'limits-off'
  | 'challenge-host'
  | 'challenge-unavailable'
  | 'limits-unknown-client'
  | 'provider-tokens-refused'
  | 'provider-tokens-size'
  | 'provider-tokens-no-user'
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
  | 'session-missing'
  | 'session-secrets'
  | 'session-size'
  | 'sessions-unchecked'
  | 'short-secret'
  | 'address-mismatch'
  | 'mount-point'
  | 'proxy-not-trusted'
  | 'cookie-refused'
  | 'error-reference'
  | 'low-contrast'
  | 'option-ignored'
  | 'cookie-repeated'
  | 'unknown-option'
  | 'unknown-provider'
  | 'client-id-missing'
  | 'token-claims'
  | 'federated-logout-unavailable'
  | 'front-channel-logout'
  | 'password-hashing'

/** A logger. Each method replaces the default one separately. */
export interface LoggerInstance {
  /** Logs a failure, once. Its `cause` has the details. */
  error(error: Error): void
  /** @param detail for codes that Auth.js does not have, for example the provider or the host. */
  warn(code: WarningCode, detail?: string): void
  /** Called only if `debug` is on, or if this method is configured. Secrets are removed before the call. */
  debug(message: string, metadata?: unknown): void
}
