import type { DestinationStream } from 'pino'

/** Milliseconds until collected lines are written. */
const LONGEST_WAIT = 250

/** Characters of collected lines at which they are written. */
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
 * Returns a destination that writes the lines of successful requests together: after a quarter of a second, or
 * when they have 16 kB. It writes every other line at once, and the collected lines before it.
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

/** Whether the last line is that of a request that was answered as it should be. */
function isSuccess({ lastMsg, lastObj }: DescribedLines): boolean {
  return lastMsg === 'request' && Number(lastObj?.['status']) < 400
}
