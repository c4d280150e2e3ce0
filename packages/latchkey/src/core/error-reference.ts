import { toError } from '../base/errors.ts'
import { type Cookie, type CookieSpec, setCookie } from '../http/cookies/cookies.ts'
import { dateText } from '../http/dates.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SessionPlan } from '../plan/plan.ts'

/** Digits and letters that nobody mixes up when they read them out (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Milliseconds for which the error page shows the reference. */
const SHOWN: number = 10 * 60 * 1000

/** What an error page shows, so that a visitor can name the failure. */
export interface ErrorReference {
  readonly id: string
  /** The time of the failure, as text. */
  readonly time: string
}

/** Draws a reference for a failure, writes it to the log with the error, and returns the cookie for the error page. */
export function drawReference(error: unknown, request: SiteRequest, plan: SessionPlan): Cookie {
  const { ports, logger } = plan
  const letters = Array.from(ports.random(8), (byte) => ALPHABET[byte % ALPHABET.length])
  const id = `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
  const { name, message } = toError(error)
  logger.warn('error-reference', `${id} was shown to a visitor for this error: ${name}: ${message}`)
  const now = ports.now()
  return setCookie(cookieFor(request), `${id}.${now}`, new Date(now + SHOWN))
}

/** Returns the reference of the failure that led here. */
export function readReference(request: SiteRequest, lang: string): ErrorReference | undefined {
  const value = request.cookies.get(cookieFor(request).name) ?? ''
  const [, id, time] = /^([0-9A-Z]{4}-[0-9A-Z]{4})\.(\d{13})$/.exec(value) ?? []
  return id === undefined
    ? undefined
    : { id, time: dateText(new Date(Number(time)).toISOString(), lang) }
}

function cookieFor({ secure }: SiteRequest): CookieSpec {
  return {
    name: `${secure ? '__Host-' : ''}latchkey.error`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  }
}
