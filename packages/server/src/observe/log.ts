import { type AuthError, type AuthErrorType, isAuthError } from 'latchkey/errors'
import type { LoggerInstance } from 'latchkey/types'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { isBrokenOff } from '../http/broken-off.ts'
import { collectLines } from './collected-lines.ts'
import { redact, redactor } from './redact.ts'
import { textLine } from './text-line.ts'

export interface Log extends Logger {
  /** For the line of a request. It looks for secrets in the path and the error only: the service makes all other members. */
  readonly requests: Logger
}

/** The members of the line of a request that may have a secret. */
interface RequestLine {
  readonly path: string
  readonly error?: string
}

/** How and where the service logs. */
export interface LogOptions {
  readonly level: string
  readonly format: 'json' | 'text'
  /** Values that must not appear, whatever they are part of. */
  readonly secrets: ReadonlySet<string>
  /** Whether the lines of successful requests are written together, see {@link collectLines}. @default false */
  readonly collects?: boolean
  /** @default standard output, written at once so that no line is lost with the process */
  readonly stream?: DestinationStream
}

/** Makes the log. Everything that is logged goes through {@link redact} first. */
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

/** What visitors bring about themselves: nothing for an operator to mend, so no stack trace. */
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

/** The reason to log for what a visitor brought about; `undefined` for everything else. */
function refusalOf(error: Error): Record<string, unknown> | undefined {
  const { name, message } = error
  if (name === 'UnreadableBody') return { refused: name, reason: message }
  if (isBrokenOff(error))
    return {
      refused: 'UnreadableBody',
      reason: 'the connection was closed before the end of the body',
    }
  if (!isAuthError(error) || !(refusals.has(error.type) || isBadAddress(error))) return undefined
  // What the provider answered, such as `access_denied`.
  const { error: answer } = error.cause ?? {}
  return { refused: error.type, reason: message, ...(typeof answer === 'string' && { answer }) }
}

/**
 * Somebody mistypes a password, cancels at the provider or goes back after a sign-in, all day: what the page says about
 * it has a code.
 */
function isAccident(error: Error): boolean {
  return isAuthError(error) && 'code' in error && error.cause?.err === undefined
}

/** A mail that could not be sent is an error of the same type, and for the operator. */
function isBadAddress({ type, cause }: AuthError): boolean {
  const reason = cause?.err
  return (
    type === 'EmailSignInError' &&
    reason instanceof TypeError &&
    /\be-?mail address\b|\bfield `email`/.test(reason.message)
  )
}

/** The library's logger as lines of ours. Without `debug` where nobody would see it, so that nothing is prepared for it. */
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
