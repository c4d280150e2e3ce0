/** The page to which an error that ends a flow redirects. */
export type ErrorPage = 'error' | 'signIn'

/** Every `type` that an {@link AuthError} can carry. */
export type AuthErrorType =
  | 'AccessDenied'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'AuthError'
  | 'CallbackRouteError'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCallbackUrl'
  | 'InvalidCheck'
  | 'InvalidEndpoints'
  | 'InvalidProvider'
  | 'JWTSessionError'
  | 'MissingAdapter'
  | 'MissingAdapterMethods'
  | 'MissingAuthorize'
  | 'MissingCSRF'
  | 'MissingSecret'
  | 'MissingWebAuthnAutocomplete'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'ReauthenticationRequired'
  | 'SessionLimit'
  | 'SessionTokenError'
  | 'SignOutError'
  | 'StepUpRequired'
  | 'TooManyAttempts'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

interface Report {
  readonly page: ErrorPage
  /** Whether the browser may see the type. */
  readonly client: boolean
  /** The public name that the browser sees instead. */
  readonly code?: string
}

const inGeneral: Report = { page: 'error', client: false }
const onErrorPage: Report = { page: 'error', client: true }
const onSignInPage: Report = { page: 'signIn', client: true }

/** One row for each type. */
const table: Readonly<Record<AuthErrorType, Report>> = {
  AccessDenied: onErrorPage,
  AccountNotLinked: onSignInPage,
  AdapterError: inGeneral,
  AuthError: inGeneral,
  CallbackRouteError: inGeneral,
  CredentialsSignin: onSignInPage,
  DuplicateConditionalUI: inGeneral,
  EmailSignInError: { page: 'signIn', client: false, code: 'EmailSignin' },
  ErrorPageLoop: inGeneral,
  EventError: inGeneral,
  ExperimentalFeatureNotEnabled: inGeneral,
  InvalidCallbackUrl: inGeneral,
  InvalidCheck: inGeneral,
  InvalidEndpoints: inGeneral,
  InvalidProvider: inGeneral,
  JWTSessionError: inGeneral,
  MissingAdapter: inGeneral,
  MissingAdapterMethods: inGeneral,
  MissingAuthorize: inGeneral,
  MissingCSRF: onSignInPage,
  MissingSecret: inGeneral,
  MissingWebAuthnAutocomplete: inGeneral,
  OAuthAccountNotLinked: onSignInPage,
  OAuthCallbackError: onSignInPage,
  OAuthProfileParseError: { page: 'signIn', client: false, code: 'OAuthCallbackError' },
  OAuthSignInError: { page: 'signIn', client: false, code: 'OAuthSignin' },
  ReauthenticationRequired: onSignInPage,
  SessionLimit: onSignInPage,
  SessionTokenError: inGeneral,
  SignOutError: onErrorPage,
  StepUpRequired: inGeneral,
  TooManyAttempts: onErrorPage,
  UnknownAction: inGeneral,
  UnsupportedStrategy: inGeneral,
  UntrustedHost: inGeneral,
  Verification: onErrorPage,
  WebAuthnVerificationError: onErrorPage,
}

/** Returns how an error is reported; one with a type of the application is reported like an internal error. */
function rowOf(type: AuthErrorType): Report {
  return Object.hasOwn(table, type) ? table[type] : table.AuthError
}

/** The cause of an error: another error, and further details. */
export interface AuthErrorCause extends Record<string, unknown> {
  err?: Error
}

/**
 * The base class of all errors of Latchkey.
 *
 * Distinguish errors by `type`, which is stable across releases and also works with two copies of the package
 * in one process; `instanceof` does not. The message and the cause are for the log: the browser
 * sees at most the type.
 */
export class AuthError extends Error {
  static type: AuthErrorType = 'AuthError'
  readonly type: AuthErrorType
  /** The section of the docs in the package about this type. Node.js prints it for uncaught errors. */
  readonly docs: string
  declare readonly cause?: AuthErrorCause

  /**
   * @param message the problem; an error becomes `cause.err`, an object becomes `details`.
   * @param details members of `cause`; an error becomes `cause.err`.
   */
  constructor(
    message?: string | Error | Record<string, unknown>,
    details?: Error | Record<string, unknown>,
  ) {
    const cause = { ...causeOf(message), ...causeOf(details) }
    super(textOf(message, cause))
    this.type = new.target.type
    this.docs = explainedIn(this.type)
    this.name = new.target.name
    if (Object.keys(cause).length > 0) this.cause = cause
  }

  /** The page that reports this error. */
  get page(): ErrorPage {
    return rowOf(this.type).page
  }

  /** The same as {@link page}, with the name in Auth.js. */
  get kind(): ErrorPage {
    return this.page
  }
}

/** Returns the page about errors, with the section of the type; types of an application have no section. */
function explainedIn(type: string): string {
  const section = Object.hasOwn(table, type) ? `#${type.toLowerCase()}` : ''
  return `latchkey/docs/reference/errors.md${section}`
}

/**
 * Returns the log line of an error: its type, its message, and its section of the docs, unless the message
 * already names a section.
 */
export function lineOf(error: Error): string {
  if (!isAuthError(error)) return `${error.name}: ${error.message}`
  const { type, message, docs } = error
  // Another copy of the package may be older.
  const isExplained = !docs || message.includes('latchkey/docs/')
  return `${type}: ${message}${isExplained ? '' : ` (${docs})`}`
}

/** Returns the log line of a warning: its code, its detail, and the section of the docs about warnings. */
export function warningLine(code: string, detail?: string): string {
  const text = detail ? ` ${detail}` : ''
  return `[latchkey][warn][${code}]${text} (latchkey/docs/reference/errors.md#warnings)`
}

function causeOf(value: unknown): AuthErrorCause {
  if (value instanceof Error) {
    const inner = value.cause
    return { ...(isPlain(inner) ? inner : inner === undefined ? {} : { cause: inner }), err: value }
  }
  if (!isPlain(value)) return {}
  const { cause, ...members } = value
  return { ...members, ...causeOf(cause) }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Error)
}

function textOf(message: unknown, { err }: AuthErrorCause): string {
  return typeof message === 'string' ? message : (err?.message ?? '')
}

/** Base of the errors that are reported on the sign-in page. */
export class SignInError extends AuthError {
  override get page(): ErrorPage {
    return 'signIn'
  }
}

/** The `signIn` callback refused the sign-in or threw an error. */
export class AccessDenied extends AuthError {
  static override type: AuthErrorType = 'AccessDenied'
}
/** The passkey belongs to another user, or its address belongs to another user. */
export class AccountNotLinked extends SignInError {
  static override type: AuthErrorType = 'AccountNotLinked'
}
/** A method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type: AuthErrorType = 'AdapterError'
}
/** Another error occurred while the response of a provider was handled. */
export class CallbackRouteError extends AuthError {
  static override type: AuthErrorType = 'CallbackRouteError'
}
/**
 * Throw it from `authorize` of a credentials provider if the credentials are wrong; create a subclass
 * for your own `code`.
 *
 * `code` appears in a URL, so it must not reveal whether the user name or the password was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type: AuthErrorType = 'CredentialsSignin'
  code: string = 'credentials'
}
/** More than one passkey provider wants the conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type: AuthErrorType = 'DuplicateConditionalUI'
}
/** A sign-in mail was not sent: the address is invalid, or the mail service failed. */
export class EmailSignInError extends SignInError {
  static override type: AuthErrorType = 'EmailSignInError'
}
/** The error page of the application requires a session itself. */
export class ErrorPageLoop extends AuthError {
  static override type: AuthErrorType = 'ErrorPageLoop'
}
/** A handler of an event threw. */
export class EventError extends AuthError {
  static override type: AuthErrorType = 'EventError'
}
/** A feature behind `experimental` is used without being enabled. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: AuthErrorType = 'ExperimentalFeatureNotEnabled'
}
/** Never thrown; exported for applications that use it. An invalid callback URL is replaced by the default. */
export class InvalidCallbackUrl extends AuthError {
  static override type: AuthErrorType = 'InvalidCallbackUrl'
}
/** A `state`, `nonce`, code verifier or challenge is missing, unreadable, or belongs to another provider. */
export class InvalidCheck extends AuthError {
  static override type: AuthErrorType = 'InvalidCheck'
  /** `expired`: the sign-in took too long, its response was used before, or it began in another browser. */
  declare code?: 'expired'
}
/** An OAuth provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type: AuthErrorType = 'InvalidEndpoints'
}
/** The provider does not exist, or does not support the action. */
export class InvalidProvider extends AuthError {
  static override type: AuthErrorType = 'InvalidProvider'
}
/** The URL names an unknown provider. Anybody can send such a request, so the log has only a warning. */
export class UnknownProvider extends InvalidProvider {}
/** A session token cannot be read or written. */
export class JWTSessionError extends AuthError {
  static override type: AuthErrorType = 'JWTSessionError'
}
/** A feature needs an adapter. */
export class MissingAdapter extends AuthError {
  static override type: AuthErrorType = 'MissingAdapter'
}
/** The adapter lacks methods that a feature needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: AuthErrorType = 'MissingAdapterMethods'
}
/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: AuthErrorType = 'MissingAuthorize'
}
/** The CSRF token is missing or wrong. */
export class MissingCSRF extends SignInError {
  static override type: AuthErrorType = 'MissingCSRF'
}
/** No secret is configured, or a secret in production is easy to guess. */
export class MissingSecret extends AuthError {
  static override type: AuthErrorType = 'MissingSecret'
}
/** A passkey form has no field that the browser may fill in. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: AuthErrorType = 'MissingWebAuthnAutocomplete'
}
/** The account, or its address, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: AuthErrorType = 'OAuthAccountNotLinked'
}
/** The provider returned an error. */
export class OAuthCallbackError extends SignInError {
  static override type: AuthErrorType = 'OAuthCallbackError'
  /** `access_denied`: the visitor cancelled at the provider (RFC 6749 section 4.1.2.1). */
  declare code?: 'access_denied'
}
/** The provider's `profile` callback threw, or found no stable identifier. */
export class OAuthProfileParseError extends SignInError {
  static override type: AuthErrorType = 'OAuthProfileParseError'
}
/** A sign-in could not be started because of an error of the provider. */
export class OAuthSignInError extends SignInError {
  static override type: AuthErrorType = 'OAuthSignInError'
}
/** A signed-in user adds a way to sign in, and proved their identity too long ago. */
export class ReauthenticationRequired extends SignInError {
  static override type: AuthErrorType = 'ReauthenticationRequired'
}
/** A plugin refused a session because the user has reached the maximum number of sessions. */
export class SessionLimit extends SignInError {
  static override type: AuthErrorType = 'SessionLimit'
}
/** A stored session cannot be read. */
export class SessionTokenError extends AuthError {
  static override type: AuthErrorType = 'SessionTokenError'
}
/** The store could not delete a session, so the session is still valid. */
export class SignOutError extends AuthError {
  static override type: AuthErrorType = 'SignOutError'
}
/** The proof of identity in a session is too old or too weak. Answer with `latchkey.stepUpResponse`. */
export class StepUpRequired extends AuthError {
  static override type: AuthErrorType = 'StepUpRequired'
}
/** A limit for attempts was exceeded. */
export class TooManyAttempts extends AuthError {
  static override type: AuthErrorType = 'TooManyAttempts'
}
/** The action does not exist, or does not support the HTTP method. */
export class UnknownAction extends AuthError {
  static override type: AuthErrorType = 'UnknownAction'
}
/** The session strategy does not fit the providers. */
export class UnsupportedStrategy extends AuthError {
  static override type: AuthErrorType = 'UnsupportedStrategy'
}
/** `trustHost` is not set. */
export class UntrustedHost extends AuthError {
  static override type: AuthErrorType = 'UntrustedHost'
}
/** A mail link is wrong, used or expired. */
export class Verification extends AuthError {
  static override type: AuthErrorType = 'Verification'
}
/** The response of a passkey could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type: AuthErrorType = 'WebAuthnVerificationError'
}

/** Returns `true` for an {@link AuthError}, also from another copy of the package. */
export function isAuthError(value: unknown): value is AuthError {
  if (value instanceof AuthError) return true
  return (
    value instanceof Error &&
    'type' in value &&
    typeof value.type === 'string' &&
    Object.hasOwn(table, value.type)
  )
}

/** Returns whether the browser may see the type of the error. */
export function isClientError(error: unknown): error is AuthError {
  return isAuthError(error) && rowOf(error.type).client
}

/** Returns the value of the `error` parameter: the type, its public name, or `Configuration`. */
export function publicErrorCode(error: unknown): string {
  if (!isAuthError(error)) return 'Configuration'
  const row = rowOf(error.type)
  return row.client ? error.type : (row.code ?? 'Configuration')
}

/** The types whose `code` the browser receives. */
const WITH_CODE: ReadonlySet<string> = new Set<AuthErrorType>([
  'CredentialsSignin',
  'InvalidCheck',
  'OAuthCallbackError',
])

/** Returns the value of the `code` parameter, which says more than the type; `undefined` for most errors. */
export function publicDetail(error: unknown): string | undefined {
  if (!isAuthError(error) || !WITH_CODE.has(error.type) || !('code' in error)) return undefined
  return String(error.code)
}

/** Returns whether a visitor caused the error, for example with a wrong password: the operator cannot mend it. */
export function isOfVisitor(error: unknown): error is AuthError {
  return publicDetail(error) !== undefined && (error as AuthError).cause?.err === undefined
}

/** Returns the page that reports an error; errors of other libraries are reported on the error page. */
export function errorPageOf(error: unknown): ErrorPage {
  if (error instanceof AuthError) return error.kind
  return isAuthError(error) ? rowOf(error.type).page : 'error'
}

/** Returns the thrown value as an `Error`. Some drivers throw plain objects with a message. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message = thrown }: { message?: unknown } = Object(thrown)
  try {
    return new Error(String(message))
  } catch {
    // Some objects cannot be converted to a string.
    return new Error('an object without a message')
  }
}
