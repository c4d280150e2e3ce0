import type { LoggerInstance } from 'latchkey/types'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { redact, redactor } from './redact.ts'
import { textLine } from './text-line.ts'

export type Log = Logger

/** How and where the service logs. */
export interface LogOptions {
  readonly level: string
  readonly format: 'json' | 'text'
  /** Values that must not appear, whatever they are part of. */
  readonly secrets: ReadonlySet<string>
  /** @default standard output, written at once so that no line is lost with the process */
  readonly stream?: DestinationStream
}

/** Makes the log. Everything that is logged goes through {@link redact} first. */
export function createLog({ level, format, secrets, stream }: LogOptions): Log {
  const clean = redactor(secrets)
  const target = stream ?? destination({ dest: 1, sync: true })
  return pino(
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
      },
    },
    format === 'json' ? target : { write: (line: string) => target.write(textLine(line)) },
  )
}

/** The library's logger as lines of ours. */
export function libraryLogger(log: Log): LoggerInstance {
  return {
    error: (error) => log.error({ error }, 'auth error'),
    warn: (code, detail) => log.warn({ warning: code, ...(detail && { detail }) }, 'auth warning'),
    debug: (message, metadata) => log.debug(metadata === undefined ? {} : { metadata }, message),
  }
}
