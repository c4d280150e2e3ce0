import {
  clearChunked,
  isAmbiguous,
  readAllChunked,
  readChunked,
  writeChunked,
} from '../../http/cookies/cookie-chunks.ts'
import type { CookieSpec } from '../../http/cookies/cookies.ts'
import type { Logger } from '../../options/redacting-logger.ts'
import type { Carried, CarriedValue, Carrier } from '../carrier.ts'
import type { SessionRequest } from '../strategy.ts'
import { warnRepeated } from './repeated.ts'

/** The part of a request that carriers in cookies use. */
export type Jar = Pick<SessionRequest, 'cookies' | 'secure'>

/** A carrier in a cookie. It needs no other part of a request. */
export interface CookieCarrier extends Carrier {
  write(request: Jar, written: CarriedValue): ReturnType<typeof writeChunked>
}

/** The cookie of a carrier. */
export interface CookieOptions {
  specOf(request: Jar): CookieSpec
  /** Whether a long value is in several cookies. */
  readonly isInPieces: boolean
  readonly logger: Logger
}

/** Carries sessions in the session cookie. */
export function cookieCarrier({ specOf, logger, isInPieces }: CookieOptions): CookieCarrier {
  return {
    find: (request) =>
      findInCookie(request, specOf(request).name, isInPieces, (name) => warnRepeated(logger, name)),
    write(request, { value, expires }) {
      const written = writeChunked(request.cookies, specOf(request), value, expires)
      if (isInPieces && written.length > 1) {
        logger.debug('CHUNKING_SESSION_COOKIE', () => ({
          size: value.length,
          pieces: written.map((piece) => piece.value.length),
        }))
      }
      return written
    },
    clear: (request) => clearChunked(request.cookies, specOf(request)),
  }
}

/**
 * Returns the session in a cookie.
 *
 * @param warn called if the browser sent several values.
 */
export function findInCookie(
  { cookies, secure }: Jar,
  name: string,
  isInPieces: boolean,
  warn?: (name: string) => void,
): Carried | undefined {
  const value = isInPieces ? readChunked(cookies, name) : cookies.get(name)
  if (!isAmbiguous(cookies, name)) return value ? { value, secure } : undefined
  warn?.(name)
  const [first = value, ...others] = readAllChunked(cookies, name)
  return first ? { value: first, secure, others } : undefined
}
