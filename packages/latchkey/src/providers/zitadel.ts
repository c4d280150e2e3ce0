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

/** The claims of the ID token. */
export interface ZitadelProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  amr?: string[]
  aud: string | string[]
  auth_time?: number
  azp?: string
  exp: number
  family_name?: string
  given_name?: string
  gender?: string
  iat: number
  iss: string
  jti?: string
  locale?: string
  nbf?: number
  phone?: string
  phone_verified?: boolean
  [claim: string]: unknown
}

const zitadel: OIDCProvider<ZitadelProfile> = oidc({
  id: 'zitadel',
  name: 'ZITADEL',
})

export default zitadel
