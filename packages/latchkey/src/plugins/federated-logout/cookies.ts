import {
  type Cookie,
  type CookieSpec,
  clearCookie,
  type Host,
  type JsonObject,
  type SiteRequest,
  setCookie,
} from '../../entries/plugin.ts'

/** Seconds that a visitor may spend at the provider. */
export const LOGOUT_MAX_AGE = 600

/** Seconds after a sign-out during which a new sign-in needs a click. */
const SIGNED_OUT_MAX_AGE = 60

const hidden = { httpOnly: true, sameSite: 'lax' } as const

/** The cookie of sign-outs that are at their provider. */
function logoutCookie({ secure }: SiteRequest): CookieSpec {
  return {
    name: secure ? '__Host-latchkey.logout' : 'latchkey.logout',
    options: { ...hidden, path: '/', secure, maxAge: LOGOUT_MAX_AGE },
  }
}

/** The cookie that marks a recent sign-out. */
export function signedOutCookie({ secure }: SiteRequest): CookieSpec {
  return {
    name: secure ? '__Host-latchkey.signed-out' : 'latchkey.signed-out',
    options: { ...hidden, path: '/', secure, maxAge: SIGNED_OUT_MAX_AGE },
  }
}

/** The cookie of the ID token if no store keeps it. Browsers send it only to paths of the sign-out. */
export function idTokenCookie({ secure }: SiteRequest, host: Pick<Host, 'site'>): CookieSpec {
  return {
    name: secure ? '__Secure-latchkey.id-token' : 'latchkey.id-token',
    options: { ...hidden, path: host.site.path('logout'), secure },
  }
}

/** Whether a sign-out included the provider. */
export type Mark = 'here' | 'everywhere'

const MARKS: Readonly<Record<Mark, string>> = { here: '1', everywhere: '2' }

export function markSignedOut(request: SiteRequest, mark: Mark): Cookie {
  return setCookie(signedOutCookie(request), MARKS[mark])
}

export function signedOutMark(request: SiteRequest): Mark | undefined {
  const value = request.cookies.get(signedOutCookie(request).name)
  return (Object.keys(MARKS) as Mark[]).find((mark) => MARKS[mark] === value)
}

/** A sign-out that is at its provider. */
export interface Away {
  readonly state: string
  readonly target: string
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** Whether the provider returns the state. */
  readonly keepsState: boolean
}

/** The largest number of sign-outs of one browser at providers. */
const MOST = 3

const SEALED_FOR = { key: 'browser' }

export async function readAway(request: SiteRequest, host: Host): Promise<readonly Away[]> {
  const value = request.cookies.get(logoutCookie(request).name)
  const opened = value && (await host.keys.sealer('logout').open(value, SEALED_FOR))
  return opened ? (opened['away'] as unknown as readonly Away[]) : []
}

/** Stores the sign-outs that are at providers, the newest first. */
export async function writeAway(
  request: SiteRequest,
  away: readonly Away[],
  host: Host,
): Promise<Cookie> {
  const spec = logoutCookie(request)
  if (away.length === 0) return clearCookie(spec)
  const data = { away: away.slice(0, MOST) } as unknown as JsonObject
  const bound = { ...SEALED_FOR, maxAge: LOGOUT_MAX_AGE }
  return setCookie(spec, await host.keys.sealer('logout').seal(data, bound))
}
