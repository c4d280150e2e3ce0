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

/** The claims of the ID token that the default user is made of. */
export interface PingProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const pingId: OIDCProvider<PingProfile> = oidc({
  id: 'ping-id',
  name: 'Ping Identity',
})

export default pingId
