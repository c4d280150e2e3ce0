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

import { mark } from '../marks/auth0.ts'
import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that matter to most applications. */
export interface Auth0Profile {
  sub: string
  name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const auth0: OIDCProvider<Auth0Profile> = oidc({
  id: 'auth0',
  name: 'Auth0',
  style: { brandColor: '#eb5424', mark },
})

export default auth0
