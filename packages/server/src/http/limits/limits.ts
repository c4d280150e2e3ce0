import type { IncomingMessage } from 'node:http'

/** Maximum length of the target in a request line, in bytes. */
const LONGEST_LINE = 16 * 1024
/** Maximum number of header lines. */
const MOST_HEADERS = 100
/** Maximum length of a header value in bytes. A session in cookies may be longer. */
const LONGEST_VALUE = 16 * 1024

/** Why a request is refused before it is handled. */
export interface LimitRefusal {
  readonly status: 400 | 414 | 431
  /** The outcome for the log. */
  readonly outcome: string
}

/**
 * Returns why a request that Node.js accepted is refused: it is too long (RFC 6585 section 5, RFC 9110 section
 * 15.5.15), or names its host more than once (RFC 9112 section 3.2). Returns `undefined` if there is no reason.
 */
export function limitRefusal({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): LimitRefusal | undefined {
  if (url.length > LONGEST_LINE) return { status: 414, outcome: 'long-line' }
  if (rawHeaders.length > 2 * MOST_HEADERS) return { status: 431, outcome: 'many-headers' }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const { length } = rawHeaders[at + 1] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    if (length > LONGEST_VALUE && name.toLowerCase() !== 'cookie') {
      return { status: 431, outcome: 'long-header' }
    }
  }
  return hosts > 1 ? { status: 400, outcome: 'two-hosts' } : undefined
}
