/**
 * Sign in with Authentik.
 *
 * Create an OAuth2/OpenID provider and an application with the callback URL
 * `https://your.site/auth/callback/authentik`, then set `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET` and
 * `AUTH_AUTHENTIK_ISSUER`. The issuer belongs to the application:
 * `https://authentik.your.site/application/o/your-slug/`, with the slash at its end.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/authentik.ts'

/** The claims of the ID token. */
export interface AuthentikProfile {
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  iss: string
  aud: string
  exp: number
  iat: number
  auth_time?: number
  acr?: string
  c_hash?: string
  nonce?: string
  at_hash?: string
  given_name?: string
  family_name?: string
  groups?: string[]
  [claim: string]: unknown
}

const authentik: OIDCProvider<AuthentikProfile> = oidc({
  id: 'authentik',
  name: 'Authentik',
  style: { brandColor: '#fd4b2d', mark },
})

export default authentik
