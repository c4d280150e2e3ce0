/**
 * Sign in with SimpleLogin.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/simplelogin`, then
 * set `AUTH_SIMPLELOGIN_ID` and `AUTH_SIMPLELOGIN_SECRET`.
 *
 * The email address is an alias that exists only for your site.
 *
 * @see https://simplelogin.io/docs/siwsl/intro/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/simplelogin.ts'

/** The claims of the ID token. */
export interface SimpleLoginProfile {
  sub: string
  name: string
  email: string
  email_verified: boolean
  /** Only for people with a picture. */
  avatar_url?: string | null
  id?: number
  client?: string
  [claim: string]: unknown
}

const simpleLogin: OIDCProvider<SimpleLoginProfile> = oidc({
  id: 'simplelogin',
  name: 'SimpleLogin',
  issuer: 'https://app.simplelogin.io',
  profile: ({ sub, name, email, avatar_url }) => ({
    id: sub,
    name,
    email,
    image: avatar_url ?? null,
  }),
  style: { brandColor: '#e3156a', mark },
})

export default simpleLogin
