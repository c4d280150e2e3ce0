/**
 * Sign in with OneLogin.
 *
 * Add an OpenID Connect app with the callback URL `https://your.site/auth/callback/onelogin`, then
 * set `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET` and `AUTH_ONELOGIN_ISSUER`. The issuer is
 * `https://your-subdomain.onelogin.com/oidc/2`.
 *
 * @see https://developers.onelogin.com/openid-connect
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface OneLoginProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const oneLogin: OIDCProvider<OneLoginProfile> = oidc({
  id: 'onelogin',
  name: 'OneLogin',
})

export default oneLogin
