/** Where the visitor is sent when an error ends a flow. */
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
  | 'SessionLimit'
  | 'SessionTokenError'
  | 'SignOutError'
  | 'TooManyAttempts'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

interface Report {
  readonly page: ErrorPage
  /** May the browser see the type itself? */
  readonly client: boolean
  /** What it sees instead. */
  readonly code?: string
}

const inGeneral: Report = { page: 'error', client: false }
const onErrorPage: Report = { page: 'error', client: true }
const onSignInPage: Report = { page: 'signIn', client: true }

/** One row a type. */
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
  SessionLimit: onSignInPage,
  SessionTokenError: inGeneral,
  SignOutError: onErrorPage,
  TooManyAttempts: onErrorPage,
  UnknownAction: inGeneral,
  UnsupportedStrategy: inGeneral,
  UntrustedHost: inGeneral,
  Verification: onErrorPage,
  WebAuthnVerificationError: onErrorPage,
}

/** A type that an application gave to an error of its own is reported as a mistake is: in general. */
function rowOf(type: AuthErrorType): Report {
  return Object.hasOwn(table, type) ? table[type] : table.AuthError
}

/** What led to an error: another error, and whatever else is known about it. */
export interface AuthErrorCause extends Record<string, unknown> {
  err?: Error
}

/**
 * The base of every error that Latchkey throws on purpose.
 *
 * Tell them apart by `type`, which is stable across releases and survives two copies of the package
 * in one process; `instanceof` does not. The message and the cause are for the log: the browser
 * sees at most the type.
 */
export class AuthError extends Error {
  static type: AuthErrorType = 'AuthError'
  readonly type: AuthErrorType
  /** Where the docs in the package explain the type. Node.js prints it below an error that nobody caught. */
  readonly docs: string
  declare readonly cause?: AuthErrorCause

  /**
   * @param message what was wrong; an error becomes `cause.err`, an object is taken as `details`.
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

  /** The same as {@link page}, under the name that Auth.js gave it. */
  get kind(): ErrorPage {
    return this.page
  }
}

/** An application's own type has no section. */
function explainedIn(type: string): string {
  const section = Object.hasOwn(table, type) ? `#${type.toLowerCase()}` : ''
  return `latchkey/docs/reference/errors.md${section}`
}

/** What the log says of a failure: its type, its message, and where the docs explain it. */
export function lineOf(error: Error): string {
  if (!isAuthError(error)) return `${error.name}: ${error.message}`
  const { type, message, docs } = error
  // Another copy of the package may be older.
  return `${type}: ${message}${docs ? ` (${docs})` : ''}`
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

/** The `signIn` callback refused, or threw. */
export class AccessDenied extends AuthError {
  static override type: AuthErrorType = 'AccessDenied'
}
/** A passkey belongs to another user, or its address is taken. */
export class AccountNotLinked extends SignInError {
  static override type: AuthErrorType = 'AccountNotLinked'
}
/** A method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type: AuthErrorType = 'AdapterError'
}
/** Something else went wrong while a provider's answer was handled. */
export class CallbackRouteError extends AuthError {
  static override type: AuthErrorType = 'CallbackRouteError'
}
/**
 * Throw it from a credentials provider's `authorize` when the credentials are wrong; subclass it
 * for a `code` of your own.
 *
 * `code` ends up in a URL, so it must not tell which of user name and password was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type: AuthErrorType = 'CredentialsSignin'
  code: string = 'credentials'
}
/** More than one passkey provider wants the conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type: AuthErrorType = 'DuplicateConditionalUI'
}
/** A sign-in mail could not be asked for: the address is unusable, or it could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: AuthErrorType = 'EmailSignInError'
}
/** The application's error page needs a session itself. */
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
/** Kept for applications that name it; an unusable callback URL is replaced by the default one. */
export class InvalidCallbackUrl extends AuthError {
  static override type: AuthErrorType = 'InvalidCallbackUrl'
}
/** A `state`, `nonce`, code verifier or challenge is missing, unreadable, or another provider's. */
export class InvalidCheck extends AuthError {
  static override type: AuthErrorType = 'InvalidCheck'
}
/** An OAuth provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type: AuthErrorType = 'InvalidEndpoints'
}
/** No such provider, or one that cannot do this. */
export class InvalidProvider extends AuthError {
  static override type: AuthErrorType = 'InvalidProvider'
}
/** The address names a provider that there is not: anybody can ask for that, so it is no fault to look into. */
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
/** No secret is configured, or in production one that anybody can guess. */
export class MissingSecret extends AuthError {
  static override type: AuthErrorType = 'MissingSecret'
}
/** A passkey form has no field that the browser may fill in. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: AuthErrorType = 'MissingWebAuthnAutocomplete'
}
/** The account belongs to another user, or its address does. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: AuthErrorType = 'OAuthAccountNotLinked'
}
/** The provider answered with an error. */
export class OAuthCallbackError extends SignInError {
  static override type: AuthErrorType = 'OAuthCallbackError'
}
/** The provider's `profile` callback threw, or found no stable identifier. */
export class OAuthProfileParseError extends SignInError {
  static override type: AuthErrorType = 'OAuthProfileParseError'
}
/** A sign-in could not be started because the provider is at fault. */
export class OAuthSignInError extends SignInError {
  static override type: AuthErrorType = 'OAuthSignInError'
}
/** A plugin refused a session, since the user has as many as they may have. */
export class SessionLimit extends SignInError {
  static override type: AuthErrorType = 'SessionLimit'
}
/** A stored session cannot be read. */
export class SessionTokenError extends AuthError {
  static override type: AuthErrorType = 'SessionTokenError'
}
/** The store could not end a session, which lives on. */
export class SignOutError extends AuthError {
  static override type: AuthErrorType = 'SignOutError'
}
/** Somebody tried too often; a limit counted it. */
export class TooManyAttempts extends AuthError {
  static override type: AuthErrorType = 'TooManyAttempts'
}
/** No such action, or not by this method. */
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
/** A passkey answer did not verify. */
export class WebAuthnVerificationError extends AuthError {
  static override type: AuthErrorType = 'WebAuthnVerificationError'
}

/** True for an {@link AuthError}, also one of another copy of the package. */
export function isAuthError(value: unknown): value is AuthError {
  if (value instanceof AuthError) return true
  return (
    value instanceof Error &&
    'type' in value &&
    typeof value.type === 'string' &&
    Object.hasOwn(table, value.type)
  )
}

/** True when the browser may see the error's type. */
export function isClientError(error: unknown): error is AuthError {
  return isAuthError(error) && rowOf(error.type).client
}

/** What the browser is told in the `error` parameter: the type, a public name for it, or `Configuration`. */
export function publicErrorCode(error: unknown): string {
  if (!isAuthError(error)) return 'Configuration'
  const row = rowOf(error.type)
  return row.client ? error.type : (row.code ?? 'Configuration')
}

/** The page on which an error is reported; anything that is not ours is reported on the error page. */
export function errorPageOf(error: unknown): ErrorPage {
  if (error instanceof AuthError) return error.kind
  return isAuthError(error) ? rowOf(error.type).page : 'error'
}

/** Whatever was thrown, as an error. Some drivers throw plain objects with a message. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message = thrown }: { message?: unknown } = Object(thrown)
  try {
    return new Error(String(message))
  } catch {
    // Not every object has a text.
    return new Error('an object without a message')
  }
}
