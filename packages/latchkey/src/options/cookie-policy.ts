import { definedOnly } from '../base/encoding/defined-only.ts'
import type { CookieAttributes, CookieSpec } from '../http/cookies/cookies.ts'

/** The name and the attributes of a cookie. */
export interface CookieOption {
  name: string
  options: CookieAttributes
}

/** The cookies whose names and attributes an application can change. */
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
 * All cookies: the ones above, one for each sign-in with a provider, and one that identifies the browser that requested
 * a mail.
 */
export type CookieName = keyof CookiesOptions | 'signIn' | 'emailRequest'

export type CookieSpecs = Readonly<Record<CookieName, CookieSpec>>

/** Maximum age of the cookies of a flow, in seconds. */
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
 * Returns the names and attributes of all cookies.
 *
 * @param secure whether the cookies are `Secure`, which also determines their name prefix (RFC 6265bis
 *   section 4.1.3). A configured name gets no prefix.
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
    // Browsers reject a `__Host-` cookie with a domain or another path.
    const isShared = key !== 'csrfToken' && (options.domain !== undefined || options.path !== '/')
    specs[key] = {
      name: override?.name ?? (secure ? (isShared ? '__Secure-' : prefix) + name : name),
      options,
    }
  }
  return specs as CookieSpecs
}

/** Returns the name of the session cookie, as {@link cookieSpecs} does. */
export function sessionCookieName(
  secure: boolean,
  { sessionToken }: Partial<CookiesOptions> = {},
): string {
  return sessionToken?.name ?? (secure ? `__Secure-${SESSION_COOKIE}` : SESSION_COOKIE)
}

/** Attributes of one cookie of a sign-in, for example a domain, apply to all of them. */
function signInOverride({
  state,
  pkceCodeVerifier,
  nonce,
}: Partial<CookiesOptions>): Partial<CookieOption> {
  const options = state?.options ?? pkceCodeVerifier?.options ?? nonce?.options
  return options ? { options } : {}
}
