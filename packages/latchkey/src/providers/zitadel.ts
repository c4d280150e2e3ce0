/**
 * Sign in with ZITADEL.
 *
 * Create a web application with the authorization code grant. Give it the callback URL
 * `https://your.site/auth/callback/zitadel`, then set `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET` and
 * `AUTH_ZITADEL_ISSUER`. The issuer is your instance, `https://your-instance.zitadel.cloud`.
 *
 * @see https://zitadel.com/docs/apis/openidoauth/endpoints
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface ZitadelProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const zitadel: OIDCProvider<ZitadelProfile> = oidc({
  id: 'zitadel',
  name: 'ZITADEL',
})

export default zitadel
