import type { IncomingMessage } from 'node:http'

/** Longest target of a request line, bytes. */
const LONGEST_LINE = 16 * 1024
/** Most lines of headers. */
const MOST_HEADERS = 100
/** Longest value of one header, bytes. Sessions in cookies may be longer. */
const LONGEST_VALUE = 16 * 1024

/** Why a request is not looked at any further. */
export interface LimitRefusal {
  readonly status: 400 | 414 | 431
  /** For the log. */
  readonly outcome: string
}

/**
 * Returns why a request is refused that Node.js let in: it is too long (RFC 6585 section 5, RFC 9110 section
 * 15.5.15), or names its host more than once (RFC 9112 section 3.2). `undefined` if there is no reason.
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
