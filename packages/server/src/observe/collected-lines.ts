import type { DestinationStream } from 'pino'

/** Milliseconds after which collected lines are written. */
const LONGEST_WAIT = 250

/** Number of characters at which collected lines are written. */
const MOST_TEXT = 16 * 1024

/** If a destination has this member, pino sets the message and the object of each line on it. */
const METADATA: unique symbol = Symbol.for('pino.metadata')

/** A destination on which pino sets the message and the object of a line before it writes the line. */
interface DescribedLines extends DestinationStream {
  readonly [METADATA]: true
  lastMsg?: string
  lastObj?: Readonly<Record<string, unknown>>
  flush(): void
}

/**
 * Returns a destination that collects the lines of successful requests and writes them together: after a quarter of a
 * second, or at 16 kB. It writes every other line immediately, after the collected lines.
 */
export function collectLines(target: DestinationStream): DestinationStream {
  let collected = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (collected === '') return
    const text = collected
    collected = ''
    target.write(text)
  }
  const lines: DescribedLines = {
    [METADATA]: true,
    write(line) {
      collected += line
      if (!isSuccess(lines) || collected.length >= MOST_TEXT) flush()
      else timer ??= setTimeout(flush, LONGEST_WAIT).unref()
    },
    flush,
  }
  return lines
}

/** Whether the last line belongs to a request that succeeded. */
function isSuccess({ lastMsg, lastObj }: DescribedLines): boolean {
  return lastMsg === 'request' && Number(lastObj?.['status']) < 400
}
