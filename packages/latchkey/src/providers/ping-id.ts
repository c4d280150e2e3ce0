/**
 * Sign in with Ping Identity.
 *
 * Add an OIDC web app with the callback URL `https://your.site/auth/callback/ping-id`, then set
 * `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET` and `AUTH_PING_ID_ISSUER`. The issuer is
 * `https://auth.pingone.com/your-environment-id/as`.
 *
 * @see https://docs.pingidentity.com/pingone/applications/p1_applications_add_applications.html
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface PingProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  iss: string
  aud: string
  iat: number
  exp: number
  acr?: string
  amr?: string[]
  auth_time?: number
  at_hash?: string
  sid?: string
  given_name?: string
  updated_at?: number
  family_name?: string
  env?: string
  org?: string
  'p1.region'?: string
  [claim: string]: unknown
}

const pingId: OIDCProvider<PingProfile> = oidc({
  id: 'ping-id',
  name: 'Ping Identity',
})

export default pingId
