import { excerpt } from '../base/encoding/excerpt.ts'
import { isAuthError, isOfVisitor, lineOf } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import { warnOnConsole } from '../base/warnings.ts'
import type { LoggerInstance, WarningCode } from './logger.ts'

/** The logger as the core uses it. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode, detail?: string): void
  /** @param metadata is called only if debug messages are logged. */
  debug(message: string, metadata?: () => unknown): void
}

/**
 * Returns the application's logger, with the console for missing methods. Secrets are removed from debug messages.
 *
 * @param configuration what distinguishes the configuration from others: the console shows its warnings once.
 */
export function createLogger(
  given: Partial<LoggerInstance> = {},
  debug: boolean,
  console: Ports['console'],
  configuration?: string,
): Logger {
  const isOn = given.debug !== undefined || debug
  return {
    error: (error) =>
      withFallback(given.error && (() => given.error?.(error)), () => logError(console, error)),
    warn: (code, detail) =>
      withFallback(given.warn && (() => given.warn?.(code, ...present(detail))), () =>
        warnOnConsole(console, code, detail && oneLine(detail), configuration),
      ),
    debug: (message, metadata) => {
      if (!isOn) return
      const shown = metadata && redact(metadata())
      withFallback(given.debug && (() => given.debug?.(message, ...present(shown))), () => {
        if (debug) logDebug(console, message, shown)
      })
    },
  }
}

/** Omits a missing argument, since a function can distinguish `undefined` from no argument. */
function present<T>(value: T | undefined): [] | [T] {
  return value === undefined ? [] : [value]
}

/** Calls the application's logger. Without one, or if it fails, logs to the console. */
function withFallback(given: (() => unknown) | undefined, console: () => void): void {
  if (!given) return console()
  try {
    const later = given()
    if (later instanceof Promise) later.catch(console)
  } catch {
    console()
  }
}

function logError(console: Ports['console'], error: Error): void {
  // It is no failure, and needs no stack trace.
  if (isOfVisitor(error)) {
    const { type, message } = error
    console.log(`[latchkey][info] ${oneLine(message ? `${type}: ${message}` : type)}`)
    return
  }
  console.error(`[latchkey][error] ${oneLine(lineOf(error))}`)
  if (!isAuthError(error) || !error.cause) {
    console.error(traceOf(error))
    return
  }
  const { err, ...details } = error.cause
  console.error(traceOf(err ?? error))
  if (Object.keys(details).length > 0) console.error(JSON.stringify(redact(details), null, 2))
}

/** Returns the message and the stack of an error. Line breaks in the message are escaped, since it may contain input. */
function traceOf({ name, message, stack: given }: Error): string {
  // The stack of some errors is missing, or a list.
  const stack = String(given ?? '')
  const head = [`${name}: ${message}`, message].find((text) => stack.includes(text)) ?? ''
  const frames = stack.slice(stack.indexOf(head) + head.length)
  const lines = frames.split('\n').map((line) => line.trim())
  return [
    oneLine(`${name}: ${message}`),
    ...lines.filter((line) => line !== '').map((line) => `    ${oneLine(line)}`),
  ].join('\n')
}

function logDebug(console: Ports['console'], message: string, metadata?: unknown): void {
  console.log(`[latchkey][debug] ${message}`, JSON.stringify(metadata, null, 2) ?? '')
}

/** Escapes control characters, so that a message is one line. */
export function oneLine(text: string): string {
  // The expression must match control characters.
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const SECRET =
  /secret|token|password|passwd|cookie|authorization|verifier|assertion|challenge|nonce|state$|^code$|^key$|apikey|jwt|^url$|credential/i

/** Maximum depth of logged objects. */
const DEPTH = 6

/** Returns a copy in which long texts are cut, and values of members with names of secrets are replaced. */
export function redact(value: unknown, depth = 0): unknown {
  // JSON has no bigint.
  if (typeof value === 'string' || typeof value === 'bigint') return oneLine(excerpt(String(value)))
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH) return '[…]'
  if (value instanceof Date) return value
  if (value instanceof Error) return `${value.name}: ${oneLine(excerpt(value.message))}`
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET.test(name) && member !== undefined && member !== null
        ? '[redacted]'
        : redact(member, depth + 1),
    ]),
  )
}
