/**
 * Sign in with Keycloak.
 *
 * Create a client with the redirect URI `https://your.site/auth/callback/keycloak`, then set
 * `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET` and `AUTH_KEYCLOAK_ISSUER`. The issuer contains the realm:
 * `https://keycloak.your.site/realms/your-realm` (before version 17 with `/auth` in front of `/realms`).
 *
 * @see https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface KeycloakProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  exp: number
  iat: number
  auth_time?: number
  jti?: string
  iss: string
  aud: string | string[]
  typ?: string
  azp?: string
  session_state?: string
  at_hash?: string
  acr?: string
  sid?: string
  given_name?: string
  family_name?: string
  [claim: string]: unknown
}

const keycloak: OIDCProvider<KeycloakProfile> = oidc({
  id: 'keycloak',
  name: 'Keycloak',
  style: { brandColor: '#428bca' },
})

export default keycloak
