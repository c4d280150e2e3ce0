import { definedOnly } from '../encoding/defined-only.ts'
import type { CookieAttributes, CookieSpec } from '../http/cookies.ts'

/** A cookie as an application may override it. */
export interface CookieOption {
  name: string
  options: CookieAttributes
}

/** Our cookies that an application can rename or give other attributes. */
export interface CookiesOptions {
  sessionToken: Partial<CookieOption>
  callbackUrl: Partial<CookieOption>
  csrfToken: Partial<CookieOption>
  pkceCodeVerifier: Partial<CookieOption>
  state: Partial<CookieOption>
  nonce: Partial<CookieOption>
  webauthnChallenge: Partial<CookieOption>
}

/**
 * Every cookie of ours: those above, one for each sign-in with a provider, and the one that knows the
 * browser which asked for a mail.
 */
export type CookieName = keyof CookiesOptions | 'signIn' | 'emailRequest'

export type CookieSpecs = Readonly<Record<CookieName, CookieSpec>>

/** Seconds that a flow's cookies live. */
export const FLOW_MAX_AGE = 900

const SESSION_COOKIE = 'authjs.session-token'

const defaults: Readonly<
  Record<CookieName, { prefix: '__Secure-' | '__Host-'; name: string; maxAge?: number }>
> = {
  sessionToken: { prefix: '__Secure-', name: SESSION_COOKIE },
  callbackUrl: { prefix: '__Secure-', name: 'authjs.callback-url' },
  csrfToken: { prefix: '__Host-', name: 'authjs.csrf-token' },
  pkceCodeVerifier: {
    prefix: '__Secure-',
    name: 'authjs.pkce.code_verifier',
    maxAge: FLOW_MAX_AGE,
  },
  state: { prefix: '__Secure-', name: 'authjs.state', maxAge: FLOW_MAX_AGE },
  nonce: { prefix: '__Secure-', name: 'authjs.nonce' },
  webauthnChallenge: { prefix: '__Host-', name: 'authjs.challenge', maxAge: FLOW_MAX_AGE },
  signIn: { prefix: '__Host-', name: 'latchkey.sign-in', maxAge: FLOW_MAX_AGE },
  emailRequest: { prefix: '__Host-', name: 'latchkey.email-request' },
}

/**
 * Names and attributes of our cookies.
 *
 * @param secure whether they are kept to https, which also decides their name prefix (RFC 6265bis
 *   section 4.1.3). An overridden name is taken as it is.
 */
export function cookieSpecs(
  secure: boolean,
  overrides: Partial<Record<CookieName, Partial<CookieOption>>> = {},
): CookieSpecs {
  const specs: Partial<Record<CookieName, CookieSpec>> = {}
  for (const key of Object.keys(defaults) as CookieName[]) {
    const { prefix, name, maxAge } = defaults[key]
    const base: CookieAttributes = {
      ...(maxAge === undefined ? {} : { maxAge }),
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
    }
    const override = key === 'signIn' ? signInOverride(overrides) : overrides[key]
    const options = { ...base, ...definedOnly(override?.options ?? {}) }
    // Browsers drop a host's own cookie that names a domain or another path.
    const isShared = key !== 'csrfToken' && (options.domain !== undefined || options.path !== '/')
    specs[key] = {
      name: override?.name ?? (secure ? (isShared ? '__Secure-' : prefix) + name : name),
      options,
    }
  }
  return specs as CookieSpecs
}

/** The session cookie's name, as {@link cookieSpecs} has it. */
export function sessionCookieName(
  secure: boolean,
  { sessionToken }: Partial<CookiesOptions> = {},
): string {
  return sessionToken?.name ?? (secure ? `__Secure-${SESSION_COOKIE}` : SESSION_COOKIE)
}

/** Who lets the cookies of a sign-in go further, to another subdomain say, means all of them. */
function signInOverride({
  state,
  pkceCodeVerifier,
  nonce,
}: Partial<CookiesOptions>): Partial<CookieOption> {
  const options = state?.options ?? pkceCodeVerifier?.options ?? nonce?.options
  return options ? { options } : {}
}
