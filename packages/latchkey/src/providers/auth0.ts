/**
 * Sign in with Auth0.
 *
 * Create a "Regular Web Application" with the callback URL `https://your.site/auth/callback/auth0`,
 * then set `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`. The issuer is
 * `https://your-tenant.auth0.com/`, with the slash at its end.
 *
 * @see https://auth0.com/docs/authenticate
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/auth0.ts'

/** The claims of the ID token. */
export interface Auth0Profile {
  sub: string
  name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
  family_name?: string
  given_name?: string
  updated_at?: string
  /** Of the user as the tenant stores them: only where an action puts it into the token, as the rest. */
  user_id?: string
  username?: string
  phone_number?: string
  phone_verified?: boolean
  identities?: {
    connection: string
    isSocial: boolean
    provider: string
    user_id: string
    profileData: Record<string, unknown>
  }[]
  app_metadata?: Record<string, unknown>
  user_metadata?: Record<string, unknown>
  blocked?: boolean
  multifactor?: string
  created_at?: string
  last_ip?: string
  last_login?: string
  last_password_reset?: string
  logins_count?: number
  [claim: string]: unknown
}

const auth0: OIDCProvider<Auth0Profile> = oidc({
  id: 'auth0',
  name: 'Auth0',
  // Confirmed on 2026-11-23: auth0.com/docs/api/authentication/logout/oidc-logout (with an ID token, the hint has to be
  // its `sid`) and auth-0-logout, for tenants whose metadata names no endpoint.
  endSession: {
    logoutHint: 'sid',
    otherwise: {
      url: '{issuer}/v2/logout',
      params: { client_id: '{clientId}', returnTo: '{return}' },
    },
  },
  // https://auth0.com/docs/secure/tokens/refresh-tokens/configure-refresh-token-rotation, read 2026-11-23: rotation and
  // its overlap are settings, and a refresh token from before the previous one ends the family.
  tokens: { rotation: 'strict' },
  style: { brandColor: '#eb5424', mark },
})

export default auth0
