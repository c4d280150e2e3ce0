import { type AuthError, type AuthErrorType, isAuthError } from 'latchkey/errors'
import type { LoggerInstance } from 'latchkey/types'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { isBrokenOff } from '../http/broken-off.ts'
import { collectLines } from './collected-lines.ts'
import { redact, redactor } from './redact.ts'
import { textLine } from './text-line.ts'

export interface Log extends Logger {
  /**
   * Logs the lines of requests. It removes secrets only from the path and the error, since the service writes all other
   * members.
   */
  readonly requests: Logger
}

/** The members of a request's line that may contain a secret. */
interface RequestLine {
  readonly path: string
  readonly error?: string
}

/** Format and destination of the log. */
export interface LogOptions {
  readonly level: string
  readonly format: 'json' | 'text'
  /** Values that must not appear in the log, also as a part of a longer text. */
  readonly secrets: ReadonlySet<string>
  /**
   * Whether the lines of successful requests are written together, see {@link collectLines}.
   *
   * @default false
   */
  readonly collects?: boolean
  /** @default standard output, written immediately so that a crash loses no line */
  readonly stream?: DestinationStream
}

/** Creates the log. {@link redact} cleans everything before it is logged. */
export function createLog({ level, format, secrets, collects, stream }: LogOptions): Log {
  const clean = redactor(secrets)
  const output = stream ?? destination({ dest: 1, sync: true })
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (members) => redact(members, clean) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          const cleaned = args.map((arg: unknown) => (typeof arg === 'string' ? clean(arg) : arg))
          method.apply(this, cleaned as Parameters<typeof method>)
        },
        ...(format === 'text' && { streamWrite: textLine }),
      },
    },
    collects ? collectLines(output) : output,
  )
  const cleanLine = (line: object): object => {
    const { path, error } = line as RequestLine
    return { ...line, path: clean(path), ...(error !== undefined && { error: clean(error) }) }
  }
  return Object.assign(log, { requests: log.child({}, { formatters: { log: cleanLine } }) })
}

/** Errors that visitors cause. An operator cannot fix them, so they are logged without a stack trace. */
const refusals: ReadonlySet<string> = new Set<AuthErrorType>([
  'AccessDenied',
  'AccountNotLinked',
  'CredentialsSignin',
  'InvalidCheck',
  'MissingCSRF',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'SessionLimit',
  'TooManyAttempts',
  'UnknownAction',
  'Verification',
  'WebAuthnVerificationError',
])

/** Returns the log members for an error that a visitor caused; `undefined` for all other errors. */
function refusalOf(error: Error): Record<string, unknown> | undefined {
  const { name, message } = error
  if (name === 'UnreadableBody') return { refused: name, reason: message }
  if (isBrokenOff(error))
    return {
      refused: 'UnreadableBody',
      reason: 'the connection was closed before the end of the body',
    }
  if (!isAuthError(error) || !(refusals.has(error.type) || isBadAddress(error))) return undefined
  // The error code of the provider, such as `access_denied`.
  const { error: answer } = error.cause ?? {}
  return { refused: error.type, reason: message, ...(typeof answer === 'string' && { answer }) }
}

/**
 * Whether the error is part of normal use: a wrong password, a cancelled sign-in at the provider, or the back button
 * after a sign-in. The code on the page identifies it.
 */
function isAccident(error: Error): boolean {
  return isAuthError(error) && 'code' in error && error.cause?.err === undefined
}

/** A mail that could not be sent has an error of the same type, but concerns the operator. */
function isBadAddress({ type, cause }: AuthError): boolean {
  const reason = cause?.err
  return (
    type === 'EmailSignInError' &&
    reason instanceof TypeError &&
    /\be-?mail address\b|\bfield `email`/.test(reason.message)
  )
}

/**
 * Returns the library's logger, which writes to the log of the service. It has no `debug` if the level is higher, so
 * that the library does not prepare messages that nobody sees.
 */
export function libraryLogger(log: Log): Partial<LoggerInstance> {
  return {
    error(error) {
      const refusal = refusalOf(error)
      if (refusal && isAccident(error)) log.info(refusal, 'auth refused')
      else if (refusal) log.warn(refusal, 'auth refused')
      else log.error({ error }, 'auth error')
    },
    warn: (code, detail) => log.warn({ warning: code, ...(detail && { detail }) }, 'auth warning'),
    ...(log.isLevelEnabled('debug') && {
      debug: (message: string, metadata?: unknown) =>
        log.debug(metadata === undefined ? {} : { metadata }, message),
    }),
  }
}
